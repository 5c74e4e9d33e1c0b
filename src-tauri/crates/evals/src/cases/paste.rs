//! Cases from a table or from JSON Lines.

use serde_json::{Map, Value, json};

use super::{CaseKind, MESSAGE, Task};

/// What can't be pasted, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct PasteError {
    /// From 1.
    pub line: u64,
    pub message: String,
}

/// A case that isn't in a file yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PastedCase {
    pub name: Option<String>,
    pub tags: Vec<String>,
    pub kind: CaseKind,
}

/// A table with a header, separated by commas or, as spreadsheets copy it, by tabs. Columns: `name`, `tags` (separated by commas),
/// `prompt` or `query`, `should_trigger`, `artifact`, `expected_output`, `criteria` (one on each line) and promptfoo's `__expected`. Other
/// columns are values of the input.
pub fn from_csv(text: &str) -> Result<Vec<PastedCase>, PasteError> {
    let header = text.lines().next().unwrap_or_default();
    let delimiter = if header.contains('\t') { b'\t' } else { b',' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(false).trim(csv::Trim::Headers).from_reader(text.as_bytes());
    let fault = |error: csv::Error| PasteError {
        line: error.position().map_or(1, csv::Position::line),
        message: match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => format!("{len} columns instead of {expected_len}"),
            _ => error.to_string(),
        },
    };
    let columns: Vec<String> = reader.headers().map_err(fault)?.iter().map(str::to_owned).collect();
    let mut cases = Vec::new();
    for record in reader.records() {
        let record = record.map_err(fault)?;
        let line = record.position().map_or(1, csv::Position::line);
        let mut map = Map::new();
        for (column, cell) in columns.iter().zip(record.iter()).filter(|(_, cell)| !cell.is_empty()) {
            put_cell(&mut map, column, cell).map_err(|message| PasteError { line, message })?;
        }
        if !map.is_empty() {
            cases.push(case(&map).map_err(|message| PasteError { line, message })?);
        }
    }
    Ok(cases)
}

/// One object a line, with the keys of an entry in a file.
pub fn from_json_lines(text: &str) -> Result<Vec<PastedCase>, PasteError> {
    let mut cases = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let fault = |message: String| PasteError { line, message };
        let map: Map<String, Value> = serde_json::from_str(text).map_err(|error| fault(format!("not a JSON object: {error}")))?;
        cases.push(case(&map).map_err(fault)?);
    }
    Ok(cases)
}

fn put_cell(map: &mut Map<String, Value>, column: &str, cell: &str) -> Result<(), String> {
    let add = |map: &mut Map<String, Value>, values: Vec<Value>| {
        let list = map.entry("assertions").or_insert_with(|| json!([]));
        list.as_array_mut().into_iter().for_each(|list| list.extend(values.clone()));
    };
    match column {
        "id" => {}
        "name" | "prompt" | "query" | "artifact" | "expected_output" => drop(map.insert(column.to_owned(), cell.into())),
        "tags" => drop(map.insert(column.to_owned(), cell.split(',').map(str::trim).filter(|tag| !tag.is_empty()).collect())),
        "should_trigger" => {
            let value = match cell.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" => true,
                "false" | "no" | "0" => false,
                other => return Err(format!("should_trigger is {other:?}: use true or false")),
            };
            map.insert(column.to_owned(), value.into());
        }
        "criteria" => add(map, cell.lines().filter(|text| !text.trim().is_empty()).map(|text| text.trim().into()).collect()),
        _ if column.starts_with("__expected") => add(map, vec![expected(cell)?]),
        _ => {
            let input = map.entry("input").or_insert_with(|| json!({}));
            input.as_object_mut().map(|input| input.insert(column.to_owned(), cell.into()));
        }
    }
    Ok(())
}

/// promptfoo's short form: `contains: text`, `is-json: {"type": "object"}`; a text without a type must be equal.
fn expected(cell: &str) -> Result<Value, String> {
    let types = ["equals", "contains", "icontains", "starts-with", "regex", "llm-rubric", "is-json", "contains-json", "similar"];
    let (name, value) = cell.split_once(':').map_or((cell.trim(), ""), |(name, value)| (name.trim(), value.trim()));
    if !types.contains(&name.strip_prefix("not-").unwrap_or(name)) {
        return Ok(json!({ "type": "equals", "value": cell }));
    }
    if value.is_empty() {
        return Ok(json!({ "type": name }));
    }
    let value = if name.ends_with("-json") {
        serde_json::from_str::<Value>(value).map_err(|error| format!("the schema of {name} isn't JSON: {error}"))?
    } else {
        Value::from(value)
    };
    Ok(json!({ "type": name, "value": value }))
}

fn case(map: &Map<String, Value>) -> Result<PastedCase, String> {
    let text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    let list = |key: &str| map.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let texts = |key: &str| list(key).iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
    let message = text("prompt").or_else(|| text("query"));
    let kind = if let Some(should_trigger) = map.get("should_trigger") {
        let should_trigger = should_trigger.as_bool().ok_or("should_trigger must be true or false")?;
        CaseKind::Trigger { query: message.ok_or("no query")?, should_trigger }
    } else {
        let mut input = map.get("input").and_then(Value::as_object).cloned().unwrap_or_default();
        if let Some(message) = message {
            input.insert(MESSAGE.to_owned(), message.into());
        }
        if input.is_empty() {
            return Err("no prompt and no input".to_owned());
        }
        let checks = list("assertions").iter().chain(list("expectations"));
        CaseKind::Task(Task {
            artifact: text("artifact"),
            input,
            expected_output: text("expected_output"),
            criteria: checks.clone().filter_map(Value::as_str).map(str::to_owned).collect(),
            assertions: checks.filter(|one| one.is_object()).cloned().collect(),
            files: texts("files"),
        })
    };
    Ok(PastedCase { name: text("name"), tags: texts("tags"), kind })
}
