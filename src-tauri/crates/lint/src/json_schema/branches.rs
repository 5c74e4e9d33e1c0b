//! Counts the parts of a schema that apply to the same value, following references.

use std::collections::HashMap;

use referencing::{DefaultRetriever, Draft, Registry, RegistryBuilder, Resolver, ResourceRef, uri};
use serde_json::Value;

use super::clipped;

/// Maximum number of parts that may apply to one value.
const MAX_BRANCHES: u64 = 10_000;
/// Maximum nesting of parts that may apply to one value.
const MAX_DEPTH: usize = 64;
/// Base URI of a schema without `$id`.
const BASE: &str = "json-schema:///";
/// Keywords whose subschemas apply to the same value: an array, a single one, or a map.
const LIST_KEYWORDS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const SINGLE_KEYWORDS: [&str; 4] = ["not", "if", "then", "else"];
const MAP_KEYWORDS: [&str; 2] = ["dependentSchemas", "dependencies"];
/// References whose target depends on how the validator got there.
const DYNAMIC_KEYWORDS: [&str; 2] = ["$dynamicRef", "$recursiveRef"];
/// Keywords for which the validator visits sibling branches again.
const UNEVALUATED_KEYWORDS: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];
/// Upper bound for the meta-schemas of the standard.
const META_SCHEMA_BRANCHES: Branches = Branches { to_validate: 100, to_track: 200, to_explain: 300, depth: 4 };

/// Number of visits of schema parts for one value, by purpose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branches {
    /// To determine whether the value matches.
    pub(super) to_validate: u64,
    /// To determine which members are evaluated, for `unevaluatedProperties` and `unevaluatedItems`.
    to_track: u64,
    /// To list the errors.
    pub(super) to_explain: u64,
    /// Nesting of the parts.
    pub(super) depth: usize,
}

impl Branches {
    /// The maximum over all parts of `schema`, or an error if it is too complex.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        let unusable = |error: referencing::Error| clipped(error.to_string());
        let draft = Draft::default().detect(schema);
        let builder = Registry::new().retriever(DefaultRetriever).draft(draft).add(BASE, ResourceRef::new(schema, draft));
        let registry = builder.and_then(RegistryBuilder::prepare).map_err(unusable)?;
        let resolver = registry.resolver(uri::from_str(BASE).map_err(unusable)?);
        let mut reader = Reader { paths: paths(schema), known: HashMap::new() };
        reader.all(schema, &resolver, draft)?;
        let known = reader.known.values().flatten();
        let most = |amount: fn(&Self) -> u64| known.clone().map(amount).max().unwrap_or(1);
        Ok(Self {
            to_validate: most(|branches| branches.to_validate),
            to_track: most(|branches| branches.to_track),
            to_explain: most(|branches| branches.to_explain),
            depth: known.clone().map(|branches| branches.depth).max().unwrap_or(1),
        })
    }
}

/// JSON pointers of a value's objects, by address.
fn paths(value: &Value) -> HashMap<*const Value, String> {
    let (mut paths, mut waiting) = (HashMap::new(), vec![(value, String::new())]);
    while let Some((value, path)) = waiting.pop() {
        match value {
            Value::Object(object) => {
                waiting.extend(object.iter().map(|(key, inner)| (inner, format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")))));
                paths.insert(std::ptr::from_ref(value), path);
            }
            Value::Array(items) => waiting.extend(items.iter().enumerate().map(|(at, item)| (item, format!("{path}/{at}")))),
            _ => {}
        }
    }
    paths
}

struct Reader {
    paths: HashMap<*const Value, String>,
    /// By address; `None` while a part is being counted.
    known: HashMap<*const Value, Option<Branches>>,
}

impl Reader {
    /// Counts every object in `value`: a reference may use any of them as a schema.
    fn all(&mut self, value: &Value, resolver: &Resolver<'_>, draft: Draft) -> Result<(), String> {
        match value {
            Value::Object(object) => {
                self.branches(value, resolver, draft, 0)?;
                let (resolver, draft) = within(value, resolver, draft)?;
                object.values().try_for_each(|inner| self.all(inner, &resolver, draft))
            }
            Value::Array(items) => items.iter().try_for_each(|item| self.all(item, resolver, draft)),
            _ => Ok(()),
        }
    }

    fn branches(&mut self, schema: &Value, resolver: &Resolver<'_>, draft: Draft, level: usize) -> Result<Branches, String> {
        let mut sum = Branches { to_validate: 1, to_track: 1, to_explain: 1, depth: 1 };
        let Value::Object(object) = schema else { return Ok(sum) };
        let key = std::ptr::from_ref(schema);
        let Some(path) = self.paths.get(&key).cloned() else { return Ok(META_SCHEMA_BRANCHES) };
        let location_text = || if path.is_empty() { "at the root".to_owned() } else { format!("at {path}") };
        match self.known.get(&key) {
            Some(Some(branches)) => return Ok(*branches),
            Some(None) => return Err(format!("circular reference {}", location_text())),
            None if level >= MAX_DEPTH => {
                return Err(format!("subschemas are nested more than {MAX_DEPTH} levels {}", location_text()));
            }
            None => self.known.insert(key, None),
        };
        if let Some(keyword) = DYNAMIC_KEYWORDS.iter().find(|keyword| object.get(**keyword).is_some_and(Value::is_string)) {
            return Err(format!("{keyword} isn't supported {}; use $ref", location_text()));
        }
        let (resolver, draft) = within(schema, resolver, draft)?;
        let mut add = |part: Branches| {
            sum.to_validate = sum.to_validate.saturating_add(part.to_validate);
            sum.to_track = sum.to_track.saturating_add(part.to_validate).saturating_add(part.to_track);
            // Alternatives are checked before their errors are listed, in a `oneOf` twice.
            sum.to_explain = sum.to_explain.saturating_add(part.to_validate.saturating_mul(2)).saturating_add(part.to_explain);
            sum.depth = sum.depth.max(part.depth + 1);
        };
        for part in same_value(object) {
            add(self.branches(part, &resolver, draft, level + 1)?);
        }
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            // Unresolved references are refused by the validator.
            if let Ok(target) = resolver.lookup(reference) {
                let (target, resolver, draft) = target.into_inner();
                add(self.branches(target, &resolver, draft, level + 1)?);
            }
        }
        if UNEVALUATED_KEYWORDS.iter().any(|keyword| object.contains_key(*keyword)) {
            sum.to_validate = sum.to_validate.saturating_add(sum.to_track);
            sum.to_explain = sum.to_explain.saturating_add(sum.to_track);
        }
        if sum.to_validate > MAX_BRANCHES {
            return Err(format!(
                "more than {MAX_BRANCHES} subschemas apply to one value {}; use fewer nested alternatives",
                location_text()
            ));
        }
        self.known.insert(key, Some(sum));
        Ok(sum)
    }
}

/// The subschemas that apply to the same value, without references.
fn same_value(schema: &serde_json::Map<String, Value>) -> impl Iterator<Item = &Value> {
    let lists = LIST_KEYWORDS.iter().filter_map(|keyword| schema.get(*keyword)?.as_array()).flatten();
    let single = SINGLE_KEYWORDS.iter().filter_map(|keyword| schema.get(*keyword));
    let named = MAP_KEYWORDS.iter().filter_map(|keyword| schema.get(*keyword)?.as_object()).flat_map(serde_json::Map::values);
    lists.chain(single).chain(named)
}

/// How references in `schema` are resolved.
fn within<'r>(schema: &Value, resolver: &Resolver<'r>, draft: Draft) -> Result<(Resolver<'r>, Draft), String> {
    let draft = draft.detect(schema);
    let resolver = resolver.in_subresource(ResourceRef::new(schema, draft)).map_err(|error| clipped(error.to_string()))?;
    Ok((resolver, draft))
}
