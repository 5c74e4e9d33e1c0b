//! Values on the command line: `name=text` or `name:=json`.

use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ParamValue {
    /// `name=text`: parsed by the declared type of the variable.
    Text(String),
    /// `name:=json`
    Json(Value),
}

impl From<ParamValue> for Value {
    fn from(typed: ParamValue) -> Self {
        match typed {
            ParamValue::Text(text) => text.into(),
            ParamValue::Json(value) => value,
        }
    }
}

/// `name=text`, or `name:=json`.
pub(crate) fn parse(given: &str) -> Result<(String, ParamValue), String> {
    let invalid = || "expected NAME=TEXT, or NAME:=JSON for other types".to_owned();
    let (name, text) = given.split_once('=').ok_or_else(invalid)?;
    match name.strip_suffix(':') {
        Some(name) => {
            let value = serde_json::from_str(text).map_err(|error| format!("invalid JSON for {name}: {error}"))?;
            Ok((name.to_owned(), ParamValue::Json(value)))
        }
        None if name.is_empty() => Err(invalid()),
        None => Ok((name.to_owned(), ParamValue::Text(text.to_owned()))),
    }
}

/// An option of an optimizer: `name=text`, or `name:=json`.
pub(crate) fn parse_option(given: &str) -> Result<(String, Value), String> {
    parse(given).map(|(name, typed)| (name, typed.into()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_text_or_json() {
        assert_eq!(parse("a=b=c").unwrap(), ("a".to_owned(), ParamValue::Text("b=c".to_owned())));
        assert_eq!(parse("n:=[1,2]").unwrap(), ("n".to_owned(), ParamValue::Json(json!([1, 2]))));
        assert!(parse("nothing").is_err());
        assert!(parse("n:=[1,").is_err());
    }
}
