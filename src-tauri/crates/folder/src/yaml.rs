//! YAML text as a tree of nodes that know where they stand, for reading and for patching by span.
//!
//! Built straight from parser events: scalars stay text (`1.0` is "1.0", not a number), aliases are
//! never expanded except for one scalar by another, so no input can grow. Depth and size are
//! limited. Deliberately absent: types beyond text and null, and writing (see `scalar.rs`).

use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Options, Parser, ScalarStyle, Span, StructureStyle};

/// Bytes of YAML that are read at all.
pub const MAX_BYTES: usize = 64 * 1024;
/// Nested collections that are read at all.
pub const MAX_DEPTH: usize = 64;
/// Bytes that aliases of scalars may add to the tree.
const ALIAS_BYTES: usize = 64 * 1024;

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// A `|` block.
    Literal,
    /// A `>` block.
    Folded,
    /// `*name`, standing for another scalar.
    Alias,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Text after unescaping and folding.
    Scalar {
        /// The text; `~` for a value left out.
        text: String,
        /// How it is written.
        style: Style,
    },
    /// A list.
    Sequence {
        /// Its items.
        items: Vec<Node>,
        /// Written as `[…]`.
        flow: bool,
    },
    /// A mapping, in order; a key may occur twice.
    Mapping {
        /// Its pairs.
        pairs: Vec<(Node, Node)>,
        /// Written as `{…}`.
        flow: bool,
    },
    /// An alias of a collection; not expanded.
    Opaque,
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Bytes of the value, quotes included; a block scalar's begin at its first line of content and a
    /// block collection's at its first item. Anchors and tags are outside.
    pub span: Range<usize>,
    /// The value.
    pub content: Content,
}

impl Node {
    /// The text of a scalar that is no null.
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

    /// Whether this is a null, written or left out.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.content, Content::Scalar { .. }) && self.text().is_none()
    }

    /// The pairs of a mapping; none of anything else.
    #[must_use]
    pub fn pairs(&self) -> &[(Node, Node)] {
        match &self.content {
            Content::Mapping { pairs, .. } => pairs,
            _ => &[],
        }
    }

    /// The value of a key; of the last one when it occurs twice, as most readers do.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs().iter().rev().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }
}

/// Why YAML could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// What the parser says.
    pub message: String,
    /// Byte offset in the text.
    pub offset: usize,
}

impl YamlError {
    fn new(message: impl Into<String>, offset: usize) -> Self {
        Self { message: message.into(), offset }
    }
}

/// Reads one document. `None`: nothing but blanks and comments.
pub fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    if text.len() > MAX_BYTES {
        let message = format!("{} bytes of YAML, at most {MAX_BYTES} are read", text.len());
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

/// A collection whose end has not come yet.
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
                return Err(YamlError::new("a second document begins here", start));
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
        // A block collection's end event stands at whatever follows; the collection ends with its last item.
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
        assert!(parse("a: b\n---\nc: d\n").unwrap_err().message.contains("second document"));
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
