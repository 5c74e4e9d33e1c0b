//! The log: on standard error for who started the app from a terminal, and, in the long-lived app, kept in memory and in a file of
//! the account's folder. What libraries say passes through the same redaction as traces: at their finest levels they repeat what
//! was sent and what came back. The kept log leaves those levels out.

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

/// Set once the keys are known; before that nothing was sent.
static REDACTOR: OnceLock<Redactor> = OnceLock::new();
/// What the long-lived app keeps.
static BUFFER: OnceLock<Arc<LogBuffer>> = OnceLock::new();
/// What is worth keeping of libraries and of the app itself.
const DEFAULT_FILTER: &str = "warn,inklings=info";

/// Starts the log; `INKLINGS_LOG` sets the level on standard error, warnings by default. With a home it is kept there.
pub(crate) fn start(keep_in: Option<&Path>) {
    let filter = EnvFilter::try_from_env("INKLINGS_LOG").unwrap_or_else(|_| "warn".into());
    let printed = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(|| Redacted).with_filter(filter);
    let buffer = keep_in.map(|home| {
        let buffer = BUFFER.get_or_init(|| LogBuffer::start(home)).clone();
        buffer::BufferLayer(buffer).with_filter(EnvFilter::new(DEFAULT_FILTER))
    });
    // A second engine in the same process keeps the first one's log.
    if tracing_subscriber::registry().with(printed).with(buffer).try_init().is_ok() && keep_in.is_some() {
        note_panics();
    }
}

/// From now on known keys are taken out too.
pub(crate) fn redact_with(redactor: &Redactor) {
    // The first engine's keys stand for all of a process; tests alone have several.
    let _ = REDACTOR.set(redactor.clone());
}

/// Waits for what was said to be written: the app is about to end.
pub(crate) fn flush() {
    if let Some(buffer) = BUFFER.get() {
        buffer.flush();
    }
}

/// The log as operations see it: of this process where it keeps one, else what the app left in the account's folder.
pub(crate) fn of(home: &Path) -> Arc<dyn AppLog> {
    match BUFFER.get() {
        Some(buffer) => buffer.clone(),
        None => Arc::new(StoredLog(home.to_owned())),
    }
}

/// What the long-lived app left in its file.
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
        buffer::say(level, message);
        true
    }
}

/// A panic is a line like any other, and printed as before.
fn note_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a thread panicked: {}", panic.payload_as_str().unwrap_or("no message"));
        before(panic);
    }));
}

/// The text without secrets.
fn clean(text: &str) -> String {
    match REDACTOR.get() {
        Some(redactor) => redactor.redact(text),
        None => Redactor::new(Arc::new(inklings_runtime::NoSecrets)).redact(text),
    }
}

thread_local! {
    /// Asking for the keys may itself have something to say; it isn't asked for that again.
    static CLEANING: Cell<bool> = const { Cell::new(false) };
}

/// Standard error, one event at a time.
struct Redacted;

impl Write for Redacted {
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
