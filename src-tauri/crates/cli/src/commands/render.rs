//! `inklings render`

use inklings_app::Failure;
use inklings_app::ops::prompt::{Render, RenderParams};
use serde_json::{Map, Value};

use crate::Ended;
use crate::args::RenderArgs;
use crate::commands::{Session, read_input};
use crate::out::{Out, raw};

pub(crate) async fn run(session: &Session, args: RenderArgs, out: &Out) -> Result<(), Ended> {
    let params = RenderParams {
        skill: args.skill.skill,
        scope: args.skill.scope.map(Into::into),
        path: args.artifact,
        text: None,
        params: values(args.params_file.as_deref(), &args.params)?,
        model: args.model,
    };
    let rendered = session.call::<Render>(params).await?;
    let chosen = rendered.variants.iter().find(|variant| variant.selected);
    let error = chosen.and_then(|variant| variant.error.clone());
    if out.is_json() {
        out.result(&rendered, |_| String::new())?;
    } else if let Some(text) = chosen.and_then(|variant| variant.text.as_deref()) {
        raw(text.as_bytes());
        if !text.ends_with('\n') {
            raw(b"\n");
        }
    }
    match error {
        Some(error) if !out.is_json() => Err(Failure::diagnostics(vec![error]).into()),
        Some(_) => Err(Ended::Findings),
        None => Ok(()),
    }
}

/// Values from a file, overridden by those on the command line.
fn values(file: Option<&std::path::Path>, given: &[String]) -> Result<Map<String, Value>, Ended> {
    let mut values = match file {
        Some(file) => serde_json::from_str(&read_input(file)?)
            .map_err(|error| Failure::invalid(format!("{} is no JSON object: {error}", file.display())))?,
        None => Map::new(),
    };
    for one in given {
        let (name, value) = parse(one)?;
        values.insert(name, value);
    }
    Ok(values)
}

/// `name=text`, or `name:=json`.
fn parse(given: &str) -> Result<(String, Value), Failure> {
    let unclear = || Failure::invalid(format!("{given:?} is no value")).hint("write name=text, or name:=json for lists and numbers");
    let (name, text) = given.split_once('=').ok_or_else(unclear)?;
    match name.strip_suffix(':') {
        Some(name) => {
            let value = serde_json::from_str(text).map_err(|error| Failure::invalid(format!("the value of {name} is no JSON: {error}")))?;
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
