//! Which line of a rendered script comes from which line of its template.
//!
//! Values add no lines, so a template without tags that span lines or repeat text keeps its numbers. For any other, notes of
//! line numbers are put into the template's own text and it is rendered again; without its notes the result must be the same
//! text, else (a template can look at text it captured) the numbers are taken as they are.

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

use super::placeholders::{Placeholder, Placeholders};

/// Lines of a script and the template's lines that they come from; both count from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineMap {
    /// The template's line of each line; empty where they are the same.
    lines: Vec<u32>,
}

impl LineMap {
    /// The template's line that a line of the script comes from.
    #[must_use]
    pub fn template_line(&self, line: u32) -> u32 {
        let index = (line as usize).saturating_sub(1);
        self.lines.get(index).or(self.lines.last()).copied().unwrap_or(line)
    }
}

/// The template with a note at the start of each piece and line of its own text; none when its lines stay where they are.
pub(super) fn noted(body: &str, syntax: &SyntaxConfig, placeholders: &Placeholders) -> Option<String> {
    let (mut pieces, mut blocks, mut kept) = (Vec::new(), false, 0);
    for token in tokenize(body, false, syntax.clone()) {
        match token.ok()?.0 {
            Token::TemplateData(text) => {
                kept += text.matches('\n').count();
                pieces.push(text);
            }
            Token::BlockStart => blocks = true,
            _ => {}
        }
    }
    if !blocks && kept == body.matches('\n').count() {
        return None;
    }
    let mut noted = String::with_capacity(body.len() * 2);
    let (mut done, mut line) = (0, 1);
    for piece in pieces {
        // A piece is a part of the template's text: its address says which.
        let start = (piece.as_ptr() as usize).checked_sub(body.as_ptr() as usize)?;
        let between = body.get(done..start)?;
        noted.push_str(between);
        line += lines_in(between);
        for part in piece.split_inclusive('\n') {
            noted.push_str(&placeholders.line(line));
            noted.push_str(part);
            line += lines_in(part);
        }
        if piece.ends_with('\n') {
            noted.push_str(&placeholders.line(line));
        }
        done = start + piece.len();
    }
    noted.push_str(body.get(done..)?);
    Some(noted)
}

fn lines_in(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// Reads the notes of a rendered text, which must be `plain` without them.
pub(super) fn read(noted: &str, placeholders: &Placeholders, plain: &str) -> Option<LineMap> {
    let mut text = String::with_capacity(plain.len());
    let (mut lines, mut done) = (Vec::new(), 0);
    // The line that the text now comes from, and whether the script's line has text yet that says where it is from.
    let (mut from, mut settled) = (1, false);
    let mut own = None;
    let mut take = |part: &str, from: u32, settled: &mut bool, own: &mut Option<u32>| {
        for piece in part.split_inclusive('\n') {
            if !*settled && !piece.trim().is_empty() {
                (*settled, *own) = (true, Some(from));
            }
            own.get_or_insert(from);
            if piece.ends_with('\n') {
                lines.push(own.take().unwrap_or(from));
                *settled = false;
            }
        }
        text.push_str(part);
    };
    for (range, mark) in placeholders.find(noted) {
        take(&noted[done..range.start], from, &mut settled, &mut own);
        match mark {
            Placeholder::Line(line) => from = line,
            Placeholder::Value(_) => take(&noted[range.clone()], from, &mut settled, &mut own),
        }
        done = range.end;
    }
    take(&noted[done..], from, &mut settled, &mut own);
    lines.push(own.unwrap_or(from));
    (text == plain).then_some(LineMap { lines })
}
