//! Refuses templates that would overflow the stack: the engine's compiler recurses along chained operators and `elif`
//! branches without a limit, so a template of a few hundred kilobytes could abort the process.

use std::ops::Range;

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// Maximum operators, brackets and words such as `not` in one expression or tag.
const MAX_CHAIN: usize = 400;
/// Maximum items in one expression or tag; also limits the arguments of a call.
const MAX_ITEMS: usize = 50_000;
/// Maximum `elif` tags in a template.
const MAX_BRANCHES: usize = 200;
/// Templates shorter than this can't reach any limit.
const MIN_CHECKED_BYTES: usize = 400;

/// The byte range at which a template gets too deep. Syntax errors are left to the parser.
pub(crate) fn too_deep(text: &str, syntax: &SyntaxConfig) -> Option<Range<usize>> {
    if text.len() < MIN_CHECKED_BYTES {
        return None;
    }
    let (mut chain, mut items, mut branches) = (0, 0, 0);
    for token in tokenize(text, false, syntax.clone()) {
        let (token, span) = token.ok()?;
        match token {
            Token::TemplateData(_) | Token::VariableStart | Token::VariableEnd | Token::BlockStart | Token::BlockEnd => {
                (chain, items) = (0, 0);
            }
            Token::Comma => items += 1,
            Token::Ident("elif") => branches += 1,
            token if deepens(&token) => chain += 1,
            _ => {}
        }
        if chain > MAX_CHAIN || items > MAX_ITEMS || branches > MAX_BRANCHES {
            return Some(span.start_offset as usize..span.end_offset as usize);
        }
    }
    None
}

fn deepens(token: &Token<'_>) -> bool {
    match token {
        Token::Ident(word) => matches!(*word, "not" | "and" | "or" | "in" | "is" | "if" | "else"),
        Token::Str(_)
        | Token::String(_)
        | Token::Int(_)
        | Token::Int128(_)
        | Token::Float(_)
        | Token::Colon
        | Token::Assign
        | Token::BracketClose
        | Token::ParenClose
        | Token::BraceClose => false,
        _ => true,
    }
}
