use super::error::LogError;
use crate::log::{AppLog, LogLevel};

/// Characters of a report that are logged.
const MAX_REPORT_CHARS: usize = 4_000;

/// Logs what a window reports, without control characters. Returns false if there were too many reports lately and it was only counted.
pub(super) fn report(log: &dyn AppLog, level: LogLevel, message: &str) -> Result<bool, LogError> {
    let is_plain = |letter: &char| *letter == '\n' || !letter.is_control();
    let message: String = message.chars().filter(is_plain).take(MAX_REPORT_CHARS).collect();
    match message.trim() {
        "" => Err(LogError::NoMessage),
        message => Ok(log.report(level, message)),
    }
}
