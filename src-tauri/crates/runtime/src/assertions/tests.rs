use inklings_core::CancellationToken;
use inklings_core::trace::{Outcome, Strictness, Verdict};
use inklings_lint::assertion::KINDS;
use serde_json::{Map, Value, json};

use super::{Assertion, Judge, Score, Subject, evaluate};

mod judged;

fn metadata(assertions: &Value) -> Map<String, Value> {
    Map::from_iter([("assertions".to_owned(), assertions.clone())])
}

fn parse(assertion: &Value) -> Assertion {
    Assertion::parse_all(&metadata(&json!([assertion]))).unwrap_or_else(|errors| panic!("{assertion}: {errors:?}")).remove(0)
}

fn subject(text: &str) -> Subject<'_> {
    Subject { text, value: None, duration_ms: 0, cost: None, skills_used: &[], tools_used: &[] }
}

/// The verdict of one assertion, without a model.
fn verdict_on(assertion: &Value, subject: &Subject<'_>) -> Verdict {
    let cancel = CancellationToken::new();
    run(evaluate(&[parse(assertion)], subject, &Judge::none(&cancel))).remove(0)
}

fn run<T>(future: impl Future<Output = T> + Send) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn negated(assertion: &Value) -> Value {
    let mut negated = assertion.clone();
    negated["type"] = json!(format!("not-{}", assertion["type"].as_str().unwrap()));
    negated
}

const TABLE: &str = "| a | b |\n|---|---|\n| 1 | 2 |";
const FENCED: &str = "Here:\n\n```json\n{\"a\": 1}\n```\n";

/// An assertion that needs no model, with outputs that pass and outputs that fail.
fn rows() -> Vec<(Value, Vec<&'static str>, Vec<&'static str>)> {
    let schema = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "integer", "maximum": 3 } } });
    let format = |format: &str| json!({ "type": "structural", "check": "format", "format": format });
    vec![
        (
            json!({ "type": "structural", "check": "json_schema", "schema": schema }),
            vec!["{\"a\": 1}", "```\n{\"a\": 1}\n```", FENCED, "as [1] and {\"a\": 1} show"],
            vec!["{\"a\": 4}", "{}", "[]", "no JSON", "", "as {\"a\": 4} shows"],
        ),
        (
            json!({ "type": "structural", "check": "required_fields", "fields": ["a", "b"] }),
            vec!["{\"a\": null, \"b\": 1, \"c\": 2}"],
            vec!["{\"a\": 1}", "[\"a\", \"b\"]", "a b"],
        ),
        (json!({ "type": "required_fields", "fields": ["a", "b"], "threshold": 0.5 }), vec!["{\"b\": 1}"], vec!["{\"c\": 1}", "[]", ""]),
        (format("json"), vec!["1", " {\"a\": []}\n", FENCED], vec!["{a: 1}", "", "{\"a\": 1} and more"]),
        (
            format("yaml"),
            vec!["a: 1\nb: [2]", "- x", "---\na: 1\n---\nb: 2", "```yaml\na: 1\n```"],
            vec!["just prose", "", "a: [1", "a: b: c"],
        ),
        (
            format("markdown"),
            vec!["# Title\n\nText.", "see [here](x)", "- one", TABLE, "so **bold**"],
            vec!["plain text", "", "<p>html</p>"],
        ),
        (
            format("csv"),
            vec!["a,b\n1,2", "a,b\n\"x, y\",\"z\nz\"\n", "```csv\na,b\n1,2\n```"],
            vec!["a,b\n1", "a\nb", "Well, no", "", "a,b\n1,\"2"],
        ),
        (
            format("date"),
            vec!["2024-02-29", " 2024-02-29T10:00:00Z\n", "\"2024-02-29\"", "2024-02-29T10:00:00+01:00", "Thu, 29 Feb 2024 10:00:00 +0000"],
            vec!["2023-02-29", "tomorrow", "", "29.02.2024", "2024-02-29 or later"],
        ),
        (
            format("uri"),
            vec!["https://example.org/a?b=c#d", "mailto:a@b.c", "urn:isbn:1"],
            vec!["a/b", "https://a b", "", "see https://example.org"],
        ),
        (json!({ "type": "length", "min": 2, "max": 4 }), vec!["ab", "ÄÖÜß", "字字"], vec!["a", "abcde"]),
        (json!({ "type": "length", "check": "char_range", "min": 2 }), vec!["ab", "abcdef"], vec!["", "a"]),
        (json!({ "type": "length", "check": "token_range", "max": 2 }), vec!["hello world", ""], vec!["hello world and others"]),
        (json!({ "type": "token_range", "min": 2 }), vec!["hello world"], vec!["hello"]),
        (json!({ "type": "pattern", "check": "match", "pattern": "^b.c$", "flags": "ims" }), vec!["a\nB\nc"], vec!["b", "xb c"]),
        (json!({ "type": "pattern", "check": "no_match", "pattern": "^\\s*```" }), vec!["fine", "so:\n```"], vec!["```json\n1\n```"]),
        (json!({ "type": "regex", "value": "\\d{3}" }), vec!["a 123"], vec!["a 12"]),
        (json!({ "type": "regex", "value": "a b # a comment", "flags": "x" }), vec!["ab"], vec!["a b"]),
        (json!({ "type": "equals", "value": "a b" }), vec!["a b"], vec!["a b\n", "A b", ""]),
        (
            json!({ "type": "equals", "value": { "a": [1, 2.0], "b": null } }),
            vec!["{\"b\": null, \"a\": [1.0, 2]}"],
            vec!["{\"a\": [2, 1]}", "x"],
        ),
        (json!({ "type": "equals", "value": 7 }), vec!["7", "7.0"], vec!["8", "\"7\""]),
        (json!({ "type": "contains", "value": "b c" }), vec!["a b c"], vec!["B C", ""]),
        (json!({ "type": "contains-any", "value": ["x", "b"] }), vec!["abc"], vec!["ac"]),
        (json!({ "type": "contains-all", "value": ["a", "b"] }), vec!["b a"], vec!["a", ""]),
        (json!({ "type": "contains-all", "value": ["a", "b"], "threshold": 0.5 }), vec!["a"], vec!["c"]),
        (json!({ "type": "icontains", "value": "STRASSE Ö" }), vec!["die strasse ö"], vec!["die Straße"]),
        (json!({ "type": "starts-with", "value": "Dear" }), vec!["Dear all"], vec![" Dear all", ""]),
        (json!({ "type": "is-json" }), vec!["{}", "[1]\n", "\"a\""], vec!["", "{} x", FENCED]),
        (json!({ "type": "is-json", "value": schema }), vec!["{\"a\": 1}"], vec!["{}", "x"]),
        (json!({ "type": "contains-json" }), vec![FENCED, "so {\"a\": 1} it is", "7", "```\n[1]\n```"], vec!["", "as [1] says {x}"]),
        (json!({ "type": "contains-json", "value": schema }), vec!["so {} or {\"a\": 1}"], vec!["so {\"a\": 9}", "no"]),
        (json!({ "type": "levenshtein", "value": "kitten", "threshold": 3 }), vec!["kitten", "sitting", "kit"], vec!["sat", ""]),
        (json!({ "type": "levenshtein", "value": "kitten" }), vec!["k"], vec!["mutton chops"]),
    ]
}

#[test]
fn each_check_holds_or_not_and_its_negation_the_other_way() {
    for (assertion, good, bad) in rows() {
        let labelled = good.iter().map(|text| (text, true)).chain(bad.iter().map(|text| (text, false)));
        for (text, holds) in labelled {
            for (assertion, holds) in [(assertion.clone(), holds), (negated(&assertion), !holds)] {
                let verdict = verdict_on(&assertion, &subject(text));
                let expected = if holds { Outcome::Passed } else { Outcome::Failed };
                assert_eq!(verdict.outcome, expected, "{assertion} on {text:?}: {}", verdict.explanation);
                assert!(!verdict.explanation.is_empty() && !verdict.explanation.ends_with('.'), "{verdict:?}");
                assert!(verdict.score.is_none_or(|score| (0.0..=1.0).contains(&score)), "{verdict:?}");
            }
        }
    }
}

#[test]
fn what_the_run_took_and_used_is_checked() {
    let (skills, tools) = (["reader".to_owned(), "critic".to_owned()], ["search".to_owned()]);
    let subject = Subject { duration_ms: 1_500, cost: Some(0.02), skills_used: &skills, tools_used: &tools, ..subject("") };
    for (assertion, passed, not_passed) in [
        (json!({ "type": "latency", "threshold": 1500 }), true, false),
        (json!({ "type": "latency", "threshold": 1499.5 }), false, true),
        (json!({ "type": "cost", "threshold": 0.02 }), true, false),
        (json!({ "type": "cost", "threshold": 0.01 }), false, true),
        (json!({ "type": "skill-used", "value": "reader" }), true, false),
        (json!({ "type": "skill-used", "value": ["reader", "critic"] }), true, false),
        (json!({ "type": "skill-used", "value": "writer" }), false, true),
        // One of two was used: neither all nor none.
        (json!({ "type": "skill-used", "value": ["reader", "writer"] }), false, false),
        (json!({ "type": "tool-used", "value": "search" }), true, false),
        (json!({ "type": "tool-used", "value": ["write"] }), false, true),
    ] {
        let outcome = |assertion: &Value| verdict_on(assertion, &subject).outcome == Outcome::Passed;
        assert_eq!((outcome(&assertion), outcome(&negated(&assertion))), (passed, not_passed), "{assertion}");
    }
    let unknown = verdict_on(&json!({ "type": "cost", "threshold": 1 }), &Subject { cost: None, ..subject });
    assert_eq!((unknown.outcome, unknown.explanation.as_str()), (Outcome::NotRun, "the cost of the run is unknown"));
}

#[test]
fn structural_checks_see_the_structured_value_first() {
    let schema = json!({ "type": "structural", "check": "json_schema", "schema": { "required": ["a"] } });
    let (object, text) = (json!({ "a": 1 }), json!("{\"b\": 1}"));
    for (value, output, holds) in [
        (Some(&object), "a: one", true),
        (Some(&object), "{\"b\": 1}", true),
        (None, "{\"b\": 1}", false),
        // Structural checks parse the text as JSON.
        (Some(&text), "{\"a\": 1}", true),
    ] {
        let subject = Subject { value, ..subject(output) };
        assert_eq!(verdict_on(&schema, &subject).outcome == Outcome::Passed, holds, "{value:?} {output}");
    }
    let words = json!({ "type": "structural", "check": "json_schema", "schema": { "type": "string", "minLength": 3 } });
    let value = json!("abc");
    assert_eq!(verdict_on(&words, &Subject { value: Some(&value), ..subject("abc") }).outcome, Outcome::Passed);
    let is_json = Subject { value: Some(&object), ..subject("a: one") };
    assert_eq!(verdict_on(&json!({ "type": "is-json" }), &is_json).outcome, Outcome::Passed);
}

/// Each is refused with a diagnostic at this pointer.
#[test]
fn malformed_assertions_are_refused() {
    let remote = json!({ "$ref": "https://example.org/schema.json" });
    for (assertion, pointer) in [
        (json!({ "type": "structural", "check": "json_schema" }), "/metadata/assertions/1"),
        (json!({ "type": "structural", "check": "json_schema", "schema": "object" }), "/metadata/assertions/1/schema"),
        (json!({ "type": "structural", "check": "json_schema", "schema": { "type": "objekt" } }), "/metadata/assertions/1/schema"),
        (json!({ "type": "structural", "check": "json_schema", "schema": remote }), "/metadata/assertions/1/schema"),
        (
            json!({ "type": "structural", "check": "json_schema", "schema": { "$ref": "file:///etc/hostname" } }),
            "/metadata/assertions/1/schema",
        ),
        (
            json!({ "type": "structural", "check": "json_schema", "schema": { "$schema": "https://example.org/dialect" } }),
            "/metadata/assertions/1/schema",
        ),
        (json!({ "type": "structural", "check": "json_schema", "schema": { "pattern": "(a" } }), "/metadata/assertions/1/schema"),
        (json!({ "type": "structural", "check": "required_fields", "fields": [] }), "/metadata/assertions/1/fields"),
        (json!({ "type": "structural", "check": "format", "format": "xml" }), "/metadata/assertions/1/format"),
        (json!({ "type": "length", "check": "char_range" }), "/metadata/assertions/1"),
        (json!({ "type": "length", "check": "token_range", "min": 1.5 }), "/metadata/assertions/1/min"),
        (json!({ "type": "pattern", "check": "match", "pattern": "(" }), "/metadata/assertions/1/pattern"),
        (json!({ "type": "pattern", "check": "no_match", "pattern": "a", "flags": "g" }), "/metadata/assertions/1/flags"),
        (json!({ "type": "semantic", "check": "llm_eval" }), "/metadata/assertions/1"),
        (json!({ "type": "equals" }), "/metadata/assertions/1"),
        (json!({ "type": "contains", "value": 1 }), "/metadata/assertions/1/value"),
        (json!({ "type": "contains-any", "value": "a" }), "/metadata/assertions/1/value"),
        (json!({ "type": "contains-all", "value": [1] }), "/metadata/assertions/1/value"),
        (json!({ "type": "icontains", "value": "" }), "/metadata/assertions/1/value"),
        (json!({ "type": "starts-with", "value": null }), "/metadata/assertions/1/value"),
        (json!({ "type": "regex", "value": "a(?=b)" }), "/metadata/assertions/1/value"),
        (json!({ "type": "regex", "value": "(\\w{500}){500}" }), "/metadata/assertions/1/value"),
        (json!({ "type": "regex", "value": "[a#]", "flags": "x" }), "/metadata/assertions/1/value"),
        (json!({ "type": "is-json", "value": [] }), "/metadata/assertions/1/value"),
        (json!({ "type": "contains-json", "value": { "type": 1 } }), "/metadata/assertions/1/value"),
        (json!({ "type": "required_fields", "fields": "a" }), "/metadata/assertions/1/fields"),
        (json!({ "type": "token_range", "min": 3, "max": 2 }), "/metadata/assertions/1/min"),
        (json!({ "type": "levenshtein", "value": "a", "threshold": -1 }), "/metadata/assertions/1/threshold"),
        (json!({ "type": "similar", "value": "a", "threshold": 2 }), "/metadata/assertions/1/threshold"),
        (json!({ "type": "llm-rubric", "value": "a", "threshold": 6 }), "/metadata/assertions/1/threshold"),
        (json!({ "type": "latency" }), "/metadata/assertions/1"),
        (json!({ "type": "cost", "threshold": "1" }), "/metadata/assertions/1/threshold"),
        (json!({ "type": "skill-used", "value": [] }), "/metadata/assertions/1/value"),
        (json!({ "type": "tool-used" }), "/metadata/assertions/1"),
        (json!({ "type": "not-not-contains", "value": "a" }), "/metadata/assertions/1/type"),
        (json!("contains"), "/metadata/assertions/1"),
    ] {
        let errors = Assertion::parse_all(&metadata(&json!([{ "type": "is-json" }, assertion]))).unwrap_err();
        assert_eq!(errors[0].pointer.as_deref(), Some(pointer), "{assertion}: {errors:?}");
        assert!(errors.iter().all(|error| error.is_error() && !error.message.is_empty()), "{errors:?}");
    }
    assert_eq!(Assertion::parse_all(&metadata(&json!({}))).unwrap_err()[0].pointer.as_deref(), Some("/metadata/assertions"));
    assert!(Assertion::parse_all(&Map::new()).unwrap().is_empty());
}

/// All types in the linter's table can be evaluated and are tested here.
#[test]
fn every_kind_of_the_table_is_read() {
    for kind in KINDS {
        let tried = rows().iter().any(|(assertion, ..)| {
            let parsed = parse(assertion).type_name;
            parsed == kind.check.map_or_else(|| kind.name.to_owned(), |check| format!("{}/{check}", kind.name))
        });
        let elsewhere = ["semantic", "similar", "llm-rubric", "latency", "cost", "skill-used", "tool-used"].contains(&kind.name);
        assert!(tried != elsewhere, "{} {:?}", kind.name, kind.check);
    }
}

/// The assertions of promptfoo's documentation, verbatim.
#[test]
fn the_references_assertions_are_read() {
    let reference = r#"{
        "assertions": [
            {
                "type": "structural",
                "check": "json_schema",
                "schema": {
                    "type": "object",
                    "required": ["contradictions"],
                    "properties": {
                        "contradictions": { "type": "array" }
                    }
                }
            },
            {
                "type": "length",
                "check": "char_range",
                "min": 100,
                "max": 5000
            },
            {
                "type": "semantic",
                "check": "llm_eval",
                "prompt": "Does this output reference specific page names from the workspace? Answer yes or no.",
                "expected": "yes"
            }
        ]
    }"#;
    let assertions = Assertion::parse_all(&serde_json::from_str(reference).unwrap()).unwrap();
    let read: Vec<_> = assertions.iter().map(|one| (one.type_name.as_str(), one.description.as_str(), one.severity, one.weight)).collect();
    assert_eq!(
        read,
        [
            ("structural/json_schema", "the output matches its JSON Schema", Strictness::Soft, 1.0),
            ("length/char_range", "the output has 100 to 5,000 characters", Strictness::Soft, 1.0),
            (
                "semantic/llm_eval",
                "a model answers \"Does this output reference specific page names from the workspace? Answer yes or no.\" with \"yes\"",
                Strictness::Soft,
                1.0
            ),
        ]
    );
    let cancel = CancellationToken::new();
    let verdicts = run(evaluate(&assertions, &subject("{\"contradictions\": []}"), &Judge::none(&cancel)));
    let outcomes: Vec<_> = verdicts.iter().map(|verdict| (verdict.outcome, verdict.explanation.as_str())).collect();
    assert_eq!(
        outcomes,
        [
            (Outcome::Passed, "the JSON matches the schema"),
            (Outcome::Failed, "the output has 22 characters"),
            (Outcome::NotRun, "no model is configured"),
        ]
    );
    assert_eq!(Score::of(&verdicts), Score { run: 2, passed: 1, weighted: Some(0.5), hard_failed: false });
}

#[test]
fn the_shipped_skills_assertions_are_read() {
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../seed/skills");
    let mut read = 0;
    for skill in std::fs::read_dir(seeds).unwrap() {
        let Ok(text) = std::fs::read_to_string(skill.unwrap().path().join("skill.json")) else { continue };
        let package: Value = serde_json::from_str(&text).unwrap();
        for artifact in package["artifacts"].as_array().into_iter().flatten() {
            let metadata = artifact["metadata"].as_object().cloned().unwrap_or_default();
            read += Assertion::parse_all(&metadata).unwrap_or_else(|errors| panic!("{}: {errors:?}", artifact["name"])).len();
        }
    }
    assert!(read > 10, "{read}");
}

#[test]
fn descriptions_are_generated_where_none_is_written() {
    let assertion = parse(&json!({
        "type": "contains", "value": "a", "description": "names it", "severity": "hard", "weight": 2.5, "metric": "recall", "own": 1
    }));
    assert_eq!((assertion.description.as_str(), assertion.severity, assertion.weight), ("names it", Strictness::Hard, 2.5));
    assert_eq!(assertion.metric.as_deref(), Some("recall"));
    for (assertion, type_name, description) in [
        (json!({ "type": "length", "min": 1 }), "length/char_range", "the output has at least 1 character"),
        (json!({ "type": "not-length", "max": 9 }), "not-length/char_range", "the output doesn't have at most 9 characters"),
        (json!({ "type": "pattern", "check": "no_match", "pattern": "x" }), "pattern/no_match", "the output doesn't match the pattern `x`"),
        (
            json!({ "type": "not-pattern", "check": "no_match", "pattern": "x" }),
            "not-pattern/no_match",
            "the output matches the pattern `x`",
        ),
        (json!({ "type": "not-contains-any", "value": ["a", "b"] }), "not-contains-any", "the output contains none of \"a\" and \"b\""),
        (
            json!({ "type": "required_fields", "fields": ["a", "b", "c"], "threshold": 0.6 }),
            "required_fields",
            "the output has at least 60% of \"a\", \"b\" and \"c\"",
        ),
        (json!({ "type": "structural", "check": "format", "format": "uri" }), "structural/format", "the output is a URI"),
        (json!({ "type": "llm-rubric", "value": "clear" }), "llm-rubric", "a model grades the output at least 4 of 5 by \"clear\""),
        (json!({ "type": "not-skill-used", "value": ["a", "b"] }), "not-skill-used", "the run doesn't use the skills \"a\" or \"b\""),
    ] {
        let parsed = parse(&assertion);
        assert_eq!((parsed.type_name.as_str(), parsed.description.as_str()), (type_name, description));
    }
}

#[test]
fn explanations_say_what_was_found() {
    for (assertion, text, explanation) in [
        (json!({ "type": "contains", "value": "b" }), "a\nab", "\"b\" is at line 2, column 2"),
        (json!({ "type": "equals", "value": "a\nbc" }), "a\nbd", "the output differs at line 2, column 2: \"d\""),
        (json!({ "type": "equals", "value": "a" }), "a\n", "the output differs only in leading or trailing whitespace"),
        (json!({ "type": "contains-all", "value": ["a", "b", "c"] }), "a", "2 of 3 missing: \"b\" and \"c\""),
        (json!({ "type": "levenshtein", "value": "abc" }), "abd", "the output is 1 edit away"),
        (
            json!({ "type": "structural", "check": "json_schema", "schema": { "properties": { "a": { "type": "string" } } } }),
            "{\"a\": 1}",
            "at /a: 1 is not of type \"string\"",
        ),
        (
            json!({ "type": "structural", "check": "format", "format": "csv" }),
            "a,b\n1,\"2",
            "the output isn't CSV: unclosed quotation mark",
        ),
    ] {
        assert_eq!(verdict_on(&assertion, &subject(text)).explanation, explanation, "{assertion}");
    }
}

/// Checks of large outputs finish in time with short explanations.
#[test]
fn large_outputs_are_judged_in_time() {
    let pieces = ["a ", "[1,", "{\"a\": ", "```\n", "a,b\n", "- x\n", "*_"];
    let assertions: Vec<_> = rows().iter().map(|(assertion, ..)| parse(assertion)).collect();
    let cancel = CancellationToken::new();
    for piece in pieces {
        let text = piece.repeat(128 * 1024 / piece.len() + 1);
        for verdict in run(evaluate(&assertions, &subject(&text), &Judge::none(&cancel))) {
            assert!(verdict.explanation.len() < 2_000, "{} {piece}: {}", verdict.assertion, verdict.explanation.len());
        }
    }
    let pattern = json!({ "type": "regex", "value": "([ab]{1,100}){30}c" });
    let searched = |bytes: usize| verdict_on(&pattern, &subject(&"ab".repeat(bytes / 2)));
    assert_eq!((searched(4_000).outcome, searched(1024 * 1024).outcome), (Outcome::Failed, Outcome::NotRun));
    let long = "a".repeat(25_000);
    let far = json!({ "type": "levenshtein", "value": "b".repeat(25_000), "threshold": 100 });
    let verdict = verdict_on(&far, &subject(&long));
    assert_eq!((verdict.outcome, verdict.explanation.contains("too many")), (Outcome::NotRun, true), "{}", verdict.explanation);
    // Common prefixes cost nothing.
    let near = json!({ "type": "levenshtein", "value": format!("{}b{}", &long[1..], long) });
    assert_eq!(verdict_on(&near, &subject(&format!("{long}{long}"))).explanation, "the output is 1 edit away");
}

#[test]
fn schemas_may_refer_to_themselves() {
    let tree = json!({ "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "#" } } } });
    let assertion = json!({ "type": "is-json", "value": tree });
    assert_eq!(verdict_on(&assertion, &subject("{\"children\": [{\"children\": [1]}]}")).outcome, Outcome::Failed);
    // A schema that only references itself accepts everything, and must not recurse endlessly.
    for schema in [
        json!({ "$ref": "#" }),
        json!({ "allOf": [{ "$ref": "#" }] }),
        json!({ "$defs": { "a": { "$ref": "#/$defs/a" } }, "$ref": "#/$defs/a" }),
    ] {
        if let Ok(assertions) = Assertion::parse_all(&metadata(&json!([{ "type": "is-json", "value": schema }]))) {
            let cancel = CancellationToken::new();
            run(evaluate(&assertions, &subject("{}"), &Judge::none(&cancel)));
        }
    }
}
