//! Published skill folders, each with a peculiarity: read with diagnostics, and written back unchanged.

use std::path::{Path, PathBuf};

use inklings_core::kind::ArtifactKind;
use inklings_core::ports::{ReadOutput, SkillFormat};
use inklings_core::tree::Tree;
use inklings_folder::disk::{discover, folder_name, read_dir};

use crate::support::{folder, path};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/folders")
}

fn load(name: &str) -> (Tree, ReadOutput) {
    let location = root().join(name);
    let (tree, findings) = read_dir(&location).unwrap();
    assert_eq!(findings, [], "{name}");
    let reading = folder().read(&tree, &folder_name(&location), None).unwrap();
    (tree, reading)
}

fn rules(name: &str) -> Vec<String> {
    load(name).1.diagnostics.into_iter().map(|finding| finding.rule).collect()
}

#[test]
fn every_fixture_is_found_and_written_back_byte_for_byte() {
    let (found, findings) = discover(&root()).unwrap();
    assert_eq!(findings, []);
    let names: Vec<String> = found.iter().map(|location| folder_name(location)).collect();
    assert_eq!(
        names,
        [
            "bom",
            "comments",
            "cortex",
            "crlf",
            "empty-body",
            "folded",
            "literal",
            "lower-case",
            "name-mismatch",
            "nested",
            "nested-metadata",
            "no-frontmatter",
            "plain",
            "tabs",
            "tool-list",
            "unknown-keys",
            "unquoted-colon",
            "upper-case",
            "with-artifacts",
            "with-files"
        ]
    );
    for name in names {
        let (tree, reading) = load(&name);
        assert_eq!(reading.package.tree(), tree, "{name}");
        let mut synced = reading.package.clone();
        assert_eq!(folder().sync_sources(&mut synced), [], "{name}");
        assert_eq!(synced, reading.package, "{name}");
    }
}

#[test]
fn each_oddity_is_one_finding() {
    for name in
        ["plain", "with-files", "crlf", "bom", "nested-metadata", "comments", "nested", "empty-body", "folded", "literal", "with-artifacts"]
    {
        assert!(rules(name).is_empty(), "{name}: {:?}", rules(name));
    }
    for (name, expected) in [
        ("cortex", &["frontmatter/name"][..]),
        ("tool-list", &["frontmatter/allowed-tools"]),
        ("unquoted-colon", &["frontmatter/unquoted-colon"]),
        ("lower-case", &["folder/spelling"]),
        ("name-mismatch", &["frontmatter/name-mismatch"]),
        ("upper-case", &["frontmatter/name"]),
        ("tabs", &["frontmatter/tab"]),
        ("no-frontmatter", &["frontmatter/missing"]),
        ("unknown-keys", &["frontmatter/unknown-key"; 5]),
    ] {
        assert_eq!(rules(name), expected, "{name}");
    }
    let (_, reading) = load("unquoted-colon");
    let finding = &reading.diagnostics[0];
    assert_eq!((finding.file.as_deref(), finding.line), (Some("SKILL.md"), Some(3)));
    assert!(finding.hint.is_some());
}

#[test]
fn values_are_read_from_where_they_are() {
    let package = load("nested-metadata").1.package;
    assert_eq!((package.author.as_deref(), package.version.as_str()), (Some("Ann Other"), "0.3"));
    assert_eq!(package.tags, ["writing", "review"]);
    assert_eq!(load("crlf").1.package.version, "1.2.0");
    assert_eq!(load("folded").1.package.description, "Writes release notes from commits. Use it before a release.");
    assert_eq!(load("folded").1.package.version, "2.0.0");
    assert_eq!(load("literal").1.package.description, "Checks a page in two steps:\n- links\n- spelling");
    assert_eq!(
        load("unquoted-colon").1.package.description,
        "Reviews pull requests. Use when: someone asks for a review, or says \"LGTM?\""
    );
    let package = load("no-frontmatter").1.package;
    assert_eq!(package.description, "Sorts the imports of a file and removes unused ones.");
    assert_eq!((package.slug.as_str(), package.name.as_str()), ("no-frontmatter", "No Frontmatter"));
    let package = load("cortex").1.package;
    assert_eq!((package.slug.as_str(), package.name.as_str()), ("my-skill", "my_skill"));
    assert_eq!(package.triggers, ["optional trigger phrase"]);
    assert_eq!(package.steps[1].tool.as_deref(), Some("another_tool"));
    let package = load("upper-case").1.package;
    assert_eq!((package.slug.as_str(), package.name.as_str()), ("upper-case-name", "Upper Case Name"));
}

#[test]
fn only_what_is_declared_is_an_artifact() {
    let package = load("with-artifacts").1.package;
    let shown: Vec<_> = package
        .artifacts
        .iter()
        .map(|artifact| (artifact.path.as_str(), artifact.kind, artifact.name.as_str(), artifact.variant.as_deref()))
        .collect();
    assert_eq!(
        shown,
        [
            ("SKILL.md", ArtifactKind::Description, "Overview", None),
            ("prompts/check.j2", ArtifactKind::PromptTemplate, "Check", None),
            ("prompts/check.anthropic.j2", ArtifactKind::PromptTemplate, "Check", Some("anthropic")),
            ("dspy/checker.json", ArtifactKind::DspyModule, "Checker", None),
        ]
    );
    assert_eq!(package.artifacts[3].state.as_ref().unwrap().path, path("dspy/checker.state.json"));
    assert_eq!(package.name, "Contradiction Finder");
    assert_eq!(package.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["prompts/draft.j2"]);
    assert!(load("with-files").0[&path("scripts/fill.py")].executable);
    assert_eq!(load("nested").1.package.files[0].path.as_str(), "examples/inner/SKILL.md");
    assert!(load("empty-body").1.package.artifacts.is_empty());
}

#[test]
fn a_markdown_file_is_a_skill_of_its_own() {
    let file = root().join("markdown/data-analysis.md");
    assert_eq!(discover(&file).unwrap().0, std::slice::from_ref(&file));
    let (tree, _) = read_dir(&file).unwrap();
    let reading = folder().read(&tree, &folder_name(&file), None).unwrap();
    assert_eq!((reading.package.slug.as_str(), reading.package.name.as_str()), ("data-analysis", "Data Analysis"));
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    assert_eq!(discover(&root().join("plain/SKILL.md")).unwrap().0, [root().join("plain")]);
}
