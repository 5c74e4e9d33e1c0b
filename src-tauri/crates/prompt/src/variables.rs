//! The variables of a template, from which the form for a run's values is built.

use indexmap::IndexMap;
use minijinja::machinery::ast::Stmt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::visitor::{Evidence, walk};

/// The shape of a value, inferred from its uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Printed or compared: a string, number or boolean.
    Text,
    /// Iterated or indexed.
    List,
    /// Has named fields.
    Object,
}

/// A variable of a template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    pub name: String,
    pub shape: Shape,
    /// Fields that the template reads, of the object or of each item of the list, in the order of first use.
    pub fields: Vec<String>,
    /// Whether every use is guarded by `is defined` or `default()`.
    pub optional: bool,
    /// From the artifact's `params` schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
}

#[derive(Default)]
struct VariableFacts {
    needed: bool,
    list: bool,
    object: bool,
    fields: Vec<String>,
    item_fields: Vec<String>,
    default: Option<Value>,
}

/// The variables of a parsed template.
pub(crate) fn of(tree: &Stmt<'_>) -> Vec<Variable> {
    let mut all: IndexMap<&str, VariableFacts> = IndexMap::new();
    let notes = walk("", tree);
    for (name, evidence) in notes.evidence {
        let facts = all.entry(name).or_default();
        match evidence {
            Evidence::Used { guarded } => facts.needed |= !guarded,
            Evidence::List => facts.list = true,
            Evidence::Object => facts.object = true,
            Evidence::Field(field) => push_new(&mut facts.fields, field),
            Evidence::ItemField(field) => push_new(&mut facts.item_fields, field),
            Evidence::Default(value) => facts.default = facts.default.take().or(Some(value)),
        }
    }
    all.into_iter().map(|(name, facts)| facts.variable(name)).collect()
}

impl VariableFacts {
    fn variable(self, name: &str) -> Variable {
        let (shape, fields) = if self.list || !self.item_fields.is_empty() {
            (Shape::List, self.item_fields)
        } else if self.object || !self.fields.is_empty() {
            (Shape::Object, self.fields)
        } else {
            (Shape::Text, Vec::new())
        };
        Variable { name: name.to_owned(), shape, fields, optional: !self.needed, description: None, default: self.default }
    }
}

fn push_new(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// Adds descriptions, defaults, shapes and fields from a JSON Schema (an artifact's `metadata.params`).
pub fn describe(variables: &mut [Variable], schema: &Value) {
    for variable in variables {
        let Some(property) = schema.get("properties").and_then(|properties| properties.get(&variable.name)) else { continue };
        let text = |key: &str| property.get(key).and_then(Value::as_str).map(str::to_owned);
        variable.description = text("description").or_else(|| text("title")).or(variable.description.take());
        if let Some(default) = property.get("default") {
            variable.default = Some(default.clone());
        }
        let (shape, fields) = match property.get("type").and_then(Value::as_str) {
            Some("array") => (Shape::List, property.pointer("/items/properties")),
            Some("object") => (Shape::Object, property.get("properties")),
            Some(_) => (Shape::Text, None),
            None => continue,
        };
        if shape != variable.shape {
            variable.shape = shape;
            variable.fields.clear();
        }
        for field in fields.and_then(Value::as_object).into_iter().flat_map(|fields| fields.keys()) {
            push_new(&mut variable.fields, field.clone());
        }
    }
}
