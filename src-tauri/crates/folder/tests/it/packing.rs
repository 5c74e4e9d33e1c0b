//! Package formats: round trips are lossless, omissions are reported, and restrictions of the manifest are respected.

use std::path::Path;

use inklings_core::ports::SkillFormat;
use inklings_core::skill::{Package, SkillFile};
use inklings_core::tree::{Tree, TreeFile};
use inklings_folder::disk::{discover, folder_name, read_dir};
use inklings_folder::package::{Pack, PackError, PackageFormat, PackedSkill, external_safe, pack, package_schema, unpack};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::arbitrary::{bare_package, written_tree};
use crate::support::{folder, package, path, text, tree};

/// The only skill of a file.
pub(crate) fn one(file: &str, bytes: &[u8]) -> PackedSkill {
    let mut skills = unpack(file, bytes).unwrap().skills;
    assert_eq!(skills.len(), 1);
    skills.remove(0)
}

pub(crate) fn read_packed(skill: &PackedSkill) -> Package {
    assert!(!skill.is_refused(), "{:?}", skill.findings);
    folder().read(&skill.tree, &skill.folder, None).unwrap().package
}

fn packed(form: PackageFormat, package: &Package) -> Pack {
    pack(form, package).unwrap()
}

/// Packs in both lossless formats and reads back: the same folder, which packs to the same bytes.
fn comes_back(package: &Package, form: PackageFormat) {
    let tree = package.tree();
    let out = packed(form, package);
    assert!(out.omitted.is_empty() && out.findings.is_empty(), "{:?}", out.findings);
    let skill = one(&out.name, &out.bytes);
    assert!(!skill.is_refused(), "{:?}", skill.findings);
    assert_eq!(shown(&skill.tree), shown(&tree));
    assert_eq!(skill.tree, tree);
    assert_eq!(skill.folder, package.slug.as_str());
    let again = folder().read(&skill.tree, &skill.folder, Some(package)).unwrap().package;
    assert_eq!(again.tree(), tree);
    assert!(packed(form, &again).bytes == out.bytes);
}

fn shown(tree: &Tree) -> String {
    let texts = tree.iter().map(|(path, entry)| format!("== {path}\n{}", String::from_utf8_lossy(&entry.bytes)));
    texts.collect::<Vec<_>>().join("\n")
}

fn stored() -> Vec<Package> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut found = discover(&top.join("tests/fixtures/folders")).unwrap().0;
    found.extend(discover(&top.join("seed/skills")).unwrap().0);
    found.push(top.join("tests/fixtures/folders/markdown/data-analysis.md"));
    let read = |location: &std::path::PathBuf| folder().read(&read_dir(location).unwrap().0, &folder_name(location), None).unwrap().package;
    found.iter().map(read).collect()
}

#[test]
fn every_known_folder_comes_back_from_both_whole_forms() {
    let packages = stored();
    assert!(packages.len() > 24, "{}", packages.len());
    for package in &packages {
        comes_back(package, PackageFormat::Skill);
        comes_back(package, PackageFormat::Json);
    }
}

/// A round trip of each package in both lossless formats.
fn come_back(count: usize, packages: impl Strategy<Value = Package>) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..count {
        let package = packages.new_tree(&mut runner).unwrap().current();
        for form in [PackageFormat::Skill, PackageFormat::Json] {
            let out = packed(form, &package);
            assert_eq!(one(&out.name, &out.bytes).tree, package.tree());
        }
    }
}

#[test]
fn packages_that_a_tool_made_come_back_from_both_whole_forms() {
    come_back(
        2_500,
        bare_package().prop_map(|mut package| {
            folder().sync_sources(&mut package);
            package
        }),
    );
}

#[test]
fn packages_that_people_wrote_come_back_from_both_whole_forms() {
    come_back(2_500, written_tree().prop_map(|tree| folder().read(&tree, "my-skill", None).unwrap().package));
}

#[test]
fn what_values_say_needs_no_texts() {
    for package in stored() {
        let json: Value = serde_json::from_slice(&packed(PackageFormat::Json, &package).bytes).unwrap();
        let skill = one("x.json", json.to_string().as_bytes());
        let again: Value = serde_json::from_slice(&packed(PackageFormat::Json, &read_packed(&skill)).bytes).unwrap();
        assert_eq!(again, json);
    }
    let mut made = Package::new("a-b".parse().unwrap(), "A B", "Does it.");
    folder().sync_sources(&mut made);
    let json: Value = serde_json::from_slice(&packed(PackageFormat::Json, &made).bytes).unwrap();
    assert_eq!(json, json!({"name": "A B", "description": "Does it.", "version": "1.0.0", "artifacts": []}));
}

/// A package as written by other stores.
pub(crate) fn checker() -> Value {
    json!({
        "id": "550e8400-e29b-41d4-a716-446655440000",
        "name": "Claim Checker",
        "description": "Finds claims that contradict each other.",
        "version": "1.0.0",
        "tags": ["analysis", "quality"],
        "source": "system",
        "intent_patterns": ["check claims"],
        "trigger_phrases": ["are there contradictions"],
        "artifacts": [
            {"kind": "description", "name": "Overview", "ordinal": 0, "content": "Compares the claims of all pages."},
            {"kind": "prompt_template", "name": "Check Prompt", "ordinal": 1, "content": "{% for claim in claims %}{{ claim.text }}\n{% endfor %}"},
            {"kind": "prompt_template", "name": "Check Prompt", "ordinal": 2, "content": "Claude: {{ claims }}", "model_variant": "anthropic"},
            {"kind": "code_template", "name": "Cross-Reference Script", "ordinal": 3, "content": "import inklings\n"},
            {
                "kind": "dspy_module",
                "name": "Checker",
                "ordinal": 4,
                "content": "{\"template_id\": \"chain_of_thought\", \"signature\": \"claims -> contradictions\"}",
                "state_blob": "eyJkZW1vcyI6IFtdfQ==",
                "metadata": {"fallback_artifact": "Check Prompt"},
            },
        ],
    })
}

#[test]
fn a_package_of_another_store_goes_in_and_out_as_it_is() {
    let skill = one("checker.json", checker().to_string().as_bytes());
    assert_eq!(skill.folder, "claim-checker");
    assert_eq!(
        skill.tree.keys().map(inklings_core::SkillPath::as_str).collect::<Vec<_>>(),
        [
            "SKILL.md",
            "dspy/checker.json",
            "dspy/checker.state.json",
            "prompts/check-prompt.anthropic.j2",
            "prompts/check-prompt.j2",
            "scripts/cross-reference-script.py",
            "skill.json"
        ]
    );
    assert_eq!(skill.findings.iter().map(|finding| finding.rule.as_str()).collect::<Vec<_>>(), ["package/claimed"]);
    let package = read_packed(&skill);
    assert_eq!(package.metadata["claimed"], json!({"source": "system"}));
    assert_eq!(package.name, "Claim Checker");
    assert_eq!(&*package.artifacts.last().unwrap().state.as_ref().unwrap().bytes, b"{\"demos\": []}");
    assert_eq!(
        text(&package, "SKILL.md"),
        "---\nname: claim-checker\ndescription: Finds claims that contradict each other.\n---\nCompares the claims of all pages."
    );
    let out = packed(PackageFormat::Json, &package);
    assert_eq!(out.name, "claim-checker.json");
    assert_eq!(String::from_utf8(out.bytes).unwrap(), serde_json::to_string_pretty(&checker()).unwrap() + "\n");
}

#[test]
fn a_package_with_every_kind_that_runs_goes_in_and_out_as_it_is() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/packages/consistency-checker.json");
    let bytes = std::fs::read(file).unwrap();
    let skill = one("consistency-checker.json", &bytes);
    assert_eq!(skill.findings.iter().map(|finding| finding.rule.as_str()).collect::<Vec<_>>(), ["package/claimed"]);
    let package = read_packed(&skill);
    assert_eq!((package.slug.as_str(), package.artifacts.len()), ("consistency-checker", 4));
    assert_eq!(packed(PackageFormat::Json, &package).bytes, bytes);
}

#[test]
fn claims_and_unknown_keys_stay() {
    let mut value = checker();
    value["lifecycle"] = "released".into();
    value["descripton"] = json!({"x": 1});
    value["artifacts"][1]["created_at"] = "2026-01-01".into();
    value["artifacts"][1]["extra"] = true.into();
    value["metadata"] = json!({"own": 1});
    let skill = one("c.json", value.to_string().as_bytes());
    let found: Vec<_> = skill.findings.iter().map(|finding| (finding.rule.as_str(), finding.pointer.as_deref().unwrap())).collect();
    assert_eq!(
        found,
        [
            ("package/claimed", "/artifacts/1/created_at"),
            ("package/unknown-key", "/artifacts/1/extra"),
            ("package/claimed", "/source"),
            ("package/unknown-key", "/descripton"),
        ]
    );
    assert!(skill.findings[3].hint.as_ref().unwrap().contains("description"), "{:?}", skill.findings[3]);
    assert!(skill.findings[0].message.contains("created_at") && skill.findings[2].message.contains("source, lifecycle"));
    let package = read_packed(&skill);
    assert_eq!(package.metadata["claimed"], json!({"source": "system", "lifecycle": "released", "descripton": {"x": 1}}));
    let again: Value = serde_json::from_slice(&packed(PackageFormat::Json, &package).bytes).unwrap();
    assert_eq!(again, value);
}

#[test]
fn values_that_were_changed_by_hand_win_over_the_texts() {
    let package = package(&[("SKILL.md", "---\nname: my-skill # mine\ndescription: 'Old'\n---\nBody.\n")]);
    let mut value: Value = serde_json::from_slice(&packed(PackageFormat::Json, &package).bytes).unwrap();
    assert!(value["texts"]["frontmatter"].as_str().unwrap().contains("# mine"));
    value["description"] = "New".into();
    let package = read_packed(&one("x.json", value.to_string().as_bytes()));
    assert_eq!(text(&package, "SKILL.md"), "---\nname: my-skill # mine\ndescription: 'New'\n---\nBody.\n");
}

#[test]
fn long_texts_that_say_something_else_are_written_anew() {
    let long: Vec<String> = (0..20_000).map(|index| index.to_string()).collect();
    let mut value = json!({"name": "X", "description": "Y", "tags": long, "texts": {"frontmatter": "---\nname: x\n---\n", "skill_json": "{\"tags\": []}"}});
    let skill = one("x.json", value.to_string().as_bytes());
    assert_eq!(skill.findings[0].rule, "package/texts");
    assert_eq!(read_packed(&skill).tags, long);
    // Verbatim texts are kept, however long.
    let texts = json!({"frontmatter": "---\nname: x\ndescription: Y\n---\n", "skill_json": json!({"tags": long}).to_string()});
    value["texts"] = texts;
    let skill = one("x.json", value.to_string().as_bytes());
    assert_eq!(skill.findings, []);
    assert_eq!(text(&read_packed(&skill), "skill.json"), json!({"tags": long}).to_string());
}

#[test]
fn a_bundle_is_many_and_one_bad_skill_fails_alone() {
    for (value, location) in
        [(json!([checker(), {"name": 7}, checker()]), ""), (json!({"skills": [checker(), {"name": 7}, checker()]}), "/skills")]
    {
        let skills = unpack("bundle.json", serde_json::to_string_pretty(&value).unwrap().as_bytes()).unwrap().skills;
        assert_eq!(
            skills.iter().map(|skill| skill.location.clone()).collect::<Vec<_>>(),
            [0, 1, 2].map(|index| format!("{location}/{index}"))
        );
        assert_eq!(skills.iter().map(PackedSkill::is_refused).collect::<Vec<_>>(), [false, true, false]);
        let bad = &skills[1].findings;
        assert_eq!(bad[0].pointer.as_deref(), Some(format!("{location}/1/name").as_str()));
        assert!(bad.iter().all(|finding| finding.line.is_some_and(|line| line > 40)), "{bad:?}");
        read_packed(&skills[2]);
    }
    assert!(unpack("b.json", b"[]").is_err());
}

#[test]
fn the_published_schema_accepts_what_is_written() {
    let schema = package_schema();
    for package in stored() {
        let value: Value = serde_json::from_slice(&packed(PackageFormat::Json, &package).bytes).unwrap();
        assert!(inklings_core::shape::check(schema, &value, "package").findings.is_empty());
    }
    assert!(!schema.to_string().contains("$ref"));
    assert_eq!(schema["properties"].as_object().unwrap().keys().take(3).collect::<Vec<_>>(), ["id", "slug", "name"]);
}

const SHY: &str =
    "---\nname: deal-memo\ndescription: Drafts a memo about a deal.\ntags: [deals]\n---\nSecret way of working. Ask Ann first.\n";

fn shy(interop: Value) -> Package {
    let manifest = json!({"version": 1, "requiredTools": ["webSearch"], "requiredToolGroups": ["research"],
        "requiredIntegrations": [{"integrationId": "slack"}], "humanGates": [{"key": "k", "label": "Look", "when": "before_write"}],
        "evals": {"triggerCases": ["draft a memo"]}, "interop": interop});
    let skill_json = json!({"title": "Deal Memo", "category": "writing", "triggers": ["memo please"], "metadata": {"manifest": manifest}});
    package(&[("SKILL.md", SHY), ("skill.json", &skill_json.to_string()), ("references/a.md", "A")])
}

#[test]
fn amble_goes_in_and_out_byte_for_byte() {
    let mut shown = 0;
    for package in stored().into_iter().chain([shy(json!({}))]) {
        let out = packed(PackageFormat::Amble, &package);
        let value: Value = serde_json::from_slice(&out.bytes).unwrap();
        assert_eq!(
            value.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["slug", "name", "description", "category", "instructions", "manifest"]
        );
        let back = read_packed(&one(&out.name, &out.bytes));
        assert_eq!(String::from_utf8(packed(PackageFormat::Amble, &back).bytes).unwrap(), String::from_utf8(out.bytes).unwrap());
        assert_eq!((back.slug, back.name, back.category), (package.slug, package.name, package.category));
        shown += usize::from(!out.omitted.is_empty());
    }
    assert!(shown > 3);
    let bare = one("x.json", br#"{"slug": "a-b", "name": "A", "instructions": "First words.\n\nMore."}"#);
    assert_eq!(bare.findings[0].rule, "package/description");
    assert_eq!(read_packed(&bare).description, "First words.");
    let bad = one("x.json", br#"{"slug": "a-b", "name": "A", "instructions": 7}"#);
    assert_eq!((bad.findings[0].pointer.as_deref(), bad.findings[0].column), (Some("/instructions"), Some(46)));
}

#[test]
fn one_file_forms_say_what_they_leave_out() {
    let package = shy(json!({}));
    let out = packed(PackageFormat::ClaudeSkill, &package);
    assert_eq!(out.name, "deal-memo/SKILL.md");
    assert_eq!(String::from_utf8(out.bytes).unwrap(), SHY);
    assert_eq!(out.omitted, [path("references/a.md"), path("skill.json")]);
    assert_eq!(out.findings[0].message, "claude-skill can't include references/a.md, skill.json");
    let out = packed(PackageFormat::Markdown, &package);
    assert_eq!(out.name, "deal-memo.md");
    let titled = SHY.replace("name: deal-memo\n", "name: Deal Memo\nslug: deal-memo\n");
    assert_eq!(String::from_utf8(out.bytes.clone()).unwrap(), titled);
    let back = read_packed(&one("x.md", &out.bytes));
    assert_eq!((back.slug.as_str(), back.name.as_str(), back.tags), ("deal-memo", "Deal Memo", vec!["deals".to_owned()]));
    for package in stored() {
        for form in [PackageFormat::Markdown, PackageFormat::ClaudeSkill] {
            let back = read_packed(&one("other.md", &packed(form, &package).bytes));
            assert_eq!((&back.slug, &back.description), (&package.slug, &package.description), "{form}");
            assert_eq!(back.main().map(|main| &main.content), package.main().map(|main| &main.content));
            assert!(form == PackageFormat::ClaudeSkill || back.name == package.name);
        }
    }
}

#[test]
fn forms_that_the_manifest_does_not_list_are_refused() {
    let seed_forms =
        [PackageFormat::Amble, PackageFormat::Markdown, PackageFormat::ClaudeSkill, PackageFormat::OpenaiGpt, PackageFormat::Cowork];
    let allows = |interop: Value| -> Vec<PackageFormat> {
        let package = shy(interop);
        PackageFormat::ALL.into_iter().filter(|form| pack(*form, &package).is_ok()).collect()
    };
    assert_eq!(allows(json!({})), PackageFormat::ALL);
    assert_eq!(allows(json!({"exportFormats": []})), [PackageFormat::Json, PackageFormat::Skill]);
    assert_eq!(
        allows(json!({"exportFormats": ["amble", "cowork"]})),
        [PackageFormat::Json, PackageFormat::Skill, PackageFormat::Amble, PackageFormat::Cowork]
    );
    // An invalid list allows nothing.
    assert_eq!(allows(json!({"exportFormats": "all"})), [PackageFormat::Json, PackageFormat::Skill]);
    let error = pack(PackageFormat::Markdown, &shy(json!({"exportFormats": ["amble", "cowork"]}))).unwrap_err();
    assert_eq!(error.to_string(), "the manifest of deal-memo doesn't allow the format markdown (allowed: amble, cowork)");
    let PackError::NotAllowed { allowed, .. } = error else { panic!("{error:?}") };
    assert_eq!(allowed, [PackageFormat::Amble, PackageFormat::Cowork]);
    assert!(pack(PackageFormat::Amble, &shy(json!({"exportFormats": []}))).unwrap_err().to_string().ends_with("(allowed: none)"));
    for form in seed_forms {
        assert_eq!(form.as_str().parse::<PackageFormat>(), Ok(form));
        assert!(form.export_format().is_some());
    }
}

#[test]
fn outsiders_get_the_summary_and_never_more() {
    let package = shy(json!({"externalSafeSummary": "Writes memos.", "exposeViaMcp": true}));
    for form in [PackageFormat::OpenaiGpt, PackageFormat::Cowork] {
        let out = packed(form, &package);
        assert_eq!(
            String::from_utf8(out.bytes).unwrap(),
            "# Deal Memo\n\nDrafts a memo about a deal.\n\n## When to use\n\n- memo please\n- draft a memo\n\nWrites memos.\n"
        );
        assert!(!out.findings.iter().any(|finding| finding.rule == "package/instructions"));
    }
    let out = packed(PackageFormat::OpenaiGpt, &shy(json!({})));
    assert!(String::from_utf8(out.bytes).unwrap().ends_with("Secret way of working. Ask Ann first.\n"));
    assert_eq!(out.findings[0].rule, "package/instructions");
    let safe = serde_json::to_value(external_safe(&package)).unwrap();
    assert_eq!(
        safe,
        json!({"slug": "deal-memo", "name": "Deal Memo", "description": "Drafts a memo about a deal.",
            "capabilities": {"tools": ["webSearch"], "toolGroups": ["research"], "integrations": ["slack"], "actions": [], "humanGates": 1},
            "triggers": ["memo please", "draft a memo"], "externalSafeSummary": "Writes memos.", "exposeViaMcp": true})
    );
}

#[test]
fn no_part_of_the_instructions_leaks() {
    // Without a description the first paragraph is used; steps are derived from the text as well.
    let body = "Zyxwv qponm lkjih.\n\n## Steps\n1. **Gfedc** — use baZyx\n2. Utsrq\n";
    for main in [
        body.to_owned(),
        format!("---\nname: my-skill\nversion: 1.0.0\n---\n{body}"),
        format!("---\nname: my-skill\ndescription: Plain.\n---\n{body}"),
    ] {
        let package = package(&[("SKILL.md", &main), ("prompts/p.j2", body)]);
        let shown = serde_json::to_string(&external_safe(&package)).unwrap();
        for start in 0..body.len() - 4 {
            let part = body.get(start..start + 4).unwrap_or_default();
            let telling = part.len() == 4 && part.chars().all(char::is_alphabetic);
            assert!(!telling || !shown.contains(part), "{part:?} in {shown}");
        }
    }
}

#[test]
fn archives_keep_the_execute_bit_and_arbitrary_bytes() {
    let mut files = tree(&[("SKILL.md", "---\nname: my-skill\ndescription: D\n---\n")]);
    files.insert(path("scripts/run.sh"), TreeFile { bytes: b"#!/bin/sh\n".as_slice().into(), executable: true });
    files.insert(path("assets/zero.bin"), TreeFile::new(vec![0; 3 << 20]));
    files.insert(path("assets/Größe.txt"), TreeFile::new(vec![0xff, 0, 1]));
    let package = folder().read(&files, "my-skill", None).unwrap().package;
    comes_back(&package, PackageFormat::Skill);
    comes_back(&package, PackageFormat::Json);
    assert!(one("x.skill", &packed(PackageFormat::Skill, &package).bytes).tree[&path("scripts/run.sh")].executable);
}

#[test]
fn files_that_are_never_part_of_a_skill_go_neither_in_nor_out() {
    let files = json!([
        {"path": ".git/config", "text": "[core]\n\tfsmonitor = \"touch PWNED\"\n"},
        {"path": "a/node_modules/b.js", "text": "b"},
        {"path": "c.md", "text": "c"},
    ]);
    let skill = one("evil.json", json!({"name": "Evil", "description": "Does it.", "files": files}).to_string().as_bytes());
    let skipped = skill.findings.iter().filter(|finding| finding.rule == "folder/skipped").map(|finding| finding.message.as_str());
    let expected = [".git/config isn't part of a skill", "a/node_modules/b.js isn't part of a skill"];
    assert_eq!(skipped.collect::<Vec<_>>(), expected);
    let mut package = read_packed(&skill);
    let tree = package.tree();
    assert!(tree.len() == 2 && tree.contains_key(&path("c.md")), "{}", shown(&tree));
    // As older versions stored it.
    package.files.push(SkillFile { path: path(".git/config"), entry: TreeFile::new(*b"x") });
    for form in [PackageFormat::Json, PackageFormat::Skill] {
        let out = packed(form, &package);
        assert_eq!((one(&out.name, &out.bytes).tree, out.omitted), (tree.clone(), vec![path(".git/config")]), "{form}");
    }
}
