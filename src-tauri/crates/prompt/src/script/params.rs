//! The parameters that a script reads from `params`, besides the variables of its template.

use std::collections::HashSet;

use serde_json::{Value, json};
use tree_sitter::Node;

use super::tags::{STAND_IN, untag};
use super::{outline::each, parse};
use crate::engine::PromptEngine;
use crate::variables::{Shape, Variable};

const PARAMS: &str = "params";

impl PromptEngine {
    /// In the order of first use. A parameter is optional if the script reads it with `get`, in a `try`, or asks whether it is there. Its
    /// default and shape are taken from `params.get("name", default)` and `params.get("name") or default`.
    #[must_use]
    pub fn script_params(&self, template: &str) -> Vec<Variable> {
        if !template.contains(PARAMS) {
            return Vec::new();
        }
        let read = || {
            let (body, _) = self.readable(template).ok()?;
            let script = untag(body, &self.syntax, false)?;
            let tree = parse::tree(&script.text)?;
            Some((script.text, tree))
        };
        let Some((text, tree)) = read() else { return Vec::new() };
        let mut found = Params { text: &text, list: Vec::new(), checked: HashSet::new(), is_replaced: false };
        each(&tree, |node, guarded| found.visit(node, guarded));
        if found.is_replaced {
            return Vec::new();
        }
        let checked = found.checked;
        found.list.into_iter().map(|one| Variable { optional: one.optional || checked.contains(&one.name), ..one }).collect()
    }
}

struct Params<'t> {
    text: &'t str,
    list: Vec<Variable>,
    /// Names whose presence is asked for.
    checked: HashSet<String>,
    /// Whether the script uses the name for something else.
    is_replaced: bool,
}

impl Params<'_> {
    fn visit(&mut self, node: Node<'_>, guarded: bool) {
        match node.kind() {
            "assignment" if node.child_by_field_name("left").is_some_and(|left| self.is_params(left)) => self.is_replaced = true,
            "subscript" if node.child_by_field_name("value").is_some_and(|value| self.is_params(value)) => {
                let is_written =
                    node.parent().is_some_and(|parent| parent.kind() == "assignment" && parent.child_by_field_name("left") == Some(node));
                if let Some(name) = node.child_by_field_name("subscript").and_then(|name| self.name(name)).filter(|_| !is_written) {
                    self.add(name, guarded, None);
                }
            }
            "call" if self.is_get(node) => {
                let Some(arguments) = node.child_by_field_name("arguments") else { return };
                let Some(name) = arguments.named_child(0).and_then(|name| self.name(name)) else { return };
                let default = arguments.named_child(1).or_else(|| alternative(node));
                self.add(name, true, default.and_then(|default| self.literal(default)));
            }
            "comparison_operator" if node.named_child(1).is_some_and(|right| self.is_params(right)) => {
                let name = node.named_child(0).and_then(|left| self.name(left));
                self.checked.extend(name);
            }
            _ => {}
        }
    }

    fn text(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn is_params(&self, node: Node<'_>) -> bool {
        node.kind() == "identifier" && self.text(node) == PARAMS
    }

    fn is_get(&self, call: Node<'_>) -> bool {
        let Some(function) = call.child_by_field_name("function").filter(|function| function.kind() == "attribute") else { return false };
        let is_get = function.child_by_field_name("attribute").is_some_and(|name| self.text(name) == "get");
        is_get && function.child_by_field_name("object").is_some_and(|object| self.is_params(object))
    }

    /// The text of a plain string that may be a name.
    fn name(&self, node: Node<'_>) -> Option<String> {
        let name = self.string(node)?;
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.contains(STAND_IN);
        is_name.then_some(name)
    }

    fn string(&self, node: Node<'_>) -> Option<String> {
        let text = self.text(node);
        let inner = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
        inner.filter(|inner| node.kind() == "string" && !inner.contains(['\\', '"', '\''])).map(str::to_owned)
    }

    /// The value of a literal. Lists and objects only if they are empty: their items are seldom of use in a form.
    fn literal(&self, node: Node<'_>) -> Option<Value> {
        let text = self.text(node);
        match node.kind() {
            "integer" | "float" => serde_json::from_str(text).ok(),
            "true" => Some(json!(true)),
            "false" => Some(json!(false)),
            "list" if node.named_child_count() == 0 => Some(json!([])),
            "dictionary" if node.named_child_count() == 0 => Some(json!({})),
            "string" => self.string(node).filter(|text| !text.contains(STAND_IN)).map(Value::String),
            _ => None,
        }
    }

    fn add(&mut self, name: String, optional: bool, default: Option<Value>) {
        let shape = match &default {
            Some(Value::Array(_)) => Shape::List,
            Some(Value::Object(_)) => Shape::Object,
            _ => Shape::Text,
        };
        // An empty default says nothing but the shape.
        let default = default.filter(|default| !matches!(default, Value::Array(_) | Value::Object(_)) && default.as_str() != Some(""));
        match self.list.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                known.optional &= optional;
                if known.shape == Shape::Text {
                    known.shape = shape;
                }
                known.default = known.default.take().or(default);
            }
            None => self.list.push(Variable { name, shape, fields: Vec::new(), optional, description: None, default }),
        }
    }
}

/// The right side of `params.get("name") or default`.
fn alternative(call: Node<'_>) -> Option<Node<'_>> {
    let parent = call.parent().filter(|parent| parent.kind() == "boolean_operator")?;
    let is_or = parent.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "or");
    parent.child_by_field_name("right").filter(|right| is_or && *right != call)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(script: &str) -> Vec<(String, Shape, bool, Option<Value>)> {
        let found = PromptEngine::new().script_params(script);
        found.into_iter().map(|one| (one.name, one.shape, one.optional, one.default)).collect()
    }

    fn text(name: &str, optional: bool, default: Option<Value>) -> (String, Shape, bool, Option<Value>) {
        (name.to_owned(), Shape::Text, optional, default)
    }

    #[test]
    fn parameters_are_inferred_from_their_uses() {
        let script = "import inklings\n\
            a = params[\"page\"] + 1\n\
            b = int(params.get(\"max_pages\") or 60)\n\
            c = params.get('mode', 'fast')\n\
            d = params.get(\"types\") or []\n\
            e = params.get(\"entry\")\n\
            if \"maybe\" in params:\n    f = params[\"maybe\"]\n\
            try:\n    g = params[\"tried\"]\nexcept KeyError:\n    g = params.get(\"page\")\n\
            params[\"written\"] = 1\n\
            h = params.get(\"on\", True)\n\
            i = params.get(name)\n";
        let list = ("types".to_owned(), Shape::List, true, None);
        assert_eq!(
            params(script),
            [
                text("page", false, None),
                text("max_pages", true, Some(json!(60))),
                text("mode", true, Some(json!("fast"))),
                list,
                text("entry", true, None),
                text("maybe", true, None),
                text("tried", true, None),
                text("on", true, Some(json!(true))),
            ]
        );
    }

    #[test]
    fn what_is_not_a_parameter_is_none() {
        assert_eq!(params("params = {}\nparams.get(\"a\")"), []);
        assert_eq!(params("other.get(\"a\")\nother[\"b\"]\nparams.pop(\"c\")\nparams[\"a b\"]\nparams[f\"x{y}\"]"), []);
        assert_eq!(params("params[\"{{ name }}\"]\nx = params.get(\"a\", {{ name }})"), [text("a", true, None)]);
        assert_eq!(params("{% if %}"), []);
    }
}
