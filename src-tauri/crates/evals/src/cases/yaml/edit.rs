//! Edits of YAML in place. New values are written as JSON, which is YAML.

use std::fmt::Write as _;
use std::ops::Range;

use inklings_folder::yaml::{Content, Node};
use serde_json::{Map, Value};

use crate::cases::edit::ValueEdit;

/// The new text; `None` if the place of the edit can't be found. The caller reads the result back.
pub(crate) fn apply(root: &Node, text: &str, edit: &ValueEdit<'_>) -> Option<String> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (range, new) = match edit {
        ValueEdit::Insert { list, index, entries } => insertion(find(root, list)?, text, *index, entries, newline)?,
        ValueEdit::Remove { list, index } => removal(find(root, list)?, text, *index)?,
        ValueEdit::Set { entry, key, value } => setting(find(root, entry)?, text, key, *value, newline)?,
    };
    let mut edited = text.to_owned();
    edited.replace_range(range, &new);
    Some(edited)
}

/// Entries as items of a block sequence.
pub(crate) fn block_items(entries: &[Map<String, Value>], indent: &str, newline: &str) -> String {
    let mut text = String::new();
    for entry in entries {
        for (index, (key, value)) in entry.iter().enumerate() {
            let dash = if index == 0 { '-' } else { ' ' };
            // Writing to a String can't fail.
            let _ = write!(text, "{indent}{dash} {key}: {value}{newline}");
        }
    }
    text
}

fn find<'n>(root: &'n Node, pointer: &str) -> Option<&'n Node> {
    pointer.split('/').skip(1).try_fold(root, |node, part| match &node.content {
        Content::Sequence { items, .. } => items.get(part.parse::<usize>().ok()?),
        _ => node.get(part),
    })
}

fn insertion(list: &Node, text: &str, index: usize, entries: &[Map<String, Value>], newline: &str) -> Option<(Range<usize>, String)> {
    let Content::Sequence { items, flow } = &list.content else { return None };
    if *flow {
        let json = entries.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>().ok()?.join(", ");
        return Some(match index.checked_sub(1).and_then(|before| items.get(before)) {
            Some(before) => (before.span.end..before.span.end, format!(", {json}")),
            None => (list.span.start + 1..list.span.start + 1, json),
        });
    }
    let before = items.get(index.checked_sub(1)?)?;
    let (line, end) = (dash_line(text, before)?, line_end(text, before.span.end));
    let indent: String = text[line..].chars().take_while(|ch| *ch == ' ').collect();
    let start = if text[..end].ends_with('\n') { "" } else { newline };
    Some((end..end, format!("{start}{}", block_items(entries, &indent, newline))))
}

fn removal(list: &Node, text: &str, index: usize) -> Option<(Range<usize>, String)> {
    let Content::Sequence { items, flow } = &list.content else { return None };
    let node = items.get(index)?;
    if *flow {
        let range = match (items.get(index + 1), index.checked_sub(1).and_then(|before| items.get(before))) {
            (Some(next), _) => node.span.start..next.span.start,
            (None, Some(before)) => before.span.end..node.span.end,
            (None, None) => node.span.clone(),
        };
        return Some((range, String::new()));
    }
    let (start, end) = (dash_line(text, node)?, line_end(text, node.span.end));
    if items.len() > 1 {
        return Some((start..end, String::new()));
    }
    // An empty block sequence would be null.
    let indent: String = text[start..].chars().take_while(|ch| *ch == ' ').collect();
    let newline = if text[..end].ends_with('\n') { "\n" } else { "" };
    let indent = if indent.is_empty() && start > 0 { "  ".to_owned() } else { indent };
    Some((start..end, format!("{indent}[]{newline}")))
}

fn setting(entry: &Node, text: &str, key: &str, value: Option<&Value>, newline: &str) -> Option<(Range<usize>, String)> {
    let Content::Mapping { pairs, flow } = &entry.content else { return None };
    let position = pairs.iter().position(|(name, _)| name.text() == Some(key));
    if *flow {
        let value = value?;
        return Some(match position {
            Some(at) => (pairs[at].1.span.clone(), value.to_string()),
            None => (pairs.last()?.1.span.end..pairs.last()?.1.span.end, format!(", \"{key}\": {value}")),
        });
    }
    let lines = |at: usize| {
        let (name, old) = &pairs[at];
        name.span.start..line_end(text, old.span.end.max(name.span.end))
    };
    match (position, value) {
        (Some(at), Some(value)) => Some((lines(at), format!("{key}: {value}{newline}"))),
        // The first key of an item stands behind the dash; the next one moves there.
        (Some(0), None) => Some((pairs[0].0.span.start..pairs.get(1)?.0.span.start, String::new())),
        (Some(at), None) => Some((text[..lines(at).start].rfind('\n').map_or(0, |end| end + 1)..lines(at).end, String::new())),
        (None, Some(value)) => {
            let last = lines(pairs.len() - 1).end;
            let column = pairs[0].0.span.start - text[..pairs[0].0.span.start].rfind('\n').map_or(0, |end| end + 1);
            let start = if text[..last].ends_with('\n') { "" } else { newline };
            Some((last..last, format!("{start}{}{key}: {value}{newline}", " ".repeat(column))))
        }
        (None, None) => Some((entry.span.start..entry.span.start, String::new())),
    }
}

/// Start of the line with the dash of an item.
fn dash_line(text: &str, item: &Node) -> Option<usize> {
    let dash = text[..item.span.start].rfind('-')?;
    Some(text[..dash].rfind('\n').map_or(0, |end| end + 1))
}

/// End of the line that has the last character before `end`, with its line end.
fn line_end(text: &str, end: usize) -> usize {
    let last = text[..end].trim_end().len();
    text[last..].find('\n').map_or(text.len(), |at| last + at + 1)
}
