//! Values for a skill's variables, as they are typed.

use inklings_app::Failure;
use serde_json::{Map, Value};

use crate::Ended;
use crate::args::ValueArgs;
use crate::commands::read_input;

/// Values from a file, overridden by those on the command line.
pub(crate) fn values(args: &ValueArgs) -> Result<Map<String, Value>, Ended> {
    let mut values = match &args.params_file {
        Some(file) => serde_json::from_str(&read_input(file)?)
            .map_err(|error| Failure::invalid(format!("{} is no JSON object: {error}", file.display())))?,
        None => Map::new(),
    };
    values.extend(args.params.iter().cloned());
    Ok(values)
}

/// `name=text`, or `name:=json`.
pub(crate) fn parse(given: &str) -> Result<(String, Value), String> {
    let unclear = || "write name=text, or name:=json for lists and numbers".to_owned();
    let (name, text) = given.split_once('=').ok_or_else(unclear)?;
    match name.strip_suffix(':') {
        Some(name) => {
            let value = serde_json::from_str(text).map_err(|error| format!("the value of {name} is no JSON: {error}"))?;
            Ok((name.to_owned(), value))
        }
        None if name.is_empty() => Err(unclear()),
        None => Ok((name.to_owned(), Value::from(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_text_or_json() {
        assert_eq!(parse("a=b=c").unwrap(), ("a".to_owned(), Value::from("b=c")));
        assert_eq!(parse("n:=[1,2]").unwrap(), ("n".to_owned(), serde_json::json!([1, 2])));
        assert!(parse("nothing").is_err());
        assert!(parse("n:=[1,").is_err());
    }
}
