//! What can be determined from a script's template without values: its errors, its imports, and its uses of the module `inklings`.

use std::collections::HashSet;
use std::ops::Range;

use inklings_core::sandbox_api::MODULE;
use tree_sitter::{Node, Tree};

use super::misplaced::Misplaced;
use super::tags::{self, UntaggedScript};
use super::{parse, slots, syntax};
use crate::engine::PromptEngine;
use crate::error::{Problem, PromptEngineError, SourceSpan};

/// Maximum number of reported imports, uses and misplaced values, each.
const MAX_REPORTED: usize = 200;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Errors of the template, else of the script, with the same messages as in a run.
    pub faults: Vec<PromptEngineError>,
    /// Imports other than `inklings`.
    pub imports: Vec<Import>,
    /// Uses of `inklings`.
    pub uses: Vec<Use>,
    /// Whether it submits a result, or may do so in a way that can't be determined.
    pub submits: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// As written, e.g. `os.path`; with a leading dot if it is relative.
    pub module: String,
    /// Whether it is inside a `try` that handles its absence.
    pub guarded: bool,
    /// Range of the module name.
    pub span: SourceSpan,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Name in `inklings`, e.g. `search` or `skills.list`.
    pub name: String,
    pub span: SourceSpan,
}

impl PromptEngine {
    /// Analyzes a script without values. Only certain errors are reported: if the template has branches or loops, those that
    /// occur both with and without their contents. A template with errors has no others.
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
            outline.faults.push(PromptEngineError { problem, span: Some(at(&range)) });
        }
        for (misplaced, range) in misplaced(&whole, &bare).into_iter().take(MAX_REPORTED) {
            outline.faults.push(PromptEngineError { problem: Problem::Misplaced(misplaced), span: Some(at(&range)) });
        }
        let mut seen = Findings { text: &whole.text, names: HashSet::from([MODULE]), ..Findings::default() };
        each(&tree, |node, guarded| seen.import(node, guarded));
        each(&tree, |node, _| seen.mention(node));
        outline.submits = seen.hidden || seen.uses.iter().any(|(name, _)| name == "submit");
        outline.imports = seen
            .imports
            .iter()
            .take(MAX_REPORTED)
            .map(|(module, guarded, range)| Import { module: module.clone(), guarded: *guarded, span: at(range) })
            .collect();
        outline.uses = seen.uses.iter().take(MAX_REPORTED).map(|(name, range)| Use { name: name.clone(), span: at(range) }).collect();
        outline
    }
}

fn syntax_fault(whole: &UntaggedScript, bare: &UntaggedScript, tree: &Tree) -> Option<(Problem, Range<usize>)> {
    let fault = syntax::fault(&whole.text, tree)?;
    if whole.varies {
        let other = syntax::fault(&bare.text, &parse::tree(&bare.text)?)?;
        if other.message != fault.message || bare.origin(&other.range).start != whole.origin(&fault.range).start {
            return None;
        }
    }
    Some((Problem::Script { message: fault.message, hint: fault.hint }, fault.range))
}

/// The values in places where no value is allowed.
fn misplaced(whole: &UntaggedScript, bare: &UntaggedScript) -> Vec<(Misplaced, Range<usize>)> {
    let slots = |untagged: &UntaggedScript| {
        let spans: Vec<_> = untagged.values.iter().map(|value| value.span.clone()).collect();
        slots::slots(&untagged.text, &spans)
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

pub(super) fn each<'t>(tree: &'t Tree, mut visit: impl FnMut(Node<'t>, bool)) {
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
struct Findings<'t> {
    text: &'t str,
    /// Local names of the module.
    names: HashSet<&'t str>,
    imports: Vec<(String, bool, Range<usize>)>,
    uses: Vec<(String, Range<usize>)>,
    /// Names of the module that are accounted for by their context.
    explained: HashSet<usize>,
    /// Whether the module is used in a way that doesn't show which members are used.
    hidden: bool,
}

impl<'t> Findings<'t> {
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

    /// Marks the names in an import as accounted for.
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
