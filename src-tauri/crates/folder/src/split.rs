//! Where the frontmatter of a `SKILL.md` ends and its body begins.

use std::ops::Range;

/// The parts of a `SKILL.md`; offsets into its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Where the body begins: just after the closing delimiter's line end, or 0 without frontmatter.
    pub body: usize,
    /// The YAML between the delimiters; none without frontmatter.
    pub yaml: Option<Range<usize>>,
    /// Blank lines stand before the opening delimiter.
    pub late: bool,
}

/// There is an opening `---` and something that looks like a key, but no closing `---`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the frontmatter has no closing '---'")]
pub struct Unclosed;

/// Finds the frontmatter. The delimiters are lines of `---`; a byte order mark and blank lines may
/// stand before the first one.
pub fn split(text: &str) -> Result<Split, Unclosed> {
    let none = Split { body: 0, yaml: None, late: false };
    let mut lines = Lines { text, at: if text.starts_with('\u{FEFF}') { 3 } else { 0 } };
    let mut late = false;
    let start = loop {
        match lines.next() {
            Some(line) if is_delimiter(&text[line.clone()]) => break line.end,
            Some(line) if text[line.clone()].trim().is_empty() => late = true,
            _ => return Ok(none),
        }
    };
    let mut key_seen = false;
    for (index, line) in lines.enumerate() {
        let content = &text[line.clone()];
        if is_delimiter(content) {
            return Ok(Split { body: line.end, yaml: Some(start..line.start), late });
        }
        key_seen |= index < 8 && looks_like_key(content);
    }
    // A lone `---` above prose is a thematic break, not frontmatter that someone forgot to close.
    if key_seen { Err(Unclosed) } else { Ok(none) }
}

fn is_delimiter(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty())
}

fn looks_like_key(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| !key.is_empty() && key.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_')))
}

/// Ranges of lines with their line ends (`\n`, `\r\n`).
pub(crate) struct Lines<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        self.at = self.text[start..].find('\n').map_or(self.text.len(), |end| start + end + 1);
        Some(start..self.at)
    }
}

/// The line end that a text uses: that of its first line.
#[must_use]
pub(crate) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (Option<&str>, &str) {
        let split = split(text).unwrap();
        (split.yaml.map(|range| &text[range]), &text[split.body..])
    }

    #[test]
    fn finds_both_parts() {
        assert_eq!(parts("---\na: b\n---\nbody\n"), (Some("a: b\n"), "body\n"));
        assert_eq!(parts("\u{FEFF}---\r\na: b\r\n--- \r\nx"), (Some("a: b\r\n"), "x"));
        assert_eq!(parts("\n\n---\na: b\n---"), (Some("a: b\n"), ""));
        assert_eq!(parts("---\n---\n"), (Some(""), ""));
        assert_eq!(parts("---\na: |\n  ---\n---\n---\n"), (Some("a: |\n  ---\n"), "---\n"));
    }

    #[test]
    fn prose_is_no_frontmatter() {
        for text in ["", "# Title\n---\na: b\n---\n", "---\n\nJust a rule above.\n", "----\na: b\n"] {
            assert_eq!(parts(text), (None, text));
        }
        assert_eq!(split("---\nname: x\n\nbody"), Err(Unclosed));
    }
}
