//! What may stand in a place of a script for a value. Two readers decide it, each by itself: Python's grammar, and a reader of
//! quotes. Where they don't agree, or the grammar doesn't, nothing is put in.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::lexer::{self, Before, Kind, Zone};
use super::misplaced::Misplaced;
use super::parse;

/// What goes into a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Literal {
        /// In parentheses, where a bare number or bracket would be read together with what is beside it.
        wrapped: bool,
    },
    /// Text of a string.
    Text {
        /// The string's quote.
        quote: char,
        /// Whether a digit that comes first would be read as part of an escape before it.
        after_octal: bool,
    },
}

/// What the grammar says about a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Literal {
        wrapped: bool,
    },
    /// In the string whose text begins at this byte, and which is no annotation.
    Text(usize),
    Comment,
    Refused(Misplaced),
    Nothing,
}

/// What may stand in place of each span. Spans are in order; each is a name that Python could have.
pub(super) fn slots(text: &str, spans: &[Range<usize>]) -> Vec<Result<Slot, Misplaced>> {
    let zones = lexer::lex(text, spans).zones;
    let said = by_grammar(text, spans);
    zones.into_iter().zip(said).zip(spans).map(|((zone, said), span)| agreed(text, zone, said, span)).collect()
}

fn agreed(text: &str, zone: Zone, said: Said, span: &Range<usize>) -> Result<Slot, Misplaced> {
    match zone {
        Zone::Comment => Err(Misplaced::Comment),
        Zone::Broken => Err(Misplaced::Unsure),
        Zone::Text(place) => match (place.kind, place.before) {
            (Kind::Raw, _) => Err(Misplaced::Raw),
            (Kind::Bytes, _) => Err(Misplaced::Bytes),
            (Kind::Format, _) => Err(Misplaced::Format),
            (Kind::Plain, Before::OpenEscape) => Err(Misplaced::Escape),
            (Kind::Plain, before) => match said {
                Said::Text(start) if start == place.start => {
                    Ok(Slot::Text { quote: char::from(place.quote), after_octal: before == Before::Octal })
                }
                Said::Refused(Misplaced::Annotation) => Err(Misplaced::Annotation),
                _ => Err(Misplaced::Unsure),
            },
        },
        Zone::Code { interpolated } => {
            let bytes = text.as_bytes();
            let beside = [span.start.checked_sub(1), Some(span.end)].into_iter().flatten().filter_map(|at| bytes.get(at));
            if beside.copied().any(lexer::in_name) {
                return Err(Misplaced::Glued);
            }
            match said {
                Said::Literal { wrapped } => Ok(Slot::Literal { wrapped: wrapped || interpolated }),
                Said::Refused(misplaced) => Err(misplaced),
                _ => Err(Misplaced::Unsure),
            }
        }
    }
}

/// A node above the one that is looked at, with what the nodes above it add. All of it is found once on the way down: a
/// script can be as deep as it is long.
struct Above<'t> {
    node: Node<'t>,
    field: Option<&'t str>,
    /// Whether it or one above it couldn't be read.
    broken: bool,
    /// Whether it is part of an annotation.
    annotates: bool,
    /// Whether it is part of a pattern of `match`.
    matches: bool,
    /// What it belongs to, seen through brackets.
    owner: &'t str,
    /// Whether the grammar skipped something directly in it; looked up once.
    skips: Option<bool>,
}

const BRACKETS: &[&str] = &["tuple", "list", "set", "parenthesized_expression", "expression_list", "list_splat"];

impl<'t> Above<'t> {
    fn new(node: Node<'t>, field: Option<&'t str>, above: Option<&Self>) -> Self {
        let kind = node.kind();
        // A statement, and what is in it, is no part of the annotation or pattern that it may be below.
        let above_it = above.filter(|_| !kind.ends_with("_statement") && !matches!(kind, "block" | "module" | "lambda"));
        Self {
            node,
            field,
            broken: node.is_error() || above.is_some_and(|above| above.broken),
            annotates: kind == "type" || above_it.is_some_and(|above| above.annotates),
            matches: kind == "case_pattern" || above_it.is_some_and(|above| above.matches),
            owner: above.filter(|_| BRACKETS.contains(&kind)).map_or(kind, |above| above.owner),
            skips: None,
        }
    }
}

fn by_grammar(text: &str, spans: &[Range<usize>]) -> Vec<Said> {
    let mut said = vec![Said::Nothing; spans.len()];
    let Some(tree) = (!spans.is_empty()).then(|| parse::tree(text)).flatten() else { return said };
    let mut cursor = tree.walk();
    let mut above: Vec<Above<'_>> = Vec::new();
    loop {
        let node = cursor.node();
        let inside = inside(spans, &node.byte_range());
        let leave = inside.is_empty() || resolve_span(&cursor, spans, &inside, &mut above, &mut said);
        if !leave {
            let field = cursor.field_name();
            if cursor.goto_first_child() {
                above.push(Above::new(node, field, above.last()));
                continue;
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return said;
            }
            above.pop();
        }
    }
}

/// The numbers of the spans that lie in a range.
fn inside(spans: &[Range<usize>], range: &Range<usize>) -> Range<usize> {
    let first = spans.partition_point(|span| span.start < range.start);
    let last = spans.partition_point(|span| span.end <= range.end);
    first..last.max(first)
}

/// Notes what a node says about the spans in it; whether nothing below it says more.
fn resolve_span(
    cursor: &TreeCursor<'_>,
    spans: &[Range<usize>],
    inside: &Range<usize>,
    above: &mut [Above<'_>],
    said: &mut [Said],
) -> bool {
    let node = cursor.node();
    let result = match node.kind() {
        "comment" => Said::Comment,
        "string_content" => match above.last() {
            Some(string) if string.node.kind() == "string" => {
                let start = string.node.child(0).map_or(usize::MAX, |opening| opening.end_byte());
                if string.annotates { Said::Refused(Misplaced::Annotation) } else { Said::Text(start) }
            }
            _ => Said::Nothing,
        },
        "identifier" => {
            let own = inside.len() == 1 && spans.get(inside.start).is_some_and(|span| *span == node.byte_range());
            if own { position(above, cursor.field_name(), &node) } else { Said::Nothing }
        }
        _ => return false,
    };
    said[inside.clone()].fill(result);
    true
}

/// Whether a name with this field below these nodes stands where a value may.
fn position(above: &mut [Above<'_>], field: Option<&str>, node: &Node<'_>) -> Said {
    let Some((parent, further)) = above.split_last_mut() else { return Said::Nothing };
    if parent.broken {
        return Said::Refused(Misplaced::Unsure);
    }
    if parent.annotates {
        return Said::Refused(Misplaced::Annotation);
    }
    if parent.matches {
        return Said::Refused(Misplaced::Pattern);
    }
    let skips = *parent.skips.get_or_insert_with(|| skips(&parent.node));
    if skips {
        return Said::Refused(Misplaced::Unsure);
    }
    let outer = further.last().map_or("", |one| one.node.kind());
    let allowed = match (parent.node.kind(), field) {
        ("call", Some("function")) => return Said::Refused(Misplaced::Called),
        ("argument_list", _) => outer != "class_definition",
        (kind, _) if BRACKETS.contains(&kind) => {
            !matches!(parent.owner, "delete_statement" | "except_clause" | "decorator" | "exec_statement" | "print_statement")
        }
        ("pattern_list", _) => matches!(outer, "assignment" | "interpolation") && matches!(parent.field, Some("right" | "expression")),
        ("as_pattern", None) => outer == "with_item",
        (
            "return_statement"
            | "expression_statement"
            | "dictionary_splat"
            | "comparison_operator"
            | "conditional_expression"
            | "subscript"
            | "slice"
            | "await"
            | "yield"
            | "if_clause"
            | "assert_statement"
            | "raise_statement",
            _,
        )
        | (
            "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" | "binary_operator" | "boolean_operator",
            Some("right"),
        )
        | ("binary_operator" | "boolean_operator", Some("left"))
        | ("unary_operator" | "not_operator", Some("argument"))
        | (
            "keyword_argument" | "named_expression" | "default_parameter" | "typed_default_parameter" | "pair" | "with_item",
            Some("value"),
        )
        | ("pair", Some("key"))
        | ("attribute", Some("object"))
        | ("lambda" | "list_comprehension" | "set_comprehension" | "generator_expression", Some("body"))
        | ("if_statement" | "elif_clause" | "while_statement", Some("condition"))
        | ("match_statement", Some("subject"))
        | ("interpolation", Some("expression")) => true,
        _ => false,
    };
    if !allowed || node.is_missing() {
        return Said::Refused(Misplaced::Name);
    }
    Said::Literal { wrapped: matches!((parent.node.kind(), field), ("attribute" | "await", _) | ("subscript", Some("value"))) }
}

fn skips(node: &Node<'_>) -> bool {
    node.has_error() && {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| child.is_error() || child.is_missing())
    }
}
