//! Diagnostics: what is wrong with content, where, and what to do about it.
//!
//! Loaders and validators return `(T, Vec<Diagnostic>)`; a diagnostic about content is data for the user, not an error of
//! ours. `rule` is a stable id (`frontmatter/name`, `template/syntax`); a client may key quick fixes by it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How bad a finding is. Only `Error` stops an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The content can't be used as it is.
    Error,
    /// It works, but likely not as meant.
    Warning,
    /// Something worth knowing.
    Info,
    /// A suggestion.
    Hint,
}

/// One finding. Lines and columns count from 1; columns count Unicode characters, not bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic {
    /// Stable rule id, `family/rule`.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: lower case, names the thing, no trailing period.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Path inside the skill, or the path on disk for things outside one.
    pub file: Option<String>,
    /// First line.
    pub line: Option<u32>,
    /// First column.
    pub column: Option<u32>,
    /// Last line, when the finding spans text.
    pub end_line: Option<u32>,
    /// Column just after the last character.
    pub end_column: Option<u32>,
    /// JSON pointer, for findings in JSON.
    pub pointer: Option<String>,
    /// The word that was likely meant at that place, for a quick fix; the hint says it to people.
    #[serde(skip)]
    #[schemars(skip)]
    pub meant: Option<String>,
}

impl Diagnostic {
    /// A finding without a place yet; add one with [`Self::in_file`] and [`Self::at`].
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

    /// An information.
    pub fn info(rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Info, rule, message)
    }

    /// Says what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names the file.
    #[must_use]
    pub fn in_file(mut self, file: impl ToString) -> Self {
        self.file = Some(file.to_string());
        self
    }

    /// Names the place.
    #[must_use]
    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// Names the end of the place.
    #[must_use]
    pub fn to(mut self, end_line: u32, end_column: u32) -> Self {
        self.end_line = Some(end_line);
        self.end_column = Some(end_column);
        self
    }

    /// Names the place by byte range of `text`.
    #[must_use]
    pub fn span(self, text: &str, range: std::ops::Range<usize>) -> Self {
        let (line, column) = line_column(text, range.start);
        let (end_line, end_column) = line_column(text, range.end);
        self.at(line, column).to(end_line, end_column)
    }

    /// Names the place by JSON pointer.
    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Names the word that was likely meant.
    #[must_use]
    pub fn meant(mut self, word: Option<impl Into<String>>) -> Self {
        self.meant = word.map(Into::into);
        self
    }

    /// Whether this stops an operation.
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
