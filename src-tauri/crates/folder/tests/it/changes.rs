//! Changing a value only changes its own bytes.

use inklings_core::Slug;
use inklings_core::kind::ArtifactKind;
use inklings_core::ports::SkillFormat;
use inklings_core::skill::{Package, Relation, RelationKind};
use inklings_folder::{Declaration, DeclareError};
use proptest::prelude::*;

use crate::arbitrary::{frontmatter, line};
use crate::support::{folder, package, path, text, tree};

/// Changes a package read from `SKILL.md` and returns the new file.
fn changed(main: &str, change: impl FnOnce(&mut Package)) -> String {
    let mut package = package(&[("SKILL.md", main)]);
    change(&mut package);
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(package.sources.skill_json, None);
    text(&package, "SKILL.md")
}

/// Checks that a change of `before` (a frontmatter's lines) gives `after`.
fn check(before: &str, change: impl FnOnce(&mut Package), after: &str) {
    let frame = |lines: &str| format!("---\n{lines}---\nBody.\n");
    assert_eq!(changed(&frame(before), change), frame(after));
}

#[test]
fn scalars_keep_their_style() {
    let describe = |text: &'static str| move |package: &mut Package| package.description = text.to_owned();
    check("description: a b # c\nname: x\n", describe("d e"), "description: d e # c\nname: x\n");
    check("description: a b # c\nname: x\n", describe("d: e"), "description: \"d: e\" # c\nname: x\n");
    check("name: x\ndescription: 'it''s' # c\n", describe("that's"), "name: x\ndescription: 'that''s' # c\n");
    check("name: x\ndescription:   \"a\"\n", describe("say \"b\""), "name: x\ndescription:   \"say \\\"b\\\"\"\n");
    check("name: x\ndescription: >- # c\n   a\n   b\n\n# d\n", describe("new text"), "name: x\ndescription: >- # c\n   new text\n\n# d\n");
    check("name: x\ndescription: |\n  a\n  b\nx: 1\n", describe("c\n\nd"), "name: x\ndescription: |\n  c\n\n  d\nx: 1\n");
    check("name: x\ndescription: |\n  a\nx: 1\n", describe("a\n  b"), "name: x\ndescription: \"a\\n  b\"\nx: 1\n");
    check("name: x\ndescription: a\n  b\nx: 1\n", describe("c"), "name: x\ndescription: c\nx: 1\n");
    check("{name: x, description: a}\n", describe("b, c"), "{name: x, description: \"b, c\"}\n");
    check("name: x\nd: &d a\ndescription: *d\n", describe("b"), "name: x\nd: &d a\ndescription: b\n");
}

#[test]
fn values_change_where_they_are() {
    check(
        "name: x\ndescription: a\nmetadata:\n  version: '1' # c\n  k: v\n",
        |package| package.version = "2".to_owned(),
        "name: x\ndescription: a\nmetadata:\n  version: '2' # c\n  k: v\n",
    );
    check(
        "name: x\ndescription: a\nauthor:\n  name: A\n  mail: m\n",
        |package| package.author = Some("B".to_owned()),
        "name: x\ndescription: a\nauthor:\n  name: B\n  mail: m\n",
    );
    check("name: x\nauthor: A\n# c\ndescription: a\n", |package| package.author = None, "name: x\n# c\ndescription: a\n");
    check("name: x\ndescription: a\nmetadata:\n  author: A\n", |package| package.author = None, "name: x\ndescription: a\n");
    check(
        "name: x\ndescription: a\nmetadata: {author: A, k: v}\n",
        |package| package.author = None,
        "name: x\ndescription: a\nmetadata: {author: null, k: v}\n",
    );
    let tag = |package: &mut Package| package.tags.push("new".to_owned());
    check("name: x\ndescription: a\ntags: [a, b] # c\n", tag, "name: x\ndescription: a\ntags: [a, b, new] # c\n");
    check("name: x\ndescription: a\ntags:\n- a\n- b\nk: v\n", tag, "name: x\ndescription: a\ntags:\n- a\n- b\n- new\nk: v\n");
    let commented = "name: x\ndescription: a\ntags:\n  # of a\n  - a # c\n  # of b\n  - \"b\" # d\n  # e\nk: v\n";
    check(commented, tag, &commented.replace("  # e\n", "  - new\n  # e\n"));
    check(commented, |package| drop(package.tags.remove(0)), &commented.replace("  - a # c\n", ""));
    check("name: x\ndescription: a\ntags: a, b\n", tag, "name: x\ndescription: a\ntags: a, b, new\n");
    check("name: x\ndescription: a\ntags:\n  - a\n", |package| package.tags.clear(), "name: x\ndescription: a\ntags: []\n");
    check(
        "name: x\ndescription: a\ntrigger_pattern: p\n",
        |package| package.triggers = vec!["q".to_owned()],
        "name: x\ndescription: a\ntrigger_pattern: q\n",
    );
}

#[test]
fn slug_and_title_change_the_name_only_when_they_must() {
    let slug = |package: &mut Package| (package.slug, package.name) = (Slug::parse("new-name").unwrap(), "New Name".to_owned());
    check("name: x # c\ndescription: a\n", slug, "name: new-name # c\ndescription: a\n");
    check("name: Old Name\ndescription: a\n", slug, "name: New Name\ndescription: a\n");
    check("slug: x\nname: X Y\ndescription: a\n", slug, "slug: new-name\nname: New Name\ndescription: a\n");
    check("# c\ndescription: a\n", slug, "# c\ndescription: a\n");
    let mut package = package(&[("SKILL.md", "---\nname: Old Name\ndescription: a\n---\n")]);
    package.name = "Another Title".to_owned();
    folder().sync_sources(&mut package);
    assert_eq!(text(&package, "SKILL.md"), "---\nname: old-name\ndescription: a\n---\n");
    assert_eq!(text(&package, "skill.json"), "{\n  \"title\": \"Another Title\"\n}\n");
    package.name = "Old Name".to_owned();
    folder().sync_sources(&mut package);
    assert_eq!(package.sources.skill_json, None);
}

#[test]
fn line_ends_and_marks_stay() {
    let text =
        changed("\u{feff}---\r\nname: x\r\ndescription: |\r\n  a\r\n---\r\nBody.\r\n", |package| package.description = "b\nc".to_owned());
    assert_eq!(text, "\u{feff}---\r\nname: x\r\ndescription: |\r\n  b\r\n  c\r\n---\r\nBody.\r\n");
    let text = changed("---\r\nname: x\r\n---\r\nBody.\r\n", |package| package.description = "d".to_owned());
    assert_eq!(text, "---\r\nname: x\r\ndescription: d\r\n---\r\nBody.\r\n");
}

#[test]
fn a_repaired_text_stays_until_a_value_in_it_changes() {
    let main = "---\nname: x\ndescription: Use when: now\nauthor: A\n---\nBody.\n";
    assert_eq!(changed(main, |_| {}), main);
    let text = changed(main, |package| package.author = Some("B".to_owned()));
    assert_eq!(text, "---\nname: x\ndescription: \"Use when: now\"\nauthor: B\n---\nBody.\n");
}

#[test]
fn a_new_package_gets_default_texts() {
    let mut package = Package::new(Slug::parse("link-auditor").unwrap(), "Link Auditor", "Checks links: all of them.");
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(text(&package, "SKILL.md"), "---\nname: link-auditor\ndescription: \"Checks links: all of them.\"\n---\n");
    assert_eq!(package.sources.skill_json, None);
    package.name = "The Auditor".to_owned();
    package.tags = vec!["a".to_owned()];
    package.relations = vec![Relation { kind: RelationKind::DependsOn, target: "b".to_owned() }];
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(
        text(&package, "skill.json"),
        "{\n  \"title\": \"The Auditor\",\n  \"tags\": [\"a\"],\n  \"relations\": {\n    \"depends_on\": [\"b\"]\n  }\n}\n"
    );
}

#[test]
fn skill_json_changes_by_value() {
    let json = "{ // mine\r\n\t\"x\": 1,\r\n\t\"category\": \"a\", // c\r\n\t\"metadata\": {\"n\": 1.50, \"m\": {\"k\": [1,2 ]}},\r\n\t\"artifacts\": [\r\n\t\t{\"path\": \"a.md\", \"kind\": \"approach\", \"name\": \"A\", \"own\": true},\r\n\t\t{\"path\": \"b.md\", \"kind\": \"approach\", \"name\": \"B\"}\r\n\t]\r\n}\r\n";
    let files = [("SKILL.md", "---\nname: x\ndescription: a\n---\n"), ("skill.json", json), ("a.md", "a"), ("b.md", "b")];
    let after = |change: &dyn Fn(&mut Package)| {
        let mut package = package(&files);
        change(&mut package);
        assert_eq!(folder().sync_sources(&mut package), []);
        text(&package, "skill.json")
    };
    assert_eq!(after(&|package| package.category = "b".to_owned()), json.replace("\"a\", // c", "\"b\", // c"));
    assert_eq!(after(&|package| drop(package.metadata.insert("n".to_owned(), 2.into()))), json.replace("1.50", "2"));
    assert_eq!(after(&|package| package.artifacts[0].name = "Z".to_owned()), json.replace("\"A\"", "\"Z\""));
    assert_eq!(after(&|package| package.artifacts[0].path = path("c.md")), json.replace("a.md", "c.md"));
    assert_eq!(
        after(&|package| drop(package.artifacts.remove(0))),
        json.replace("\t\t{\"path\": \"a.md\", \"kind\": \"approach\", \"name\": \"A\", \"own\": true},\r\n", "")
            // Its position was its ordinal. An object with an added key is written on several lines.
            .replace(
                "{\"path\": \"b.md\", \"kind\": \"approach\", \"name\": \"B\"}",
                "{\r\n\t\t\t\"path\": \"b.md\",\r\n\t\t\t\"kind\": \"approach\",\r\n\t\t\t\"name\": \"B\",\r\n\t\t\t\"ordinal\": 2\r\n\t\t}"
            )
    );
    assert_eq!(after(&|package| package.user_invocable = false), json.replace("\t]\r\n}", "\t],\r\n\t\"user_invocable\": false\r\n}"));
}

#[test]
fn steps_of_the_body_stay_in_the_body() {
    let main = "---\nname: x\ndescription: a\n---\n## Steps\n1. One\n2. Two\n";
    let before = package(&[("SKILL.md", main)]);
    assert_eq!(before.steps.len(), 2);
    let mut after = before.clone();
    after.artifacts[0].content = "## Steps\n1. Uno\n".into();
    folder().follow(&before, &mut after);
    folder().sync_sources(&mut after);
    assert_eq!((after.steps.len(), after.steps[0].action.as_str(), after.sources.skill_json.as_deref()), (1, "Uno", None));
    after.steps[0].tool = Some("t".to_owned());
    folder().sync_sources(&mut after);
    assert!(text(&after, "skill.json").contains("\"tool\": \"t\""));
    let mut again = after.clone();
    again.artifacts[0].content = "No steps.\n".into();
    folder().follow(&after, &mut again);
    assert_eq!(again.steps, after.steps);
}

#[test]
fn a_description_from_the_body_follows_it() {
    let before = package(&[("SKILL.md", "First words.\n")]);
    let mut after = before.clone();
    after.artifacts[0].content = "Other words.\n".into();
    folder().follow(&before, &mut after);
    assert_eq!(folder().sync_sources(&mut after), []);
    assert_eq!((after.description.as_str(), text(&after, "SKILL.md").as_str()), ("Other words.", "Other words.\n"));
}

#[test]
fn a_body_that_looks_like_frontmatter_gets_some_above() {
    let mut package = package(&[("SKILL.md", "Words.\n")]);
    package.artifacts[0].content = "---\nname: y\n---\nWords.\n".into();
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(text(&package, "SKILL.md"), "---\nname: my-skill\ndescription: Words.\n---\n---\nname: y\n---\nWords.\n");
}

#[test]
fn declaring_makes_an_artifact_and_back() {
    let files = [("SKILL.md", "---\nname: x\ndescription: a\n---\nBody.\n"), ("prompts/a.j2", "{{ a }}"), ("b.bin", "\u{0}")];
    let mut package = package(&files);
    let declaration =
        |file: &str, name: &str| Declaration { path: path(file), kind: ArtifactKind::PromptTemplate, name: name.to_owned(), variant: None };
    assert_eq!(folder().declare(&mut package, declaration("prompts/a.j2", "A")), Ok(vec![]));
    let json = text(&package, "skill.json");
    assert!(json.starts_with("{\n  \"artifacts\": [\n    {\n      \"path\": \"prompts/a.j2\",\n      \"kind\": \"prompt_template\",\n      \"name\": \"A\",\n      \"ordinal\": 1,\n      \"id\": "), "{json}");
    assert_eq!(folder().read(&package.tree(), "x", Some(&package)).unwrap().package, package);
    assert_eq!(folder().declare(&mut package, declaration("b.bin", "B")), Err(DeclareError::NotText(path("b.bin"))));
    assert_eq!(folder().declare(&mut package, declaration("gone", "B")), Err(DeclareError::NoSuchFile(path("gone"))));
    assert_eq!(folder().declare(&mut package, declaration("b.bin", "A")), Err(DeclareError::NameTaken("A".to_owned())));
    assert_eq!(folder().undeclare(&mut package, &path("prompts/a.j2")), Ok(vec![]));
    assert_eq!(package.tree(), tree(&files));
}

#[test]
fn errors_name_what_no_folder_can_hold() {
    let mut package = package(&[("SKILL.md", "---\nname: x\ndescription: a\n---\nBody.\n"), ("a", "x")]);
    let mut duplicate = package.artifacts[0].clone();
    duplicate.path = path("A/b.md");
    duplicate.content = "\0".into();
    package.artifacts.push(duplicate);
    let rules: Vec<String> = folder().sync_sources(&mut package).into_iter().map(|finding| finding.rule).collect();
    for rule in ["folder/path-clash", "folder/not-text", "artifact/duplicate-name"] {
        assert!(rules.contains(&rule.to_owned()), "{rule} in {rules:?}");
    }
}

#[test]
fn a_body_begins_on_its_own_line() {
    let mut package = package(&[("SKILL.md", "---\nname: my-skill\ndescription: a\n---")]);
    let mut body = crate::support::package(&[("SKILL.md", "---\ndescription: a\n---\nBody.\n")]).artifacts;
    package.artifacts.append(&mut body);
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(text(&package, "SKILL.md"), "---\nname: my-skill\ndescription: a\n---\nBody.\n");
}

#[test]
fn a_created_skill_gets_frontmatter_even_if_its_body_says_the_same() {
    let mut package = Package::new(Slug::parse("x").unwrap(), "X", "Body.");
    package.artifacts = crate::support::package(&[("SKILL.md", "Body.\n")]).artifacts;
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(text(&package, "SKILL.md"), "---\nname: x\ndescription: Body.\n---\nBody.\n");
}

#[test]
fn a_removed_key_takes_its_comments_along() {
    check(
        "name: x\ndescription: |\n  a\nauthor:\n  name: A\n  # of the author\n# of the file\n",
        |package| package.author = None,
        "name: x\ndescription: |\n  a\n# of the file\n",
    );
}

#[test]
fn an_entry_is_known_by_its_id() {
    let id = "550e8400-e29b-41d4-a716-446655440000";
    let json = format!(
        "{{\"artifacts\": [{{\"path\": \"a.md\", \"kind\": \"approach\", \"name\": \"A\", \"ordinal\": 1, \"id\": \"{id}\", \"own\": 1}}]}}"
    );
    let mut package = package(&[("SKILL.md", "---\nname: x\ndescription: a\n---\n"), ("skill.json", &json), ("a.md", "a")]);
    (package.artifacts[0].path, package.artifacts[0].name) = (path("b.md"), "B".to_owned());
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(text(&package, "skill.json"), json.replace("a.md", "b.md").replace("\"A\"", "\"B\""));
}

#[test]
fn an_id_given_twice_is_left_alone() {
    let id = "550e8400-e29b-41d4-a716-446655440000";
    let entry =
        |file: &str, name: &str| format!("{{\"path\": \"{file}\", \"kind\": \"approach\", \"name\": \"{name}\", \"id\": \"{id}\"}}");
    let json = format!("{{\"artifacts\": [{}, {}]}}", entry("a.md", "A"), entry("b.md", "B"));
    let mut package = package(&[("SKILL.md", "---\nname: x\ndescription: a\n---\n"), ("skill.json", &json), ("a.md", "a"), ("b.md", "b")]);
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(text(&package, "skill.json"), json);
}

#[test]
fn stated_steps_do_not_follow_the_body() {
    let json = "{\"steps\": [{\"step\": 1, \"action\": \"One\", \"description\": \"\"}]}";
    let before = package(&[("SKILL.md", "---\nname: x\ndescription: a\n---\n## Steps\n1. One\n"), ("skill.json", json)]);
    let mut after = before.clone();
    after.artifacts[0].content = "## Steps\n1. Uno\n".into();
    folder().follow(&before, &mut after);
    assert_eq!(after.steps, before.steps);
}

/// The lines of `text` that don't belong to the top-level key `key`.
fn without(text: &str, key: &str) -> Vec<String> {
    let mut inside = false;
    let lines = text.split_inclusive('\n').filter(|line| {
        let begins = line.starts_with(|ch: char| ch.is_alphanumeric() || "#\"-".contains(ch));
        if begins {
            inside = line.starts_with(&format!("{key}:"));
        }
        !inside
    });
    lines.map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn other_keys_keep_their_bytes(front in frontmatter(), text in line()) {
        let main = format!("{front}Body.\n");
        let mut package = package(&[("SKILL.md", &main)]);
        package.description = format!("d{text}");
        folder().sync_sources(&mut package);
        let after = crate::support::text(&package, "SKILL.md");
        prop_assert_eq!(without(&after, "description"), without(&main, "description"), "{}\n{}", main, after);
    }
}

#[test]
fn a_title_that_is_too_long_is_refused_for_its_length_alone() {
    let mut package = Package::new(Slug::parse("x").unwrap(), "x".repeat(121), "Does it.");
    let findings = folder().sync_sources(&mut package);
    assert_eq!(findings.iter().map(|finding| finding.rule.as_str()).collect::<Vec<_>>(), ["limit/name"]);
}
