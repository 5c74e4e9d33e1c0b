//! A script's template as Python that can be parsed without values: each printed value becomes a name, other tags and
//! comments are removed with the whitespace that they trim, and every branch and loop body occurs once.

use std::collections::HashSet;
use std::ops::Range;

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// The name that replaces a printed value.
pub(super) const STAND_IN: &str = "z_value_z";

#[derive(Default)]
pub(super) struct UntaggedScript {
    pub(super) text: String,
    pub(super) values: Vec<PrintedValue>,
    /// Whether parts of it may occur several times, or not at all.
    pub(super) varies: bool,
    pieces: Vec<Piece>,
}

/// A piece of the text.
struct Piece {
    /// Start offset in the text.
    from: usize,
    /// Byte range in the template.
    origin: Range<usize>,
    /// Whether it replaces a tag that prints a value.
    value: bool,
}

pub(super) struct PrintedValue {
    /// The placeholder name.
    pub(super) span: Range<usize>,
    /// Whether it is inside a block.
    pub(super) inner: bool,
    /// Whether it may be template text: the result of a macro, or a captured block.
    pub(super) may_be_text: bool,
}

impl UntaggedScript {
    /// The byte range in the template of a byte range in the text.
    pub(super) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.at(range.start, false);
        start..self.at(range.end.max(range.start), range.end > range.start).max(start)
    }

    fn at(&self, offset: usize, end: bool) -> usize {
        let inside = self.pieces.partition_point(|piece| if end { piece.from < offset } else { piece.from <= offset });
        let Some(piece) = inside.checked_sub(1).and_then(|index| self.pieces.get(index)) else { return 0 };
        match (piece.value, end) {
            (true, true) => piece.origin.end,
            (true, false) => piece.origin.start,
            (false, _) => (piece.origin.start + (offset - piece.from)).min(piece.origin.end),
        }
    }

    fn push(&mut self, text: &str, origin: Range<usize>, value: bool) {
        self.pieces.push(Piece { from: self.text.len(), origin, value });
        self.text.push_str(text);
    }
}

/// Converts a template; `bare` leaves out the contents of blocks. None if its tags can't be parsed.
pub(super) fn untag(body: &str, syntax: &SyntaxConfig, bare: bool) -> Option<UntaggedScript> {
    let mut out = UntaggedScript::default();
    let mut captured: HashSet<&str> = HashSet::new();
    let mut depth = 0usize;
    // The open tag: its start and its tokens so far.
    let mut tag: (usize, Vec<Token<'_>>) = (0, Vec::new());
    for token in tokenize(body, false, syntax.clone()) {
        let (token, span) = token.ok()?;
        let is_visible = !bare || depth == 0;
        match token {
            Token::TemplateData(text) if is_visible => {
                let start = (text.as_ptr() as usize).checked_sub(body.as_ptr() as usize)?;
                out.push(text, start..start + text.len(), false);
            }
            Token::TemplateData(_) => {}
            Token::VariableStart | Token::BlockStart => tag = (span.start_offset as usize, Vec::new()),
            Token::VariableEnd => {
                if is_visible {
                    let at = out.text.len();
                    out.push(STAND_IN, tag.0..span.end_offset as usize, true);
                    let called = tag.1.iter().any(|token| matches!(token, Token::ParenOpen));
                    let named = tag.1.iter().any(|token| matches!(token, Token::Ident(name) if captured.contains(name)));
                    out.values.push(PrintedValue { span: at..at + STAND_IN.len(), inner: depth > 0, may_be_text: called || named });
                }
            }
            Token::BlockEnd => {
                let (words, assigns) = (&tag.1, tag.1.iter().any(|token| matches!(token, Token::Assign)));
                out.varies |= !matches!(words.first(), Some(Token::Ident("set" | "do")) if assigns);
                match (words.first(), words.get(1)) {
                    (Some(Token::Ident("set")), _) if assigns => {}
                    (Some(Token::Ident("set")), name) => {
                        depth += 1;
                        if let Some(Token::Ident(name)) = name {
                            captured.insert(name);
                        }
                    }
                    (Some(Token::Ident(word)), _) if word.starts_with("end") => depth = depth.saturating_sub(1),
                    (Some(Token::Ident("if" | "for" | "with" | "macro" | "filter" | "call" | "autoescape" | "block")), _) => depth += 1,
                    _ => {}
                }
            }
            other => tag.1.push(other),
        }
    }
    Some(out)
}
