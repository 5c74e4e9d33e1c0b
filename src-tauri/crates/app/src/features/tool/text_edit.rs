//! Edits of a text by a model: the five operations of `update_skill` and `edit_system_prompt`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditOperation {
    Replace,
    FindReplace,
    Append,
    Prepend,
    Delete,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum TextEditError {
    #[error("{operation} requires {field:?}")]
    Missing { operation: &'static str, field: &'static str },
    #[error("the text to find is empty")]
    EmptyFind,
    #[error("the text to find isn't there")]
    NotFound,
    #[error("the text to find is there {count} times")]
    Ambiguous { count: usize },
}

/// The parameters of an edit, as the model sends them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TextEdit<'a> {
    pub(super) content: Option<&'a str>,
    pub(super) find: Option<&'a str>,
    pub(super) replace: Option<&'a str>,
    pub(super) replace_all: bool,
}

impl TextEdit<'_> {
    pub(super) fn apply(self, operation: EditOperation, text: &str) -> Result<String, TextEditError> {
        let content = |operation| self.content.ok_or(TextEditError::Missing { operation, field: "content" });
        match operation {
            EditOperation::Replace => Ok(content("replace")?.to_owned()),
            EditOperation::Append => Ok(joined(text, content("append")?)),
            EditOperation::Prepend => Ok(joined(content("prepend")?, text)),
            EditOperation::Delete => substitute(text, content("delete")?, "", self.replace_all),
            EditOperation::FindReplace => {
                let find = self.find.ok_or(TextEditError::Missing { operation: "find_replace", field: "find" })?;
                let replace = self.replace.ok_or(TextEditError::Missing { operation: "find_replace", field: "replace" })?;
                substitute(text, find, replace, self.replace_all)
            }
        }
    }
}

/// Both texts, each on lines of its own.
fn joined(first: &str, second: &str) -> String {
    let separator = if first.is_empty() || first.ends_with('\n') || second.starts_with('\n') { "" } else { "\n" };
    format!("{first}{separator}{second}")
}

fn substitute(text: &str, find: &str, replace: &str, all: bool) -> Result<String, TextEditError> {
    if find.is_empty() {
        return Err(TextEditError::EmptyFind);
    }
    // Overlapping matches count: "aa" is twice in "aaa", and which one is meant is unclear.
    let count = (0..text.len()).filter(|&start| text.is_char_boundary(start) && text[start..].starts_with(find)).count();
    match count {
        0 => Err(TextEditError::NotFound),
        1 => Ok(text.replacen(find, replace, 1)),
        _ if all => Ok(text.replace(find, replace)),
        count => Err(TextEditError::Ambiguous { count }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_does_what_it_says() {
        use EditOperation::{Append, Delete, FindReplace, Prepend, Replace};
        let content = |content| TextEdit { content: Some(content), ..TextEdit::default() };
        let find = |find, replace, replace_all| TextEdit { find: Some(find), replace: Some(replace), replace_all, ..TextEdit::default() };
        let ok = |text: &str| Ok(text.to_owned());
        let cases = [
            (Replace, content("new"), "old", ok("new")),
            (Replace, content(""), "old", ok("")),
            (Append, content("b"), "a", ok("a\nb")),
            (Append, content("b"), "a\n", ok("a\nb")),
            (Append, content("b"), "", ok("b")),
            (Append, content(""), "a", ok("a\n")),
            (Append, content("\nb"), "a", ok("a\nb")),
            (Replace, TextEdit::default(), "old", Err(TextEditError::Missing { operation: "replace", field: "content" })),
            (Replace, content("ünï\u{1F375}"), "", ok("ünï\u{1F375}")),
            (Prepend, content("b"), "a", ok("b\na")),
            (Prepend, content("b\n"), "a", ok("b\na")),
            (Prepend, content(""), "a", ok("a")),
            (Prepend, TextEdit::default(), "a", Err(TextEditError::Missing { operation: "prepend", field: "content" })),
            (Delete, content("b"), "abc", ok("ac")),
            (Delete, content("x"), "abc", Err(TextEditError::NotFound)),
            (Delete, TextEdit { replace_all: true, ..content("x") }, "abc", Err(TextEditError::NotFound)),
            (Delete, content("a"), "", Err(TextEditError::NotFound)),
            (Delete, content("\u{1F375}"), "a\u{1F375}b", ok("ab")),
            (Delete, content("abc"), "abc", ok("")),
            (Delete, content("aba"), "ababa", Err(TextEditError::Ambiguous { count: 2 })),
            // From the left, without those that overlap what was removed.
            (Delete, TextEdit { replace_all: true, ..content("aba") }, "ababa", ok("ba")),
            (
                Delete,
                TextEdit { find: Some("b"), ..TextEdit::default() },
                "b",
                Err(TextEditError::Missing { operation: "delete", field: "content" }),
            ),
            (Delete, content("b"), "abcb", Err(TextEditError::Ambiguous { count: 2 })),
            (Delete, TextEdit { replace_all: true, ..content("b") }, "abcb", ok("ac")),
            (Delete, content(""), "abc", Err(TextEditError::EmptyFind)),
            (FindReplace, find("é", "e", false), "café", ok("cafe")),
            (FindReplace, find("x", "y", false), "abc", Err(TextEditError::NotFound)),
            (FindReplace, find("x", "y", true), "abc", Err(TextEditError::NotFound)),
            (FindReplace, find("a", "b", false), "", Err(TextEditError::NotFound)),
            // Letters that only look the same differ.
            (FindReplace, find("é", "e", false), "cafe\u{301}", Err(TextEditError::NotFound)),
            (
                FindReplace,
                find("\u{1F375}\u{1F375}", "x", false),
                "\u{1F375}\u{1F375}\u{1F375}",
                Err(TextEditError::Ambiguous { count: 2 }),
            ),
            (FindReplace, find("a", "", true), "aaa", ok("")),
            (FindReplace, find("a\nb", "c", false), "a\nb\n", ok("c\n")),
            (
                FindReplace,
                TextEdit { find: Some("a"), ..TextEdit::default() },
                "a",
                Err(TextEditError::Missing { operation: "find_replace", field: "replace" }),
            ),
            (FindReplace, find("a", "b", false), "a a", Err(TextEditError::Ambiguous { count: 2 })),
            (FindReplace, find("a", "aa", true), "a a", ok("aa aa")),
            (FindReplace, find("aa", "b", false), "aaa", Err(TextEditError::Ambiguous { count: 2 })),
            (FindReplace, find("", "b", true), "aaa", Err(TextEditError::EmptyFind)),
            (FindReplace, content("x"), "a", Err(TextEditError::Missing { operation: "find_replace", field: "find" })),
            (Append, find("a", "b", false), "a", Err(TextEditError::Missing { operation: "append", field: "content" })),
        ];
        for (operation, edit, text, expected) in cases {
            assert_eq!(edit.apply(operation, text), expected, "{operation:?} {edit:?} {text:?}");
        }
    }
}
