//! Printing: plain lines and tables for people, one JSON document for programs.
//!
//! Whatever is made for people to read goes through [`visible`]. A file's content, an answer or a diff goes into a pipe or a file as
//! it is, and is made visible on a terminal only.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{ErrorKind, IsTerminal as _, Write as _};

use anyhow::Context as _;
use inklings_app::Banner;
use inklings_core::{Diagnostic, Severity};
use inklings_rpc::{Code, Failure};
use serde::Serialize;

use crate::Ended;
use crate::terminal::{is_capable, visible, visible_json};

/// Where results go.
#[derive(Debug, Clone)]
pub(crate) struct Out {
    json: bool,
    /// Standard error takes colors.
    color: bool,
    /// Standard output is a terminal.
    terminal: bool,
}

impl Out {
    /// JSON, or text with color on a terminal unless `NO_COLOR` or `TERM=dumb` says no.
    pub(crate) fn new(json: bool) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && is_capable();
        Self { json, color: wanted && std::io::stderr().is_terminal(), terminal: std::io::stdout().is_terminal() }
    }

    /// Prints a result: as JSON, or as `text` says.
    pub(crate) fn result<T: Serialize>(&self, value: &T, text: impl FnOnce(&T) -> String) -> Result<(), Ended> {
        if self.json {
            return self.json_lines(&format!("{}\n", serde_json::to_string_pretty(value).context("the result can't be put as JSON")?));
        }
        let text = text(value);
        let shown = visible(text.trim_end_matches('\n'));
        if shown.is_empty() { Ok(()) } else { print(format!("{shown}\n").as_bytes()).map(drop) }
    }

    /// Prints a result whose text somebody else wrote, or that a program reads: as JSON, or exactly as it is.
    pub(crate) fn content<T: Serialize>(&self, value: &T, text: impl FnOnce(&T) -> String) -> Result<(), Ended> {
        if self.json {
            return self.result(value, |_| String::new());
        }
        let text = text(value);
        self.exact(text.as_bytes())?;
        if text.is_empty() || text.ends_with('\n') { Ok(()) } else { self.exact(b"\n").map(drop) }
    }

    /// Prints lines of JSON.
    pub(crate) fn json_lines(&self, lines: &str) -> Result<(), Ended> {
        let shown = if self.terminal { Cow::Owned(visible_json(lines)) } else { Cow::Borrowed(lines) };
        print(shown.as_bytes()).map(drop)
    }

    /// Prints bytes as they are, at once and without a line end of ours; on a terminal, as text that is visible. Returns whether
    /// somebody still reads.
    pub(crate) fn exact(&self, bytes: &[u8]) -> Result<bool, Ended> {
        if self.terminal { print(visible(&String::from_utf8_lossy(bytes)).as_bytes()) } else { print(bytes) }
    }

    /// Whether JSON is wanted.
    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Whether a person reads the result at once.
    pub(crate) const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Prints a remark beside the result; programs find the same in it.
    pub(crate) fn note(&self, text: &str) {
        if !self.json {
            complain(&visible(text));
        }
    }

    /// Prints findings beside the result.
    pub(crate) fn diagnostics(&self, findings: &[Diagnostic]) {
        if self.json {
            return;
        }
        for finding in findings {
            complain(&self.finding(finding));
        }
    }

    /// Prints lasting remarks about the account or a workspace beside the result.
    pub(crate) fn banners(&self, about: &str, banners: &[Banner]) {
        let finding =
            |banner: &Banner| Diagnostic { hint: banner.hint.clone(), ..Diagnostic::new(banner.severity, about, &banner.message) };
        self.diagnostics(&banners.iter().map(finding).collect::<Vec<_>>());
    }

    fn finding(&self, finding: &Diagnostic) -> String {
        let (label, color) = match finding.severity {
            Severity::Error => ("error", "31"),
            Severity::Warning => ("warning", "33"),
            Severity::Info => ("note", "36"),
            Severity::Hint => ("hint", "36"),
        };
        let mut place = finding.file.clone().unwrap_or_default();
        for number in [finding.line, finding.column].into_iter().flatten() {
            // Writing to a string can't fail.
            let _ = write!(place, ":{number}");
        }
        let place = if place.is_empty() { place } else { format!("{place}: ") };
        let hint = finding.hint.as_ref().map(|hint| format!("\n  {}", visible(hint))).unwrap_or_default();
        format!("{}{}: {} [{}]{hint}", visible(&place), self.paint(label, color), visible(&finding.message), finding.rule)
    }

    /// Prints why a command ended badly.
    pub(crate) fn failure(&self, failure: &Failure) {
        // A failure that can't be put as JSON is better said in words than not at all.
        if self.json
            && let Ok(text) = serde_json::to_string_pretty(failure)
        {
            complain(&visible_json(&text));
            return;
        }
        complain(&format!("{}: {}", self.paint("error", "31"), visible(&failure.message)));
        if let Some(hint) = &failure.hint {
            complain(&format!("  {}", visible(hint)));
        }
        let findings = failure.fields.as_ref().and_then(|fields| fields.get("diagnostics")).cloned();
        let findings: Vec<Diagnostic> = findings.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
        self.diagnostics(&findings);
    }

    fn paint(&self, text: &str, color: &str) -> String {
        if self.color { format!("\u{1b}[{color}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Writes to standard output, at once. Returns whether somebody reads it: a closed pipe ends the command's usefulness, not its
/// success. Every other failure is one, since what was asked for isn't where it was wanted.
pub(crate) fn print(bytes: &[u8]) -> Result<bool, Ended> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(not_written(&error)),
    }
}

/// Why standard output doesn't have the result.
pub(crate) fn not_written(error: &std::io::Error) -> Ended {
    let failure = Failure::new(Code::Io, format!("the result can't be written to standard output: {error}"));
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => failure.hint("free some space there, then run the command again"),
        _ => failure,
    }
    .into()
}

/// Writes a line to standard error. When even that fails there is nobody left to tell.
fn complain(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Columns padded to the widest cell; the last one is left as it is. A cell stays on its line.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<Cow<'_, str>>> = rows.iter().map(|row| row.iter().map(|cell| one_line(cell)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or_default();
    let widths: Vec<_> = (0..columns).map(width).collect();
    let cell = |(column, text): (usize, &Cow<'_, str>)| {
        let pad = if column + 1 == columns { 0 } else { widths[column].saturating_sub(text.chars().count()) };
        format!("{text}{}", " ".repeat(pad))
    };
    rows.iter()
        .map(|row| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// A cell's text with blanks for its line ends, so that no text can pretend to be another row.
fn one_line(text: &str) -> Cow<'_, str> {
    let text = visible(text);
    if text.contains(['\n', '\t']) { Cow::Owned(text.replace(['\n', '\t'], " ")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_row() {
        let rows = [vec!["a\nfake".to_owned(), "x".to_owned()], vec!["\u{1b}b".to_owned(), "y".to_owned()]];
        assert_eq!(table(&rows), "a fake  x\n^[b     y");
    }
}
