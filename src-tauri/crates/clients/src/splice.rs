//! Changing parts of a text by their byte ranges.

use std::ops::Range;

#[derive(Debug, Default)]
pub(crate) struct Splices(Vec<(Range<usize>, String)>);

impl Splices {
    pub(crate) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.0.push((at..at, text.into()));
    }

    pub(crate) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push((range, text.into()));
    }

    pub(crate) fn remove(&mut self, range: Range<usize>) {
        self.0.push((range, String::new()));
    }

    /// Ranges must not overlap. Two insertions at one place are made in their order.
    pub(crate) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| range.start);
        let (mut result, mut copied) = (String::with_capacity(text.len() + 256), 0);
        for (range, new) in self.0 {
            result.push_str(text.get(copied..range.start).unwrap_or_default());
            result.push_str(&new);
            copied = range.end.max(copied);
        }
        result.push_str(text.get(copied..).unwrap_or_default());
        result
    }
}

/// The line end that the text uses.
pub(crate) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// 1-based.
pub(crate) fn line_at(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
}

/// After the line end, if there is one.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |newline| at + newline + 1)
}

/// The text without its byte order mark, and that.
pub(crate) fn split_bom(text: &str) -> (&str, &str) {
    let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    (&text[..text.len() - body.len()], body)
}
