use std::sync::atomic::{AtomicUsize, Ordering};

use inklings_rpc::ProgressReporter;
use inklings_runtime::{RunEvent, RunEventKind, RunEvents};

use super::gates::clear_output;

/// Passes events on, and reports their number as the progress of the call.
pub(crate) struct ReportedEvents<'a> {
    events: &'a dyn RunEvents,
    progress: ProgressReporter,
    /// Whether the caller may not see the output yet.
    holds_output: bool,
    count: AtomicUsize,
}

impl<'a> ReportedEvents<'a> {
    pub(crate) const fn new(events: &'a dyn RunEvents, progress: ProgressReporter, holds_output: bool) -> Self {
        Self { events, progress, holds_output, count: AtomicUsize::new(0) }
    }
}

impl RunEvents for ReportedEvents<'_> {
    fn on_event(&self, event: RunEvent) {
        let shown = if self.holds_output { without_output(event) } else { Some(event) };
        if let Some(event) = shown {
            self.events.on_event(event);
        }
        self.progress.report(self.count.fetch_add(1, Ordering::Relaxed) + 1, None);
    }
}

/// None for an event that is nothing but output.
fn without_output(event: RunEvent) -> Option<RunEvent> {
    let what = match event.what {
        RunEventKind::Rendered { .. } | RunEventKind::Text { .. } | RunEventKind::Log { .. } => return None,
        RunEventKind::Progress { trace, fraction, .. } => RunEventKind::Progress { trace, fraction, text: String::new() },
        RunEventKind::Ended { mut trace } => {
            clear_output(&mut trace);
            RunEventKind::Ended { trace }
        }
        other => other,
    };
    Some(RunEvent { what, ..event })
}
