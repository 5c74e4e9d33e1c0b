//! An incrementally updated index equals a new one, and parsing accepts any input.

use std::fs;

use inklings_core::pages::{PageFilter, Pages};
use inklings_workspace::{Index, names, parse};
use proptest::prelude::*;

use crate::{Workspace, refresh};

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, String),
    Remove(usize),
    Rename(usize, usize),
    Refresh,
    Reopen,
}

/// Several have the same slug or name.
const PATHS: [&str; 12] =
    ["a.md", "A.md", "a!.md", "a.markdown", "b.md", "x/a.md", "x/b.md", "X/b.md", "y/x/a.md", "x/index.md", "---.md", "!.md"];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[[a]]"),
        Just("[[A|x]]"),
        Just("[[x/a]]"),
        Just("[[T]]"),
        Just("[[Alias]]"),
        Just("[a](a.md)"),
        Just("[b](../x/b.md)"),
        Just("[c](/x/a)"),
        Just("[[a~2]]"),
        Just("[[none]]"),
        Just("#tag"),
        Just("#Tag/sub"),
        Just("`[[b]]`"),
        Just("word"),
        Just("猫"),
        Just("# T\n"),
        Just("\n"),
        Just("```\n"),
    ];
    let head = prop_oneof![
        Just(""),
        Just(""),
        Just("---\ntitle: T\ntags: [x, y]\n---\n"),
        Just("---\ntype: Note\naliases: Alias\n---\n"),
        Just("---\ntype: note\ntitle: [\n---\n"),
    ];
    (head, proptest::collection::vec(piece, 0..8)).prop_map(|(head, pieces)| format!("{head}{}", pieces.join(" ")))
}

fn edit() -> impl Strategy<Value = Edit> {
    let path = || 0..PATHS.len();
    prop_oneof![
        5 => (path(), text()).prop_map(|(path, text)| Edit::Write(path, text)),
        2 => path().prop_map(Edit::Remove),
        2 => (path(), path()).prop_map(|(from, to)| Edit::Rename(from, to)),
        3 => Just(Edit::Refresh),
        1 => Just(Edit::Reopen),
    ]
}

/// All contents of an index.
fn everything(index: &Index) -> String {
    let list = index.list(&PageFilter::default(), 0, 1_000).unwrap().pages;
    let pages: Vec<_> = list.iter().map(|page| (index.page(&page.slug).unwrap(), index.references(&page.slug).unwrap())).collect();
    let mut searches = Vec::new();
    for query in ["word", "猫", "T", "tag", "alia"] {
        let mut hits = index.search(query, 100).unwrap();
        hits.sort_by(|a, b| a.slug.cmp(&b.slug));
        searches.push(hits.into_iter().map(|hit| (hit.slug, hit.snippet, format!("{:.9}", hit.score))).collect::<Vec<_>>());
    }
    let rest = (index.tags().unwrap(), index.types().unwrap(), index.broken().unwrap(), index.orphans().unwrap(), index.status().skipped);
    format!("{pages:#?}\n{searches:#?}\n{rest:#?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn following_changes_equals_starting_afresh(edits in proptest::collection::vec(edit(), 1..24)) {
        let workspace = Workspace::new(&[]);
        let mut index = workspace.index();
        for edit in edits {
            match edit {
                Edit::Write(path, text) => workspace.write(PATHS[path], text),
                Edit::Remove(path) => drop(fs::remove_file(workspace.path(PATHS[path]))),
                Edit::Rename(from, to) => {
                    fs::create_dir_all(workspace.path(PATHS[to]).parent().unwrap()).unwrap();
                    drop(fs::rename(workspace.path(PATHS[from]), workspace.path(PATHS[to])));
                }
                Edit::Refresh => drop(refresh(&index)),
                Edit::Reopen => index = workspace.index(),
            }
        }
        refresh(&index);
        let followed = everything(&index);
        drop(index);
        fs::remove_dir_all(workspace.path(".inklings")).unwrap();
        prop_assert_eq!(followed, everything(&workspace.index()));
    }
}

proptest! {
    #[test]
    fn any_text_parses(path in r"(\PC{0,8}/)?[a-zé猫 ]\PC{0,11}\.md", text in r"(---\n(\PC|\n){0,60}\n---\n)?([\[\]#|\\`()!<>\-\n: a.é猫]|\PC){0,200}") {
        prop_assume!(names::is_page(names::last(&path)));
        let page = parse::parse(&path, &text);
        prop_assert!(!page.title.is_empty());
        prop_assert!(text.ends_with(page.body));
        let lines = u32::try_from(text.split('\n').count()).unwrap();
        for link in &page.links {
            prop_assert!(!link.key.is_empty() && link.line >= page.body_line && link.line <= lines);
            // The target stands on the line that is said, unless it is a reference's definition.
            let line = text.split('\n').nth(link.line as usize - 1).unwrap();
            prop_assert!(line.contains('['), "{:?}", line);
        }
        prop_assert!(page.tags.is_sorted() && page.tags.iter().all(|tag| !tag.is_empty() && !tag.starts_with('#')));
    }

    #[test]
    fn slugs_are_stable(path in r"(\PC{0,8}/){0,3}\PC{1,12}\.md") {
        let slug = names::slug(&path);
        prop_assert_eq!(names::slug(&slug), slug.clone());
        prop_assert_eq!(slug.matches('/').count(), names::without_extension(&path).matches('/').count());
        prop_assert!(!slug.contains('~') && slug.split('/').all(|part| !part.is_empty()));
        prop_assert_eq!(names::key(&names::key(&path)), names::key(&path));
    }
}
