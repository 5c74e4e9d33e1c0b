//! The files of a skill with the changes of its newer version.

use inklings_core::skill::skill_json;
use inklings_core::three_way::{PathMerge, merge_trees};
use inklings_core::{Package, SkillFormat, SkillPath, Tree, TreeFile};

/// `folder` names the skill if its files don't. Of files changed in both, those in `theirs` are of the newer version.
pub(super) fn merged(
    format: &dyn SkillFormat,
    folder: &str,
    changes: &[PathMerge],
    present: &Package,
    newer: &Tree,
    theirs: &[SkillPath],
) -> Tree {
    let ours = present.tree();
    let mut merged = merge_trees(changes, &ours, newer, |path| theirs.contains(path));
    // The skill.json of the one side may declare a file that the other side removed.
    if format.read(&merged, folder, Some(present)).is_err() {
        let declaring = merged.get(&skill_json()).and_then(TreeFile::text).unwrap_or_default().to_owned();
        for (path, file) in ours.into_iter().chain(newer.clone()).filter(|(path, _)| declaring.contains(path.as_str())) {
            merged.entry(path).or_insert(file);
        }
    }
    merged
}
