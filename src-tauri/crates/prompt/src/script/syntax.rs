//! Describes the first syntax error of Python source as Python does.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::lexer::{self, Fault};
use super::tags::STAND_IN;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SyntaxFault {
    pub(super) message: String,
    pub(super) hint: &'static str,
    pub(super) range: Range<usize>,
}

/// The first syntax error. Unclosed quotes and brackets come first, since they change the meaning of the rest.
pub(super) fn fault(text: &str, tree: &Tree) -> Option<SyntaxFault> {
    if let Some(fault) = lexer::lex(text, &[]).fault {
        return Some(of_quotes(&fault));
    }
    let root = tree.root_node();
    if !root.has_error() {
        return None;
    }
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_missing() || (node.is_error() && !holds_error(&node)) {
            return Some(of_grammar(text, &node));
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}

fn holds_error(node: &Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.has_error() || child.is_missing())
}

fn of_quotes(fault: &Fault) -> SyntaxFault {
    let (message, hint, range) = match fault {
        Fault::OpenString { range, triple: true } => ("unclosed string".to_owned(), "close it with three quotes", range.clone()),
        Fault::OpenString { range, triple: false } => {
            ("unclosed string on this line".to_owned(), "close it, or use three quotes", range.clone())
        }
        Fault::Unclosed { bracket, at } => (format!("unclosed `{bracket}`"), "close it", *at..at + 1),
        Fault::Unmatched { bracket, at, open: Some(open) } => {
            (format!("`{bracket}` doesn't match `{open}`"), "close the innermost bracket first", *at..at + 1)
        }
        Fault::Unmatched { bracket, at, open: None } => (format!("unmatched `{bracket}`"), "remove it", *at..at + 1),
    };
    SyntaxFault { message, hint, range }
}

/// Keywords that begin a block.
const BLOCKS: &[&str] = &["if", "elif", "else", "for", "while", "def", "class", "with", "try", "except", "finally", "match", "case"];

fn of_grammar(text: &str, node: &Node<'_>) -> SyntaxFault {
    let range = node.byte_range();
    let line = logical_line(text, range.start);
    let code = text.get(line.clone()).unwrap_or_default();
    let mut words = code.split(|ch: char| !ch.is_alphanumeric() && ch != '_').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let first = if first == "async" { words.next().unwrap_or_default() } else { first };
    let bare = code.split('#').next().unwrap_or_default().trim_end();
    if BLOCKS.contains(&first) && !code.contains(':') {
        let end = line.start + bare.len();
        let message = format!("expected `:` after `{first}`");
        return SyntaxFault { message, hint: "end the line with a colon", range: end.saturating_sub(1).max(line.start)..end };
    }
    if node.is_missing() && !node.is_named() && node.kind().chars().all(|ch| ch.is_ascii_punctuation()) {
        return SyntaxFault { message: format!("expected `{}`", node.kind()), hint: "add it", range };
    }
    let found = text.get(range.clone()).unwrap_or_default().lines().next().unwrap_or_default().trim();
    let shown: String = found.replace(STAND_IN, "{{ … }}").chars().take(30).collect();
    let message = if shown.is_empty() { "invalid Python".to_owned() } else { format!("invalid Python: `{shown}`") };
    let end = range.start + text.get(range.clone()).and_then(|text| text.find('\n')).unwrap_or(range.len());
    SyntaxFault { message, hint: "fix the statement on this line, or the end of the previous one", range: range.start..end }
}

fn logical_line(text: &str, at: usize) -> Range<usize> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let blank = text[start..end].len() - text[start..end].trim_start().len();
    start + blank..end
}
