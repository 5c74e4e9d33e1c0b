//! What a script's template shows before it has values: its faults, what it imports, and what it uses of the module `inklings`.

use std::collections::HashSet;
use std::ops::Range;

use inklings_core::sandbox_api::MODULE;
use tree_sitter::{Node, Tree};

use super::misplaced::Misplaced;
use super::tags::{self, Untagged};
use super::{parse, place, syntax};
use crate::engine::PromptEngine;
use crate::error::{Problem, PromptEngineError, SourceSpan};

/// Imports, uses and misplaced values that are told of, each: enough for any script that a person reads.
const MAX_REPORTED: usize = 200;

/// What is seen of a script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Faults: of the template, else of the script; the words are those of a run.
    pub faults: Vec<PromptEngineError>,
    /// Its imports, without that of `inklings`.
    pub imports: Vec<Import>,
    /// What it takes from `inklings`.
    pub uses: Vec<Use>,
    /// Whether it hands in a result, or may do so in a way that can't be seen.
    pub submits: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module as written, e.g. `os.path`; with a dot first when it is relative.
    pub module: String,
    /// Whether a `try` around it may do without.
    pub guarded: bool,
    /// Where the module is named.
    pub place: SourceSpan,
}

/// A member of `inklings` that is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Its name below `inklings`, e.g. `search` or `skills.list`.
    pub name: String,
    /// Where it is named.
    pub place: SourceSpan,
}

impl PromptEngine {
    /// What can be said about a script without values. Only what is sure is a fault: where the template has branches or loops,
    /// only what is wrong with and without their contents. A template that can't be read has its own faults and no others.
    #[must_use]
    pub fn outline(&self, template: &str) -> Outline {
        let faults = self.check(template);
        let read = || {
            let (body, skipped) = self.readable(template).ok()?;
            Some((tags::untag(body, &self.syntax, false)?, tags::untag(body, &self.syntax, true)?, skipped))
        };
        let broken =
            faults.iter().any(|fault| matches!(fault.problem, Problem::Syntax(_) | Problem::TooDeep | Problem::TemplateTooLong { .. }));
        let Some((whole, bare, skipped)) = (!broken).then(read).flatten() else {
            return Outline { faults, submits: true, ..Outline::default() };
        };
        let Some(tree) = parse::tree(&whole.text) else { return Outline { faults, submits: true, ..Outline::default() } };
        let at = |range: &Range<usize>| {
            let origin = whole.origin(range);
            SourceSpan::of(template, origin.start + skipped..origin.end + skipped)
        };
        let mut outline = Outline { faults, ..Outline::default() };
        if let Some((problem, range)) = syntax_fault(&whole, &bare, &tree) {
            outline.faults.push(PromptEngineError { problem, place: Some(at(&range)) });
        }
        for (misplaced, range) in misplaced(&whole, &bare).into_iter().take(MAX_REPORTED) {
            outline.faults.push(PromptEngineError { problem: Problem::Misplaced(misplaced), place: Some(at(&range)) });
        }
        let mut seen = Seen { text: &whole.text, names: HashSet::from([MODULE]), ..Seen::default() };
        each(&tree, |node, guarded| seen.import(node, guarded));
        each(&tree, |node, _| seen.mention(node));
        outline.submits = seen.hidden || seen.uses.iter().any(|(name, _)| name == "submit");
        outline.imports = seen
            .imports
            .iter()
            .take(MAX_REPORTED)
            .map(|(module, guarded, range)| Import { module: module.clone(), guarded: *guarded, place: at(range) })
            .collect();
        outline.uses = seen.uses.iter().take(MAX_REPORTED).map(|(name, range)| Use { name: name.clone(), place: at(range) }).collect();
        outline
    }
}

fn syntax_fault(whole: &Untagged, bare: &Untagged, tree: &Tree) -> Option<(Problem, Range<usize>)> {
    let fault = syntax::fault(&whole.text, tree)?;
    if whole.varies {
        let other = syntax::fault(&bare.text, &parse::tree(&bare.text)?)?;
        if other.message != fault.message || bare.origin(&other.range).start != whole.origin(&fault.range).start {
            return None;
        }
    }
    Some((Problem::Script { message: fault.message, hint: fault.hint }, fault.range))
}

/// The values that can't stand where they are.
fn misplaced(whole: &Untagged, bare: &Untagged) -> Vec<(Misplaced, Range<usize>)> {
    let slots = |untagged: &Untagged| {
        let spans: Vec<_> = untagged.values.iter().map(|value| value.span.clone()).collect();
        place::slots(&untagged.text, &spans)
    };
    let mut outer = slots(bare).into_iter();
    let mut found = Vec::new();
    for (value, slot) in whole.values.iter().zip(slots(whole)) {
        let same = value.inner || outer.next().as_ref() == Some(&slot);
        let Err(misplaced) = slot else { continue };
        let sure = misplaced.is_certain() || (!whole.varies && misplaced != Misplaced::Unsure);
        if same && sure && !value.may_be_text {
            found.push((misplaced, value.span.clone()));
        }
    }
    found
}

/// Visits every node, with whether it is in a `try`.
fn each<'t>(tree: &'t Tree, mut visit: impl FnMut(Node<'t>, bool)) {
    let mut cursor = tree.walk();
    let (mut depth, mut tries) = (0usize, Vec::new());
    loop {
        let node = cursor.node();
        visit(node, !tries.is_empty());
        if cursor.goto_first_child() {
            depth += 1;
            if node.kind() == "try_statement" {
                tries.push(depth);
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            if tries.last() == Some(&depth) {
                tries.pop();
            }
            depth -= 1;
        }
    }
}

#[derive(Default)]
struct Seen<'t> {
    text: &'t str,
    /// Names of the module in this script.
    names: HashSet<&'t str>,
    imports: Vec<(String, bool, Range<usize>)>,
    uses: Vec<(String, Range<usize>)>,
    /// Names of the module that were explained by what is around them.
    explained: HashSet<usize>,
    /// Whether the module is used in a way that says nothing about what is taken from it.
    hidden: bool,
}

impl<'t> Seen<'t> {
    fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn import(&mut self, node: Node<'t>, guarded: bool) {
        let mut cursor = node.walk();
        match node.kind() {
            "import_statement" => {
                for name in node.children_by_field_name("name", &mut cursor) {
                    let module = name.child_by_field_name("name").unwrap_or(name);
                    let alias = name.child_by_field_name("alias");
                    self.explain(name);
                    if self.text(module) == MODULE {
                        self.names.extend(alias.map(|alias| self.text(alias)));
                    } else {
                        self.imports.push((self.text(module).to_owned(), guarded, module.byte_range()));
                    }
                }
            }
            "import_from_statement" => {
                let Some(module) = node.child_by_field_name("module_name") else { return };
                self.explain(node);
                if self.text(module) != MODULE {
                    self.imports.push((self.text(module).to_owned(), guarded, module.byte_range()));
                    return;
                }
                for name in node.children_by_field_name("name", &mut cursor) {
                    let name = name.child_by_field_name("name").unwrap_or(name);
                    self.uses.push((self.text(name).to_owned(), name.byte_range()));
                }
                self.hidden |= node.children(&mut cursor).any(|child| child.kind() == "wildcard_import");
            }
            _ => {}
        }
    }

    /// Notes that the names in an import are no use of what they name.
    fn explain(&mut self, node: Node<'_>) {
        let text = self.text(node);
        let start = node.start_byte();
        for (at, _) in text.match_indices(MODULE) {
            self.explained.insert(start + at);
        }
        if let Some(alias) = node.child_by_field_name("alias") {
            self.explained.insert(alias.start_byte());
        }
    }

    fn mention(&mut self, node: Node<'t>) {
        match node.kind() {
            "attribute" => {
                let (Some(object), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("attribute")) else {
                    return;
                };
                if self.explained.contains(&node.start_byte()) {
                    return;
                }
                let inner = object.child_by_field_name("object").filter(|_| object.kind() == "attribute");
                if object.kind() == "identifier" && self.names.contains(self.text(object)) {
                    self.explained.insert(object.start_byte());
                    self.uses.push((self.text(name).to_owned(), name.byte_range()));
                } else if let (Some(inner), Some(part)) = (inner, object.child_by_field_name("attribute"))
                    && inner.kind() == "identifier"
                    && self.names.contains(self.text(inner))
                {
                    self.explained.insert(inner.start_byte());
                    self.uses.push((format!("{}.{}", self.text(part), self.text(name)), part.start_byte()..name.end_byte()));
                }
            }
            "identifier" if self.names.contains(self.text(node)) && !self.explained.contains(&node.start_byte()) => self.hidden = true,
            _ => {}
        }
    }
}
