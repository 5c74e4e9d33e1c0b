//! A script's template as Python that can be read before there are values: each printed value becomes a name, other tags and
//! comments are left out with the blanks that they trim, and every branch and loop body stands there once.

use std::collections::HashSet;
use std::ops::Range;

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// The name that stands for a printed value.
pub(super) const STAND_IN: &str = "z_value_z";

/// A script without tags.
#[derive(Default)]
pub(super) struct Untagged {
    pub(super) text: String,
    pub(super) values: Vec<Printed>,
    /// Whether parts of it may stand there several times, or not at all.
    pub(super) varies: bool,
    pieces: Vec<Piece>,
}

/// A piece of the text.
struct Piece {
    /// Its first byte.
    from: usize,
    /// Its bytes in the template.
    origin: Range<usize>,
    /// Whether it stands for a value, and so for its tag as a whole.
    value: bool,
}

/// A printed value.
pub(super) struct Printed {
    /// The name that stands for it.
    pub(super) span: Range<usize>,
    /// Whether it is inside of a block.
    pub(super) inner: bool,
    /// Whether it may be text of the template: the result of a macro, or a captured block.
    pub(super) may_be_text: bool,
}

impl Untagged {
    /// The bytes of the template that some bytes come from.
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

/// Reads a template; with `bare` what is inside of blocks is left out. None when its tags can't be read.
pub(super) fn untag(body: &str, syntax: &SyntaxConfig, bare: bool) -> Option<Untagged> {
    let mut out = Untagged::default();
    let mut captured: HashSet<&str> = HashSet::new();
    let mut depth = 0usize;
    // The tag that is open: where it began, and its tokens so far.
    let mut tag: (usize, Vec<Token<'_>>) = (0, Vec::new());
    for token in tokenize(body, false, syntax.clone()) {
        let (token, span) = token.ok()?;
        let kept = !bare || depth == 0;
        match token {
            Token::TemplateData(text) if kept => {
                let start = (text.as_ptr() as usize).checked_sub(body.as_ptr() as usize)?;
                out.push(text, start..start + text.len(), false);
            }
            Token::TemplateData(_) => {}
            Token::VariableStart | Token::BlockStart => tag = (span.start_offset as usize, Vec::new()),
            Token::VariableEnd => {
                if kept {
                    let at = out.text.len();
                    out.push(STAND_IN, tag.0..span.end_offset as usize, true);
                    let called = tag.1.iter().any(|token| matches!(token, Token::ParenOpen));
                    let named = tag.1.iter().any(|token| matches!(token, Token::Ident(name) if captured.contains(name)));
                    out.values.push(Printed { span: at..at + STAND_IN.len(), inner: depth > 0, may_be_text: called || named });
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
