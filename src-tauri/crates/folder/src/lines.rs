//! Lines of a text and their line ends.

use std::ops::Range;

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
