//! Splits a Markdown file into frontmatter, which is YAML between two delimiter lines, and body.
//!
//! Deliberately absent: parsing the YAML, which differs between skills and workspace pages.

use std::ops::Range;

/// Differences between the frontmatter of a `SKILL.md` and of a workspace page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Whether blank lines may precede the opening `---`.
    pub blank_lines_before: bool,
    /// Whether a line of `...` closes the frontmatter like `---`.
    pub dots_close: bool,
}

pub const SKILL: Dialect = Dialect { blank_lines_before: true, dots_close: false };
pub const PAGE: Dialect = Dialect { blank_lines_before: false, dots_close: true };

/// Byte offsets into the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Just after the closing delimiter's line end; 0 without frontmatter.
    pub body: usize,
    /// Between the delimiter lines; `None` without frontmatter.
    pub yaml: Option<Range<usize>>,
    /// Whether blank lines precede the opening delimiter.
    pub after_blank_lines: bool,
}

/// There is an opening `---` and something that looks like a key, but no closing delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the frontmatter isn't closed: missing '---'")]
pub struct Unclosed;

/// A byte order mark may precede the opening delimiter.
pub fn split(text: &str, dialect: Dialect) -> Result<Split, Unclosed> {
    let none = Split { body: 0, yaml: None, after_blank_lines: false };
    let mut end = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut lines = text[end..].split_inclusive('\n').map(|line| {
        let start = end;
        end += line.len();
        (line, start..end)
    });
    let mut after_blank_lines = false;
    let start = loop {
        match lines.next() {
            Some((line, range)) if is_delimiter(line) => break range.end,
            Some((line, _)) if dialect.blank_lines_before && line.trim().is_empty() => after_blank_lines = true,
            _ => return Ok(none),
        }
    };
    let mut key_seen = false;
    for (index, (line, range)) in lines.enumerate() {
        if is_delimiter(line) || (dialect.dots_close && line.trim_end() == "...") {
            return Ok(Split { body: range.end, yaml: Some(start..range.start), after_blank_lines });
        }
        key_seen |= index < 8 && looks_like_key(line);
    }
    // A lone `---` above prose is a thematic break, not unclosed frontmatter.
    if key_seen { Err(Unclosed) } else { Ok(none) }
}

fn is_delimiter(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty())
}

fn looks_like_key(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| !key.is_empty() && key.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, dialect: Dialect) -> (Option<&str>, &str) {
        let split = split(text, dialect).unwrap();
        (split.yaml.map(|range| &text[range]), &text[split.body..])
    }

    #[test]
    fn finds_both_parts() {
        assert_eq!(parts("---\na: b\n---\nbody\n", SKILL), (Some("a: b\n"), "body\n"));
        assert_eq!(parts("\u{FEFF}---\r\na: b\r\n--- \r\nx", SKILL), (Some("a: b\r\n"), "x"));
        assert_eq!(parts("\n\n---\na: b\n---", SKILL), (Some("a: b\n"), ""));
        assert_eq!(parts("---\n---\n", SKILL), (Some(""), ""));
        assert_eq!(parts("---\na: |\n  ---\n---\n---\n", SKILL), (Some("a: |\n  ---\n"), "---\n"));
    }

    #[test]
    fn dialects_differ_in_blank_lines_and_dots() {
        assert_eq!(parts("\n---\na: b\n---\nx", PAGE), (None, "\n---\na: b\n---\nx"));
        assert_eq!(parts("---\na: b\n...\nx", PAGE), (Some("a: b\n"), "x"));
        assert_eq!(parts("---\na: b\n...\nx\n---\n", SKILL), (Some("a: b\n...\nx\n"), ""));
    }

    #[test]
    fn prose_is_no_frontmatter() {
        for text in ["", "# Title\n---\na: b\n---\n", "---\n\nJust a rule above.\n", "----\na: b\n"] {
            assert_eq!(parts(text, SKILL), (None, text));
        }
        assert_eq!(split("---\nname: x\n\nbody", SKILL), Err(Unclosed));
    }
}
