//! Maps the lines of a rendered script to the lines of its template.
//!
//! Values add no lines, so line numbers of a template without multi-line tags, branches and loops stay the same. For any other template, notes of
//! line numbers are inserted into its text and it is rendered again. If the result without the notes differs
//! (a template can inspect captured text), line numbers aren't mapped.

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

use super::placeholders::{Placeholder, Placeholders};

/// Lines of a script and of its template; both count from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineMap {
    /// The template's line of each line; empty if they are the same.
    lines: Vec<u32>,
}

impl LineMap {
    /// The template's line of a line of the script.
    #[must_use]
    pub fn template_line(&self, line: u32) -> u32 {
        let index = (line as usize).saturating_sub(1);
        self.lines.get(index).or(self.lines.last()).copied().unwrap_or(line)
    }
}

/// The template with a note at the start of each piece and line of its text. None if line numbers stay the same.
pub(super) fn noted(body: &str, syntax: &SyntaxConfig, placeholders: &Placeholders) -> Option<String> {
    let (mut pieces, mut blocks, mut line_breaks) = (Vec::new(), false, 0);
    for token in tokenize(body, false, syntax.clone()) {
        match token.ok()?.0 {
            Token::TemplateData(text) => {
                line_breaks += text.matches('\n').count();
                pieces.push(text);
            }
            Token::BlockStart => blocks = true,
            _ => {}
        }
    }
    if !blocks && line_breaks == body.matches('\n').count() {
        return None;
    }
    let mut noted = String::with_capacity(body.len() * 2);
    let (mut done, mut line) = (0, 1);
    for piece in pieces {
        // A piece is a slice of the template, so its address gives its position.
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

/// Parses the notes of a rendered text, which must equal `plain` without them.
pub(super) fn read(noted: &str, placeholders: &Placeholders, plain: &str) -> Option<LineMap> {
    let mut text = String::with_capacity(plain.len());
    let (mut lines, mut done) = (Vec::new(), 0);
    // The template's line of the current text, and whether the script's line already has text that determines its origin.
    let (mut from, mut line_is_known) = (1, false);
    let mut own = None;
    let mut append = |part: &str, from: u32, line_is_known: &mut bool, own: &mut Option<u32>| {
        for piece in part.split_inclusive('\n') {
            if !*line_is_known && !piece.trim().is_empty() {
                (*line_is_known, *own) = (true, Some(from));
            }
            own.get_or_insert(from);
            if piece.ends_with('\n') {
                lines.push(own.take().unwrap_or(from));
                *line_is_known = false;
            }
        }
        text.push_str(part);
    };
    for (range, placeholder) in placeholders.find(noted) {
        append(&noted[done..range.start], from, &mut line_is_known, &mut own);
        match placeholder {
            Placeholder::Line(line) => from = line,
            Placeholder::Value(_) => append(&noted[range.clone()], from, &mut line_is_known, &mut own),
        }
        done = range.end;
    }
    append(&noted[done..], from, &mut line_is_known, &mut own);
    lines.push(own.unwrap_or(from));
    (text == plain).then_some(LineMap { lines })
}
