//! The output as JSON: the structured value, else JSON in the text. Each form is parsed once, on first use.

use std::sync::OnceLock;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use serde_json::Value;

use super::Subject;

/// Bytes that are parsed without result while JSON within other text is searched, beyond the text's length. Bounded, since nested
/// open brackets are parsed again from each.
const MAX_WASTED_BYTES: usize = 256 * 1024;

pub(super) struct ParsedOutput<'a> {
    subject: &'a Subject<'a>,
    whole: OnceLock<Result<Value, String>>,
    fences: OnceLock<Vec<Fence>>,
    fenced: OnceLock<Option<Value>>,
    between: OnceLock<Option<Value>>,
}

/// A fenced code block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fence {
    pub(super) text: String,
    /// Whether the output is this block only.
    pub(super) alone: bool,
}

impl<'a> ParsedOutput<'a> {
    pub(super) fn new(subject: &'a Subject<'a>) -> Self {
        Self { subject, whole: OnceLock::new(), fences: OnceLock::new(), fenced: OnceLock::new(), between: OnceLock::new() }
    }

    /// The structured value unless it is a string, which every output has.
    pub(super) fn structured(&self) -> Option<&Value> {
        self.subject.value.filter(|value| !value.is_string())
    }

    pub(super) fn text(&self) -> &str {
        self.subject.text
    }

    /// The text without a code fence around all of it.
    pub(super) fn body(&self) -> &str {
        self.fences().iter().find(|fence| fence.alone).map_or(self.subject.text, |fence| &fence.text)
    }

    /// The whole output as JSON: the structured value, else the text.
    pub(super) fn whole(&self) -> Result<&Value, &str> {
        if let Some(value) = self.structured() {
            return Ok(value);
        }
        let parse = || serde_json::from_str(self.subject.text).map_err(|error| error.to_string());
        self.whole.get_or_init(parse).as_ref().map_err(String::as_str)
    }

    /// Like `whole`, else the first code fence with JSON.
    pub(super) fn formatted(&self) -> Option<&Value> {
        if let Ok(value) = self.whole() {
            return Some(value);
        }
        let parse = || self.fences().iter().find_map(|fence| serde_json::from_str(&fence.text).ok());
        self.fenced.get_or_init(parse).as_ref()
    }

    /// The JSON for structural checks: like `formatted`, else the first object or list within other text.
    pub(super) fn json(&self) -> Option<&Value> {
        let first = || {
            let mut first = None;
            embedded(self.subject.text, |value| first.replace(value.clone()).is_none());
            first
        };
        self.formatted().or_else(|| self.between.get_or_init(first).as_ref()).or(self.subject.value)
    }

    /// Whether `wanted` accepts any JSON: the whole, then code fences, then JSON within other text.
    /// None if the search was given up, see [`MAX_WASTED_BYTES`].
    pub(super) fn any_json(&self, mut wanted: impl FnMut(&Value) -> bool) -> Option<bool> {
        if self.whole().is_ok_and(&mut wanted) {
            return Some(true);
        }
        let mut fenced = self.fences().iter().filter_map(|fence| serde_json::from_str(&fence.text).ok());
        if fenced.any(|value| wanted(&value)) { Some(true) } else { embedded(self.subject.text, wanted) }
    }

    fn fences(&self) -> &[Fence] {
        self.fences.get_or_init(|| fences(self.subject.text))
    }
}

fn fences(text: &str) -> Vec<Fence> {
    let mut found: Vec<Fence> = Vec::new();
    let mut inside = false;
    let mut outside = false;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                found.push(Fence { text: String::new(), alone: false });
                inside = true;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(piece) if inside => {
                if let Some(fence) = found.last_mut() {
                    fence.text.push_str(&piece);
                }
            }
            _ => outside = true,
        }
    }
    if let [only] = found.as_mut_slice() {
        only.alone = !outside;
    }
    found
}

/// Objects and lists within other text, outermost first, except lists of numbers only: `[1]` is a
/// footnote. None if the search was given up.
fn embedded(text: &str, mut accept: impl FnMut(&Value) -> bool) -> Option<bool> {
    let mut rest = text;
    let mut wasted = 0;
    while let Some(start) = rest.find(['{', '[']) {
        rest = &rest[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match if plausible(rest) { values.next() } else { None } {
            Some(Ok(value)) => {
                let footnote = value.as_array().is_some_and(|items| items.iter().all(Value::is_number));
                if !footnote && accept(&value) {
                    return Some(true);
                }
                rest = &rest[values.byte_offset()..];
            }
            Some(Err(error)) => {
                wasted += offset(rest, error.line(), error.column());
                if wasted > MAX_WASTED_BYTES + text.len() {
                    return None;
                }
                rest = &rest[1..];
            }
            None => rest = &rest[1..],
        }
    }
    Some(false)
}

/// The byte offset of a parser position: a line from 1 and bytes within the line.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before = line.checked_sub(2).and_then(|breaks| text.match_indices('\n').nth(breaks));
    before.map_or(0, |(at, _)| at + 1) + column
}

/// Whether the text after the bracket can be JSON.
fn plausible(text: &str) -> bool {
    // Long whitespace after a bracket is not expected.
    let after = text[1..].chars().take(64).find(|ch| !ch.is_ascii_whitespace());
    match after {
        Some('"') => true,
        Some('}') => text.starts_with('{'),
        Some(next) => text.starts_with('[') && matches!(next, '{' | '[' | ']' | '-' | '0'..='9' | 't' | 'f' | 'n'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_found_between_other_text() {
        for (text, expected) in [
            ("as [1] says, {\"a\": {\"b\": 1}} and [\"x\"]", vec![json!({ "a": { "b": 1 } }), json!(["x"])]),
            ("{a} { [[page]] [ ] {\"open\": ", vec![]),
            ("[[1, 2], {}]", vec![json!([[1, 2], {}])]),
            ("{}", vec![json!({})]),
        ] {
            let mut found = Vec::new();
            embedded(text, |value| {
                found.push(value.clone());
                false
            });
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn fences_know_whether_they_stand_alone() {
        let of = |text: &str| fences(text).into_iter().map(|fence| (fence.text, fence.alone)).collect::<Vec<_>>();
        assert_eq!(of("```json\n{}\n```\n"), [("{}\n".to_owned(), true)]);
        assert_eq!(of("So:\n\n~~~\n1\n~~~"), [("1\n".to_owned(), false)]);
        assert_eq!(of("```\n1\n```\n```\n2"), [("1\n".to_owned(), false), ("2".to_owned(), false)]);
        assert_eq!(of("no fence"), []);
    }

    /// Unclosed brackets are the worst case: from each the rest may be parsed.
    #[test]
    fn unclosed_brackets_are_searched() {
        for piece in ["[1,", "{\"a\":", "[", "[\"", "[ ", "{\""] {
            let text = piece.repeat(64 * 1024 / piece.len());
            assert_ne!(embedded(&text, |_| true), Some(true), "{piece}");
        }
    }
}
