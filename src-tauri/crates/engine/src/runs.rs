//! What runs need of the process: listeners, and the secrets to keep out of traces.

use std::sync::Arc;

use inklings_app::RunEvent;
use inklings_models::Registry;
use inklings_runtime::{KnownSecrets, RunEvents};
use tokio::sync::broadcast;

/// Tells every listener.
pub(crate) struct RunEventPublisher(pub(crate) broadcast::Sender<RunEvent>);

impl RunEvents for RunEventPublisher {
    fn on_event(&self, event: RunEvent) {
        // Nobody listening is fine.
        let _ = self.0.send(event);
    }
}

/// The keys of the providers that are set up.
pub(crate) struct ProviderKeys(pub(crate) Arc<Registry>);

impl KnownSecrets for ProviderKeys {
    fn secrets(&self) -> Vec<String> {
        self.0.secrets()
    }
}
