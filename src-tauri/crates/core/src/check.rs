//! Diagnostics about content.
//!
//! Loaders and validators return `(T, Vec<Diagnostic>)`; a diagnostic is data for the user, not an error of
//! the program. `rule` is a stable ID (`frontmatter/name`, `template/syntax`) for clients.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Only `Error` stops an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The content can't be used.
    Error,
    /// The content works, but probably not as intended.
    Warning,
    Info,
    /// A suggestion.
    Hint,
}

/// Lines and columns count from 1; columns count Unicode characters, not bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic {
    /// Stable rule ID, `family/rule`.
    pub rule: String,
    pub severity: Severity,
    /// Lower case, without a trailing period.
    pub message: String,
    pub hint: Option<String>,
    /// Path in the skill, or on disk outside of skills.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    /// Exclusive.
    pub end_column: Option<u32>,
    /// JSON pointer, for diagnostics about JSON.
    pub pointer: Option<String>,
    /// Suggested replacement, for a quick fix.
    #[serde(skip)]
    #[schemars(skip)]
    pub meant: Option<String>,
}

impl Diagnostic {
    /// Without a location; add one with [`Self::in_file`] and [`Self::at`].
    pub fn new(severity: Severity, rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            rule: rule.into(),
            severity,
            message: message.into(),
            hint: None,
            file: None,
            line: None,
            column: None,
            end_line: None,
            end_column: None,
            pointer: None,
            meant: None,
        }
    }

    pub fn error(rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, rule, message)
    }

    pub fn warning(rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, rule, message)
    }

    pub fn info(rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Info, rule, message)
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn in_file(mut self, file: impl ToString) -> Self {
        self.file = Some(file.to_string());
        self
    }

    #[must_use]
    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    #[must_use]
    pub fn to(mut self, end_line: u32, end_column: u32) -> Self {
        self.end_line = Some(end_line);
        self.end_column = Some(end_column);
        self
    }

    /// Sets the location to a byte range of `text`.
    #[must_use]
    pub fn span(self, text: &str, range: std::ops::Range<usize>) -> Self {
        let (line, column) = line_column(text, range.start);
        let (end_line, end_column) = line_column(text, range.end);
        self.at(line, column).to(end_line, end_column)
    }

    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    #[must_use]
    pub fn meant(mut self, word: Option<impl Into<String>>) -> Self {
        self.meant = word.map(Into::into);
        self
    }

    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Line and column (from 1, in characters) of a byte offset. An offset past the end is the end.
#[must_use]
pub fn line_column(text: &str, offset: usize) -> (u32, u32) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_column("añb\ncd", 0), (1, 1));
        assert_eq!(line_column("añb\ncd", 3), (1, 3));
        assert_eq!(line_column("añb\ncd", 6), (2, 2));
        assert_eq!(line_column("añb\ncd", 99), (2, 3));
    }
}
