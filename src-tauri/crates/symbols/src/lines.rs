//! Converts between byte offsets and lines and columns. Both count from 1, columns in characters.

use std::ops::Range;

/// Characters shown on each side of a mention.
const CONTEXT_CHARS: usize = 120;

pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    #[must_use]
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        (line, self.text.get(start..offset).map_or(0, |before| before.chars().count()) + 1)
    }

    /// Columns past the end of a line are clamped to its end.
    #[must_use]
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let Some(start) = self.starts.get(line.max(1) - 1).copied() else { return self.text.len() };
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        start + line.char_indices().nth(column.max(1) - 1).map_or(line.len(), |(at, _)| at)
    }

    /// The text of the line before and after a range, shortened for display.
    #[must_use]
    pub fn around(&self, range: &Range<usize>) -> (String, String) {
        let from = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let to = self.text[range.end..].find('\n').map_or(self.text.len(), |at| range.end + at);
        let (before, after) = (&self.text[from..range.start], self.text[range.end..to].trim_end_matches('\r'));
        let cut = before.char_indices().rev().nth(CONTEXT_CHARS - 1).map_or(0, |(at, _)| at);
        let end = after.char_indices().nth(CONTEXT_CHARS).map_or(after.len(), |(at, _)| at);
        let dots = |is_cut: bool| if is_cut { "…" } else { "" };
        (format!("{}{}", dots(cut > 0), &before[cut..]), format!("{}{}", &after[..end], dots(end < after.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_offsets_are_each_others_inverse() {
        let text = "añ🗼b\r\n\ncd";
        let lines = Lines::new(text);
        for (offset, position) in [(0, (1, 1)), (3, (1, 3)), (7, (1, 4)), (8, (1, 5)), (10, (2, 1)), (11, (3, 1)), (13, (3, 3))] {
            assert_eq!(lines.position(offset), position);
            assert_eq!(lines.offset(position.0, position.1), offset);
        }
        assert_eq!((lines.offset(1, 99), lines.offset(9, 1), lines.offset(0, 0)), (8, text.len(), 0));
    }

    #[test]
    fn what_stands_around_is_cut() {
        let text = format!("x\n{}here{}\r\ny", "é".repeat(200), "z".repeat(200));
        let start = text.find("here").unwrap();
        let (before, after) = Lines::new(&text).around(&(start..start + 4));
        assert!(before.starts_with("…é") && before.chars().count() == CONTEXT_CHARS + 1);
        assert!(after.starts_with('z') && after.ends_with('…') && after.chars().count() == CONTEXT_CHARS + 1);
        assert_eq!(Lines::new("a b c").around(&(2..3)), ("a ".to_owned(), " c".to_owned()));
    }
}
