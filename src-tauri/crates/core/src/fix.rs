//! Quick fixes: edits of a file that remove a diagnostic. Valid for the checked text only.
//!
//! The editor applies a fix to the open document, so that it can be undone like typing.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::line_column;
use crate::path::SkillPath;

/// A replacement. Lines and columns count from 1, columns in characters, as in diagnostics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextEdit {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    /// Exclusive.
    pub end_column: u32,
    pub text: String,
}

impl TextEdit {
    /// Replaces bytes of `text`.
    #[must_use]
    pub fn new(text: &str, range: Range<usize>, instead: impl Into<String>) -> Self {
        let (line, column) = line_column(text, range.start);
        let (end_line, end_column) = line_column(text, range.end);
        Self { line, column, end_line, end_column, text: instead.into() }
    }

    /// The replaced bytes of `text`; `None` if it is out of range.
    #[must_use]
    pub fn range(&self, text: &str) -> Option<Range<usize>> {
        let (start, end) = (offset(text, self.line, self.column)?, offset(text, self.end_line, self.end_column)?);
        (start <= end).then_some(start..end)
    }
}

/// The byte offset of a line and column.
#[must_use]
pub fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let (line, column) = (usize::try_from(line).ok()?.checked_sub(1)?, usize::try_from(column).ok()?.checked_sub(1)?);
    let start = if line == 0 { 0 } else { text.match_indices('\n').nth(line - 1)?.0 + 1 };
    let rest = &text[start..];
    let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
    rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(column).map(|at| start + at)
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// Label of the action.
    pub title: String,
    pub path: SkillPath,
    /// In order and without overlap; positions refer to the text before all edits.
    pub edits: Vec<TextEdit>,
    /// New path, if the fix moves the file.
    pub rename: Option<SkillPath>,
}

impl Fix {
    #[must_use]
    pub fn edits(title: impl Into<String>, path: &SkillPath, edits: Vec<TextEdit>) -> Self {
        Self { title: title.into(), path: path.clone(), edits, rename: None }
    }

    /// A fix that turns one text into another, by one edit without their common prefix and suffix. `None` if they are equal.
    #[must_use]
    pub fn between(title: impl Into<String>, path: &SkillPath, old: &str, new: &str) -> Option<Self> {
        if old == new {
            return None;
        }
        let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
            pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
        };
        let start = same(&mut old.chars().zip(new.chars()));
        let end = same(&mut old[start..].chars().rev().zip(new[start..].chars().rev()));
        let edit = TextEdit::new(old, start..old.len() - end, &new[start..new.len() - end]);
        Some(Self::edits(title, path, vec![edit]))
    }

    #[must_use]
    pub fn rename(title: impl Into<String>, path: &SkillPath, to: SkillPath) -> Self {
        Self { title: title.into(), path: path.clone(), edits: Vec::new(), rename: Some(to) }
    }

    /// `None` if the edits are out of range of `text`.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len() + 32);
        let mut done = 0;
        for edit in &self.edits {
            let range = edit.range(text)?;
            out.push_str(text.get(done..range.start)?);
            out.push_str(&edit.text);
            done = range.end;
        }
        out.push_str(&text[done..]);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path() -> SkillPath {
        crate::skill::skill_md()
    }

    #[test]
    fn places_count_characters_and_lines() {
        assert_eq!(offset("añb\ncd", 1, 3), Some(3));
        assert_eq!(offset("añb\ncd", 1, 4), Some(4));
        assert_eq!(offset("añb\ncd", 1, 5), None);
        assert_eq!(offset("añb\ncd", 2, 3), Some(7));
        assert_eq!((offset("a\n", 2, 1), offset("a", 2, 1), offset("a", 0, 1)), (Some(2), None, None));
    }

    #[test]
    fn only_what_differs_is_replaced() {
        let fix = Fix::between("x", &path(), "a: b: c\r\nd\n", "a: \"b: c\"\r\nd\n").unwrap();
        assert_eq!(fix.edits, [TextEdit { line: 1, column: 4, end_line: 1, end_column: 8, text: "\"b: c\"".into() }]);
        assert_eq!(Fix::between("x", &path(), "a", "a"), None);
    }

    #[test]
    fn edits_of_another_text_are_not_made() {
        let fix = Fix::between("x", &path(), "a\nb\nc", "a\nb\nd").unwrap();
        assert_eq!(fix.apply("a"), None);
    }

    proptest! {
        #[test]
        fn the_way_between_two_texts_leads_there(old in "[ab\u{e9}\r\n]{0,12}", new in "[ab\u{e9}\r\n]{0,12}") {
            let made = Fix::between("x", &path(), &old, &new).map_or(Some(old.clone()), |fix| fix.apply(&old));
            prop_assert_eq!(made, Some(new));
        }
    }
}
