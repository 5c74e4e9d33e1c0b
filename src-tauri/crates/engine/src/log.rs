//! The log on standard error. What libraries say passes through the same redaction as traces: at their finest levels they repeat
//! what was sent and what came back.

use std::io::{self, Write};
use std::sync::OnceLock;

use inklings_runtime::Redactor;
use tracing_subscriber::EnvFilter;

/// Set once the keys are known; before that nothing was sent.
static REDACTOR: OnceLock<Redactor> = OnceLock::new();

/// Starts the log; `INKLINGS_LOG` sets the level, warnings by default.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_env("INKLINGS_LOG").unwrap_or_else(|_| "warn".into());
    // A second engine in the same process keeps the first one's log.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(|| Redacted).try_init();
}

/// From now on secrets are taken out.
pub(crate) fn redact_with(redactor: &Redactor) {
    // The first engine's keys stand for all of a process; tests alone have several.
    let _ = REDACTOR.set(redactor.clone());
}

/// Standard error, one event at a time.
struct Redacted;

impl Write for Redacted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let clean = REDACTOR.get().map(|redactor| redactor.redact(&text));
        io::stderr().write_all(clean.as_deref().unwrap_or(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
