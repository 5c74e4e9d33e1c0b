use std::collections::HashSet;

use inklings_core::manifest::Evals;
use inklings_evals::cases::{CaseKind, CaseList, Split, is_case_file, read};
use serde_json::json;

fn files(files: &[(&str, &str)]) -> CaseList {
    read(&Evals::default(), files.iter().copied())
}

/// Rule, line and pointer of each diagnostic.
fn findings(list: &CaseList) -> Vec<(&str, u32, &str)> {
    list.diagnostics.iter().map(|one| (one.rule.as_str(), one.line.unwrap(), one.pointer.as_deref().unwrap())).collect()
}

#[test]
fn both_public_shapes_are_read() {
    let assertions = r#"{ "skill_name": "a", "evals": [ { "id": 1, "prompt": "Do it", "files": ["in.txt"], "assertions": ["It is done", { "type": "contains", "value": "done" }] } ] }"#;
    let expectations = r#"{ "evals": [ { "id": 1, "prompt": "Do it", "files": ["in.txt"], "expectations": ["It is done"], "assertions": [{ "type": "contains", "value": "done" }] } ] }"#;
    let yaml = "evals:\n  - id: 1\n    prompt: Do it\n    files: [in.txt]\n    assertions:\n      - It is done\n      - { type: contains, value: done }\n";
    for (path, text) in [("evals/a.json", assertions), ("evals/b.json", expectations), ("evals/c.yaml", yaml)] {
        let list = files(&[(path, text)]);
        assert_eq!(list.diagnostics, []);
        let case = &list.cases[0];
        assert_eq!((case.key.clone(), case.pointer.as_str()), (format!("{path}#1"), "/evals/0"));
        let task = case.task().unwrap();
        assert_eq!(task.message(), Some("Do it"));
        assert_eq!((&task.files, &task.criteria), (&vec!["in.txt".to_owned()], &vec!["It is done".to_owned()]));
        assert_eq!(task.assertions, [json!({ "type": "contains", "value": "done" })]);
        assert_eq!(task.checks()[1], json!({ "type": "llm-rubric", "value": "It is done", "description": "It is done" }));
    }
}

#[test]
fn triggers_and_single_cases_are_read() {
    let triggers = r#"[{ "query": "Draft it", "should_trigger": true }, { "query": "Cook it", "should_trigger": false }]"#;
    let single = r#"{ "name": "Short", "artifact": "draft", "input": { "topic": "x" }, "expected_output": "X", "assertions": [] }"#;
    let list = files(&[("evals/triggers.json", triggers), ("evals/short.json", single)]);
    assert_eq!(list.diagnostics, []);
    let kinds: Vec<_> = list.cases.iter().map(|case| &case.kind).collect();
    assert_eq!(kinds[1], &CaseKind::Trigger { query: "Cook it".to_owned(), should_trigger: false });
    let CaseKind::Task(task) = kinds[2] else { panic!("{kinds:?}") };
    assert_eq!((task.artifact.as_deref(), task.message(), &task.input["topic"]), (Some("draft"), None, &json!("x")));
    assert_eq!(task.checks()[0]["value"], "The output is as described: X");
    assert_eq!(list.cases[2].key, "evals/short.json#Short");
}

#[test]
fn the_manifest_is_part_of_the_list() {
    let manifest = Evals {
        trigger_cases: vec!["draft a memo".to_owned(), "draft a memo".to_owned()],
        functional_scenarios: vec!["A memo without figures".to_owned()],
        success_criteria: vec!["Asks for figures".to_owned()],
        ..Evals::default()
    };
    let list = read(&manifest, []);
    assert_eq!(list.cases.len(), 2, "{list:?}");
    assert_eq!(list.cases[0].kind, CaseKind::Trigger { query: "draft a memo".to_owned(), should_trigger: true });
    let task = list.cases[1].task().unwrap();
    assert_eq!((task.message(), task.criteria[0].as_str()), (Some("A memo without figures"), "Asks for figures"));
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let text = "[\n  { \"query\": \"a\", \"should_trigger\": \"yes\" },\n  5,\n  { \"assertions\": [] },\n  { \"prompt\": \"b\", \"assertions\": [7] },\n  \
                { \"id\": 1, \"prompt\": \"c\", \"expected_output\": \"d\" },\n  { \"id\": 1, \"prompt\": \"e\", \"expected_output\": \"f\" }\n]";
    let list = files(&[("evals/a.json", text)]);
    assert_eq!(list.cases.len(), 2);
    let expected = [
        ("eval/entry", 2, "/0/should_trigger"),
        ("eval/entry", 3, "/1"),
        ("eval/entry", 4, "/2"),
        ("eval/entry", 5, "/3/assertions/0"),
        ("eval/unchecked", 5, "/3"),
        ("eval/duplicate", 7, "/5"),
    ];
    assert_eq!(findings(&list), expected);
    let yaml = "- prompt: a\n  expected_output: b\n- prompt: [c]\n";
    assert_eq!(findings(&files(&[("evals/a.yml", yaml)])), [("eval/entry", 3, "/1/prompt"), ("eval/entry", 3, "/1")]);
}

#[test]
fn broken_files_are_reported_and_leave_the_others_alone() {
    let good = r#"[{ "query": "q", "should_trigger": true }]"#;
    let list = files(&[
        ("evals/a.json", "[\n  {\n"),
        ("evals/b.yaml", "a: [\n"),
        ("evals/c.json", ""),
        ("evals/d.yaml", "a: &x [1]\nevals: *x\n"),
        ("evals/e.json", "{ \"score\": 1 }"),
        ("evals/f.json", good),
    ]);
    assert_eq!(list.cases.len(), 1);
    let found: Vec<_> = list.diagnostics.iter().map(|one| (one.file.as_deref().unwrap(), one.rule.as_str())).collect();
    let syntax = ["evals/a.json", "evals/b.yaml", "evals/c.json", "evals/d.yaml"].map(|file| (file, "eval/syntax"));
    assert_eq!(found[..4], syntax);
    assert_eq!(found[4], ("evals/e.json", "eval/shape"));
    assert!(list.diagnostics.iter().all(|one| one.line.is_some() && one.hint.is_some()), "{list:?}");
}

#[test]
fn the_split_depends_on_the_key_alone() {
    let keys: Vec<String> = (0..1_000).map(|number| format!("evals/evals.json#{number}")).collect();
    let train = keys.iter().filter(|key| Split::of(key) == Split::Train).count();
    assert!((650..750).contains(&train), "{train}");
    assert_eq!(Split::of("evals/evals.json#1"), Split::Train);
    assert_eq!(Split::of("evals/evals.json#4"), Split::Validation);
    let text = r#"[{ "query": "one", "should_trigger": true }, { "query": "two", "should_trigger": true }]"#;
    let reversed = r#"[{ "query": "two", "should_trigger": true }, { "query": "one", "should_trigger": true }]"#;
    let of = |text| files(&[("evals/a.json", text)]).cases.into_iter().map(|case| (case.key, case.split)).collect::<HashSet<_>>();
    assert_eq!(of(text), of(reversed));
}

#[test]
fn case_files_are_those_in_the_folder() {
    assert!(is_case_file("evals/a.json") && is_case_file("evals/deep/b.YML"));
    assert!(!is_case_file("evals/notes.md") && !is_case_file("data/a.json") && !is_case_file("evals"));
}
