//! Two folders that came from one: which side changed each file, and what both come to together.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::path::SkillPath;
use crate::tree::Tree;

/// Who changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangedBy {
    /// Only the side that is here.
    Mine,
    /// Only the side that arrives.
    Theirs,
    /// Both, to the same.
    Both,
    /// Both, to something else.
    Clash,
}

/// A file that isn't as it was before on one side at least.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetPath {
    /// The file.
    pub path: SkillPath,
    /// Who changed it.
    pub by: ChangedBy,
}

/// Compares three folders. Without a common one before, files that differ clash and files that only one side has are its own.
#[must_use]
pub fn meet(base: Option<&Tree>, mine: &Tree, theirs: &Tree) -> Vec<MetPath> {
    let (known, empty) = (base.is_some(), Tree::new());
    let base = base.unwrap_or(&empty);
    let paths: BTreeSet<&SkillPath> = base.keys().chain(mine.keys()).chain(theirs.keys()).collect();
    let by = |path: &SkillPath| {
        let (base, mine, theirs) = (base.get(path), mine.get(path), theirs.get(path));
        match (mine != base, theirs != base) {
            (false, false) => None,
            (true, false) => Some(ChangedBy::Mine),
            (false, true) => Some(ChangedBy::Theirs),
            (true, true) if mine == theirs => known.then_some(ChangedBy::Both),
            (true, true) => Some(ChangedBy::Clash),
        }
    };
    paths.into_iter().filter_map(|path| Some(MetPath { path: path.clone(), by: by(path)? })).collect()
}

/// What both sides come to: `mine`, with what only the other changed, and with those clashing files that `takes` wants of the other.
#[must_use]
pub fn merge(met: &[MetPath], mine: &Tree, theirs: &Tree, takes: impl Fn(&SkillPath) -> bool) -> Tree {
    let mut merged = mine.clone();
    for MetPath { path, by } in met {
        if *by == ChangedBy::Theirs || (*by == ChangedBy::Clash && takes(path)) {
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
    use ChangedBy::{Both, Clash, Mine, Theirs};

    fn tree(files: &[(&str, &str)]) -> Tree {
        files.iter().map(|(path, text)| (SkillPath::parse(path).unwrap(), TreeFile::new(text.as_bytes()))).collect()
    }

    fn sides(met: &[MetPath]) -> Vec<(&str, ChangedBy)> {
        met.iter().map(|one| (one.path.as_str(), one.by)).collect()
    }

    #[test]
    fn each_side_keeps_what_it_changed() {
        let base = tree(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1"), ("e", "1")]);
        let mine = tree(&[("a", "2"), ("b", "1"), ("c", "2"), ("d", "2"), ("e", "1"), ("f", "1")]);
        let theirs = tree(&[("a", "1"), ("b", "2"), ("c", "2"), ("d", "3")]);
        let met = meet(Some(&base), &mine, &theirs);
        assert_eq!(sides(&met), [("a", Mine), ("b", Theirs), ("c", Both), ("d", Clash), ("e", Theirs), ("f", Mine)]);
        assert_eq!(merge(&met, &mine, &theirs, |_| false), tree(&[("a", "2"), ("b", "2"), ("c", "2"), ("d", "2"), ("f", "1")]));
        assert_eq!(merge(&met, &mine, &theirs, |_| true), tree(&[("a", "2"), ("b", "2"), ("c", "2"), ("d", "3"), ("f", "1")]));
    }

    #[test]
    fn without_a_common_folder_nothing_is_taken_away() {
        let (mine, theirs) = (tree(&[("a", "1"), ("b", "1"), ("d", "1")]), tree(&[("a", "2"), ("c", "1"), ("d", "1")]));
        let met = meet(None, &mine, &theirs);
        assert_eq!(sides(&met), [("a", Clash), ("b", Mine), ("c", Theirs)]);
        assert_eq!(merge(&met, &mine, &theirs, |_| false), tree(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]));
    }
}
