//! Errors, diagnostics, and ids of artifacts.

use inklings_core::frontmatter::{SKILL, split};
use inklings_core::path::SkillPath;
use inklings_core::ports::SkillFormat;
use inklings_core::skill::SkillFile;
use inklings_core::tree::{Tree, TreeFile};
use inklings_core::{Severity, limits};

use crate::support::{folder, package, path, read, rules, text, tree};

const MAIN: &str = "---\nname: my-skill\ndescription: Does it.\n---\nBody.\n";

fn with_main(json: &str) -> Vec<(&'static str, String)> {
    vec![("SKILL.md", MAIN.to_owned()), ("skill.json", json.to_owned()), ("prompts/a.j2", "a".to_owned()), ("prompts/b.j2", "b".to_owned())]
}

fn json_rules(json: &str) -> Vec<String> {
    let files = with_main(json);
    rules(&files.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>())
}

fn main_rules(text: &str) -> Vec<String> {
    rules(&[("SKILL.md", text)])
}

#[test]
fn what_refuses_a_skill() {
    assert_eq!(rules(&[("README.md", "x")]), ["folder/no-skill"]);
    assert_eq!(rules(&[("SKILL.md", MAIN), ("skill.md", MAIN)]), ["folder/path-clash"]);
    assert_eq!(rules(&[("SKILL.md", MAIN), ("a", "x"), ("A/b", "x")]), ["folder/path-clash"]);
    assert_eq!(main_rules("---\nname: x\nBody\n"), ["frontmatter/unclosed"]);
    assert_eq!(main_rules("---\n- a\n---\n"), ["frontmatter/mapping"]);
    assert_eq!(main_rules("---\nname: x\n}{: [\n---\n"), ["frontmatter/yaml"]);
    assert_eq!(main_rules("---\nname: my-skill\n---\n"), ["frontmatter/description"]);
    assert_eq!(main_rules("---\nname: my-skill\ndescription: ''\n---\n"), ["frontmatter/description"]);
    assert_eq!(main_rules("# Title only\n"), ["frontmatter/description"]);
    assert_eq!(main_rules("a\0b"), ["folder/not-text"]);
    let long = format!("---\nname: my-skill\ndescription: {}\n---\n", "x".repeat(8_193));
    assert_eq!(main_rules(&long), ["frontmatter/description-length"]);
    let bomb = format!("---\ndescription: d\nx: {}\n---\n", "[".repeat(500_000));
    assert_eq!(main_rules(&bomb), ["frontmatter/yaml"]);
}

#[test]
fn both_spellings_are_named_even_where_paths_may_differ_in_case() {
    let errors = read(&tree(&[("SKILL.md", MAIN), ("skill.md", MAIN)])).unwrap_err();
    assert!(errors[0].message.contains("skill.md"), "{errors:?}");
}

#[test]
fn wrong_declarations_refuse_a_skill() {
    let entry =
        |rest: &str| format!("{{\"artifacts\": [{{\"path\": \"prompts/a.j2\", \"kind\": \"approach\", \"name\": \"A\"}}, {rest}]}}");
    for (rest, rule) in [
        ("{\"path\": \"prompts/gone.j2\", \"kind\": \"approach\", \"name\": \"B\"}", "skill-json/missing-file"),
        ("{\"path\": \"PROMPTS/b.j2\", \"kind\": \"approach\", \"name\": \"B\"}", "skill-json/missing-file"),
        ("{\"path\": \"prompts/a.j2\", \"kind\": \"approach\", \"name\": \"B\"}", "skill-json/duplicate-path"),
        ("{\"path\": \"prompts/b.j2\", \"kind\": \"approach\", \"name\": \"A\"}", "skill-json/duplicate-name"),
        ("{\"path\": \"prompts/b.j2\", \"kind\": \"approach\", \"name\": \"A\", \"variant\": \"default\"}", "skill-json/duplicate-name"),
        ("{\"path\": \"prompts/b.j2\", \"kind\": \"approach\", \"name\": \"B\", \"variant\": \"No!\"}", "skill-json/variant"),
        ("{\"path\": \"prompts/b.j2\", \"kind\": \"approach\", \"name\": \"B\", \"state\": \"prompts/a.j2\"}", "skill-json/duplicate-path"),
        ("{\"path\": \"prompts/b.j2\", \"kind\": \"song\", \"name\": \"B\"}", "skill-json/kind"),
        ("{\"path\": \"../x\", \"kind\": \"approach\", \"name\": \"B\"}", "skill-json/path"),
        ("{\"path\": \"skill.json\", \"kind\": \"approach\", \"name\": \"B\"}", "skill-json/path"),
        ("{\"path\": \"prompts/b.j2\", \"kind\": \"approach\"}", "skill-json/missing-key"),
        ("{\"path\": \"prompts/b.j2\", \"kind\": \"approach\", \"name\": \"B\", \"ordinal\": 1.5}", "skill-json/type"),
        ("{\"path\": \"SKILL.md\", \"kind\": \"approach\", \"name\": \"B\"}", "skill-json/kind"),
        ("7", "skill-json/type"),
    ] {
        assert_eq!(json_rules(&entry(rest)), [rule], "{rest}");
    }
    for (json, rule) in [
        ("", "skill-json/type"),
        ("[]", "skill-json/type"),
        ("{\"title\": \"a\" \"b\": 1}", "skill-json/syntax"),
        ("{title: 1}", "skill-json/syntax"),
        ("{\"title\": 1}", "skill-json/type"),
        ("{\"tags\": [\"a\", 2]}", "skill-json/type"),
        ("{\"steps\": [{\"description\": \"no action\"}]}", "skill-json/type"),
        ("{\"title\": \"a\", \"title\": \"b\"}", "skill-json/duplicate-key"),
    ] {
        assert_eq!(json_rules(json), [rule], "{json}");
    }
    assert_eq!(json_rules(&format!("{}{}", "{\"a\":[".repeat(300), "]}".repeat(300))), ["skill-json/syntax"]);
    assert_eq!(json_rules(&format!("{}{}", "{\"a\":[".repeat(80), "]}".repeat(80))), ["skill-json/type"]);
}

#[test]
fn json_findings_say_where() {
    let json = "{\n  \"artifacts\": [\n    {\"path\": \"prompts/a.j2\", \"kind\": \"song\", \"name\": \"A\"}\n  ]\n}\n";
    let errors = read(&tree(&[("SKILL.md", MAIN), ("skill.json", json), ("prompts/a.j2", "")])).unwrap_err();
    assert_eq!(errors[0].pointer.as_deref(), Some("/artifacts/0/kind"));
    assert_eq!((errors[0].file.as_deref(), errors[0].line, errors[0].column), (Some("skill.json"), Some(3), Some(38)));
}

/// A skill with this many files.
fn tree_of(files: usize) -> inklings_core::Tree {
    (1..files).map(|index| (path(&format!("f{index}")), TreeFile::new(*b""))).chain(tree(&[("SKILL.md", MAIN)])).collect()
}

#[test]
fn a_skill_with_512_files_can_be_changed() {
    let mut package = read(&tree_of(512)).unwrap().package;
    package.description = "Does other things.".to_owned();
    assert_eq!(folder().sync_sources(&mut package), []);
    assert_eq!(package.tree().len(), 512);
    // This value is kept in a file that there is no room for.
    package.category = "other".to_owned();
    let rules: Vec<_> = folder().sync_sources(&mut package).into_iter().map(|finding| finding.rule).collect();
    assert_eq!((rules, package.tree().len()), (vec!["limit/files".to_owned()], 513));
}

#[test]
fn artifacts_are_text_within_limits() {
    let json = "{\"artifacts\": [{\"path\": \"a.bin\", \"kind\": \"approach\", \"name\": \"A\", \"state\": \"s.json\"}]}";
    let mut files = tree(&[("SKILL.md", MAIN), ("skill.json", json), ("s.json", "{}")]);
    let rule = |files: &inklings_core::Tree| read(files).map_err(|errors| errors[0].rule.clone()).map(|_| ());
    for (bytes, expected) in [
        (vec![0xFF], Err("folder/not-text")),
        (b"a\0".to_vec(), Err("folder/not-text")),
        (vec![b'a'; limits::ARTIFACT_BYTES], Ok(())),
        (vec![b'a'; limits::ARTIFACT_BYTES + 1], Err("limit/artifact")),
    ] {
        files.insert(path("a.bin"), TreeFile::new(bytes));
        assert_eq!(rule(&files), expected.map_err(str::to_owned));
    }
    files.insert(path("a.bin"), TreeFile::new(*b"a"));
    files.insert(path("s.json"), TreeFile::new(*b"{"));
    assert_eq!(rule(&files), Err("state/json".to_owned()));
    let mut many = tree_of(512);
    assert_eq!(rule(&many), Ok(()));
    many.insert(path("more"), TreeFile::new(*b""));
    assert_eq!(rule(&many), Err("limit/files".to_owned()));
    let mut large = tree(&[("SKILL.md", MAIN)]);
    large.insert(path("big"), TreeFile::new(vec![0; limits::SKILL_BYTES]));
    assert_eq!(rule(&large), Err("limit/bytes".to_owned()));
}

#[test]
fn oddities_are_remarked_and_loaded() {
    assert_eq!(main_rules("\n---\nname: my-skill\ndescription: x\n---\n"), ["frontmatter/blank-lines"]);
    assert_eq!(main_rules("---\nname: my-skill\n---\nA paragraph.\n"), ["frontmatter/description"]);
    assert_eq!(main_rules("---\nname:\ndescription: x\n---\n"), ["frontmatter/name"]);
    assert_eq!(main_rules("---\nname: my-skill\nname: my-skill\ndescription: x\n---\n"), ["frontmatter/duplicate-key"]);
    assert_eq!(main_rules(&format!("---\nname: {}\ndescription: x\n---\n", "long-name-".repeat(9))), ["frontmatter/name"]);
    assert_eq!(main_rules(&format!("---\nname: my-skill\ndescription: {}\n---\n", "x".repeat(1_025))), ["frontmatter/description-length"]);
    assert_eq!(json_rules("{\"run\": [\"Nope\"]}"), ["skill-json/run"]);
    assert_eq!(json_rules("{\"id\": \"7\"}"), ["skill-json/id"]);
    assert_eq!(json_rules("{\"description\": \"Other.\", // c\n}"), ["skill-json/overridden"]);
    let findings = read(&tree(&[("SKILL.md", "---\nname: my-skill\n---\nA paragraph.\n")])).unwrap().diagnostics;
    assert_eq!(findings[0].severity, Severity::Warning);
}

#[test]
fn names_follow_what_is_written() {
    let identity = |front: &str, folder_name: &str| {
        let text = format!("---\n{front}\ndescription: x\n---\n");
        let package = folder().read(&tree(&[("SKILL.md", &text)]), folder_name, None).unwrap().package;
        (package.slug.to_string(), package.name)
    };
    let pair = |slug: &str, name: &str| (slug.to_owned(), name.to_owned());
    assert_eq!(identity("name: link-auditor", "x"), pair("link-auditor", "Link Auditor"));
    assert_eq!(identity("name: Link Auditor", "x"), pair("link-auditor", "Link Auditor"));
    assert_eq!(identity("name: LINK_auditor!", "x"), pair("link-auditor", "LINK_auditor!"));
    assert_eq!(identity("name: 技能", "x"), pair("技能", "技能"));
    assert_eq!(identity("name: 技能！", "the-folder"), pair("the-folder", "技能！"));
    assert_eq!(identity("license: MIT", "The Folder"), pair("the-folder", "The Folder"));
    assert_eq!(identity("slug: a-b\nname: anything", "x"), pair("a-b", "anything"));
    assert_eq!(identity("name: 1.0", "x"), pair("1-0", "1.0"));
    assert_eq!(identity(&format!("name: {}", "Long Name ".repeat(20)), "x").1.chars().count(), 119);
}

#[test]
fn frontmatter_wins_and_homes_are_ordered() {
    let front = "---\nname: my-skill\ndescription: x\nversion: 2\nmetadata: {version: 3, author: M}\n---\n";
    let json = "{\"version\": \"4\", \"author\": \"J\", \"tags\": [\" a \", \"\"], \"title\": \"T\"}";
    let package = package(&[("SKILL.md", front), ("skill.json", json)]);
    assert_eq!((package.version.as_str(), package.author.as_deref(), package.name.as_str()), ("2", Some("M"), "T"));
    assert_eq!(package.tags, ["a"]);
    assert_eq!(rules(&[("SKILL.md", front), ("skill.json", json)]), ["skill-json/overridden"; 2]);
}

#[test]
fn a_folder_may_have_skill_json_only() {
    let files = [("skill.json", "{\"name\": \"Json Only\", \"description\": \"From JSON.\"}"), ("a.txt", "x")];
    let package = package(&files);
    assert_eq!((package.slug.as_str(), package.description.as_str()), ("json-only", "From JSON."));
    assert_eq!(package.sources.frontmatter, None);
    assert_eq!(package.tree(), tree(&files));
}

#[test]
fn the_overview_has_a_name_of_its_own() {
    let json = "{\"artifacts\": [{\"path\": \"prompts/a.j2\", \"kind\": \"approach\", \"name\": \"Overview\", \"ordinal\": 5}]}";
    let package = package(&[("SKILL.md", MAIN), ("skill.json", json), ("prompts/a.j2", "a")]);
    assert_eq!(package.main().unwrap().name, "Overview 2");
    assert_eq!(package.artifacts[1].name, "Overview");
}

#[test]
fn an_entry_for_an_empty_body_waits() {
    let json = "{\"artifacts\": [{\"path\": \"SKILL.md\", \"kind\": \"description\", \"name\": \"Intro\"}]}";
    let empty = "---\nname: my-skill\ndescription: Does it.\n---\n";
    assert!(package(&[("SKILL.md", empty), ("skill.json", json)]).artifacts.is_empty());
    assert_eq!(package(&[("SKILL.md", MAIN), ("skill.json", json)]).main().unwrap().name, "Intro");
}

#[test]
fn an_empty_file_without_frontmatter_stays() {
    let files = [("SKILL.md", ""), ("skill.json", "{\"description\": \"From JSON.\"}")];
    assert_eq!(package(&files).tree(), tree(&files));
}

#[test]
fn ids_come_from_json_then_path_then_a_move() {
    let id = "550e8400-e29b-41d4-a716-446655440000";
    let json = |a: &str, b: &str| {
        format!(
            "{{\"artifacts\": [{{\"path\": \"{a}\", \"kind\": \"approach\", \"name\": \"A\", \"id\": \"{id}\"}}, {{\"path\": \"{b}\", \"kind\": \"approach\", \"name\": \"B\"}}]}}"
        )
    };
    let read = |a: &str, b: &str, known| {
        let json = json(a, b);
        folder().read(&tree(&[("SKILL.md", MAIN), ("skill.json", &json), (a, "a"), (b, "b")]), "my-skill", known).unwrap().package
    };
    let mut first = read("a.md", "b.md", None);
    assert_eq!(first.artifacts[1].id.to_string(), id);
    let fresh = inklings_core::ArtifactId::new(uuid::Uuid::from_u128(7));
    first.artifacts[2].id = fresh;
    assert_eq!(read("a.md", "b.md", Some(&first)).artifacts[2].id, fresh);
    assert_eq!(read("a.md", "moved.md", Some(&first)).artifacts[2].id, fresh);
    assert_ne!(read("a.md", "moved.md", None).artifacts[2].id, fresh);
    assert_eq!(read("a.md", "b.md", Some(&first)).main().unwrap().id, first.main().unwrap().id);
    let twice = json("a.md", "b.md").replace("\"B\"}", &format!("\"B\", \"id\": \"{id}\"}}"));
    let files = [("SKILL.md", MAIN), ("skill.json", twice.as_str()), ("a.md", "a"), ("b.md", "b")];
    assert_eq!(rules(&files), ["skill-json/id"]);
    assert_ne!(package(&files).artifacts[2].id.to_string(), id);
}

#[test]
fn the_frontmatter_is_what_split_says() {
    let package = package(&[("SKILL.md", MAIN)]);
    assert_eq!(package.sources.frontmatter.as_deref(), Some(&MAIN[..split(MAIN, SKILL).unwrap().body]));
    assert_eq!(text(&package, "SKILL.md"), MAIN);
    assert_eq!(package.main_path, SkillPath::parse("SKILL.md").unwrap());
}

#[test]
fn nothing_else_stands_where_skill_json_would() {
    for name in ["sKill.json", "skill.json/a", "SKILL.JSON/a"] {
        assert_eq!(rules(&[("SKILL.md", "Words."), (name, "x")]), ["folder/path-clash"], "{name}");
    }
}

#[test]
fn a_file_that_is_never_part_of_a_skill_cant_be_added_and_a_stored_one_can_be_removed() {
    for name in [".git/config", "a/.GIT/hooks/x", "node_modules/x.js", "agents.db"] {
        assert_eq!(rules(&[("SKILL.md", MAIN), (name, "x")]), ["folder/skipped"], "{name}");
    }
    // As older versions stored it.
    let mut stored = package(&[("SKILL.md", MAIN)]);
    stored.files.push(SkillFile { path: path(".git/config"), entry: TreeFile::new(*b"x") });
    let files = |tree: &Tree| folder().read(tree, "my-skill", Some(&stored)).map(|reading| reading.package.files.len());
    let mut edited = stored.tree();
    assert_eq!(files(&edited), Ok(1));
    edited.insert(path(".git/HEAD"), TreeFile::new(*b"x"));
    assert_eq!(files(&edited).unwrap_err()[0].file.as_deref(), Some(".git/HEAD"));
    assert_eq!(files(&tree(&[("SKILL.md", MAIN)])), Ok(0));
}
