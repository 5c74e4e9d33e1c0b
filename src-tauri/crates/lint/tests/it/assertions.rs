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
        (json!("x"), vec!["assertion/shape : an assertion must be an object with a type"]),
        (json!({}), vec!["assertion/type : missing assertion type"]),
        (json!({ "type": "contians", "value": "x" }), vec!["assertion/type /type: unknown assertion type \"contians\""]),
        (json!({ "type": "structural" }), vec!["assertion/check : missing check for \"structural\""]),
        (json!({ "type": "pattern", "check": "macth" }), vec!["assertion/check /check: unknown check \"macth\" for \"pattern\""]),
        (json!({ "type": "contains", "check": "x" }), vec!["assertion/check /check: unknown check \"x\" for \"contains\""]),
        (json!({ "type": "contains" }), vec!["assertion/missing-key : \"contains\" requires \"value\""]),
        (json!({ "type": "contains", "value": "" }), vec!["assertion/value /value: \"value\" must be a string"]),
        (json!({ "type": "contains-all", "value": "a" }), vec!["assertion/value /value: \"value\" must be an array of strings"]),
        (
            json!({ "type": "regex", "value": "(a" }),
            vec!["assertion/pattern /value: invalid regular expression in \"value\": unclosed group"],
        ),
        (
            json!({ "type": "regex", "value": "a(?=b)" }),
            vec![
                "assertion/pattern /value: invalid regular expression in \"value\": look-around, including look-ahead and look-behind, is not supported",
            ],
        ),
        (
            json!({ "type": "regex", "value": "a", "flags": "g" }),
            vec!["assertion/value /flags: \"flags\" must be a combination of the letters i, m, s and x"],
        ),
        (json!({ "type": "length" }), vec!["assertion/missing-key : \"length\" with check \"char_range\" requires \"min\" or \"max\""]),
        (json!({ "type": "token_range", "min": 9, "max": 3 }), vec!["assertion/value /min: \"min\" (9) is greater than \"max\" (3)"]),
        (json!({ "type": "token_range", "min": -1 }), vec!["assertion/value /min: \"min\" must be a non-negative integer"]),
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
        (json!({ "type": "latency" }), vec!["assertion/missing-key : \"latency\" requires \"threshold\""]),
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
        (json!({ "type": "contains", "values": "x" }), "did you mean \"value\" instead of \"values\"?"),
    ] {
        assert_eq!(one(&assertion, "")[0].hint.as_deref(), Some(hint), "{assertion}");
    }
}

/// Each row of the table has a unique type and check.
#[test]
fn the_table_is_consistent() {
    assert_eq!(type_names().len(), 22);
    for (index, kind) in KINDS.iter().enumerate() {
        assert!(!KINDS[..index].iter().any(|other| (other.name, other.check) == (kind.name, kind.check)), "{}", kind.name);
        assert!(!kind.summary.is_empty());
    }
}
