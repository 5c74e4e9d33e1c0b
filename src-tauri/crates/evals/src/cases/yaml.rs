//! YAML nodes as JSON values, by the core schema of YAML 1.2.

pub(super) mod edit;

use std::ops::Range;

use inklings_folder::yaml::{Content, Node, Style};
use serde_json::{Map, Number, Value};

/// An error is the place of an alias that can't be read.
pub(super) fn value(node: &Node, text: &str) -> Result<Value, Range<usize>> {
    Ok(match &node.content {
        Content::Scalar { text, style } => scalar(text, *style),
        Content::Sequence { items, .. } => Value::Array(items.iter().map(|item| value(item, text)).collect::<Result<_, _>>()?),
        Content::Mapping { pairs, .. } => {
            let pair = |(key, one): &(Node, Node)| {
                let key = match &key.content {
                    Content::Scalar { text, .. } => text.clone(),
                    _ => text.get(key.span.clone()).unwrap_or_default().to_owned(),
                };
                Ok::<_, Range<usize>>((key, value(one, text)?))
            };
            Value::Object(pairs.iter().map(pair).collect::<Result<Map<_, _>, _>>()?)
        }
        Content::Opaque => return Err(node.span.clone()),
    })
}

fn scalar(text: &str, style: Style) -> Value {
    if !matches!(style, Style::Plain | Style::Alias) {
        return text.into();
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ => number(text).map_or_else(|| text.into(), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|ch: char| ch.is_ascii_digit() || ch == '.')
        || digits.contains(|ch: char| !matches!(ch, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'))
    {
        return None;
    }
    let plain = text.strip_prefix('+').unwrap_or(text);
    plain.parse::<i64>().map(Number::from).ok().or_else(|| plain.parse::<f64>().ok().and_then(Number::from_f64))
}

/// The place of a pointer's value, or of its nearest existing parent.
pub(super) fn span(root: &Node, pointer: &str) -> Range<usize> {
    let (mut node, mut span) = (root, start(root));
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        let next = match &node.content {
            Content::Sequence { items, .. } => {
                part.parse::<usize>().ok().and_then(|index| items.get(index)).map(|item| (item, start(item)))
            }
            Content::Mapping { pairs, .. } => {
                let pair = pairs.iter().rev().find(|(key, _)| matches!(&key.content, Content::Scalar { text, .. } if *text == part));
                pair.map(|(key, value)| (value, if is_scalar(value) { value.span.clone() } else { key.span.clone() }))
            }
            _ => None,
        };
        let Some((next, at)) = next else { break };
        (node, span) = (next, at);
    }
    span
}

const fn is_scalar(node: &Node) -> bool {
    matches!(node.content, Content::Scalar { .. })
}

fn start(node: &Node) -> Range<usize> {
    if is_scalar(node) { node.span.clone() } else { node.span.start..node.span.start + 1 }
}
