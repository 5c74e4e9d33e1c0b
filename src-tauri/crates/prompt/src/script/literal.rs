//! Values as Python source: literals, and text inside strings. No identifiers are used.

use std::fmt::Write as _;

use minijinja::Value;
use minijinja::value::ValueKind;

use super::Json;
use super::placeholders::Placeholders;

/// A value's literal, or the reason why there is none. Placeholders in its strings are expanded.
pub(super) fn of(value: &Value, placeholders: &Placeholders) -> Result<String, String> {
    let mut out = String::new();
    write(&mut out, value, placeholders)?;
    Ok(out)
}

/// Values were measured before, so their nesting is bounded.
fn write(out: &mut String, value: &Value, placeholders: &Placeholders) -> Result<(), String> {
    if let Some(json) = value.downcast_object_ref::<Json>() {
        return write(out, &json.value, placeholders);
    }
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => out.push_str("None"),
        ValueKind::Bool => out.push_str(if value.is_true() { "True" } else { "False" }),
        ValueKind::Number => number(out, value),
        ValueKind::String => {
            out.push('"');
            let plain = value.as_str().unwrap_or_default();
            let expanded = placeholders.expand(plain).map_err(|error| error.to_string())?;
            text(out, expanded.as_deref().unwrap_or(plain), '"');
            out.push('"');
        }
        ValueKind::Bytes => {
            out.push_str("b\"");
            for byte in value.as_bytes().unwrap_or_default() {
                let _ = write!(out, "\\x{byte:02x}");
            }
            out.push('"');
        }
        ValueKind::Seq | ValueKind::Iterable => {
            out.push('[');
            for item in value.try_iter().map_err(|error| error.to_string())? {
                write(out, &item, placeholders)?;
                out.push_str(", ");
            }
            close(out, ']');
        }
        ValueKind::Map => {
            out.push('{');
            for key in value.try_iter().map_err(|error| error.to_string())? {
                if !matches!(key.kind(), ValueKind::String | ValueKind::Number | ValueKind::Bool | ValueKind::None | ValueKind::Bytes) {
                    return Err("object keys must be strings or numbers".to_owned());
                }
                write(out, &key, placeholders)?;
                out.push_str(": ");
                write(out, &value.get_item(&key).map_err(|error| error.to_string())?, placeholders)?;
                out.push_str(", ");
            }
            close(out, '}');
        }
        _ => return Err("it is a function or a template object".to_owned()),
    }
    Ok(())
}

fn close(out: &mut String, bracket: char) {
    if out.ends_with(", ") {
        out.truncate(out.len() - 2);
    }
    out.push(bracket);
}

/// Python parses a number too large for a float as infinity, and the difference of two infinities as NaN; `inf` and
/// `nan` would be identifiers.
fn number(out: &mut String, value: &Value) {
    if value.is_integer() {
        let _ = write!(out, "{value}");
        return;
    }
    match f64::try_from(value.clone()) {
        Ok(number) if number.is_finite() => drop(write!(out, "{number:?}")),
        Ok(number) if number.is_nan() => out.push_str("(1e999-1e999)"),
        Ok(number) => out.push_str(if number > 0.0 { "1e999" } else { "-1e999" }),
        Err(_) => drop(write!(out, "{value}")),
    }
}

/// Text inside a string with this quote. Every escape is complete, so no following text can become part of it.
pub(super) fn text(out: &mut String, text: &str, quote: char) {
    for ch in text.chars() {
        match ch {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ch if ch == quote => {
                out.push('\\');
                out.push(ch);
            }
            ' '..='~' => out.push(ch),
            // Invisible characters, and those that change how others are displayed, such as bidirectional controls.
            ch if ch.is_ascii() || ch.escape_debug().len() > 1 => escaped(out, ch),
            ch => out.push(ch),
        }
    }
}

/// A character as a numeric escape.
pub(super) fn escaped(out: &mut String, ch: char) {
    let code = u32::from(ch);
    let _ = match code {
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn literal(value: serde_json::Value) -> String {
        of(&Value::from(minijinja::value::Serde(value)), &Placeholders::new()).unwrap()
    }

    #[test]
    fn values_are_literals() {
        for (value, expected) in [
            (json!(null), "None"),
            (json!(true), "True"),
            (json!(-7), "-7"),
            (json!(u64::MAX), "18446744073709551615"),
            (json!(1.0), "1.0"),
            (json!(1e300), "1e300"),
            (json!(-0.0), "-0.0"),
            (json!("a\"b'c\\d\n"), r#""a\"b'c\\d\n""#),
            (json!("\u{0}\u{7f}\u{85}\u{2028}\u{202e}é字😀\u{feff}"), r#""\x00\x7f\x85\u2028\u202eé字😀\ufeff""#),
            (json!([1, [], {"a": [null]}, {}]), r#"[1, [], {"a": [None]}, {}]"#),
            (json!({"{{ x }}": ", "}), r#"{"{{ x }}": ", "}"#),
        ] {
            assert_eq!(literal(value), expected);
        }
        let placeholders = Placeholders::new();
        assert_eq!(of(&Value::from(f64::INFINITY), &placeholders).unwrap(), "1e999");
        assert_eq!(of(&Value::from(f64::NEG_INFINITY), &placeholders).unwrap(), "-1e999");
        assert_eq!(of(&Value::from(f64::NAN), &placeholders).unwrap(), "(1e999-1e999)");
        assert_eq!(of(&Value::from_bytes(vec![0, b'"']), &placeholders).unwrap(), r#"b"\x00\x22""#);
        assert!(of(&Value::from_function(|| "x"), &placeholders).is_err());
    }
}
