//! A progress bar on a terminal. Ctrl+C cancels the call after the current item.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use inklings_core::{CancellationToken, Progress, ProgressReporter};

use crate::interrupt::interrupts;
use crate::out::Out;
use crate::terminal::is_capable;

/// Time before the bar is shown; most calls end earlier.
const SHOW_DELAY: Duration = Duration::from_millis(300);

/// Cancels at Ctrl+C, instead of ending the process.
fn cancel_at_interrupt(cancel: CancellationToken) -> tokio::task::JoinHandle<()> {
    let mut interrupts = interrupts();
    tokio::spawn(async move {
        while interrupts.changed().await.is_ok() {
            cancel.cancel();
        }
    })
}

/// A call whose progress is shown.
pub(crate) struct CallProgress {
    cancel: CancellationToken,
    progress: ProgressReporter,
    bar: ProgressBar,
    interrupt: tokio::task::JoinHandle<()>,
}

impl CallProgress {
    /// `what` is a participle: `importing`.
    pub(crate) fn begin(what: &'static str, out: &Out) -> Self {
        Self::shown(what, COUNT_TEMPLATE, out)
    }

    /// For a call whose progress is in bytes.
    pub(crate) fn of_bytes(what: &'static str, out: &Out) -> Self {
        Self::shown(what, BYTE_TEMPLATE, out)
    }

    fn shown(what: &'static str, template: &'static str, out: &Out) -> Self {
        let target = if out.is_json() || !is_capable() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target).with_message(what);
        let (shown, began) = (bar.clone(), std::time::Instant::now());
        let progress = ProgressReporter::new(move |Progress { done, total }| {
            if began.elapsed() < SHOW_DELAY {
                return;
            }
            if let Some(total) = total.filter(|total| shown.length() != Some(*total)) {
                shown.set_length(total);
                shown.set_style(style(template));
            }
            shown.set_position(done);
        });
        let cancel = CancellationToken::new();
        let interrupt = cancel_at_interrupt(cancel.clone());
        Self { cancel, progress, bar, interrupt }
    }

    pub(crate) const fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    pub(crate) const fn reporter(&self) -> &ProgressReporter {
        &self.progress
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
        self.interrupt.abort();
    }
}

impl Drop for CallProgress {
    fn drop(&mut self) {
        self.end();
    }
}

const COUNT_TEMPLATE: &str = "{msg} {bar:30} {human_pos} of {human_len}, {eta} left";
const BYTE_TEMPLATE: &str = "{msg} {bar:30} {binary_bytes} of {binary_total_bytes}, {eta} left";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
