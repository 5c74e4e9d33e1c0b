//! `inklings registry`: publishing from a terminal and from CI.

#[path = "registry/installed.rs"]
mod installed;
#[path = "registry/nginx.rs"]
mod nginx;
#[path = "registry/served.rs"]
mod served;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{World, arg, finish, finish_soon};

const ID: &str = "skills.example.org";

/// Writes a skill's folder.
fn skill(world: &World, name: &str, version: &str, text: &str) -> PathBuf {
    let main = format!("---\nname: {name}\ndescription: What {name} does.\nmetadata:\n  version: {version}\n---\n{text}\n");
    world.file(&format!("skills/{name}/SKILL.md"), main).parent().unwrap().to_owned()
}

fn init(world: &World) -> (PathBuf, Value) {
    let folder = world.root.path().join("registry");
    let created = world.json(&["registry", "init", arg(&folder), "--id", ID, "--title", "Example skills"]);
    (folder, created)
}

fn text(world: &World, args: &[&str]) -> String {
    let run = finish(world.command().arg("--workspace").arg(world.workspace()).args(args));
    assert!(run.ok, "{args:?}: {run:?}");
    run.stdout
}

/// The rows of a table of two columns.
fn value<'a>(table: &'a str, name: &str) -> &'a str {
    table.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim()
}

#[test]
fn folders_are_published_without_questions_and_the_exit_code_says_whether_it_worked() {
    let world = World::new();
    let keys = world.root.path().join("ci/keys");
    let folder = world.root.path().join("public");
    let (public, secret) = (arg(&folder), arg(&keys));
    let created = text(&world, &["registry", "init", public, "--id", ID, "--title", "Example skills", "--keys", secret]);
    assert_eq!(fs::metadata(keys.join("snapshot.key")).unwrap().permissions().mode() & 0o777, 0o600);
    let fingerprint = value(&created, "fingerprint").to_owned();
    skill(&world, "alpha", "1.0.0", "Text.");
    skill(&world, "beta", "0.1.0", "Text.");
    let skills = world.root.path().join("skills");
    let from = ["--from", arg(&skills)];

    let planned = text(&world, &[&["registry", "plan", public], &from[..]].concat());
    assert_eq!(planned, "alpha  new  1.0.0\nbeta   new  0.1.0\n");
    let dry = world.json(&[&["registry", "publish", public, "--dry-run"], &from[..]].concat());
    assert_eq!((dry["ok"].clone(), dry["skills"][0]["state"].clone()), (json!(true), json!("new")));
    let publish = [&["registry", "publish", public, "--keys", secret], &from[..]].concat();
    assert_eq!(text(&world, &publish), "alpha  1.0.0\nbeta   0.1.0\n2 skills published, 0 unchanged\n");
    assert_eq!(text(&world, &publish), "0 skills published, 2 unchanged\n");

    skill(&world, "alpha", "1.0.0", "Other text.");
    let blocked = finish(world.command().args([&["registry", "plan", public], &from[..]].concat()));
    assert_eq!(blocked.code, Some(1), "{blocked:?}");
    assert!(blocked.stderr.contains("set the version of the skill to 1.0.1"), "{blocked:?}");
    let refused = world.refused(&publish);
    assert_eq!((refused["code"].clone(), refused["message"].clone()), (json!("invalid"), json!("1 of 2 skills can't be published")));
    skill(&world, "alpha", "1.0.1", "Other text.");
    assert_eq!(world.json(&publish)["released"], json!([{ "slug": "alpha", "version": "1.0.1", "revision": null }]));

    let shown = text(&world, &["registry", "status", public]);
    assert_eq!((value(&shown, "fingerprint"), value(&shown, "skills")), (fingerprint.as_str(), "2 in 3 versions"));
    assert_eq!(text(&world, &["registry", "verify", public]), format!("{ID} is valid: 2 skills in 3 versions, serial 3\n"));
    assert!(text(&world, &["registry", "refresh", public, "--keys", secret]).starts_with("nothing to do: serial 3, expires "));
    let refreshed = text(&world, &["registry", "refresh", public, "--keys", secret, "--days", "90"]);
    assert!(refreshed.starts_with("signed: serial 4, expires "), "{refreshed}");

    let rotated = text(&world, &["registry", "rotate", public, "publisher", "--keys", secret]);
    assert!(rotated.starts_with("signed: serial 7, expires "), "{rotated}");
    assert_eq!(text(&world, &["registry", "verify", public]), format!("{ID} is valid: 2 skills in 3 versions, serial 7\n"));
    assert_eq!(text(&world, &publish), "0 skills published, 2 unchanged\n");
    let elsewhere = world.root.path().join("root.key");
    fs::rename(keys.join("root.key"), &elsewhere).unwrap();
    let refused = world.refused(&["registry", "rotate", public, "snapshot", "--keys", secret]);
    assert_eq!(refused["code"], "notFound");
}

#[test]
fn stored_skills_get_the_next_version_and_a_changelog() {
    let world = World::new();
    let (folder, _) = init(&world);
    let registry = arg(&folder);
    world.json(&["skill", "create", "Release notes", "--description", "Writes release notes."]);
    world.json(&["registry", "publish", registry, "release-notes"]);
    let prompt = world.file("draft.j2", "Write about {{ topic }}.\n");
    let declared = ["--kind", "prompt_template", "--name", "draft", "--path", "prompts/draft.j2", "--from", arg(&prompt)];
    world.json(&[&["artifact", "declare", "release-notes"], &declared[..]].concat());
    let plan = text(&world, &["registry", "plan", registry, "release-notes"]);
    let expected = "release-notes  update  1.0.0 -> 2.0.0  major\n\nrelease-notes\n  adds the artifact draft\n  requires the permission llm\n  A prompts/draft.j2\n  M skill.json\n";
    assert_eq!(plan, expected);
    let released = world.json(&["registry", "publish", registry, "release-notes", "--changelog", "- Drafts."]);
    assert_eq!(released["released"][0]["version"], "2.0.0");
    assert_eq!(world.json(&["skill", "show", "release-notes"])["version"], "2.0.0");
    let changelog = text(&world, &["skill", "show", "release-notes", "--path", "CHANGELOG.md"]);
    assert!(changelog.starts_with("# Changelog\n\n## 2.0.0 - ") && changelog.ends_with("\n\n- Drafts.\n"), "{changelog}");
    let chosen = ["registry", "publish", registry, "release-notes", "--set-version", "3.1.4"];
    assert_eq!(world.json(&chosen)["released"][0]["version"], "3.1.4");
    assert_eq!(world.json(&["registry", "publish", registry, "release-notes"])["unchanged"], 1);
}

#[test]
fn versions_are_withdrawn_with_a_reason() {
    let world = World::new();
    let (folder, _) = init(&world);
    let registry = arg(&folder);
    let path = skill(&world, "alpha", "1.0.0", "Text.");
    world.json(&["registry", "publish", registry, "--from", arg(&path)]);
    let yanked = world.json(&["registry", "yank", registry, "alpha", "1.0.0", "--reason", "Loses text"]);
    assert_eq!((yanked["serial"].clone(), yanked["changed"].clone()), (json!(3), json!(true)));
    assert_eq!(world.json(&["registry", "status", registry])["yanked"], 1);
    world.json(&["registry", "yank", registry, "alpha", "1.0.0", "--undo"]);
    assert_eq!(world.json(&["registry", "status", registry])["yanked"], 0);
    let neither = finish(world.command().args(["registry", "yank", registry, "alpha", "1.0.0"]));
    assert_eq!(neither.code, Some(2), "{neither:?}");
    world.json(&["registry", "revoke", registry, "alpha", "1.0.0", "--reason", "Sends text away"]);
    assert_eq!(world.json(&["registry", "status", registry])["revoked"], 1);
    assert_eq!(world.refused(&["registry", "yank", registry, "beta", "1.0.0", "--undo"])["code"], "notFound");
    let again = world.refused(&["registry", "publish", registry, "--from", arg(&path)]);
    assert!(again["fields"]["diagnostics"].to_string().contains("release/version"), "{again}");
}

#[test]
fn what_is_not_a_registry_or_its_keys_is_refused_and_left_alone() {
    let world = World::new();
    let (folder, created) = init(&world);
    let registry = arg(&folder);
    let path = skill(&world, "alpha", "1.0.0", "Text.");
    let from = arg(&path);
    assert_eq!(world.refused(&["registry", "init", registry, "--id", ID, "--title", "Again"])["code"], "exists");
    let elsewhere = world.workspace();
    let other = world.refused(&["registry", "publish", arg(&elsewhere), "--from", from]);
    assert_eq!((other["code"].clone(), other["hint"].clone()), (json!("notFound"), json!("initialize it first")));
    assert!(!elsewhere.join(".lock").exists());
    let missing = world.refused(&["registry", "publish", registry, "--from", from, "--keys", arg(&elsewhere)]);
    assert_eq!(missing["code"], "notFound");
    let secret = fs::read_to_string(created["keys"]["snapshot"].as_str().unwrap()).unwrap();
    fs::write(folder.join("snapshot.json"), "{}").unwrap();
    let run = finish_soon(world.command().args(["registry", "verify", registry]));
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(!format!("{}{}", run.stdout, run.stderr).contains(secret.trim()));
    assert_eq!(leftovers(world.root.path()), Vec::<String>::new());
}

/// Hidden entries of a folder.
fn leftovers(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with('.')).collect()
}
