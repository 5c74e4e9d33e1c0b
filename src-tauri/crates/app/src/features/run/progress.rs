use std::sync::atomic::{AtomicUsize, Ordering};

use inklings_rpc::ProgressReporter;
use inklings_runtime::{RunEvent, RunEvents};

/// Passes events on, and reports their number as the progress of the call.
pub(crate) struct ReportedEvents<'a> {
    events: &'a dyn RunEvents,
    progress: ProgressReporter,
    count: AtomicUsize,
}

impl<'a> ReportedEvents<'a> {
    pub(crate) const fn new(events: &'a dyn RunEvents, progress: ProgressReporter) -> Self {
        Self { events, progress, count: AtomicUsize::new(0) }
    }
}

impl RunEvents for ReportedEvents<'_> {
    fn on_event(&self, event: RunEvent) {
        self.events.on_event(event);
        self.progress.report(self.count.fetch_add(1, Ordering::Relaxed) + 1, None);
    }
}
