//! Parses JSON with limits on depth and number of values, and without duplicate keys.

use std::cell::Cell;
use std::fmt;

use inklings_core::check::Diagnostic;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Maximum number of values; each needs at most a few hundred bytes while parsing.
const MAX_VALUES: usize = 400_000;

/// The diagnostic has a line and a column.
pub(super) fn parse(text: &str) -> Result<Value, Diagnostic> {
    let remaining = Cell::new(MAX_VALUES);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = Bounded(&remaining).deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    read.map_err(|error| {
        let whole = error.to_string();
        let message = whole.split(" at line ").next().unwrap_or(&whole);
        let position = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).max(1);
        let finding = match error.classify() {
            serde_json::error::Category::Data => Diagnostic::error("package/json", message),
            _ => Diagnostic::error("package/json", format!("invalid JSON: {message}")),
        };
        finding.hint("fix it here, or save the package again").at(position(error.line()), position(error.column()))
    })
}

#[derive(Clone, Copy)]
struct Bounded<'a>(&'a Cell<usize>);

impl Bounded<'_> {
    fn count<E: Error>(self) -> Result<(), E> {
        let remaining = self.0.get().checked_sub(1).ok_or_else(|| E::custom(format!("too many values (maximum {MAX_VALUES})")))?;
        self.0.set(remaining);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.count()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element_seed(self)? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("duplicate key {key:?}")));
            }
            let value = access.next_value_seed(self)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_read_as_they_stand() {
        let text = r#"{"a": [1, -2, 1.5, true, null, "x\u0000é"], "b": {"c": 18446744073709551615}}"#;
        assert_eq!(parse(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(parse(" 1 ").unwrap(), json!(1));
    }

    #[test]
    fn what_is_out_of_bounds_is_refused_with_its_place() {
        let refused = |text: &str, position: (u32, u32), word: &str| {
            let finding = parse(text).unwrap_err();
            assert_eq!((finding.line.unwrap(), finding.column.unwrap()), position, "{finding:?}");
            assert!(finding.message.contains(word), "{finding:?}");
        };
        refused("{\"a\": 1,\n \"a\": 2}", (2, 4), "duplicate");
        refused("{\"a\": 1} x", (1, 10), "trailing");
        refused(&"[".repeat(100_000), (1, 128), "recursion");
        refused(&format!("[{}0]", "0,".repeat(MAX_VALUES)), (1, 799_999), "values");
        refused("", (1, 1), "EOF");
    }
}
