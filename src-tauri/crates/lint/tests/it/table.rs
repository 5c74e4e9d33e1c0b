//! Every rule id in the sources has a row in a table, and every row is used.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use inklings_lint::{page, rules};
use regex::Regex;

/// Rules with computed ids, and the tables, which list rules without reporting them.
const BUILT: [&str; 4] = ["manifest/unknown-key", "manifest/missing-key", "manifest/type", "manifest/value"];
const TABLES: [&str; 6] =
    ["core/src/rule.rs", "evals/src/rules.rs", "folder/src/rule_table.rs", "prompt/src/rules.rs", "lint/src/rules", "lint/src/fix"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Ids of diagnostics, and all strings that look like ids, with the first file that contains them.
fn named() -> (BTreeMap<String, PathBuf>, BTreeMap<String, PathBuf>) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&crates).unwrap().map(Result::unwrap) {
        let src = entry.path().join("src");
        if src.is_dir() {
            sources(&src, &mut files);
        }
    }
    let given = Regex::new(r#"Diagnostic::(?:error|warning|info|new)\(\s*(?:Severity::\w+,\s*)?"([a-z-]+/[a-z-]+)""#).unwrap();
    let any = Regex::new(r#""([a-z-]+/[a-z-]+)""#).unwrap();
    let (mut reported, mut written) = (BTreeMap::new(), BTreeMap::new());
    for path in files {
        let place = path.strip_prefix(&crates).unwrap().to_str().unwrap().to_owned();
        if TABLES.iter().any(|table| place.starts_with(table)) {
            continue;
        }
        let whole = std::fs::read_to_string(&path).unwrap();
        let text = whole.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (pattern, into) in [(&given, &mut reported), (&any, &mut written)] {
            for found in pattern.captures_iter(text) {
                into.entry(found[1].to_owned()).or_insert_with(|| path.clone());
            }
        }
    }
    (reported, written)
}

#[test]
fn every_rule_of_the_sources_has_a_row_and_every_row_a_source() {
    let rows: BTreeSet<&str> = rules().iter().map(|rule| rule.id).collect();
    let families: BTreeSet<&str> = rules().iter().map(inklings_core::Rule::family).collect();
    let (reported, written) = named();
    assert!(reported.len() > 50, "only {} rules were found in the sources", reported.len());
    for (id, path) in &reported {
        assert!(rows.contains(id.as_str()), "{id} is reported in {} and has no row in a table of rules", path.display());
    }
    for (id, path) in &written {
        let family = id.split('/').next().unwrap();
        // Names of operations and files may look like ids.
        let operation =
            ["/features/", "/cli/", "/rpc/", "/server/", "/xtask/"].iter().any(|folder| path.to_string_lossy().contains(folder));
        if families.contains(family) && !operation && !reported.contains_key(id) && !OTHERS.contains(&id.as_str()) {
            assert!(rows.contains(id.as_str()), "{id} in {} has no row in a table of rules", path.display());
        }
    }
    for id in rows {
        assert!(written.contains_key(id) || BUILT.contains(&id), "{id} has a row, and no source reports it");
    }
}

/// Strings that look like ids but aren't.
const OTHERS: [&str; 1] = ["target/xtask"];

#[test]
fn the_page_has_a_section_for_each_rule() {
    let page = page();
    for rule in rules() {
        assert_eq!(page.matches(&format!("### {}\n", rule.id)).count(), 1, "{}", rule.id);
    }
    assert!(page.starts_with("# Rules\n") && page.contains("\n## Frontmatter\n"));
}
