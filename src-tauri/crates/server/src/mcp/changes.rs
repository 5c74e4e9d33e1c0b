//! Telling clients that skills changed.

use std::path::PathBuf;
use std::time::Duration;

use inklings_app::wire::ChangeEvent;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

/// An import writes hundreds of skills; the client is told once.
const DEBOUNCE: Duration = Duration::from_millis(100);

/// Changes of the skills that a client sees.
pub(super) struct SkillChanges {
    events: Receiver<ChangeEvent>,
    workspace: Option<String>,
}

impl SkillChanges {
    pub(super) fn new(events: Receiver<ChangeEvent>, workspace: Option<&PathBuf>) -> Self {
        Self { events, workspace: workspace.map(|path| path.display().to_string()) }
    }

    /// Waits for the next change, and for a moment of quiet after it. False if there will be none.
    pub(super) async fn next(&mut self) -> bool {
        loop {
            match self.events.recv().await {
                Ok(event) if !self.concerns(&event) => {}
                Ok(_) | Err(RecvError::Lagged(_)) => break,
                Err(RecvError::Closed) => return false,
            }
        }
        while let Ok(event) = tokio::time::timeout(DEBOUNCE, self.events.recv()).await {
            if matches!(event, Err(RecvError::Closed)) {
                break;
            }
        }
        true
    }

    fn concerns(&self, event: &ChangeEvent) -> bool {
        matches!(event.kind.as_str(), "skill" | "database") && (event.workspace.is_none() || event.workspace == self.workspace)
    }
}
