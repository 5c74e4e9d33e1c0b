//! The index finds the intended problems of the sample workspace, and no others.

use std::path::PathBuf;

use inklings_core::pages::{PageFilter, PageOrder, Pages};
use serde_json::{Value, json};

use crate::{found, index};

/// A copy, since the index is created in the workspace.
fn sample() -> (tempfile::TempDir, Value) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folder = tempfile::tempdir().unwrap();
    let mut waiting = vec![(root.join("seed/workspace"), folder.path().to_owned())];
    while let Some((from, to)) = waiting.pop() {
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.path().is_dir() {
                waiting.push((entry.path(), target));
            } else {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    let planted = std::fs::read_to_string(root.join("tests/fixtures/sample-workspace.json")).unwrap();
    (folder, serde_json::from_str(&planted).unwrap())
}

#[test]
fn exactly_the_planted_links_and_orphans_are_found() {
    let (folder, planted) = sample();
    let index = index(folder.path());
    let broken: Vec<Value> = index.broken().unwrap().iter().map(|link| json!({"page": link.page, "target": link.target})).collect();
    assert_eq!(Value::from(broken), planted["broken_links"]);
    let orphans: Vec<String> = index.orphans().unwrap().into_iter().map(|page| page.slug).collect();
    assert_eq!(json!(orphans), planted["orphans"]);
    let status = index.status();
    assert_eq!(json!(status.pages), planted["pages"]);
    assert_eq!((status.skipped, status.temporary, status.progress), (Vec::new(), None, None));
    // An index can't detect contradictions, but it must find their pages by name.
    for contradiction in planted["contradictions"].as_array().unwrap() {
        for slug in contradiction["pages"].as_array().unwrap() {
            assert!(index.page(slug.as_str().unwrap()).is_ok(), "{slug}");
        }
    }
}

#[test]
fn every_broken_link_is_on_the_line_that_is_said() {
    let (folder, _) = sample();
    let index = index(folder.path());
    for link in index.broken().unwrap() {
        let page = index.page(&link.page).unwrap();
        let text = std::fs::read_to_string(folder.path().join(&page.summary.path)).unwrap();
        assert!(text.lines().nth(link.line as usize - 1).unwrap().contains(&link.target), "{link:?}");
        let inside = page.body.lines().nth((link.line - page.body_line) as usize).unwrap();
        assert!(inside.contains(&link.target));
        assert!(index.references(&link.page).unwrap().broken.contains(&link));
    }
}

#[test]
fn pages_are_what_scripts_expect() {
    let (folder, _) = sample();
    let index = index(folder.path());
    let page = index.page("characters/mara-venn").unwrap();
    assert_eq!((page.summary.title.as_str(), page.summary.kind.as_deref()), ("Mara Venn", Some("character")));
    assert_eq!(page.summary.tags, ["keepers", "protagonist"]);
    assert_eq!((page.summary.path.as_str(), page.body_line), ("characters/mara-venn.md", 8));
    assert!(page.body.starts_with("# Mara Venn\n"));
    assert_eq!(page.frontmatter["title"], "Mara Venn");
    assert_eq!(index.page("Mara Venn").unwrap(), page);
    assert_eq!(index.page("characters/mara-venn.md").unwrap(), page);
    assert_eq!(index.page("nobody").unwrap_err().to_string(), "page \"nobody\" not found");

    assert_eq!(index.pages_by_type("Character").unwrap().len(), 7);
    assert_eq!(index.types().unwrap()["character"], 7);
    assert_eq!(index.tags().unwrap()["town"], 3);
    let many = index.pages(&["timeline".to_owned(), "nobody".to_owned(), "index".to_owned()]).unwrap();
    assert_eq!(many.iter().map(|page| page.summary.slug.as_str()).collect::<Vec<_>>(), ["timeline", "index"]);

    let references = index.references("characters/mara-venn").unwrap();
    let out: Vec<&str> = references.out.iter().map(|link| link.slug.as_str()).collect();
    assert_eq!(
        out,
        [
            "places/gull-stair",
            "characters/old-bastian",
            "factions/keepers-guild",
            "objects/the-salt-ledger",
            "characters/tobin-ashgrove",
            "characters/ilse-corrant"
        ]
    );
    assert!(references.incoming.iter().any(|link| link.slug == "index" && link.target == "Mara Venn"));
    for link in &references.incoming {
        assert!(index.references(&link.slug).unwrap().out.iter().any(|back| back.slug == "characters/mara-venn" && back.line == link.line));
    }
    let value = serde_json::to_value(&references).unwrap();
    assert!(value["in"].is_array() && value["out"][0]["slug"].is_string() && value["broken"][0]["target"] == "Sela Venn");
}

#[test]
fn searching_ranks_titles_first() {
    let (folder, _) = sample();
    let index = index(folder.path());
    assert_eq!(found(&index, "great drowning")[0], "events/the-great-drowning");
    assert_eq!(found(&index, "harrowm")[0], "places/harrowmouth");
    let hits = index.search("Salt Ledger", 3).unwrap();
    assert_eq!((hits.len(), hits[0].slug.as_str(), hits[0].kind.as_deref()), (3, "objects/the-salt-ledger", Some("object")));
    assert!(hits[0].score >= hits[1].score && hits[1].score >= hits[2].score && hits[2].score > 0.0);
    assert!(hits[0].snippet.contains("Salt Ledger"), "{}", hits[0].snippet);
    // No page has all of these words.
    assert!(!found(&index, "Harrowmouth spaceship").is_empty());
}

#[test]
fn lists_come_in_parts() {
    let (folder, _) = sample();
    let index = index(folder.path());
    let filter = PageFilter { folder: Some("characters".to_owned()), order: PageOrder::Title, ..PageFilter::default() };
    let list = index.list(&filter, 1, 2).unwrap();
    let titles: Vec<_> = list.pages.iter().map(|page| page.title.as_str()).collect();
    assert_eq!((list.total, titles), (7, vec!["Edwin Pell", "Ilse Corrant"]));
    let filter = PageFilter { kind: Some("PLACE".to_owned()), tag: Some("#Town".to_owned()), ..PageFilter::default() };
    assert_eq!(index.list(&filter, 0, 10).unwrap().total, 3);
    let filter = PageFilter { order: PageOrder::Modified, ..PageFilter::default() };
    assert_eq!(index.list(&filter, 28, 10).unwrap().pages.len(), 1);
}
