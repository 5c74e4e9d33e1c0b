use inklings_lint::assertion::{KINDS, one, type_names};
use serde_json::{Value, json};

/// `rule pointer: message` of one assertion.
fn check(assertion: &Value, expected: &[&str]) {
    let found: Vec<String> = one(assertion, "")
        .iter()
        .map(|finding| format!("{} {}: {}", finding.rule, finding.pointer.as_deref().unwrap_or_default(), finding.message))
        .collect();
    assert_eq!(found, expected, "{assertion}");
}

#[test]
fn good_assertions_pass() {
    for assertion in [
        json!({ "type": "structural", "check": "json_schema", "schema": { "type": "object" }, "severity": "hard" }),
        json!({ "type": "structural", "check": "required_fields", "fields": ["a"] }),
        json!({ "type": "structural", "check": "format", "format": "yaml" }),
        json!({ "type": "length", "check": "char_range", "min": 100, "max": 5000 }),
        json!({ "type": "length", "check": "token_range", "max": 50 }),
        json!({ "type": "length", "min": 1 }),
        json!({ "type": "pattern", "check": "no_match", "pattern": "```", "flags": "im" }),
        json!({ "type": "semantic", "check": "llm_eval", "prompt": "Is it polite?" }),
        json!({ "type": "semantic", "prompt": "Is it polite?", "expected": "yes" }),
        json!({ "type": "equals", "value": { "a": 1 } }),
        json!({ "type": "not-contains", "value": "sorry", "weight": 0.5 }),
        json!({ "type": "contains-any", "value": ["a", "b"] }),
        json!({ "type": "is-json" }),
        json!({ "type": "levenshtein", "value": "abc", "threshold": 3 }),
        json!({ "type": "latency", "threshold": 2000 }),
        json!({ "type": "skill-used", "value": "reader" }),
    ] {
        check(&assertion, &[]);
    }
}

#[test]
fn faults_name_their_place() {
    for (assertion, expected) in [
        (json!("x"), vec!["assertion/shape : an assertion is an object with a type"]),
        (json!({}), vec!["assertion/type : the assertion has no type"]),
        (json!({ "type": "contians", "value": "x" }), vec!["assertion/type /type: unknown type of assertion \"contians\""]),
        (json!({ "type": "structural" }), vec!["assertion/check : \"structural\" has several checks and the assertion names none"]),
        (json!({ "type": "pattern", "check": "macth" }), vec!["assertion/check /check: \"pattern\" has no check \"macth\""]),
        (json!({ "type": "contains", "check": "x" }), vec!["assertion/check /check: \"contains\" has no check \"x\""]),
        (json!({ "type": "contains" }), vec!["assertion/missing-key : \"contains\" needs \"value\""]),
        (json!({ "type": "contains", "value": "" }), vec!["assertion/value /value: \"value\" must be a text"]),
        (json!({ "type": "contains-all", "value": "a" }), vec!["assertion/value /value: \"value\" must be a list of texts"]),
        (
            json!({ "type": "regex", "value": "(a" }),
            vec!["assertion/pattern /value: \"value\" is not a valid regular expression: unclosed group"],
        ),
        (
            json!({ "type": "regex", "value": "a(?=b)" }),
            vec![
                "assertion/pattern /value: \"value\" is not a valid regular expression: look-around, including look-ahead and look-behind, is not supported",
            ],
        ),
        (
            json!({ "type": "regex", "value": "a", "flags": "g" }),
            vec!["assertion/value /flags: \"flags\" must be letters of i, m, s and x"],
        ),
        (json!({ "type": "length" }), vec!["assertion/missing-key : \"length\" with check \"char_range\" needs \"min\", \"max\" or both"]),
        (json!({ "type": "token_range", "min": 9, "max": 3 }), vec!["assertion/value /min: \"min\" is 9, above \"max\", 3"]),
        (json!({ "type": "token_range", "min": -1 }), vec!["assertion/value /min: \"min\" must be a whole number, 0 or more"]),
        (
            json!({ "type": "structural", "check": "json_schema", "schema": [] }),
            vec!["assertion/value /schema: \"schema\" must be a JSON Schema"],
        ),
        (
            json!({ "type": "structural", "check": "format", "format": "xml" }),
            vec!["assertion/value /format: \"format\" must be one of json, yaml, markdown, csv, date, uri"],
        ),
        (
            json!({ "type": "contains", "value": "a", "severity": "fatal" }),
            vec!["assertion/value /severity: \"severity\" must be one of hard, soft"],
        ),
        (json!({ "type": "contains", "value": "a", "wieght": 1 }), vec!["assertion/unknown-key /wieght: unknown key \"wieght\""]),
        (json!({ "type": "latency" }), vec!["assertion/missing-key : \"latency\" needs \"threshold\""]),
    ] {
        check(&assertion, &expected);
    }
}

#[test]
fn hints_name_the_nearest() {
    for (assertion, hint) in [
        (json!({ "type": "contians", "value": "x" }), "did you mean \"contains\"?"),
        (json!({ "type": "not-icontain", "value": "x" }), "did you mean \"icontains\"?"),
        (json!({ "type": "pattern", "check": "no-match", "pattern": "x" }), "did you mean \"no_match\"?"),
        (json!({ "type": "contains", "values": "x" }), "did you mean \"value\" where it says \"values\"?"),
    ] {
        assert_eq!(one(&assertion, "")[0].hint.as_deref(), Some(hint), "{assertion}");
    }
}

/// The table has one row for each type and check, with a name each.
#[test]
fn the_table_is_consistent() {
    assert_eq!(type_names().len(), 22);
    for (index, kind) in KINDS.iter().enumerate() {
        assert!(!KINDS[..index].iter().any(|other| (other.name, other.check) == (kind.name, kind.check)), "{}", kind.name);
        assert!(!kind.summary.is_empty());
    }
}
