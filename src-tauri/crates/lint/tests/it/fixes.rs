//! Quick fixes remove their diagnostic and change nothing else.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use inklings_core::{Diagnostic, Fix, IdSource, Package, SkillFormat, SkillPath, Tree, TreeFile};
use inklings_folder::Folder;
use inklings_folder::disk::{discover, folder_name, read_dir};
use inklings_lint::{Context, check_file, offers, rule};
use proptest::prelude::*;
use uuid::Uuid;

struct Counter(AtomicU64);

impl IdSource for Counter {
    fn uuid(&self) -> Uuid {
        Uuid::from_u64_pair(1, self.0.fetch_add(1, Ordering::Relaxed))
    }
}

fn folder() -> Folder {
    Folder::new(Arc::new(Counter(AtomicU64::new(1))))
}

fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).unwrap()
}

/// A skill with a prompt, a script, a module and an example beside its SKILL.md.
fn memo() -> Package {
    let declared = r#"{"artifacts": [
  {"path": "prompts/draft.j2", "kind": "prompt_template", "name": "draft", "ordinal": 1},
  {"path": "scripts/count.py", "kind": "code_template", "name": "count", "ordinal": 2},
  {"path": "dspy/judge.json", "kind": "dspy_module", "name": "judge", "ordinal": 3, "metadata": {"fallback_artifact": "draft"}}
]}
"#;
    let files = [
        ("SKILL.md", "---\nname: memo\ndescription: Writes a memo about a company. Use when a memo is asked for.\n---\nWrite it.\n"),
        ("skill.json", declared),
        ("prompts/draft.j2", "Draft {{ topic }}.\n"),
        ("scripts/count.py", "import inklings\ninklings.submit(1)\n"),
        ("dspy/judge.json", "{\"template_id\": \"predict\", \"signature\": \"a -> b\"}\n"),
        ("references/a.json", "{}\n"),
    ];
    let tree: Tree = files.iter().map(|(at, text)| (path(at), TreeFile::new(text.as_bytes()))).collect();
    folder().read(&tree, "memo", None).unwrap().package
}

fn found(package: &Package, at: &str, text: &str) -> (Vec<Diagnostic>, Vec<(usize, Fix)>) {
    let folder = folder();
    let context = Context { package, format: &folder };
    let findings = check_file(&context, &path(at), text);
    let offers = offers(&context, &path(at), text, &findings);
    (findings, offers.into_iter().map(|offer| (offer.finding, offer.fix)).collect())
}

/// Applies the first fix of a rule to a text. Its title must contain these words.
#[track_caller]
fn fixed(package: &Package, at: &str, text: &str, rule: &str, words: &str, expected: &str) {
    let (findings, fixes) = found(package, at, text);
    let fix = fixes.iter().find(|(index, fix)| findings[*index].rule == rule && fix.title.contains(words));
    assert!(fix.is_some(), "no {rule} fix with {words:?} for {text:?}: {findings:#?} {fixes:#?}");
    let (_, fix) = fix.unwrap();
    assert_eq!(fix.apply(text).unwrap(), expected, "{}", fix.title);
}

#[track_caller]
fn main(text: &str, rule: &str, words: &str, expected: &str) {
    fixed(&memo(), "SKILL.md", text, &format!("frontmatter/{rule}"), words, expected);
}

const USE: &str = "description: Writes a memo. Use when asked.\n";

#[test]
fn values_are_put_in_quotes() {
    main(
        "---\nname: memo\ndescription: Use when: asked\n---\n",
        "unquoted-colon",
        "Quote",
        "---\nname: memo\ndescription: \"Use when: asked\"\n---\n",
    );
    main(
        "---\nname: memo\r\ndescription: @all \"x\"\r\n---\r\n",
        "unquoted-character",
        "Quote",
        "---\nname: memo\r\ndescription: \"@all \\\"x\\\"\"\r\n---\r\n",
    );
    main(
        "---\nname: memo\ndescription: 'it's when'\nlicense: MIT\n---\n",
        "quotes",
        "Quote",
        "---\nname: memo\ndescription: \"it's when\"\nlicense: MIT\n---\n",
    );
    let head = format!("---\nname: memo\n{USE}");
    main(&format!("{head}metadata:\n\ta: b\n---\n"), "tab", "spaces", &format!("{head}metadata:\n  a: b\n---\n"));
    main(&format!("{head}metadata:\n\ta: b: c\n---\n"), "tab", "quote", &format!("{head}metadata:\n  a: \"b: c\"\n---\n"));
}

#[test]
fn names_become_the_standards() {
    main(&format!("---\nname: My Memo # c\n{USE}---\n"), "name", "my-memo", &format!("---\nname: my-memo # c\n{USE}---\n"));
    main(&format!("---\nname:\n{USE}---\n"), "name", "memo", &format!("---\nname: memo\n{USE}---\n"));
    main(&format!("---\n{USE}---\n"), "name", "memo", &format!("---\nname: memo\n{USE}---\n"));
    main(&format!("---\nname: \"other\"\n{USE}---\n"), "name-mismatch", "memo", &format!("---\nname: \"memo\"\n{USE}---\n"));
}

#[test]
fn keys_are_kept_once_and_where_they_belong() {
    let head = format!("---\nname: memo\n{USE}");
    main(
        &format!("---\nlicense: MIT\n{}license: Apache\n---\n", &head[4..]),
        "duplicate-key",
        "license",
        &format!("{head}license: Apache\n---\n"),
    );
    main(&format!("{head}model: \"x\" # c\n---\n"), "unknown-key", "model", &format!("{head}metadata:\n  model: \"x\" # c\n---\n"));
    main(
        &format!("{head}model: |\n  a\n\n  b\nmetadata:\n    a: b\nlicense: MIT\n---\nx"),
        "unknown-key",
        "model",
        &format!("{head}metadata:\n    a: b\n    model: |\n      a\n\n      b\nlicense: MIT\n---\nx"),
    );
    main(
        &format!("{head}metadata:\n  a: b\nhooks:\n  - x: 1\n---\n"),
        "unknown-key",
        "hooks",
        &format!("{head}metadata:\n  a: b\n  hooks:\n    - x: 1\n---\n"),
    );
    main(
        &format!("{head}allowed-tools:\n  - Read\n  - Bash(git add:*)\n---\n"),
        "allowed-tools",
        "line",
        &format!("{head}allowed-tools: Read Bash(git add:*)\n---\n"),
    );
    main(&format!("{head}allowed-tools: [Read, Grep]\n---\n"), "allowed-tools", "line", &format!("{head}allowed-tools: Read Grep\n---\n"));
    // Values that can't be moved unchanged stay.
    for text in [format!("{head}model: x\nmetadata: {{a: b}}\n---\n"), format!("{head}model: x\nmetadata:\n  model: y\n---\n")] {
        assert_eq!(found(&memo(), "SKILL.md", &text).1, [], "{text}");
    }
    assert_eq!(found(&memo(), "SKILL.md", &format!("{head}allowed-tools:\n  - Read\n  - two words\n---\n")).1, []);
}

#[test]
fn frontmatter_is_begun_and_closed() {
    let head = format!("---\nname: memo\n{USE}");
    main(&format!("\u{FEFF}\n\n{head}---\nx\n"), "blank-lines", "blank lines", &format!("\u{FEFF}{head}---\nx\n"));
    main(&format!("{head}\n# Memo\n\nWrite: it.\n"), "unclosed", "Close", &format!("{head}---\n\n# Memo\n\nWrite: it.\n"));
    main(&format!("{head}metadata:\n  a: b\n# Memo\n"), "unclosed", "Close", &format!("{head}metadata:\n  a: b\n---\n# Memo\n"));
    main(
        "# Memo\n\nWrites memos. Use it when asked.\n",
        "missing",
        "Add",
        "---\nname: memo\ndescription: Writes memos. Use it when asked.\n---\n# Memo\n\nWrites memos. Use it when asked.\n",
    );
    main(
        "---\r\nname: memo\r\n---\r\nWrites: memos.\r\n",
        "description",
        "Add",
        "---\r\nname: memo\r\ndescription: \"Writes: memos.\"\r\n---\r\nWrites: memos.\r\n",
    );
    main("---\nname: memo\n---\n", "description", "Add", "---\nname: memo\ndescription: What Memo does, and when to use it.\n---\n");
}

#[test]
fn a_lower_case_file_is_renamed() {
    let mut package = memo();
    package.main_path = path("skill.md");
    for artifact in package.artifacts.iter_mut().filter(|artifact| artifact.path.is_skill_md()) {
        artifact.path = path("skill.md");
    }
    let (_, fixes) = found(&package, "skill.md", &format!("---\nname: memo\n{USE}---\n"));
    let [(_, fix)] = &fixes[..] else { panic!("{fixes:?}") };
    assert_eq!((fix.rename.as_ref().map(SkillPath::as_str), fix.edits.len()), (Some("SKILL.md"), 0));
}

#[test]
fn what_is_declared_is_put_right() {
    let entry = "{\"path\": \"prompts/draft.j2\", \"kind\": \"prompt_template\", \"name\": \"draft\"}";
    let of = |inner: &str| format!("{{\n  // kept\n  {inner}\n}}\n");
    let json = |text: String, rule: &str, words: &str, expected: String| fixed(&memo(), "skill.json", &text, rule, words, &expected);
    json(
        of(&format!(
            "\"artifacts\": [\n    {entry},\n    {{\"path\": \"gone.j2\", \"kind\": \"prompt_template\", \"name\": \"gone\"}}\n  ]"
        )),
        "skill-json/missing-file",
        "gone.j2",
        of(&format!("\"artifacts\": [\n    {entry}\n  ]")),
    );
    json(
        of(&format!("\"artifacts\": [{}]", entry.replace("draft.j2", "Draft.j2"))),
        "skill-json/missing-file",
        "prompts/draft.j2",
        of(&format!("\"artifacts\": [{entry}]")),
    );
    json(
        of(&format!("\"artifacts\": [{}]", entry.replace("_temp", "-temp"))),
        "skill-json/kind",
        "prompt_template",
        of(&format!("\"artifacts\": [{entry}]")),
    );
    json(of("\"description\": \"Other\",\n  \"tags\": []"), "skill-json/overridden", "description", of("\"tags\": []"));
    json(of("\"id\": \"7\",\n  \"tags\": []"), "skill-json/id", "id", of("\"tags\": []"));
    json(of("\"tags\": [],\n  \"tags\": [\"a\"]"), "skill-json/duplicate-key", "Remove", of("\"tags\": []"));
    json(of("\"tags\": [\"a\" \"b\"]"), "skill-json/syntax", "comma", of("\"tags\": [\"a\", \"b\"]"));
    json(
        of(&format!("\"artifacts\": [{entry}],\n  \"run\": [\"drafft\"]")),
        "run/unknown",
        "draft",
        of(&format!("\"artifacts\": [{entry}],\n  \"run\": [\"draft\"]")),
    );
    json(
        of(&format!("\"artifacts\": [{entry}],\n  \"run\": [\"zzzzz\", \"draft\"]")),
        "run/unknown",
        "Remove",
        of(&format!("\"artifacts\": [{entry}],\n  \"run\": [\"draft\"]")),
    );
    json(
        of("\"relations\": {\"depends_on\": [\"memo\", \"x\"]}"),
        "relation/self",
        "Remove",
        of("\"relations\": {\"depends_on\": [\"x\"]}"),
    );
    json(
        of("\"metadata\": {\"manifest\": {\"version\": 2}}"),
        "manifest/version",
        "1",
        of("\"metadata\": {\"manifest\": {\"version\": 1}}"),
    );
    json(
        of("\"metadata\": {\"manifest\": {\"version\": 1, \"requiredTool\": []}}"),
        "manifest/unknown-key",
        "requiredTools",
        of("\"metadata\": {\"manifest\": {\"version\": 1, \"requiredTools\": []}}"),
    );
    let module = |metadata: &str| {
        of(&format!(
            "\"artifacts\": [{entry}, {{\"path\": \"dspy/judge.json\", \"kind\": \"dspy_module\", \"name\": \"judge\"{metadata}}}]"
        ))
    };
    json(
        module(", \"metadata\": {\"fallback_artifact\": \"drat\"}"),
        "dspy/fallback",
        "draft",
        module(", \"metadata\": {\"fallback_artifact\": \"draft\"}"),
    );
    let asserting =
        |list: &str| of(&format!("\"artifacts\": [{}, \"metadata\": {{\"assertions\": [{list}]}}}}]", entry.trim_end_matches('}')));
    json(
        asserting("{\"type\": \"not-contians\", \"value\": \"x\"}"),
        "assertion/type",
        "not-contains",
        asserting("{\"type\": \"not-contains\", \"value\": \"x\"}"),
    );
    json(
        asserting("{\"type\": \"contains\", \"value\": \"x\", \"treshold\": 1}"),
        "assertion/unknown-key",
        "threshold",
        asserting("{\"type\": \"contains\", \"value\": \"x\", \"threshold\": 1}"),
    );
}

#[test]
fn a_module_without_a_fallback_is_given_one() {
    let package = memo();
    let text = package.sources.skill_json.clone().unwrap().replace(", \"metadata\": {\"fallback_artifact\": \"draft\"}", "");
    let (findings, fixes) = found(&package, "skill.json", &text);
    let (_, fix) = fixes.iter().find(|(at, _)| findings[*at].rule == "dspy/fallback").unwrap();
    let new = fix.apply(&text).unwrap();
    assert!(new.contains("\"fallback_artifact\": \"draft\""), "{new}");
}

#[test]
fn words_that_were_meant_are_written() {
    let declared = r#"{"artifacts": [{"path": "p.j2", "kind": "prompt_template", "name": "p", "metadata": {"params": {"properties": {"topic": {}}}}}]}"#;
    let files = [("SKILL.md", "---\nname: memo\ndescription: Writes a memo.\n---\nWrite it.\n"), ("skill.json", declared), ("p.j2", "x")];
    let tree: Tree = files.iter().map(|(at, text)| (path(at), TreeFile::new(text.as_bytes()))).collect();
    let package = folder().read(&tree, "memo", None).unwrap().package;
    fixed(&package, "p.j2", "{{ topik }} {{ topik }}\n", "template/undeclared", "topic", "{{ topic }} {{ topik }}\n");
    fixed(&memo(), "prompts/draft.j2", "{{ topic | uper }}\n", "template/unknown-filter", "upper", "{{ topic | upper }}\n");
    fixed(
        &memo(),
        "prompts/draft.j2",
        "{% if topic is defind %}é{% endif %}\n",
        "template/unknown-test",
        "defined",
        "{% if topic is defined %}é{% endif %}\n",
    );
    fixed(
        &memo(),
        "scripts/count.py",
        "import inklings\ninklings.submt(1)\n",
        "script/unknown-function",
        "submit",
        "import inklings\ninklings.submit(1)\n",
    );
    fixed(
        &memo(),
        "dspy/judge.json",
        "{\"template_id\": \"predct\", \"signature\": \"a -> b\"}",
        "dspy/template",
        "predict",
        "{\"template_id\": \"predict\", \"signature\": \"a -> b\"}",
    );
}

#[test]
fn json_is_mended() {
    let json = |text: &str, words: &str, expected: &str| fixed(&memo(), "references/a.json", text, "json/syntax", words, expected);
    json("{\"a\": [1, 2,]}", "Remove the comma", "{\"a\": [1, 2]}");
    json("{\"a\": 1\n \"b\": 2}", "Add the comma", "{\"a\": 1,\n \"b\": 2}");
    json("{\"a\": [1, {\"b\": \"]\"", "closing brackets", "{\"a\": [1, {\"b\": \"]\"}]}");
    json("{\n  \"a\": 1\n", "closing brackets", "{\n  \"a\": 1\n}\n");
    json("{\n  // a\n  \"a\": 1 }", "comment", "{\n  \"a\": 1 }");
    json("{\"a\": 'it \"is\"'}", "quotes", "{\"a\": \"it \\\"is\\\"\"}");
    // The second comma is another error.
    json("{\"a\": [1,], \"b\": [2,]}", "Remove the comma", "{\"a\": [1], \"b\": [2,]}");
    assert_eq!(found(&memo(), "references/a.json", "{\"a\": nope}").1, []);
}

/// Whether all values of a skill are unchanged, except those that the rule is about.
fn says_the_same(before: &Package, after: &Package, rule: &str) {
    let mut after = after.clone();
    // A changed name or a dropped title changes both.
    if rule.starts_with("frontmatter/name") {
        after.slug = before.slug.clone();
        after.name.clone_from(&before.name);
    }
    for (one, other) in after.artifacts.iter_mut().zip(&before.artifacts) {
        one.id = other.id;
    }
    after.sources = before.sources.clone();
    if rule == "frontmatter/missing" || rule == "frontmatter/description" {
        assert_eq!(after.description, before.description);
    }
    assert_eq!(&after, before, "{rule}");
}

/// Applies every offered fix to the texts of a folder, and returns their rules.
fn all_fixes(tree: &Tree, name: &str) -> Vec<String> {
    let folder = folder();
    let package = folder.read(tree, name, None).unwrap().package;
    let mut rules = Vec::new();
    for (at, entry) in tree {
        let Some(text) = entry.text() else { continue };
        let (findings, fixes) = found(&package, at.as_str(), text);
        for (index, fix) in fixes.into_iter().filter(|(_, fix)| fix.rename.is_none()) {
            let finding = &findings[index];
            let new = fix.apply(text).unwrap();
            let after = found(&package, at.as_str(), &new).0;
            let same = |one: &&Diagnostic| (&one.rule, &one.message) == (&finding.rule, &finding.message);
            assert!(after.iter().filter(same).count() < findings.iter().filter(same).count(), "{name} {finding:?} {new:?}");
            let mut changed = tree.clone();
            changed.insert(at.clone(), TreeFile { bytes: new.as_bytes().into(), executable: entry.executable });
            let reading = folder.read(&changed, name, Some(&package)).unwrap();
            says_the_same(&package, &reading.package, &finding.rule);
            rules.push(finding.rule.clone());
        }
    }
    rules
}

#[test]
fn every_fix_for_the_fixtures_changes_what_it_is_about_and_nothing_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/folders");
    let mut rules = Vec::new();
    for place in discover(&root).unwrap().0 {
        let name = folder_name(&place);
        rules.extend(all_fixes(&read_dir(&place).unwrap().0, &name));
    }
    rules.sort();
    rules.dedup();
    let expected = ["allowed-tools", "missing", "name", "tab", "unknown-key", "unquoted-colon"];
    assert_eq!(rules, expected.map(|rule| format!("frontmatter/{rule}")));
}

#[test]
fn the_seeds_need_none_that_break_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../seed/skills");
    for place in discover(&root).unwrap().0 {
        all_fixes(&read_dir(&place).unwrap().0, &folder_name(&place));
    }
}

#[test]
fn rules_say_whether_they_have_fixes() {
    assert!(rule("frontmatter/tab").unwrap().fix);
    assert!(!rule("frontmatter/yaml").unwrap().fix);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn unusual_frontmatter_is_fixed_without_loss(
        keys in proptest::collection::vec(("(name|license|model|x-y|tags|allowed-tools|metadata|description)", "( [a-z]{1,4}| a: b| @x| 'it's'| [a, b]|\n  - a\n  - b(c d)|\n  k: v|\n\tk: v| \\|\n  a\n\n   b| \"q\" # c|)"), 0..6),
        body in "(|x\n|# T\n\nDoes it\\.\n)",
        crlf in any::<bool>(),
    ) {
        let mut text = String::from("---\n");
        for (key, value) in &keys {
            writeln!(text, "{key}:{value}").unwrap();
        }
        write!(text, "{USE}---\n{body}").unwrap();
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let tree: Tree = [(path("SKILL.md"), TreeFile::new(text.as_bytes()))].into_iter().collect();
        if folder().read(&tree, "memo", None).is_ok() {
            all_fixes(&tree, "memo");
        }
    }

    #[test]
    fn no_text_harms_the_fixes(text in "(---\n)?[a-z:\\-'\"\\[\\]{}#|\n\t é,]{0,60}(---\n)?", json in "[a-z:'\"\\[\\]{},/\n é0-9]{0,40}") {
        found(&memo(), "SKILL.md", &text);
        found(&memo(), "skill.json", &json);
        found(&memo(), "references/a.json", &json);
    }
}
