//! Output: text and tables for people, JSON for programs.
//!
//! Text for people goes through [`visible`]. File contents, answers and diffs are written unchanged to a pipe or a file, and
//! through `visible` to a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{ErrorKind, IsTerminal as _, Write as _};

use anyhow::Context as _;
use inklings_app::Banner;
use inklings_core::{Diagnostic, Severity};
use inklings_rpc::{Code, Failure};
use serde::Serialize;

use crate::error::CliError;
use crate::hints;
use crate::terminal::{is_capable, visible, visible_json};

#[derive(Debug, Clone)]
pub(crate) struct Out {
    json: bool,
    /// Whether standard error supports colors.
    color: bool,
    /// Whether standard output is a terminal.
    terminal: bool,
}

impl Out {
    /// Colors on a terminal unless `NO_COLOR` or `TERM=dumb` is set.
    pub(crate) fn new(json: bool) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && is_capable();
        Self { json, color: wanted && std::io::stderr().is_terminal(), terminal: std::io::stdout().is_terminal() }
    }

    /// Prints a result as JSON or as text.
    pub(crate) fn result<T: Serialize>(&self, value: &T, text: impl FnOnce(&T) -> String) -> Result<(), CliError> {
        if self.json {
            return self.json_lines(&format!("{}\n", serde_json::to_string_pretty(value).context("can't serialize the result")?));
        }
        let text = text(value);
        let shown = visible(text.trim_end_matches('\n'));
        if shown.is_empty() { Ok(()) } else { print(format!("{shown}\n").as_bytes()).map(drop) }
    }

    /// Prints content that must not be changed, such as a file, or as JSON.
    pub(crate) fn content<T: Serialize>(&self, value: &T, text: impl FnOnce(&T) -> String) -> Result<(), CliError> {
        if self.json {
            return self.result(value, |_| String::new());
        }
        let text = text(value);
        self.exact(text.as_bytes())?;
        if text.is_empty() || text.ends_with('\n') { Ok(()) } else { self.exact(b"\n").map(drop) }
    }

    pub(crate) fn json_lines(&self, lines: &str) -> Result<(), CliError> {
        let shown = if self.terminal { Cow::Owned(visible_json(lines)) } else { Cow::Borrowed(lines) };
        print(shown.as_bytes()).map(drop)
    }

    /// Prints and flushes bytes unchanged, or as visible text on a terminal. False if the
    /// reader closed the pipe.
    pub(crate) fn exact(&self, bytes: &[u8]) -> Result<bool, CliError> {
        if self.terminal { print(visible(&String::from_utf8_lossy(bytes)).as_bytes()) } else { print(bytes) }
    }

    /// The same for standard error. Failures are ignored.
    #[expect(clippy::unused_self, reason = "all output is printed by this type")]
    pub(crate) fn exact_error(&self, text: &str) {
        let mut errors = std::io::stderr().lock();
        let shown = if errors.is_terminal() { visible(text) } else { Cow::Borrowed(text) };
        let _ = errors.write_all(shown.as_bytes()).and_then(|()| errors.flush());
    }

    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    pub(crate) const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Prints to standard error, unless as JSON, whose result has the same information.
    pub(crate) fn note(&self, text: &str) {
        if !self.json {
            print_error(&visible(text));
        }
    }

    /// Prints diagnostics to standard error.
    pub(crate) fn diagnostics(&self, findings: &[Diagnostic]) {
        if self.json {
            return;
        }
        for finding in findings {
            print_error(&self.finding(finding));
        }
    }

    /// Prints banners of the account or a workspace to standard error.
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
        let mut location = finding.file.clone().unwrap_or_default();
        for number in [finding.line, finding.column].into_iter().flatten() {
            // Writing to a String can't fail.
            let _ = write!(location, ":{number}");
        }
        let location = if location.is_empty() { location } else { format!("{}: ", one_line(&location)) };
        let hint = finding.hint.as_ref().map(|hint| format!("\n  {}", indented(hint))).unwrap_or_default();
        format!("{location}{}: {} [{}]{hint}", self.paint(label, color), indented(&finding.message), finding.rule)
    }

    pub(crate) fn failure(&self, failure: &Failure) {
        // Falls back to text if it can't be serialized.
        if self.json
            && let Ok(text) = serde_json::to_string_pretty(failure)
        {
            print_error(&visible_json(&text));
            return;
        }
        print_error(&format!("{}: {}", self.paint("error", "31"), indented(&failure.message)));
        if let Some(hint) = hints::hint(failure) {
            print_error(&format!("  {}", indented(&hint)));
        }
        let findings = failure.fields.as_ref().and_then(|fields| fields.get("diagnostics")).cloned();
        let findings: Vec<Diagnostic> = findings.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
        self.diagnostics(&findings);
    }

    fn paint(&self, text: &str, color: &str) -> String {
        if self.color { format!("\u{1b}[{color}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Writes to standard output and flushes. False if the reader closed the pipe, which isn't an error. Every other failure
/// is one, since the result is lost.
pub(crate) fn print(bytes: &[u8]) -> Result<bool, CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(write_error(&error)),
    }
}

pub(crate) fn write_error(error: &std::io::Error) -> CliError {
    let failure = Failure::new(Code::Io, format!("can't write to standard output: {error}"));
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => failure.hint("free some disk space, then try again"),
        _ => failure,
    }
    .into()
}

/// Writes a line to standard error and ignores failures.
fn print_error(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Pads columns to the widest cell, except the last one. Line breaks in cells become spaces.
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

/// Indents all lines but the first, so that a name in a message can't fake another message.
fn indented(text: &str) -> String {
    visible(text).replace('\n', "\n  ")
}

/// Replaces line breaks, so that a cell or a path can't fake another row.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
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

    #[test]
    fn the_name_of_a_file_is_no_message() {
        let out = Out { json: false, color: false, terminal: false };
        let name = "zed/a\nnew  trusted\u{1b}[2J";
        let finding = Diagnostic::error("package/name", format!("{name} is odd")).hint(format!("rename {name}")).in_file(name);
        let shown = "zed/a new  trusted^[[2J: error: zed/a\n  new  trusted^[[2J is odd [package/name]\n  rename zed/a\n  new  trusted^[[2J";
        assert_eq!(out.finding(&finding), shown);
    }
}
