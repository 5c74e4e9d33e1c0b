//! The output as JSON: the structured value, else what the text holds. Each is parsed once, and only when it is asked for.

use std::sync::OnceLock;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use serde_json::Value;

use super::Subject;

/// Bytes beyond the text's own length that are read in vain, in all, while JSON between other text is looked for. Open
/// brackets in each other are read again from each.
const VAIN: usize = 256 * 1024;

/// A subject, and what was found in its text.
pub(super) struct Reading<'a> {
    subject: &'a Subject<'a>,
    whole: OnceLock<Result<Value, String>>,
    fences: OnceLock<Vec<Fence>>,
    fenced: OnceLock<Option<Value>>,
    between: OnceLock<Option<Value>>,
}

/// A fenced code block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fence {
    /// What is between the fences.
    pub(super) text: String,
    /// Whether the output is this block and nothing else.
    pub(super) alone: bool,
}

impl<'a> Reading<'a> {
    pub(super) fn new(subject: &'a Subject<'a>) -> Self {
        Self { subject, whole: OnceLock::new(), fences: OnceLock::new(), fenced: OnceLock::new(), between: OnceLock::new() }
    }

    /// The structured value; a text is none, as every output is one.
    pub(super) fn structured(&self) -> Option<&Value> {
        self.subject.value.filter(|value| !value.is_string())
    }

    pub(super) fn text(&self) -> &str {
        self.subject.text
    }

    /// The text, or what is in the code fence around all of it.
    pub(super) fn body(&self) -> &str {
        self.fences().iter().find(|fence| fence.alone).map_or(self.subject.text, |fence| &fence.text)
    }

    /// The output as JSON as a whole: the structured value, else the text without anything around it.
    pub(super) fn whole(&self) -> Result<&Value, &str> {
        if let Some(value) = self.structured() {
            return Ok(value);
        }
        let parse = || serde_json::from_str(self.subject.text).map_err(|error| error.to_string());
        self.whole.get_or_init(parse).as_ref().map_err(String::as_str)
    }

    /// The output as JSON as a whole, were it in a code fence: the first that holds JSON.
    pub(super) fn formatted(&self) -> Option<&Value> {
        if let Ok(value) = self.whole() {
            return Some(value);
        }
        let parse = || self.fences().iter().find_map(|fence| serde_json::from_str(&fence.text).ok());
        self.fenced.get_or_init(parse).as_ref()
    }

    /// The JSON that structural checks see: the output as JSON, else the first object or list between other text.
    pub(super) fn json(&self) -> Option<&Value> {
        let first = || {
            let mut first = None;
            embedded(self.subject.text, |value| first.replace(value.clone()).is_none());
            first
        };
        self.formatted().or_else(|| self.between.get_or_init(first).as_ref()).or(self.subject.value)
    }

    /// Whether there is JSON that `wanted` is content with: the whole, then fences, then what stands between other text.
    /// None when the text has too many brackets that lead nowhere to be told.
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

/// The fenced code blocks of a Markdown text.
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

/// Objects and lists between other text, outermost first. A list of nothing but numbers is no JSON there: `[1]` is a
/// footnote. None when it was given up.
fn embedded(text: &str, mut wanted: impl FnMut(&Value) -> bool) -> Option<bool> {
    let mut rest = text;
    let mut vain = 0;
    while let Some(start) = rest.find(['{', '[']) {
        rest = &rest[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match if plausible(rest) { values.next() } else { None } {
            Some(Ok(value)) => {
                let footnote = value.as_array().is_some_and(|items| items.iter().all(Value::is_number));
                if !footnote && wanted(&value) {
                    return Some(true);
                }
                rest = &rest[values.byte_offset()..];
            }
            Some(Err(error)) => {
                vain += offset(rest, error.line(), error.column());
                if vain > VAIN + text.len() {
                    return None;
                }
                rest = &rest[1..];
            }
            None => rest = &rest[1..],
        }
    }
    Some(false)
}

/// Byte offset of a place that the parser names by line, from 1, and bytes in the line.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before = line.checked_sub(2).and_then(|breaks| text.match_indices('\n').nth(breaks));
    before.map_or(0, |(at, _)| at + 1) + column
}

/// Whether what follows the bracket can be JSON at all.
fn plausible(text: &str) -> bool {
    // Blanks between the two are rare, and few.
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

    /// Brackets without end are the worst case: each is a start that may be read far.
    #[test]
    fn brackets_without_end_are_gone_through() {
        for piece in ["[1,", "{\"a\":", "[", "[\"", "[ ", "{\""] {
            let text = piece.repeat(64 * 1024 / piece.len());
            assert_ne!(embedded(&text, |_| true), Some(true), "{piece}");
        }
    }
}
