//! The text format of a log line: time, level, target, message. Further lines of a message are indented.

use std::fmt::Write as _;

use inklings_app::log::{LogLevel, LogLine};
use inklings_core::Time;

const INDENT: &str = "    ";

pub(super) fn print(line: &LogLine) -> String {
    let message = line.message.replace('\n', &format!("\n{INDENT}"));
    format!("{} {:5} {}: {message}\n", line.time, line.level.as_str(), line.target)
}

/// Parses lines, oldest first, and skips incomplete and foreign ones.
pub(super) fn parse(text: &str) -> Vec<LogLine> {
    let mut lines: Vec<LogLine> = Vec::new();
    for text in text.lines() {
        if let Some(more) = text.strip_prefix(INDENT) {
            if let Some(last) = lines.last_mut() {
                // Writing to a String can't fail.
                let _ = write!(last.message, "\n{more}");
            }
        } else if let Some(line) = begin(text) {
            lines.push(line);
        }
    }
    for (seq, line) in (1..).zip(&mut lines) {
        line.seq = seq;
    }
    lines
}

fn begin(text: &str) -> Option<LogLine> {
    let (time, rest) = text.split_once(' ')?;
    let (level, rest) = rest.split_at_checked(5)?;
    let level = [LogLevel::Error, LogLevel::Warn, LogLevel::Info].into_iter().find(|one| one.as_str() == level.trim_end())?;
    let (target, message) = rest.strip_prefix(' ')?.split_once(": ")?;
    let time: Time = time.parse().ok()?;
    Some(LogLine { seq: 0, time, level, target: target.to_owned(), message: message.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(seq: u64, level: LogLevel, message: &str) -> LogLine {
        LogLine { seq, time: Time::from_millis(1_000), level, target: "inklings_store::store".to_owned(), message: message.to_owned() }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let lines = [
            line(1, LogLevel::Warn, "moving a damaged database aside path=/x: y"),
            line(2, LogLevel::Info, "one\n\n  two: three"),
            line(3, LogLevel::Error, "2026-01-01T00:00:00.000Z WARN a: b"),
        ];
        let text: String = lines.iter().map(print).collect();
        assert_eq!(parse(&text), lines);
    }

    #[test]
    fn other_lines_are_skipped() {
        let text = "    the end of something\nnonsense\n2026-01-01T00:00:00.000Z LOUD  a: b\n\u{e9}\n2026-01-01T00:00:00.000Z é\n";
        assert_eq!(parse(text), []);
    }
}
