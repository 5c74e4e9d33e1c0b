//! Pages on the command line: search, links, and changes by other programs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{World, finish};

fn slugs(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["slug"].as_str().unwrap()).collect()
}

#[test]
fn pages_are_found_followed_and_seen_again_after_a_change() {
    let world = World::new();
    world.file("notes/people/ada.md", "---\ntype: person\ntags: [poet]\n---\n# Ada\n\nKnows [[Charles]] and [[Nobody]].\n");
    world.file("notes/people/charles.md", "# Charles\n\nBuilds engines.\n");
    world.file("notes/node_modules/readme.md", "# Not a page\n");

    assert_eq!(slugs(&world.json(&["page", "search", "engines"])["hits"]), ["people/charles"]);
    assert_eq!(world.json(&["page", "list", "--type", "Person"])["total"], 1);
    assert_eq!(slugs(&world.json(&["page", "list", "--tag", "poet"])["pages"]), ["people/ada"]);
    let ada = world.json(&["page", "links", "Ada"]);
    assert_eq!(ada["page"]["body_line"], 5);
    assert_eq!(ada["references"]["out"][0]["slug"], "people/charles");
    let loose = world.json(&["page", "check"]);
    assert_eq!(loose["broken"][0]["target"], "Nobody");
    assert_eq!(slugs(&loose["orphans"]), ["people/ada"]);

    fs::write(world.workspace().join("people/charles.md"), "# Charles\n\nBuilds bridges to [[ada]].\n").unwrap();
    assert_eq!(world.json(&["page", "search", "engines"])["hits"], json!([]));
    assert_eq!(slugs(&world.json(&["page", "search", "brid"])["hits"]), ["people/charles"]);
    assert_eq!(world.json(&["page", "check"])["orphans"], json!([]));
    assert!(!world.json(&["page", "history", "ada"])["entries"].as_array().unwrap().is_empty());
}

#[test]
fn without_pages_it_says_what_is_missing() {
    let world = World::new();
    assert_eq!(world.json(&["page", "list"])["total"], 0);
    let missing = world.refused(&["page", "show", "nobody"]);
    assert_eq!((missing["code"].as_str(), missing["hint"].as_str()), (Some("notFound"), Some("search for a word of its title")));
    let none = finish(world.command().args(["page", "list"]));
    assert_eq!(none.code, Some(1));
    assert!(none.stderr.contains("no workspace is open"), "{none:?}");
    // A damaged index is rebuilt silently.
    world.file("notes/one.md", "# One\n");
    assert_eq!(world.json(&["page", "list"])["total"], 1);
    fs::write(world.workspace().join(".inklings/cache.db"), "no database").unwrap();
    assert_eq!(world.json(&["page", "list"])["total"], 1);
    // If the index can't be written in the workspace, a temporary one is used.
    fs::remove_dir_all(world.workspace().join(".inklings")).unwrap();
    fs::write(world.workspace().join(".inklings"), "a file").unwrap();
    assert_eq!(world.json(&["page", "list"])["total"], 1);
    assert!(Path::new(&world.workspace().join(".inklings")).is_file());
}
