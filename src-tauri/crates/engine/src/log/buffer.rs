//! The log of the app: the newest lines in memory, all of them in a file. One thread redacts and
//! writes, so that logging never waits for a disk or the keychain; reading keys may itself log.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use inklings_app::log::{AppLog, LogLevel, LogLine, LogPage};
use inklings_core::Time;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::file::{self, LogFile};
use super::line::print;

/// In memory.
const MAX_LINES: usize = 5_000;
const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Lines of earlier processes that are loaded from the file.
const MAX_EARLIER_LINES: usize = 500;
const MAX_LINE_BYTES: usize = 4_000;
/// Further lines are only counted as missed.
const QUEUE_CAPACITY: usize = 1_024;
/// Of windows.
const MAX_REPORTS_PER_MINUTE: u32 = 30;
const MINUTE: Duration = Duration::from_mins(1);
const FLUSH_TIMEOUT: Duration = Duration::from_millis(500);
const THREAD_NAME: &str = "log";
/// The target of reports of windows.
const WINDOW_TARGET: &str = "inklings_window";

enum LogCommand {
    Line(LogLevel, String, String, SystemTime),
    /// Replies when all earlier lines are written.
    Flush(SyncSender<()>),
}

pub(super) struct LogBuffer {
    ring: Mutex<Ring>,
    reports: Mutex<ReportBudget>,
    sender: SyncSender<LogCommand>,
    file: PathBuf,
}

impl LogBuffer {
    pub(super) fn start(home: &Path) -> Arc<Self> {
        let (sender, commands) = sync_channel(QUEUE_CAPACITY);
        let mut ring = Ring::default();
        for line in file::tail(home, MAX_EARLIER_LINES) {
            ring.push(line);
        }
        let buffer = Arc::new(Self {
            ring: Mutex::new(ring),
            reports: Mutex::new(ReportBudget::new(Instant::now())),
            sender,
            file: file::path(home),
        });
        let (writer, home) = (buffer.clone(), home.to_owned());
        // Without the thread nothing is logged.
        let _ = std::thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(move || writer.write_all(&home, &commands));
        buffer
    }

    fn write_all(&self, home: &Path, commands: &Receiver<LogCommand>) {
        let mut file = LogFile::open(home).ok();
        for one in commands {
            match one {
                LogCommand::Flush(done) => {
                    // Fails if the caller timed out.
                    let _ = done.send(());
                }
                LogCommand::Line(level, target, message, at) => {
                    let millis = at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis());
                    let time = Time::from_millis(i64::try_from(millis).unwrap_or_default());
                    let line = self.ring().push(LogLine { seq: 0, time, level, target, message: super::clean(&message) });
                    // A failure, such as a full disk, is ignored: the line is in memory.
                    let _ = file.as_mut().map(|file| file.write(&print(&line)));
                }
            }
        }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self, level: LogLevel, target: &str, mut message: String) {
        let end = (0..=MAX_LINE_BYTES.min(message.len())).rev().find(|at| message.is_char_boundary(*at)).unwrap_or_default();
        if end < message.len() {
            message.truncate(end);
            message.push('…');
        }
        if self.sender.try_send(LogCommand::Line(level, target.to_owned(), message, SystemTime::now())).is_err() {
            self.ring().skip();
        }
    }

    pub(super) fn flush(&self) {
        let (done, is_done) = sync_channel(1);
        if self.sender.try_send(LogCommand::Flush(done)).is_ok() {
            let _ = is_done.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

impl AppLog for LogBuffer {
    fn after(&self, seq: u64, limit: usize) -> LogPage {
        self.ring().after(seq, limit, self.file.display().to_string())
    }

    fn report(&self, level: LogLevel, message: &str) -> bool {
        let taken = self.reports.lock().unwrap_or_else(PoisonError::into_inner).take(Instant::now());
        let Some(dropped) = taken else { return false };
        if dropped > 0 {
            tracing::warn!(target: WINDOW_TARGET, "dropped {dropped} reports of windows");
        }
        log_report(level, message);
        true
    }
}

pub(super) fn log_report(level: LogLevel, message: &str) {
    match level {
        LogLevel::Error => tracing::error!(target: WINDOW_TARGET, "{message}"),
        LogLevel::Warn => tracing::warn!(target: WINDOW_TARGET, "{message}"),
        LogLevel::Info => tracing::info!(target: WINDOW_TARGET, "{message}"),
    }
}

#[derive(Default)]
struct Ring {
    lines: VecDeque<LogLine>,
    bytes: usize,
    /// The last sequence number, also of a line that was dropped.
    newest: u64,
}

impl Ring {
    /// Returns the line with its sequence number.
    fn push(&mut self, mut line: LogLine) -> LogLine {
        self.newest += 1;
        line.seq = self.newest;
        self.bytes += size(&line);
        self.lines.push_back(line.clone());
        while self.lines.len() > MAX_LINES || self.bytes > MAX_BYTES {
            let Some(removed) = self.lines.pop_front() else { break };
            self.bytes -= size(&removed);
        }
        line
    }

    /// Counts a dropped line. It has a sequence number, so that a reader learns of it
    /// once.
    const fn skip(&mut self) {
        self.newest += 1;
    }

    fn after(&self, seq: u64, limit: usize, file: String) -> LogPage {
        let newer = self.lines.iter().filter(|line| line.seq > seq).count();
        let lines: Vec<_> = self.lines.iter().skip(self.lines.len() - newer.min(limit)).cloned().collect();
        let wanted = self.newest.saturating_sub(seq);
        let missed = wanted.saturating_sub(lines.len() as u64);
        LogPage { lines, newest: self.newest, missed, file: Some(file) }
    }
}

fn size(line: &LogLine) -> usize {
    line.message.len() + line.target.len()
}

/// Rate limit of the reports of windows.
struct ReportBudget {
    since: Instant,
    left: u32,
    dropped: u32,
}

impl ReportBudget {
    fn new(now: Instant) -> Self {
        Self { since: now, left: MAX_REPORTS_PER_MINUTE, dropped: 0 }
    }

    /// Admits one report and returns how many were dropped before it. None if the limit is reached.
    fn take(&mut self, now: Instant) -> Option<u32> {
        if now.duration_since(self.since) >= MINUTE {
            (self.since, self.left) = (now, MAX_REPORTS_PER_MINUTE);
        }
        if self.left == 0 {
            self.dropped += 1;
            return None;
        }
        self.left -= 1;
        Some(std::mem::take(&mut self.dropped))
    }
}

pub(super) struct BufferLayer(pub(super) Arc<LogBuffer>);

impl<S: Subscriber> Layer<S> for BufferLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        // Events of the writing thread would recurse.
        if std::thread::current().name() == Some(THREAD_NAME) {
            return;
        }
        let level = match *event.metadata().level() {
            Level::ERROR => LogLevel::Error,
            Level::WARN => LogLevel::Warn,
            _ => LogLevel::Info,
        };
        let mut fields = EventFields::default();
        event.record(&mut fields);
        self.0.log(level, event.metadata().target(), fields.message + &fields.fields);
    }
}

#[derive(Default)]
struct EventFields {
    message: String,
    fields: String,
}

impl EventFields {
    fn field(&mut self, field: &Field, value: std::fmt::Arguments<'_>) {
        // Writing to a String can't fail.
        let _ = if field.name() == "message" { self.message.write_fmt(value) } else { write!(self.fields, " {}={value}", field.name()) };
    }
}

impl Visit for EventFields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if !value.is_empty() {
            self.field(field, format_args!("{value}"));
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.field(field, format_args!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    fn messages(page: &LogPage) -> Vec<&str> {
        page.lines.iter().map(|line| line.message.as_str()).collect()
    }

    #[test]
    fn lines_are_redacted_and_come_back_with_the_next_start() {
        let home = tempfile::tempdir().unwrap();
        let buffer = LogBuffer::start(home.path());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(BufferLayer(buffer.clone())), || {
            tracing::warn!(path = "/x", number = 3, empty = "", "a warning");
            tracing::error!("the key is {}", concat!("sk-ant-", "api03-abcdefghijklmnopqrstuvwxyz"));
            tracing::info!("{}", "é".repeat(5_000));
        });
        buffer.flush();
        let page = buffer.after(0, 10);
        assert_eq!(messages(&page)[..2], ["a warning path=/x number=3", "the key is [redacted]"]);
        assert!(page.lines[2].message.len() <= MAX_LINE_BYTES + 3 && page.lines[2].message.ends_with('…'));
        assert_eq!((page.newest, page.missed, page.lines[0].level), (3, 0, LogLevel::Warn));
        assert_eq!(messages(&buffer.after(1, 1)).len(), 1);
        assert_eq!(buffer.after(1, 1).missed, 1);
        assert_eq!(buffer.after(3, 10).lines, []);
        let again = LogBuffer::start(home.path());
        assert_eq!(messages(&again.after(0, 10)), messages(&page));
    }

    #[test]
    fn memory_has_a_bound() {
        let mut ring = Ring::default();
        let line = |letters: usize| LogLine {
            seq: 0,
            time: Time::from_millis(0),
            level: LogLevel::Info,
            target: String::new(),
            message: "x".repeat(letters),
        };
        for _ in 0..2 * MAX_LINES {
            ring.push(line(1));
        }
        assert_eq!(ring.lines.len(), MAX_LINES);
        for _ in 0..MAX_LINES {
            ring.push(line(4_000));
        }
        assert!(ring.bytes <= MAX_BYTES && ring.lines.len() > 500, "{}", ring.bytes);
        assert_eq!(ring.after(0, MAX_LINES, String::new()).newest, 3 * MAX_LINES as u64);
    }

    #[test]
    fn a_dropped_line_is_reported_once() {
        let mut ring = Ring::default();
        let line = LogLine { seq: 0, time: Time::from_millis(0), level: LogLevel::Info, target: String::new(), message: "x".to_owned() };
        ring.push(line.clone());
        ring.skip();
        let page = ring.after(0, 10, String::new());
        assert_eq!((page.lines.len(), page.missed), (1, 1));
        assert_eq!(ring.after(page.newest, 10, String::new()).missed, 0);
        ring.push(line);
        let next = ring.after(page.newest, 10, String::new());
        assert_eq!((next.lines.len(), next.missed), (1, 0));
    }

    #[test]
    fn a_window_can_not_flood_it() {
        let start = Instant::now();
        let mut budget = ReportBudget::new(start);
        assert_eq!((0..100).filter(|_| budget.take(start).is_some()).count(), MAX_REPORTS_PER_MINUTE as usize);
        assert_eq!(budget.take(start + MINUTE), Some(100 - MAX_REPORTS_PER_MINUTE));
        assert_eq!(budget.take(start + MINUTE), Some(0));
    }
}
