//! Parses YAML into a tree of nodes with spans, for reading and for edits in place.
//!
//! Built from parser events: scalars stay strings (`1.0` is "1.0", not a number), and aliases
//! aren't expanded, except for aliases of scalars, so that no input can grow. Depth and size are
//! limited. Deliberately absent: types other than string and null, and writing (see `scalar.rs`).

use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Options, Parser, ScalarStyle, Span, StructureStyle};

/// Maximum length of YAML in bytes.
pub const MAX_BYTES: usize = 64 * 1024;
/// Maximum nesting of collections.
pub const MAX_DEPTH: usize = 64;
/// Maximum size of expanded scalar aliases in bytes.
const ALIAS_BYTES: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    Literal,
    Folded,
    /// `*name`, an alias of another scalar.
    Alias,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// After unescaping and folding.
    Scalar {
        /// The text; `~` for a missing value.
        text: String,
        style: Style,
    },
    Sequence {
        items: Vec<Node>,
        /// Written as `[…]`.
        flow: bool,
    },
    /// In order; a key may occur twice.
    Mapping {
        pairs: Vec<(Node, Node)>,
        /// Written as `{…}`.
        flow: bool,
    },
    /// An alias of a collection; not expanded.
    Opaque,
}

/// A value with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Byte range of the value, including quotes. That of a block scalar begins at its first line of content, that of a
    /// block collection at its first item. Anchors and tags aren't included.
    pub span: Range<usize>,
    pub content: Content,
}

impl Node {
    /// The text of a scalar other than null.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, style } => {
                let null = matches!(style, Style::Plain | Style::Alias) && matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL");
                (!null).then_some(text)
            }
            _ => None,
        }
    }

    /// Whether this is null, written or omitted.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.content, Content::Scalar { .. }) && self.text().is_none()
    }

    /// The entries of a mapping; empty for other nodes.
    #[must_use]
    pub fn pairs(&self) -> &[(Node, Node)] {
        match &self.content {
            Content::Mapping { pairs, .. } => pairs,
            _ => &[],
        }
    }

    /// The value of a key; the last one of duplicates, as most parsers do.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs().iter().rev().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }
}

/// A YAML error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// The parser's message.
    pub message: String,
    /// Byte offset in the text.
    pub offset: usize,
}

impl YamlError {
    fn new(message: impl Into<String>, offset: usize) -> Self {
        Self { message: message.into(), offset }
    }
}

/// Parses one document. `None` if it contains only whitespace and comments.
pub fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    if text.len() > MAX_BYTES {
        let message = format!("the YAML is too large: {} bytes (maximum {MAX_BYTES})", text.len());
        return Err(YamlError::new(message, MAX_BYTES));
    }
    let mut builder = Builder::default();
    for next in Parser::new_from_str_with_options(text, options()) {
        let (event, span) = next.map_err(|error| {
            let offset = error.marker().byte_offset().unwrap_or(0);
            YamlError::new(error.info(), offset)
        })?;
        builder.event(event, span)?;
    }
    Ok(builder.root)
}

fn options() -> Options {
    let mut options = granit_parser::options! { flow_nesting_limit: MAX_DEPTH, block_nesting_limit: MAX_DEPTH };
    options.set_emit_comments(false);
    options
}

/// A collection whose end event hasn't arrived yet.
struct Open {
    start: usize,
    flow: bool,
    mapping: bool,
    items: Vec<Node>,
}

#[derive(Default)]
struct Builder {
    stack: Vec<Open>,
    root: Option<Node>,
    /// Texts of anchored scalars.
    anchors: HashMap<usize, String>,
    aliased: usize,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        let span = span.byte_range().unwrap_or_default();
        let start = span.start;
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                return Err(YamlError::new("a second YAML document starts here", start));
            }
            Event::Scalar(text, style, anchor, _) => {
                let text = text.into_owned();
                if anchor != 0 {
                    self.anchors.insert(anchor, text.clone());
                }
                self.put(Node { span, content: Content::Scalar { text, style: style_of(style) } });
            }
            Event::Alias(anchor) => {
                let content = self.alias(anchor);
                self.put(Node { span, content });
            }
            Event::SequenceStart(style, ..) => self.open(start, style, false),
            Event::MappingStart(style, ..) => self.open(start, style, true),
            Event::SequenceEnd | Event::MappingEnd => self.close(span.end),
            _ => {}
        }
        if self.stack.len() > MAX_DEPTH {
            return Err(YamlError::new("the values are nested too deeply", start));
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize) -> Content {
        match self.anchors.get(&anchor) {
            Some(text) if self.aliased + text.len() <= ALIAS_BYTES => {
                self.aliased += text.len();
                Content::Scalar { text: text.clone(), style: Style::Alias }
            }
            _ => Content::Opaque,
        }
    }

    fn open(&mut self, start: usize, style: StructureStyle, mapping: bool) {
        let flow = style == StructureStyle::Flow;
        self.stack.push(Open { start, flow, mapping, items: Vec::new() });
    }

    fn close(&mut self, end: usize) {
        let Some(open) = self.stack.pop() else { return };
        // The end event of a block collection is at the following token; the collection ends with its last item.
        let last = open.items.last().map_or(open.start, |item| item.span.end.max(open.start));
        let span = open.start..if open.flow { end } else { last };
        let content = if open.mapping {
            let mut pairs = Vec::with_capacity(open.items.len() / 2);
            let mut items = open.items.into_iter();
            while let (Some(key), Some(value)) = (items.next(), items.next()) {
                pairs.push((key, value));
            }
            Content::Mapping { pairs, flow: open.flow }
        } else {
            Content::Sequence { items: open.items, flow: open.flow }
        };
        self.put(Node { span, content });
    }

    fn put(&mut self, node: Node) {
        match self.stack.last_mut() {
            Some(open) => open.items.push(node),
            None => self.root = Some(node),
        }
    }
}

const fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::Single,
        ScalarStyle::DoubleQuoted => Style::Double,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;

    use super::*;

    fn root(text: &str) -> Node {
        parse(text).unwrap().unwrap()
    }

    #[test]
    fn scalars_stay_text_and_know_their_place() {
        let text = "v: 1.0\nq: 'it''s' # c\nn:\nf: >-\n  a\n  b\nl:\n  - x\n  - \"y\"\n";
        let root = root(text);
        assert_eq!(root.get("v").unwrap().text(), Some("1.0"));
        let quoted = root.get("q").unwrap();
        assert_eq!((quoted.text(), &text[quoted.span.clone()]), (Some("it's"), "'it''s'"));
        assert!(root.get("n").unwrap().is_null());
        assert_eq!(root.get("f").unwrap().text(), Some("a b"));
        let Content::Sequence { items, flow: false } = &root.get("l").unwrap().content else { panic!() };
        assert_eq!(items.iter().map(|item| item.text().unwrap()).collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(root.span.end, text.trim_end().len());
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        assert_eq!(root("a: 1\na: 2\n").get("a").unwrap().text(), Some("2"));
    }

    #[test]
    fn aliases_do_not_grow() {
        let mut text = String::from("a: &a [x, x]\n");
        for depth in 0..20 {
            let from = char::from(b'a' + depth);
            let to = char::from(b'b' + depth);
            writeln!(text, "{to}: &{to} [*{from}, *{from}]").unwrap();
        }
        let root = root(&text);
        let Content::Sequence { items, .. } = &root.get("u").unwrap().content else { panic!() };
        assert!(items.iter().all(|item| item.content == Content::Opaque));
        assert_eq!(super::parse("a: &x foo\nb: *x\n").unwrap().unwrap().get("b").unwrap().text(), Some("foo"));
    }

    #[test]
    fn deep_long_and_double_documents_are_refused() {
        assert!(parse(&"[".repeat(10_000)).is_err());
        assert!(parse(&"x".repeat(MAX_BYTES + 1)).is_err());
        assert!(parse("a: b\n---\nc: d\n").unwrap_err().message.contains("second YAML document"));
        assert_eq!(parse("# nothing\n"), Ok(None));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn any_text_is_read_or_refused(text in "[\\PC\n\t\r:>|\\-\"'\\[\\]{}&*!#]{0,80}") {
            if let Ok(Some(root)) = parse(&text) {
                prop_assert!(text.get(root.span).is_some());
            }
        }
    }
}
