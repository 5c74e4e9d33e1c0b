use inklings_core::manifest::Evals;
use inklings_evals::cases::{CaseEdit, CaseFile, CaseKind, EditError, PastedCase, Task, read};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const JSON: &str = "\u{feff}{\n\t// kept\n\t\"evals\": [\n\t\t{ \"id\": 1,   \"prompt\": \"a\", \"expectations\": [\"x\"] },\n\t\t{\"id\":2,\"prompt\":\"b\",\"expectations\":[],},\n\t],\n\t\"other\": 1.50\n}";
const YAML: &str = "# head\nevals:\n  # first\n  - id: 1\n    prompt: >-\n      a long\n      text\n    tags: [x]   # why\n  # second\n  - id: 2\n    prompt: 'b'\nother: 1.50\n";

fn edit(path: &str, text: &str, edit: CaseEdit) -> Result<Option<String>, EditError> {
    CaseFile { path, text: Some(text) }.edit(&edit)
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn an_added_case_changes_no_other_byte() {
    let new = CaseEdit::Add(vec![object(json!({ "id": 3, "prompt": "c" }))]);
    let text = edit("evals/a.json", JSON, new.clone()).unwrap().unwrap();
    let (head, tail) = JSON.split_at(JSON.find(",},").unwrap() + 2);
    assert!(text.starts_with(head), "{text}");
    assert!(text.ends_with(&tail[tail.find("\t],").unwrap()..]), "{text}");
    let text = edit("evals/a.yaml", YAML, new).unwrap().unwrap();
    assert_eq!(text, YAML.replace("other:", "  - id: 3\n    prompt: \"c\"\nother:"));
}

#[test]
fn a_duplicate_follows_its_original_with_another_id() {
    let pointer = || "/evals/0".to_owned();
    for (path, text) in [("evals/a.json", JSON), ("evals/a.yaml", YAML)] {
        let text = edit(path, text, CaseEdit::Duplicate { pointer: pointer() }).unwrap().unwrap();
        let cases = read(&Evals::default(), [(path, text.as_str())]).cases;
        let keys: Vec<_> = cases.iter().map(|case| case.key.rsplit('#').next().unwrap()).collect();
        assert_eq!(keys, ["1", "3", "2"], "{text}");
        assert_eq!(cases[0].task().unwrap().message(), cases[1].task().unwrap().message());
    }
}

#[test]
fn a_removed_case_takes_its_own_lines_only() {
    let text = edit("evals/a.yaml", YAML, CaseEdit::Remove { pointer: "/evals/0".to_owned() }).unwrap().unwrap();
    assert_eq!(text, "# head\nevals:\n  # first\n  # second\n  - id: 2\n    prompt: 'b'\nother: 1.50\n");
    let text = edit("evals/a.yaml", &text, CaseEdit::Remove { pointer: "/evals/0".to_owned() }).unwrap().unwrap();
    assert_eq!(text, "# head\nevals:\n  # first\n  # second\n  []\nother: 1.50\n");
    let text = edit("evals/a.json", JSON, CaseEdit::Remove { pointer: "/evals/1".to_owned() }).unwrap().unwrap();
    assert!(text.contains("{ \"id\": 1,   \"prompt\": \"a\", \"expectations\": [\"x\"] }") && !text.contains("\"b\""), "{text}");
    assert!(text.contains("// kept") && text.contains("1.50"), "{text}");
    let single = "{ \"prompt\": \"a\" }";
    assert_eq!(edit("evals/a.json", single, CaseEdit::Remove { pointer: String::new() }), Ok(None));
}

#[test]
fn a_key_is_set_replaced_and_removed() {
    let set = |value| CaseEdit::Set { pointer: "/evals/0".to_owned(), key: "tags".to_owned(), value };
    let text = edit("evals/a.yaml", YAML, set(Some(json!(["y", "z"])))).unwrap().unwrap();
    assert_eq!(text, YAML.replace("tags: [x]   # why", "tags: [\"y\",\"z\"]"));
    let text = edit("evals/a.yaml", YAML, set(None)).unwrap().unwrap();
    assert_eq!(text, YAML.replace("    tags: [x]   # why\n", ""));
    let text = edit("evals/a.json", JSON, set(Some(json!(["y"])))).unwrap().unwrap();
    assert_eq!(read(&Evals::default(), [("evals/a.json", text.as_str())]).cases[0].tags, ["y"]);
    assert!(text.contains("\"id\": 1,   \"prompt\""), "{text}");
}

#[test]
fn new_entries_have_the_shape_of_their_file() {
    let task = Task { criteria: vec!["It is short".to_owned()], ..Task::default() };
    let kind = CaseKind::Task(Task { input: object(json!({ "message": "c" })), ..task });
    let case = PastedCase { name: None, tags: Vec::new(), kind: kind.clone() };
    let entry = |path, text| CaseFile { path, text }.entries(std::slice::from_ref(&case)).remove(0);
    assert_eq!(Value::Object(entry("evals/a.json", Some(JSON))), json!({ "id": 3, "prompt": "c", "expectations": ["It is short"] }));
    let new = entry("evals/evals.json", None);
    assert_eq!(Value::Object(new.clone()), json!({ "id": 1, "prompt": "c", "assertions": ["It is short"] }));
    for path in ["evals/evals.json", "evals/evals.yaml"] {
        let text = CaseFile { path, text: None }.edit(&CaseEdit::Add(vec![new.clone()])).unwrap().unwrap();
        let list = read(&Evals::default(), [(path, text.as_str())]);
        assert_eq!((list.cases[0].kind.clone(), list.diagnostics.len()), (kind.clone(), 0), "{text}");
    }
}

#[test]
fn several_entries_have_ids_of_their_own() {
    let case = |message: &str| {
        let input = object(json!({ "message": message }));
        PastedCase { name: None, tags: Vec::new(), kind: CaseKind::Task(Task { input, ..Task::default() }) }
    };
    let ids = |path, text| {
        let entries = CaseFile { path, text }.entries(&["c", "d"].map(case));
        entries.iter().map(|entry| entry["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids("evals/a.json", Some(JSON)), [json!(3), json!(4)]);
    let words = r#"[{ "id": "case-2", "prompt": "a" }]"#;
    assert_eq!(ids("evals/a.json", Some(words)), [json!("case-3"), json!("case-4")]);
    for (path, text) in [("evals/a.json", JSON), ("evals/a.yaml", YAML)] {
        let entries = CaseFile { path, text: Some(text) }.entries(&["c", "d"].map(case));
        let added = edit(path, text, CaseEdit::Add(entries)).unwrap().unwrap();
        assert_eq!(read(&Evals::default(), [(path, added.as_str())]).cases.len(), 4, "{added}");
    }
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let add = || CaseEdit::Add(vec![object(json!({ "prompt": "c" }))]);
    assert!(matches!(edit("evals/a.json", "{", add()), Err(EditError::Unreadable { .. })));
    assert!(matches!(edit("evals/a.json", "{ \"prompt\": \"a\" }", add()), Err(EditError::NoList(_))));
    assert!(matches!(edit("evals/a.json", "{}", add()), Err(EditError::NoList(_))));
    assert!(matches!(edit("evals/a.json", JSON, CaseEdit::Remove { pointer: "/evals/9".to_owned() }), Err(EditError::NotFound { .. })));
}

fn yaml_list() -> impl Strategy<Value = String> {
    let item = prop_oneof![
        Just("  - prompt: a\n".to_owned()),
        Just("  -  query: b # c\n     should_trigger: true\n".to_owned()),
        Just("  - {prompt: c, tags: []}\n".to_owned()),
        Just("  - prompt: |\n      d\n\n      e\n    files:\n    - f\n".to_owned()),
        Just("  # note\n  - expected_output: \"g - h\"\n    prompt: 'i: - j'\n\n".to_owned()),
    ];
    proptest::collection::vec(item, 1..6).prop_map(|items| format!("evals:\n{}", items.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// An edit that can't be made exactly is refused, so each success is checked by the edit itself.
    #[test]
    fn yaml_lists_of_any_style_can_be_edited(text in yaml_list(), at in 0_usize..6, kind in 0..4) {
        let count = read(&Evals::default(), [("evals/a.yaml", text.as_str())]);
        prop_assert!(count.diagnostics.iter().all(|one| one.rule != "eval/syntax"));
        let pointer = format!("/evals/{}", at % text.matches("  - ").count().max(1).min(text.matches("\n  -").count()));
        let change = match kind {
            0 => CaseEdit::Add(["new: \"x\"\n- y", "another"].map(|prompt| object(json!({ "prompt": prompt }))).to_vec()),
            1 => CaseEdit::Duplicate { pointer },
            2 => CaseEdit::Remove { pointer },
            _ => CaseEdit::Set { pointer, key: "tags".to_owned(), value: Some(json!(["t"])) },
        };
        prop_assert!(edit("evals/a.yaml", &text, change.clone()).is_ok(), "{change:?}\n{text}");
    }
}
