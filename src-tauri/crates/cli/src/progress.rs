//! A bar for what takes long, on a terminal; Ctrl+C stops it after what it is at.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use inklings_rpc::{Progress, Watch};

use crate::out::Out;
use crate::terminal::is_capable;

/// How long nothing is shown: most calls are over by then.
const QUIET: Duration = Duration::from_millis(300);

/// Asks `stop` to do its work at Ctrl+C, instead of ending the process.
fn at_interrupt(stop: impl FnOnce() + Send + 'static) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop();
        }
    })
}

/// A call that is watched.
pub(crate) struct Progressing {
    watch: Watch,
    bar: ProgressBar,
    stopping: tokio::task::JoinHandle<()>,
}

impl Progressing {
    /// Begins a bar; `what` is a verb: `importing`.
    pub(crate) fn begin(what: &'static str, out: &Out) -> Self {
        Self::shown(what, COUNTS, out)
    }

    /// The same for a call that tells bytes.
    pub(crate) fn of_bytes(what: &'static str, out: &Out) -> Self {
        Self::shown(what, BYTES, out)
    }

    fn shown(what: &'static str, template: &'static str, out: &Out) -> Self {
        let target = if out.is_json() || !is_capable() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target).with_message(what);
        let (shown, began) = (bar.clone(), std::time::Instant::now());
        let watch = Watch::new(move |Progress { done, total }| {
            if began.elapsed() < QUIET {
                return;
            }
            if let Some(total) = total.filter(|total| shown.length() != Some(*total)) {
                shown.set_length(total);
                shown.set_style(style(template));
            }
            shown.set_position(done);
        });
        let stop = watch.clone();
        let stopping = at_interrupt(move || stop.stop());
        Self { watch, bar, stopping }
    }

    pub(crate) const fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
        self.stopping.abort();
    }
}

impl Drop for Progressing {
    fn drop(&mut self) {
        self.end();
    }
}

const COUNTS: &str = "{msg} {bar:30} {human_pos} of {human_len}, {eta} left";
const BYTES: &str = "{msg} {bar:30} {binary_bytes} of {binary_total_bytes}, {eta} left";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
