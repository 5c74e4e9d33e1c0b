//! Edits of single values in a JSON text. Order, comments and the rest of the text stay unchanged.

use std::ops::Range;

use jsonc_parser::CollectOptions;
use jsonc_parser::ast::{ObjectProp, Value as Ast};
use jsonc_parser::common::Ranged;
use jsonc_parser::cst::{CstInputValue, CstNode, CstRootNode};
use serde_json::Value;

use crate::json_text::{options, without_bom};
use crate::lines::newline_of;

/// Removes the value at a pointer with its key and comma.
#[must_use]
pub fn without(text: &str, pointer: &str) -> Option<String> {
    let (parent, last) = pointer.rsplit_once('/')?;
    let new = in_tree(text, |root| {
        let node = parts(parent).try_fold(root.value()?, |node, part| child(&node, &part))?;
        let last = unescape(last);
        match node.as_object() {
            Some(object) => object.get(&last)?.remove(),
            None => node.as_array()?.elements().get(last.parse::<usize>().ok()?)?.clone().remove(),
        }
        Some(())
    })?;
    Some(closed_up(text, new))
}

/// Removing the first item of a list on one line also removes the space after it.
fn closed_up(old: &str, mut new: String) -> String {
    let same: usize = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum();
    if old[..same].ends_with(['[', '{']) && !old[same..].starts_with(char::is_whitespace) {
        let blanks = new[same..].len() - new[same..].trim_start_matches(' ').len();
        new.replace_range(same..same + blanks, "");
    }
    new
}

/// Removes the second of two properties with the same name, the one that contains the offset `at`.
pub(crate) fn without_property_at(text: &str, at: usize) -> Option<String> {
    let (body, bom_len) = without_bom(text);
    let at = at.checked_sub(bom_len)?;
    let index = with_ast(body, |root| {
        let object = root.as_object()?;
        object.properties.iter().position(|prop| prop.range.start <= at && at < prop.range.end)
    })?;
    in_tree(text, |root| {
        root.object_value()?.properties().get(index)?.clone().remove();
        Some(())
    })
}

/// Replaces the value at a pointer, which must exist.
#[must_use]
pub fn with_value(text: &str, pointer: &str, value: &Value) -> Option<String> {
    replaced(text, &value_range(text, pointer)?, &value.to_string())
}

/// Adds a property to the object at a pointer.
#[must_use]
pub fn with_property(text: &str, pointer: &str, key: &str, value: &str) -> Option<String> {
    in_tree(text, |root| {
        let node = parts(pointer).try_fold(root.value()?, |node, part| child(&node, &part))?;
        let object = node.as_object()?;
        if object.get(key).is_none() {
            object.append(key, CstInputValue::String(value.to_owned()));
        }
        Some(())
    })
}

/// Adds a property with an object of one string to the object at a pointer.
#[must_use]
pub fn with_object(text: &str, pointer: &str, key: &str, inner: &str, value: &str) -> Option<String> {
    in_tree(text, |root| {
        let node = parts(pointer).try_fold(root.value()?, |node, part| child(&node, &part))?;
        let object = node.as_object()?;
        object.get(key).is_none().then(|| object.object_value_or_set(key).append(inner, CstInputValue::String(value.to_owned())))?;
        Some(())
    })
}

/// Renames the last key of a pointer, unless the new key exists.
#[must_use]
pub fn with_key(text: &str, pointer: &str, key: &str) -> Option<String> {
    let (parent, last) = pointer.rsplit_once('/')?;
    let (body, bom_len) = without_bom(text);
    let range = with_ast(body, |root| {
        let object = parts(parent).try_fold(root, |node, part| step(node, &part))?.as_object()?;
        let prop: &ObjectProp<'_> = object.get(&unescape(last))?;
        object.get(key).is_none().then(|| prop.name.start() + bom_len..prop.name.end() + bom_len)
    })?;
    replaced(text, &range, &Value::from(key).to_string())
}

/// Possible fixes of a syntax error at `at`, with their titles. The caller checks whether they work.
#[must_use]
pub fn mended(text: &str, at: usize) -> Vec<(&'static str, String)> {
    let at = text.floor_char_boundary(at);
    let before = text[..at].trim_end();
    let rest = text[at..].trim_start();
    let here = text.len() - rest.len();
    let mut found = Vec::new();
    let mut offer = |title, text: Option<String>| found.extend(text.map(|text| (title, text)));
    match rest.chars().next() {
        Some('}' | ']') if before.ends_with(',') => offer("Remove the comma", replaced(text, &(before.len() - 1..before.len()), "")),
        Some('/') => offer("Remove the comment", comment(rest).and_then(|length| replaced(text, &comment_lines(text, here, length), ""))),
        Some('\'') => {
            offer("Use double quotes", single(rest).and_then(|(length, value)| replaced(text, &(here..here + length), &value)));
        }
        _ if rest.chars().nth(1).is_none() => offer("Add the missing closing brackets", closed(text)),
        _ => {}
    }
    if rest.len() > 1 && (before.ends_with(['"', '}', ']']) || before.ends_with(char::is_alphanumeric)) {
        offer("Add the comma", replaced(text, &(before.len()..before.len()), ","));
    }
    found
}

pub(crate) fn value_at(text: &str, pointer: &str) -> Option<Value> {
    with_ast(without_bom(text).0, |root| Some(parts(pointer).try_fold(root, |node, part| step(node, &part))?.clone().into()))
}

/// The byte range of the value at a pointer.
fn value_range(text: &str, pointer: &str) -> Option<Range<usize>> {
    let (body, bom_len) = without_bom(text);
    with_ast(body, |root| {
        let value = parts(pointer).try_fold(root, |node, part| step(node, &part))?;
        Some(value.start() + bom_len..value.end() + bom_len)
    })
}

fn with_ast<T>(body: &str, query: impl FnOnce(&Ast<'_>) -> Option<T>) -> Option<T> {
    let parsed = jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &options()).ok()?;
    query(parsed.value.as_ref()?)
}

fn in_tree(text: &str, change: impl FnOnce(&CstRootNode) -> Option<()>) -> Option<String> {
    let (body, bom_len) = without_bom(text);
    // Deep values are refused elsewhere.
    let root = CstRootNode::parse(body, &options()).ok()?;
    change(&root)?;
    Some(format!("{}{root}", &text[..bom_len]))
}

fn parts(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(unescape)
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

fn step<'v, 'a>(value: &'v Ast<'a>, part: &str) -> Option<&'v Ast<'a>> {
    match value {
        Ast::Object(object) => object.get(part).map(|prop| &prop.value),
        Ast::Array(array) => array.elements.get(part.parse::<usize>().ok()?),
        _ => None,
    }
}

fn child(node: &CstNode, part: &str) -> Option<CstNode> {
    match node.as_object() {
        Some(object) => object.get(part)?.value(),
        None => node.as_array()?.elements().get(part.parse::<usize>().ok()?).cloned(),
    }
}

fn replaced(text: &str, range: &Range<usize>, instead: &str) -> Option<String> {
    Some(format!("{}{instead}{}", text.get(..range.start)?, text.get(range.end..)?))
}

/// The length of the comment at the start of a text, without its line end.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find(['\r', '\n']).unwrap_or(rest.len()));
    }
    rest.starts_with("/*").then(|| rest.find("*/").map(|end| end + 2))?
}

/// The range of a comment with the whitespace before it, and its line if it contains nothing else.
fn comment_lines(text: &str, start: usize, length: usize) -> Range<usize> {
    let before = text[..start].trim_end_matches([' ', '\t']).len();
    let after = start + length;
    let alone = before == 0 || text[..before].ends_with('\n');
    let line_end = text[after..].strip_prefix("\r\n").map_or(usize::from(text[after..].starts_with('\n')), |_| 2);
    before..if alone { after + line_end } else { after }
}

/// The length of a single-quoted string and the same string in double quotes.
fn single(rest: &str) -> Option<(usize, String)> {
    let inner = rest.strip_prefix('\'')?;
    let end = inner.find(['\'', '\n', '\\'])?;
    inner[end..].starts_with('\'').then(|| (end + 2, Value::from(&inner[..end]).to_string()))
}

/// Closes all open objects and lists, on a separate line if the text has several lines.
fn closed(text: &str) -> Option<String> {
    let closers = closers(text)?;
    let end = text.trim_end().len();
    let newline = if text[..end].contains('\n') { newline_of(text) } else { "" };
    Some(format!("{}{newline}{closers}{}", &text[..end], &text[end..]))
}

/// The missing closing brackets. None inside a string.
fn closers(text: &str) -> Option<String> {
    let mut open = Vec::new();
    let mut chars = text.chars();
    while let Some(ch) = chars.next() {
        match ch {
            '"' => loop {
                match chars.next()? {
                    '\\' => drop(chars.next()),
                    '"' => break,
                    _ => {}
                }
            },
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    (!open.is_empty() && open.len() <= crate::json::MAX_DEPTH).then(|| open.into_iter().rev().collect())
}
