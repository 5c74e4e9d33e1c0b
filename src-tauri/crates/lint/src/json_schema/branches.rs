//! How many parts of a schema apply to one and the same value, with its references followed.

use std::collections::HashMap;

use referencing::{DefaultRetriever, Draft, Registry, RegistryBuilder, Resolver, ResourceRef, uri};
use serde_json::Value;

use super::clipped;

/// Parts that may apply to one value.
const MAX_BRANCHES: u64 = 10_000;
/// Parts inside each other that may apply to one value.
const MAX_DEPTH: usize = 64;
/// Where a schema without an own address stands.
const BASE: &str = "json-schema:///";
/// Keywords whose schemas apply to the same value as the schema around them: a list, one, or one for each name.
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const SINGLE: [&str; 4] = ["not", "if", "then", "else"];
const NAMED: [&str; 2] = ["dependentSchemas", "dependencies"];
/// References whose target depends on how the validator got there.
const DYNAMIC: [&str; 2] = ["$dynamicRef", "$recursiveRef"];
/// Keywords for which the validator visits the branches around them once more.
const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];
/// A schema of the standard itself, such as the one that `$schema` names. None has more branches than this.
const STANDARD: Branches = Branches { to_judge: 100, to_mark: 200, to_explain: 300, depth: 4 };

/// Visits of schema parts for one value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branches {
    /// To find out whether the value matches.
    pub(super) to_judge: u64,
    /// To find out what `unevaluatedProperties` is about.
    to_mark: u64,
    /// To list what doesn't match.
    pub(super) to_explain: u64,
    /// Parts inside each other.
    pub(super) depth: usize,
}

impl Branches {
    /// The most that any part of `schema` has; else why that is too many.
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
            to_judge: most(|branches| branches.to_judge),
            to_mark: most(|branches| branches.to_mark),
            to_explain: most(|branches| branches.to_explain),
            depth: known.clone().map(|branches| branches.depth).max().unwrap_or(1),
        })
    }
}

/// JSON pointers of a value's objects, by their place in memory.
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
    /// By place in memory; none while a part is being counted.
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
        let mut sum = Branches { to_judge: 1, to_mark: 1, to_explain: 1, depth: 1 };
        let Value::Object(object) = schema else { return Ok(sum) };
        let place = std::ptr::from_ref(schema);
        let Some(path) = self.paths.get(&place).cloned() else { return Ok(STANDARD) };
        let place_in_words = || if path.is_empty() { "at its top".to_owned() } else { format!("at {path}") };
        match self.known.get(&place) {
            Some(Some(branches)) => return Ok(*branches),
            Some(None) => return Err(format!("a part refers to itself without going into the value {}", place_in_words())),
            None if level >= MAX_DEPTH => {
                return Err(format!("more than {MAX_DEPTH} parts are nested for one value {}", place_in_words()));
            }
            None => self.known.insert(place, None),
        };
        if let Some(keyword) = DYNAMIC.iter().find(|keyword| object.get(**keyword).is_some_and(Value::is_string)) {
            return Err(format!("{keyword} isn't supported {}; use $ref", place_in_words()));
        }
        let (resolver, draft) = within(schema, resolver, draft)?;
        let mut add = |part: Branches| {
            sum.to_judge = sum.to_judge.saturating_add(part.to_judge);
            sum.to_mark = sum.to_mark.saturating_add(part.to_judge).saturating_add(part.to_mark);
            // Alternatives are judged before they are explained, in a `oneOf` twice.
            sum.to_explain = sum.to_explain.saturating_add(part.to_judge.saturating_mul(2)).saturating_add(part.to_explain);
            sum.depth = sum.depth.max(part.depth + 1);
        };
        for part in same_value(object) {
            add(self.branches(part, &resolver, draft, level + 1)?);
        }
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            // What a reference doesn't reach, the validator refuses.
            if let Ok(target) = resolver.lookup(reference) {
                let (target, resolver, draft) = target.into_inner();
                add(self.branches(target, &resolver, draft, level + 1)?);
            }
        }
        if UNEVALUATED.iter().any(|keyword| object.contains_key(*keyword)) {
            sum.to_judge = sum.to_judge.saturating_add(sum.to_mark);
            sum.to_explain = sum.to_explain.saturating_add(sum.to_mark);
        }
        if sum.to_judge > MAX_BRANCHES {
            return Err(format!("more than {MAX_BRANCHES} parts apply to one value {}; nest fewer alternatives", place_in_words()));
        }
        self.known.insert(place, Some(sum));
        Ok(sum)
    }
}

/// The schemas in a schema that apply to the same value, without references.
fn same_value(schema: &serde_json::Map<String, Value>) -> impl Iterator<Item = &Value> {
    let lists = LISTS.iter().filter_map(|keyword| schema.get(*keyword)?.as_array()).flatten();
    let single = SINGLE.iter().filter_map(|keyword| schema.get(*keyword));
    let named = NAMED.iter().filter_map(|keyword| schema.get(*keyword)?.as_object()).flat_map(serde_json::Map::values);
    lists.chain(single).chain(named)
}

/// How references in `schema` are to be read.
fn within<'r>(schema: &Value, resolver: &Resolver<'r>, draft: Draft) -> Result<(Resolver<'r>, Draft), String> {
    let draft = draft.detect(schema);
    let resolver = resolver.in_subresource(ResourceRef::new(schema, draft)).map_err(|error| clipped(error.to_string()))?;
    Ok((resolver, draft))
}
