//! Printing: plain lines and tables for people, one JSON document for programs.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};

use anyhow::Context as _;
use inklings_app::{Banner, Failure};
use inklings_core::{Diagnostic, Severity};
use serde::Serialize;

use crate::Ended;

/// Where results go.
pub(crate) struct Out {
    json: bool,
    color: bool,
}

impl Out {
    /// JSON, or text with colour on a terminal unless `NO_COLOR` says no.
    pub(crate) fn new(json: bool) -> Self {
        let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { json, color }
    }

    /// Prints a result: as JSON, or as `text` says.
    pub(crate) fn result<T: Serialize>(&self, value: &T, text: impl FnOnce(&T) -> String) -> Result<(), Ended> {
        let printed = if self.json { serde_json::to_string_pretty(value).context("the result can't be put as JSON")? } else { text(value) };
        if !printed.is_empty() {
            line(&printed);
        }
        Ok(())
    }

    /// Whether JSON is wanted.
    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a remark beside the result; programs find the same in it.
    pub(crate) fn note(&self, text: &str) {
        if !self.json {
            eprintln!("{text}");
        }
    }

    /// Prints findings beside the result.
    pub(crate) fn diagnostics(&self, findings: &[Diagnostic]) {
        if self.json {
            return;
        }
        for finding in findings {
            eprintln!("{}", self.finding(finding));
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
        let hint = finding.hint.as_ref().map(|hint| format!("\n  {hint}")).unwrap_or_default();
        format!("{place}{}: {} [{}]{hint}", self.paint(label, color), finding.message, finding.rule)
    }

    /// Prints why a command ended badly.
    pub(crate) fn failure(&self, failure: &Failure) {
        // A failure that can't be put as JSON is better said in words than not at all.
        if self.json
            && let Ok(text) = serde_json::to_string_pretty(failure)
        {
            eprintln!("{text}");
            return;
        }
        eprintln!("{}: {}", self.paint("error", "31"), failure.message);
        if let Some(hint) = &failure.hint {
            eprintln!("  {hint}");
        }
        let findings = failure.fields.as_ref().and_then(|fields| fields.get("diagnostics")).cloned();
        let findings: Vec<Diagnostic> = findings.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
        self.diagnostics(&findings);
    }

    fn paint(&self, text: &str, color: &str) -> String {
        if self.color { format!("\u{1b}[{color}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Prints text as it is, at once, without a line end of ours. Returns whether someone reads it: a closed pipe ends the command's
/// usefulness, not its success.
pub(crate) fn raw(bytes: &[u8]) -> bool {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).is_ok()
}

fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", text.trim_end_matches('\n'));
}

/// Columns padded to the widest cell; the last one is left as it is.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or_default();
    let widths: Vec<_> = (0..columns).map(width).collect();
    let cell = |(column, text): (usize, &String)| {
        let pad = if column + 1 == columns { 0 } else { widths[column].saturating_sub(text.chars().count()) };
        format!("{text}{}", " ".repeat(pad))
    };
    rows.iter()
        .map(|row| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}
