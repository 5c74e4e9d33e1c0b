//! Decides how a value can be inserted at a position. Two independent readers determine it, Python's grammar and the
//! lexer. If they disagree, or the grammar reports an error there, nothing is inserted.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::lexer::{self, Before, Kind, Zone};
use super::misplaced::Misplaced;
use super::parse;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Literal {
        /// Whether it needs parentheses, since a bare number or bracket would combine with its neighbors.
        wrapped: bool,
    },
    /// Text of a string.
    Text {
        /// The string's quote.
        quote: char,
        /// Whether a leading digit would become part of the escape before it.
        after_octal: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GrammarSlot {
    Literal {
        wrapped: bool,
    },
    /// In the string whose text begins at this byte. Never in an annotation.
    Text(usize),
    Comment,
    Refused(Misplaced),
    Nothing,
}

/// How to insert a value at each span. Spans are sorted; each is a valid Python name.
pub(super) fn slots(text: &str, spans: &[Range<usize>]) -> Vec<Result<Slot, Misplaced>> {
    let zones = lexer::lex(text, spans).zones;
    let grammar = by_grammar(text, spans);
    zones.into_iter().zip(grammar).zip(spans).map(|((zone, grammar), span)| agreed(text, zone, grammar, span)).collect()
}

fn agreed(text: &str, zone: Zone, grammar: GrammarSlot, span: &Range<usize>) -> Result<Slot, Misplaced> {
    match zone {
        Zone::Comment => Err(Misplaced::Comment),
        Zone::Broken => Err(Misplaced::Unsure),
        Zone::Text(text) => match (text.kind, text.before) {
            (Kind::Raw, _) => Err(Misplaced::Raw),
            (Kind::Bytes, _) => Err(Misplaced::Bytes),
            (Kind::Format, _) => Err(Misplaced::Format),
            (Kind::Plain, Before::OpenEscape) => Err(Misplaced::Escape),
            (Kind::Plain, before) => match grammar {
                GrammarSlot::Text(start) if start == text.start => {
                    Ok(Slot::Text { quote: char::from(text.quote), after_octal: before == Before::Octal })
                }
                GrammarSlot::Refused(Misplaced::Annotation) => Err(Misplaced::Annotation),
                _ => Err(Misplaced::Unsure),
            },
        },
        Zone::Code { interpolated } => {
            let bytes = text.as_bytes();
            let beside = [span.start.checked_sub(1), Some(span.end)].into_iter().flatten().filter_map(|at| bytes.get(at));
            if beside.copied().any(lexer::in_name) {
                return Err(Misplaced::Glued);
            }
            match grammar {
                GrammarSlot::Literal { wrapped } => Ok(Slot::Literal { wrapped: wrapped || interpolated }),
                GrammarSlot::Refused(misplaced) => Err(misplaced),
                _ => Err(Misplaced::Unsure),
            }
        }
    }
}

/// An ancestor node with inherited properties, computed once on the way down, since
/// scripts can be nested very deeply.
struct Ancestor<'t> {
    node: Node<'t>,
    field: Option<&'t str>,
    /// Whether it or an ancestor is a syntax error.
    broken: bool,
    /// Whether it is part of an annotation.
    annotates: bool,
    /// Whether it is part of a `match` pattern.
    matches: bool,
    /// The owner, ignoring parentheses.
    owner: &'t str,
    /// Whether it has a syntax error as a direct child.
    skips: Option<bool>,
}

const BRACKETS: &[&str] = &["tuple", "list", "set", "parenthesized_expression", "expression_list", "list_splat"];

impl<'t> Ancestor<'t> {
    fn new(node: Node<'t>, field: Option<&'t str>, above: Option<&Self>) -> Self {
        let kind = node.kind();
        // A statement inside an annotation or pattern isn't part of it.
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

fn by_grammar(text: &str, spans: &[Range<usize>]) -> Vec<GrammarSlot> {
    let mut grammar = vec![GrammarSlot::Nothing; spans.len()];
    let Some(tree) = (!spans.is_empty()).then(|| parse::tree(text)).flatten() else { return grammar };
    let mut cursor = tree.walk();
    let mut above: Vec<Ancestor<'_>> = Vec::new();
    loop {
        let node = cursor.node();
        let inside = inside(spans, &node.byte_range());
        let leave = inside.is_empty() || resolve_span(&cursor, spans, &inside, &mut above, &mut grammar);
        if !leave {
            let field = cursor.field_name();
            if cursor.goto_first_child() {
                above.push(Ancestor::new(node, field, above.last()));
                continue;
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return grammar;
            }
            above.pop();
        }
    }
}

/// Indices of the spans in a range.
fn inside(spans: &[Range<usize>], range: &Range<usize>) -> Range<usize> {
    let first = spans.partition_point(|span| span.start < range.start);
    let last = spans.partition_point(|span| span.end <= range.end);
    first..last.max(first)
}

/// Records what a node determines about its spans. Returns whether its descendants can't add anything.
fn resolve_span(
    cursor: &TreeCursor<'_>,
    spans: &[Range<usize>],
    inside: &Range<usize>,
    above: &mut [Ancestor<'_>],
    grammar: &mut [GrammarSlot],
) -> bool {
    let node = cursor.node();
    let result = match node.kind() {
        "comment" => GrammarSlot::Comment,
        "string_content" => match above.last() {
            Some(string) if string.node.kind() == "string" => {
                let start = string.node.child(0).map_or(usize::MAX, |opening| opening.end_byte());
                if string.annotates { GrammarSlot::Refused(Misplaced::Annotation) } else { GrammarSlot::Text(start) }
            }
            _ => GrammarSlot::Nothing,
        },
        "identifier" => {
            let own = inside.len() == 1 && spans.get(inside.start).is_some_and(|span| *span == node.byte_range());
            if own { position(above, cursor.field_name(), &node) } else { GrammarSlot::Nothing }
        }
        _ => return false,
    };
    grammar[inside.clone()].fill(result);
    true
}

/// Whether a name in this field of these nodes is an expression.
fn position(above: &mut [Ancestor<'_>], field: Option<&str>, node: &Node<'_>) -> GrammarSlot {
    let Some((parent, further)) = above.split_last_mut() else { return GrammarSlot::Nothing };
    if parent.broken {
        return GrammarSlot::Refused(Misplaced::Unsure);
    }
    if parent.annotates {
        return GrammarSlot::Refused(Misplaced::Annotation);
    }
    if parent.matches {
        return GrammarSlot::Refused(Misplaced::Pattern);
    }
    let skips = *parent.skips.get_or_insert_with(|| skips(&parent.node));
    if skips {
        return GrammarSlot::Refused(Misplaced::Unsure);
    }
    let outer = further.last().map_or("", |one| one.node.kind());
    let allowed = match (parent.node.kind(), field) {
        ("call", Some("function")) => return GrammarSlot::Refused(Misplaced::Called),
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
        return GrammarSlot::Refused(Misplaced::Name);
    }
    GrammarSlot::Literal { wrapped: matches!((parent.node.kind(), field), ("attribute" | "await", _) | ("subscript", Some("value"))) }
}

fn skips(node: &Node<'_>) -> bool {
    node.has_error() && {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| child.is_error() || child.is_missing())
    }
}
