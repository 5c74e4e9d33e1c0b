//! Three-way merge of folders, by whole files: which side changed each file, and the merged folder.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::path::SkillPath;
use crate::tree::Tree;

/// The side that changed a file since the common base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangedBy {
    /// Only the stored side.
    Ours,
    /// Only the incoming side.
    Theirs,
    /// Both, to the same content.
    Both,
    /// Both, to different content.
    Conflict,
}

/// A file that at least one side changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathMerge {
    pub path: SkillPath,
    pub by: ChangedBy,
}

/// Compares two folders with their common base. Without a base, files that differ are conflicts, and files on one side only
/// are additions.
#[must_use]
pub fn compare_trees(base: Option<&Tree>, ours: &Tree, theirs: &Tree) -> Vec<PathMerge> {
    let (known, empty) = (base.is_some(), Tree::new());
    let base = base.unwrap_or(&empty);
    let paths: BTreeSet<&SkillPath> = base.keys().chain(ours.keys()).chain(theirs.keys()).collect();
    let by = |path: &SkillPath| {
        let (base, ours, theirs) = (base.get(path), ours.get(path), theirs.get(path));
        match (ours != base, theirs != base) {
            (false, false) => None,
            (true, false) => Some(ChangedBy::Ours),
            (false, true) => Some(ChangedBy::Theirs),
            (true, true) if ours == theirs => known.then_some(ChangedBy::Both),
            (true, true) => Some(ChangedBy::Conflict),
        }
    };
    paths.into_iter().filter_map(|path| Some(PathMerge { path: path.clone(), by: by(path)? })).collect()
}

/// The merged folder: `ours` with the changes of `theirs`. Of conflicting files, those of `theirs` are used if `takes_theirs` returns true.
#[must_use]
pub fn merge_trees(changes: &[PathMerge], ours: &Tree, theirs: &Tree, takes_theirs: impl Fn(&SkillPath) -> bool) -> Tree {
    let mut merged = ours.clone();
    for PathMerge { path, by } in changes {
        if *by == ChangedBy::Theirs || (*by == ChangedBy::Conflict && takes_theirs(path)) {
            match theirs.get(path) {
                Some(entry) => merged.insert(path.clone(), entry.clone()),
                None => merged.remove(path),
            };
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::TreeFile;
    use ChangedBy::{Both, Conflict, Ours, Theirs};

    fn tree(files: &[(&str, &str)]) -> Tree {
        files.iter().map(|(path, text)| (SkillPath::parse(path).unwrap(), TreeFile::new(text.as_bytes()))).collect()
    }

    fn sides(changes: &[PathMerge]) -> Vec<(&str, ChangedBy)> {
        changes.iter().map(|one| (one.path.as_str(), one.by)).collect()
    }

    #[test]
    fn each_side_keeps_what_it_changed() {
        let base = tree(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1"), ("e", "1")]);
        let ours = tree(&[("a", "2"), ("b", "1"), ("c", "2"), ("d", "2"), ("e", "1"), ("f", "1")]);
        let theirs = tree(&[("a", "1"), ("b", "2"), ("c", "2"), ("d", "3")]);
        let changes = compare_trees(Some(&base), &ours, &theirs);
        assert_eq!(sides(&changes), [("a", Ours), ("b", Theirs), ("c", Both), ("d", Conflict), ("e", Theirs), ("f", Ours)]);
        assert_eq!(merge_trees(&changes, &ours, &theirs, |_| false), tree(&[("a", "2"), ("b", "2"), ("c", "2"), ("d", "2"), ("f", "1")]));
        assert_eq!(merge_trees(&changes, &ours, &theirs, |_| true), tree(&[("a", "2"), ("b", "2"), ("c", "2"), ("d", "3"), ("f", "1")]));
    }

    #[test]
    fn without_a_common_folder_nothing_is_taken_away() {
        let (ours, theirs) = (tree(&[("a", "1"), ("b", "1"), ("d", "1")]), tree(&[("a", "2"), ("c", "1"), ("d", "1")]));
        let changes = compare_trees(None, &ours, &theirs);
        assert_eq!(sides(&changes), [("a", Conflict), ("b", Ours), ("c", Theirs)]);
        assert_eq!(merge_trees(&changes, &ours, &theirs, |_| false), tree(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]));
    }
}
