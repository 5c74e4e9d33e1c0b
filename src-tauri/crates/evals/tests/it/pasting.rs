use inklings_evals::cases::{CaseKind, from_csv, from_json_lines};
use serde_json::json;

#[test]
fn tables_become_cases() {
    let csv =
        "name,prompt,topic,tags,criteria,__expected\nA,\"Say \"\"hi\"\"\",tea,\"x, y\",\"Is short\nIs kind\",contains: hi\n,B,,,,hello\n";
    let cases = from_csv(csv).unwrap();
    let CaseKind::Task(task) = &cases[0].kind else { panic!() };
    assert_eq!((cases[0].name.as_deref(), &cases[0].tags), (Some("A"), &vec!["x".to_owned(), "y".to_owned()]));
    assert_eq!(serde_json::to_value(&task.input).unwrap(), json!({ "topic": "tea", "message": "Say \"hi\"" }));
    assert_eq!(
        (&task.criteria[..], &task.assertions[..]),
        (&["Is short".to_owned(), "Is kind".to_owned()][..], &[json!({ "type": "contains", "value": "hi" })][..])
    );
    let CaseKind::Task(task) = &cases[1].kind else { panic!() };
    assert_eq!(task.assertions, [json!({ "type": "equals", "value": "hello" })]);
}

#[test]
fn rows_of_a_spreadsheet_and_triggers_too() {
    let cases = from_csv("query\tshould_trigger\nDraft it\tyes\nCook it\tFALSE\n").unwrap();
    let kinds: Vec<_> = cases.into_iter().map(|case| case.kind).collect();
    let trigger = |query: &str, should_trigger| CaseKind::Trigger { query: query.to_owned(), should_trigger };
    assert_eq!(kinds, [trigger("Draft it", true), trigger("Cook it", false)]);
}

#[test]
fn json_lines_become_cases() {
    let cases =
        from_json_lines("{\"prompt\":\"a\",\"expectations\":[\"b\"],\"tags\":[\"c\"]}\n\n{\"query\":\"d\",\"should_trigger\":false}\n")
            .unwrap();
    let CaseKind::Task(task) = &cases[0].kind else { panic!() };
    assert_eq!((task.message(), task.criteria[0].as_str(), cases[0].tags[0].as_str()), (Some("a"), "b", "c"));
    assert_eq!(cases.len(), 2);
}

#[test]
fn what_cannot_be_pasted_names_its_line() {
    let error = from_csv("prompt,tags\na,b\nc\n").unwrap_err();
    assert_eq!((error.line, error.to_string().as_str()), (3, "line 3: 1 columns instead of 2"));
    assert_eq!(from_csv("query,should_trigger\na,maybe\n").unwrap_err().line, 2);
    assert_eq!(from_csv("name\na\n").unwrap_err().message, "no prompt and no input");
    assert_eq!(from_json_lines("{\"prompt\":\"a\"}\n[]\n").unwrap_err().line, 2);
    assert_eq!(from_json_lines("{\"should_trigger\":true}\n").unwrap_err().message, "no query");
}

#[test]
fn an_expected_schema_is_read_as_json() {
    let cases = from_csv("prompt,__expected\nA,\"is-json: {\"\"type\"\": \"\"object\"\"}\"\n").unwrap();
    let CaseKind::Task(task) = &cases[0].kind else { panic!() };
    assert_eq!(task.assertions, [json!({ "type": "is-json", "value": { "type": "object" } })]);
    let error = from_csv("prompt,__expected\nA,not-contains-json: {\n").unwrap_err();
    assert!(error.line == 2 && error.message.starts_with("the schema of not-contains-json isn't JSON: "), "{error}");
}
