//! JSON values that count how often the validator reads them, and appear empty once a limit is exceeded. The validator
//! can't be interrupted, but then finishes quickly.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::slice;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, SerdeJson, cmp};
use serde_json::{Map, Value, map};

use super::TooCostly;

/// Steps charged per error, since errors take memory.
const ERROR_STEPS: u64 = 200;
/// Bytes of a string per step.
const TEXT_BYTES: usize = 64;

thread_local! {
    /// Remaining steps; `None` once the limit was exceeded.
    static REMAINING_STEPS: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Runs a check with at most `steps` steps.
pub(super) fn metered<T>(steps: u64, check: impl FnOnce() -> T) -> Result<T, TooCostly> {
    REMAINING_STEPS.set(Some(steps));
    let result = check();
    REMAINING_STEPS.take().map(|_| result).ok_or(TooCostly)
}

/// Counts some steps. Returns whether the limit isn't exceeded.
fn charge(count: u64) -> bool {
    let remaining = REMAINING_STEPS.get().and_then(|remaining| remaining.checked_sub(count));
    REMAINING_STEPS.set(remaining);
    remaining.is_some()
}

fn look_at_text(text: &str) {
    charge(1 + (text.len() / TEXT_BYTES) as u64);
}

/// Counts every part of a value.
fn charge_all(value: &Value) -> bool {
    match value {
        Value::Array(items) => charge(1) && items.iter().all(charge_all),
        Value::Object(members) => charge(1) && members.values().all(charge_all),
        Value::String(text) => charge(1 + (text.len() / TEXT_BYTES) as u64),
        _ => charge(1),
    }
}

#[derive(Debug)]
pub(super) struct Metered;

#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a>(pub(super) &'a Value);

impl Json for Metered {
    type Node<'a> = Part<'a>;
    type PreparedKey = String;
    type StringBuffer = Value;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Value, string: &str, f: impl FnOnce(Part<'_>) -> T) -> T {
        *buffer = Value::String(string.to_owned());
        f(Part(buffer))
    }
}

impl<'a> Node<'a, Metered> for Part<'a> {
    type Object = Members<'a>;
    type Array = Items<'a>;
    type Number = &'a serde_json::Number;

    fn as_object(&self) -> Option<Members<'a>> {
        self.0.as_object().filter(|_| charge(1)).map(Members)
    }

    fn as_array(&self) -> Option<Items<'a>> {
        self.0.as_array().filter(|_| charge(1)).map(|items| Items(items))
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        let text = self.0.as_str()?;
        look_at_text(text);
        Some(Cow::Borrowed(text))
    }

    fn as_number(&self) -> Option<&'a serde_json::Number> {
        self.0.as_number()
    }

    fn as_boolean(&self) -> Option<bool> {
        self.0.as_bool()
    }

    fn is_null(&self) -> bool {
        self.0.is_null()
    }

    fn json_type(&self) -> JsonType {
        charge(1);
        Node::<SerdeJson>::json_type(&self.0)
    }

    fn string_length(&self) -> Option<u64> {
        self.0.as_str().inspect(|text| look_at_text(text)).map(|text| text.chars().count() as u64)
    }

    fn equals_value(&self, expected: &Value) -> bool {
        charge_all(expected) && cmp::equal(self.0, expected)
    }

    fn to_value(&self) -> Cow<'a, Value> {
        // Only for errors, some of which quote the value.
        charge(ERROR_STEPS);
        charge_all(self.0);
        Cow::Borrowed(self.0)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        charge(1);
        Node::<SerdeJson>::identity(&self.0)
    }
}

#[derive(Debug)]
pub(super) struct Members<'a>(&'a Map<String, Value>);

impl<'a> Object<'a, Metered> for Members<'a> {
    type Node = Part<'a>;
    type MemberName = &'a str;
    type MembersIter = Each<map::Iter<'a>>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &String) -> Option<Part<'a>> {
        charge(1).then(|| self.0.get(key)).flatten().map(Part)
    }

    fn members(&self) -> Each<map::Iter<'a>> {
        Each(self.0.iter())
    }
}

#[derive(Debug)]
pub(super) struct Items<'a>(&'a [Value]);

impl<'a> Array<'a, Metered> for Items<'a> {
    type Node = Part<'a>;
    type ElementsIter = Each<slice::Iter<'a, Value>>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> Each<slice::Iter<'a, Value>> {
        Each(self.0.iter())
    }

    fn is_unique(&self) -> bool {
        let mut seen = HashSet::with_capacity(self.0.len());
        self.0.iter().all(|item| charge_all(item) && seen.insert(Distinct(item)))
    }
}

/// An iterator that counts steps and ends at the limit.
#[derive(Debug)]
pub(super) struct Each<I>(I);

impl<'a> Iterator for Each<map::Iter<'a>> {
    type Item = (&'a str, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.0.next()?;
        charge(1 + (name.len() / TEXT_BYTES) as u64).then_some((name, Part(value)))
    }
}

impl<'a> Iterator for Each<slice::Iter<'a, Value>> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().filter(|_| charge(1)).map(Part)
    }
}

/// JSON equality. The library's own hash is the same for lists that differ only in their nesting.
struct Distinct<'a>(&'a Value);

impl PartialEq for Distinct<'_> {
    fn eq(&self, other: &Self) -> bool {
        cmp::equal(self.0, other.0)
    }
}

impl Eq for Distinct<'_> {}

impl Hash for Distinct<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Value::Null => state.write_u8(0),
            Value::Bool(value) => value.hash(state),
            // 0 and -0.0 are equal, and so are 1 and 1.0.
            Value::Number(number) => (number.as_f64().unwrap_or_default() + 0.0).to_bits().hash(state),
            Value::String(text) => text.hash(state),
            Value::Array(items) => {
                state.write_usize(items.len());
                for item in items {
                    Self(item).hash(state);
                }
            }
            Value::Object(members) => {
                state.write_usize(members.len());
                let mut names: Vec<_> = members.iter().collect();
                names.sort_unstable_by_key(|(name, _)| *name);
                for (name, value) in names {
                    name.hash(state);
                    Self(value).hash(state);
                }
            }
        }
    }
}
