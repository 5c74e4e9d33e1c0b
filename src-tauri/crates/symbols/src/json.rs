//! `skill.json`: its artifacts and their parameters, its plan and its relations.

use std::ops::Range;

use inklings_core::SkillPath;
use jsonc_parser::ast::{Object, ObjectPropName, StringLit, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions};

use crate::{Mention, Role, Symbol};

pub(crate) fn mentions(text: &str) -> Vec<Mention> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &ParseOptions::default());
    let root = parsed.ok().and_then(|parsed| parsed.value);
    let mut reader = Reader { bom_len: text.len() - body.len(), found: Vec::new() };
    if let Some(root) = root.as_ref().and_then(Value::as_object) {
        reader.root(root);
    }
    reader.found
}

struct Reader {
    /// Bytes of the byte order mark.
    bom_len: usize,
    found: Vec<Mention>,
}

impl Reader {
    fn root(&mut self, root: &Object<'_>) {
        for entry in items(root, "artifacts").filter_map(Value::as_object) {
            self.entry(entry);
        }
        for step in items(root, "run") {
            self.text(step, Role::Uses, artifact);
        }
        for kind in ["depends_on", "conflicts_with"] {
            for target in object(root, "relations").into_iter().flat_map(|relations| items(relations, kind)) {
                self.text(target, Role::Uses, |name| Some(Symbol::Skill { name }));
            }
        }
    }

    fn entry(&mut self, entry: &Object<'_>) {
        self.field(entry, "name", Role::Defines, artifact);
        self.field(entry, "path", Role::Uses, file);
        self.field(entry, "state", Role::Uses, file);
        let Some(metadata) = object(entry, "metadata") else { return };
        self.field(metadata, "fallback_artifact", Role::Uses, artifact);
        for name in items(metadata, "outputs") {
            self.text(name, Role::Gives, variable);
        }
        let Some(schema) = object(metadata, "params") else { return };
        for property in object(schema, "properties").into_iter().flat_map(|properties| &properties.properties) {
            if let ObjectPropName::String(name) = &property.name {
                self.literal(name, Role::Defines, variable);
            }
        }
        for name in items(schema, "required") {
            self.text(name, Role::Uses, variable);
        }
    }

    fn field(&mut self, object: &Object<'_>, key: &str, role: Role, symbol: impl Fn(String) -> Option<Symbol>) {
        if let Some(property) = object.get(key) {
            self.text(&property.value, role, symbol);
        }
    }

    fn text(&mut self, value: &Value<'_>, role: Role, symbol: impl Fn(String) -> Option<Symbol>) {
        if let Value::StringLit(literal) = value {
            self.literal(literal, role, symbol);
        }
    }

    /// The text between the quotes.
    fn literal(&mut self, literal: &StringLit<'_>, role: Role, symbol: impl Fn(String) -> Option<Symbol>) {
        let range: Range<usize> = literal.start() + 1 + self.bom_len..(literal.end() + self.bom_len).saturating_sub(1);
        if let Some(symbol) = symbol(literal.value.clone().into_owned()).filter(|_| !range.is_empty()) {
            self.found.push(Mention::new(symbol, range, role));
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "as `file`, which isn't always one")]
fn artifact(name: String) -> Option<Symbol> {
    Some(Symbol::Artifact { name })
}

#[expect(clippy::unnecessary_wraps, reason = "as `file`, which isn't always one")]
fn variable(name: String) -> Option<Symbol> {
    Some(Symbol::Variable { name })
}

fn file(path: String) -> Option<Symbol> {
    Some(Symbol::File { path: SkillPath::parse(&path).ok()? })
}

fn object<'b, 'a>(of: &'b Object<'a>, key: &str) -> Option<&'b Object<'a>> {
    of.get_object(key)
}

fn items<'b, 'a>(of: &'b Object<'a>, key: &str) -> impl Iterator<Item = &'b Value<'a>> {
    of.get_array(key).into_iter().flat_map(|array| &array.elements)
}
