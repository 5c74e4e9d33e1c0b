//! The log: on standard error, and in the app also in memory and in a file of
//! the account's folder. It is redacted like traces, since libraries log requests and responses at their finest levels, which
//! the file leaves out.

mod buffer;
mod file;
mod line;

use std::cell::Cell;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use inklings_app::log::{AppLog, LogLevel, LogPage};
use inklings_runtime::Redactor;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use buffer::LogBuffer;
pub(crate) use file::tail;

/// Set once the keys are known; nothing was sent before.
static REDACTOR: OnceLock<Redactor> = OnceLock::new();
static BUFFER: OnceLock<Arc<LogBuffer>> = OnceLock::new();
/// For memory and the file.
const DEFAULT_FILTER: &str = "warn,inklings=info";

/// `INKLINGS_LOG` sets the level on standard error [default: warn]. With `keep_in`, the account's folder, the log is also kept there.
pub(crate) fn start(keep_in: Option<&Path>) {
    let filter = EnvFilter::try_from_env("INKLINGS_LOG").unwrap_or_else(|_| "warn".into());
    let printed = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(|| RedactedStderr).with_filter(filter);
    let buffer = keep_in.map(|home| {
        let buffer = BUFFER.get_or_init(|| LogBuffer::start(home)).clone();
        buffer::BufferLayer(buffer).with_filter(EnvFilter::new(DEFAULT_FILTER))
    });
    // A second engine in the same process keeps the first one's log.
    if tracing_subscriber::registry().with(printed).with(buffer).try_init().is_ok() && keep_in.is_some() {
        log_panics();
    }
}

/// Redacts known keys from now on.
pub(crate) fn redact_with(redactor: &Redactor) {
    // Fails for a second engine of the same process, which only tests have.
    let _ = REDACTOR.set(redactor.clone());
}

/// Waits until all lines are written.
pub(crate) fn flush() {
    if let Some(buffer) = BUFFER.get() {
        buffer.flush();
    }
}

/// The log of this process if it keeps one, else the file of the app.
pub(crate) fn app_log(home: &Path) -> Arc<dyn AppLog> {
    match BUFFER.get() {
        Some(buffer) => buffer.clone(),
        None => Arc::new(StoredLog(home.to_owned())),
    }
}

struct StoredLog(std::path::PathBuf);

impl AppLog for StoredLog {
    fn after(&self, seq: u64, limit: usize) -> LogPage {
        let lines = tail(&self.0, limit);
        let newest = lines.last().map_or(0, |line| line.seq);
        LogPage {
            lines: lines.into_iter().filter(|line| line.seq > seq).collect(),
            newest,
            missed: 0,
            file: Some(file::path(&self.0).display().to_string()),
        }
    }

    fn report(&self, level: LogLevel, message: &str) -> bool {
        buffer::log_report(level, message);
        true
    }
}

/// Logs panics in addition to printing them.
fn log_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let location = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(location, "a thread panicked: {}", panic.payload_as_str().unwrap_or("no message"));
        before(panic);
    }));
}

fn clean(text: &str) -> String {
    match REDACTOR.get() {
        Some(redactor) => redactor.redact(text),
        None => Redactor::new(Arc::new(inklings_runtime::NoSecrets)).redact(text),
    }
}

thread_local! {
    /// Guards against recursion, since reading keys may log.
    static CLEANING: Cell<bool> = const { Cell::new(false) };
}

struct RedactedStderr;

impl Write for RedactedStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        if !CLEANING.replace(true) {
            let clean = clean(&text);
            CLEANING.set(false);
            io::stderr().write_all(clean.as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
