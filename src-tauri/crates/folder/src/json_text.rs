//! JSON as people write it, with comments and trailing commas: how it is parsed, and values to insert into it.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstInputValue;
use serde_json::Value;

#[must_use]
pub const fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// The text without its byte order mark, and the length of that.
#[must_use]
pub fn without_bom(text: &str) -> (&str, usize) {
    text.strip_prefix('\u{FEFF}').map_or((text, 0), |rest| (rest, '\u{FEFF}'.len_utf8()))
}

/// A value for an edit of a syntax tree.
#[must_use]
pub fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => CstInputValue::Object(map.iter().map(|(key, value)| (key.clone(), input(value))).collect()),
    }
}
