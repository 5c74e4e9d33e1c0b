//! Saving edits of a skill's folder: read, rebase on concurrent changes, commit.
//!
//! Every front end saves through [`save`], so there is one rule for stale writes: changes of paths that nobody else touched are rebased
//! onto the newer revision; a path that both sides changed is a conflict, and nothing is written.
//!
//! An edit is applied to the folder, the folder is read again, and the result is committed with compare-and-swap on the revision.
//! Operations that change text pass the edits of the user. Operations that change values (declare, rename, delete) describe the change and
//! are applied again on the newer revision.

use std::collections::BTreeMap;

use crate::change::{ChangeSet, Expected, changed_paths};
use crate::check::Diagnostic;
use crate::id::SkillId;
use crate::name::lookup_key;
use crate::path::SkillPath;
use crate::ports::SkillStorageRepository;
use crate::skill::Skill;
use crate::storage_error::StorageError;
use crate::three_way::{ChangedBy, PathMerge, compare_trees, merge_trees};
use crate::tree::{Tree, TreeFile};

/// One edit of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeEdit {
    /// Creates or replaces a file, keeping its execute bit.
    Write(SkillPath, std::sync::Arc<[u8]>),
    /// Removes a file.
    Delete(SkillPath),
    /// Sets the execute bit.
    Executable(SkillPath, bool),
}

#[derive(Debug, Clone)]
pub struct Saved {
    /// The skill as stored.
    pub skill: Skill,
    /// The revision that the edits were applied to; the current one if they changed nothing.
    pub applied_to: i64,
    /// Whether the edits were rebased onto a newer revision than expected.
    pub rebased: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// A path that was changed concurrently by another save.
#[derive(Debug, Clone)]
pub struct Conflict {
    pub path: SkillPath,
    /// The stored revision.
    pub revision: i64,
    pub base: Option<TreeFile>,
    pub theirs: Option<TreeFile>,
    pub ours: Option<TreeFile>,
}

/// Why a save failed.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The same path was changed concurrently.
    #[error("{} was changed elsewhere after you opened it", .0.path)]
    Conflict(Box<Conflict>),
    /// The edit refers to a path that doesn't exist.
    #[error("file {0} not found in this skill")]
    NoSuchFile(SkillPath),
    /// The edit creates a path that already exists, ignoring case.
    #[error("file {0} already exists")]
    PathExists(SkillPath),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Applies edits to a folder, in order.
pub fn apply(tree: &mut Tree, edits: &[TreeEdit]) -> Result<(), SaveError> {
    // Built for the first new file: most edits write to existing ones.
    let mut used: Option<UsedPaths> = None;
    for edit in edits {
        match edit {
            TreeEdit::Write(path, bytes) => {
                let executable = tree.get(path).is_some_and(|entry| entry.executable);
                if !tree.contains_key(path) {
                    used.get_or_insert_with(|| UsedPaths::of(tree)).insert(path)?;
                }
                tree.insert(path.clone(), TreeFile { bytes: bytes.clone(), executable });
            }
            TreeEdit::Delete(path) => {
                tree.remove(path).ok_or_else(|| SaveError::NoSuchFile(path.clone()))?;
                if let Some(used) = &mut used {
                    used.0.remove(&path.folded());
                }
            }
            TreeEdit::Executable(path, on) => {
                tree.get_mut(path).ok_or_else(|| SaveError::NoSuchFile(path.clone()))?.executable = *on;
            }
        }
    }
    Ok(())
}

/// The edits that turn one tree into another. Deletions come first, since a path may be written again in another case.
#[must_use]
pub fn edits_between(before: &Tree, after: &Tree) -> Vec<TreeEdit> {
    let (mut deletions, mut writes) = (Vec::new(), Vec::new());
    for (path, entry) in changed_paths(before, after) {
        match entry {
            Some(entry) => {
                writes.push(TreeEdit::Write(path.clone(), entry.bytes.clone()));
                writes.push(TreeEdit::Executable(path, entry.executable));
            }
            None => deletions.push(TreeEdit::Delete(path)),
        }
    }
    deletions.append(&mut writes);
    deletions
}

/// The files of a folder by their folded paths.
struct UsedPaths(BTreeMap<String, SkillPath>);

impl UsedPaths {
    fn of(tree: &Tree) -> Self {
        Self(tree.keys().map(|path| (path.folded(), path.clone())).collect())
    }

    /// Reserves a path. Fails if a file has it, ignoring case, or if one of its folders is a file.
    fn insert(&mut self, path: &SkillPath) -> Result<(), SaveError> {
        let wanted = path.folded();
        let folders = wanted.match_indices('/').map(|(end, _)| &wanted[..end]);
        let itself_or_folder = folders.chain([wanted.as_str()]).find_map(|path| self.0.get(path));
        let below = format!("{wanted}/");
        let in_it = || self.0.range(below.clone()..).next().filter(|(known, _)| known.starts_with(&below)).map(|(_, known)| known);
        if let Some(known) = itself_or_folder.or_else(in_it) {
            return Err(SaveError::PathExists(known.clone()));
        }
        self.0.insert(wanted, path.clone());
        Ok(())
    }
}

/// Attempts to save while other processes commit in between. Two busy writers collide in about every second attempt, so a small
/// limit would fail now and then.
const MAX_ATTEMPTS: usize = 100;

/// Saves edits made to revision `expected` of a skill.
pub fn save(
    repository: &dyn SkillStorageRepository,
    id: SkillId,
    edits: &[TreeEdit],
    expected: i64,
    actor: &str,
    why: &str,
) -> Result<Saved, SaveError> {
    save_through(repository, id, edits, expected, actor, why, &mut |writes| repository.commit_together(writes))
}

/// Stores the writes of a save in one transaction and returns the numbers of the new revisions, in order.
pub type Commit<'a> = dyn FnMut(&[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError> + 'a;

/// [`save`] with a custom commit, for callers that store more in the same transaction.
pub fn save_through(
    repository: &dyn SkillStorageRepository,
    id: SkillId,
    edits: &[TreeEdit],
    expected: i64,
    actor: &str,
    why: &str,
    commit: &mut Commit<'_>,
) -> Result<Saved, SaveError> {
    let mut attempt = 0;
    loop {
        attempt += 1;
        let before = repository.present(id)?;
        let present = before.package.tree();
        let wanted = rebase(repository, &before, &present, edits, expected)?;
        if wanted == present {
            return Ok(Saved { applied_to: before.head.revision, skill: before, rebased: false, diagnostics: Vec::new() });
        }
        let reading =
            repository.skill_format().read(&wanted, before.package.slug.as_str(), Some(&before.package)).map_err(StorageError::Invalid)?;
        let mut after = Skill { head: before.head.clone(), package: reading.package };
        let mut diagnostics = reading.diagnostics;
        // A changed title doesn't change the slug, even if the slug was derived from the old one.
        if reading.stated_slug.is_none() && after.package.slug != before.package.slug {
            after.package.slug.clone_from(&before.package.slug);
            diagnostics.extend(repository.skill_format().sync_sources_strictly(&mut after.package)?);
        }
        let mut writes =
            vec![(ChangeSet::between(Some(&before), Some(after.clone()), id, actor, why), Expected::Revision(before.head.revision))];
        if after.package.slug != before.package.slug {
            diagnostics.push(follow_slug(repository, &before, &after, actor, &mut writes)?);
        }
        match commit(&writes) {
            Ok(revisions) => {
                let revision = revisions.first().copied().unwrap_or_default();
                after.head.revision = revision;
                // Read back for its timestamps, unless another write followed already. The write is stored, so a failed read doesn't
                // fail the save.
                let stored = repository.get_skill(id).ok().flatten().filter(|stored| stored.head.revision == revision);
                let applied_to = before.head.revision;
                return Ok(Saved { skill: stored.unwrap_or(after), applied_to, rebased: applied_to != expected, diagnostics });
            }
            Err(StorageError::RevisionConflict { .. }) if attempt < MAX_ATTEMPTS => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// If the slug changed, updates the skills of this scope that refer to the old one, in the same transaction.
fn follow_slug(
    repository: &dyn SkillStorageRepository,
    before: &Skill,
    after: &Skill,
    actor: &str,
    writes: &mut Vec<(ChangeSet, Expected)>,
) -> Result<Diagnostic, SaveError> {
    let (old, new) = (&before.package.slug, &after.package.slug);
    let mut followed = Vec::new();
    for id in repository.related_to(old)?.into_iter().filter(|id| *id != before.head.id) {
        let Some(other) = repository.get_skill(id)? else { continue };
        let mut renamed = other.clone();
        for relation in renamed.package.relations.iter_mut().filter(|relation| lookup_key(&relation.target) == old.as_str()) {
            relation.target = new.to_string();
        }
        if renamed.package.relations != other.package.relations {
            repository.skill_format().sync_sources_strictly(&mut renamed.package)?;
            let why = format!("{old} is now {new}");
            followed.push(other.package.slug.to_string());
            writes.push((
                ChangeSet::between(Some(&other), Some(renamed), other.head.id, actor, why),
                Expected::Revision(other.head.revision),
            ));
        }
    }
    let tail = if followed.is_empty() { String::new() } else { format!("; updated references in {}", followed.join(", ")) };
    Ok(Diagnostic::info("skill/renamed", format!("the skill was renamed from {old} to {new}{tail}")))
}

/// The folder after a save: the edits applied to the expected revision, merged with the current one.
fn rebase(
    repository: &dyn SkillStorageRepository,
    before: &Skill,
    present: &Tree,
    edits: &[TreeEdit],
    expected: i64,
) -> Result<Tree, SaveError> {
    let base = if before.head.revision == expected { present.clone() } else { repository.revision_tree(before.head.id, expected)? };
    let mut wanted = base.clone();
    apply(&mut wanted, edits)?;
    if before.head.revision == expected {
        return Ok(wanted);
    }
    let changes = compare_trees(Some(&base), &wanted, present);
    if let Some(PathMerge { path, .. }) = changes.iter().find(|change| change.by == ChangedBy::Conflict) {
        return Err(SaveError::Conflict(Box::new(Conflict {
            path: path.clone(),
            revision: before.head.revision,
            base: base.get(path).cloned(),
            theirs: present.get(path).cloned(),
            ours: wanted.get(path).cloned(),
        })));
    }
    Ok(merge_trees(&changes, &wanted, present, |_| false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::FOLDED;

    fn path(text: &str) -> SkillPath {
        SkillPath::parse(text).unwrap()
    }

    fn write(text: &str) -> TreeEdit {
        TreeEdit::Write(path(text), b"text".as_slice().into())
    }

    fn tree(paths: &[&str]) -> Tree {
        paths.iter().map(|text| (path(text), TreeFile::new(*b"text"))).collect()
    }

    #[test]
    fn a_path_is_taken_by_itself_in_any_case_and_by_a_file_above_or_below() {
        for (edits, used) in [
            (vec![write("NOTES.md")], Some("notes.md")),
            (vec![write("notes.md/more.md")], Some("notes.md")),
            (vec![write("Docs")], Some("docs/a.md")),
            (vec![write("new/a.md"), write("NEW/A.md")], Some("new/a.md")),
            (vec![write("new"), write("new/a.md")], Some("new")),
            (vec![write("doc"), write("docs-more"), write("docs/b.md"), write("notes.md")], None),
            (vec![TreeEdit::Delete(path("notes.md")), write("Notes.md")], None),
            (vec![write("other.md"), TreeEdit::Delete(path("docs/a.md")), write("docs")], None),
        ] {
            let found = apply(&mut tree(&["notes.md", "docs/a.md"]), &edits);
            let found = match &found {
                Err(SaveError::PathExists(path)) => Some(path.as_str()),
                other => other.as_ref().map(|()| None).unwrap(),
            };
            assert_eq!(found, used, "{edits:?}");
        }
    }

    #[test]
    fn each_path_is_folded_once_however_many_files_are_written() {
        let names: Vec<String> = (0..300).map(|n| format!("folder/{n}.md")).collect();
        let mut folder = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let new: Vec<_> = (0..300).map(|n| write(&format!("new/{n}.md"))).collect();
        let before = FOLDED.get();
        apply(&mut folder, &new).unwrap();
        assert_eq!(FOLDED.get() - before, 600);
        // A file that is there needs no look at the others.
        apply(&mut folder, &new).unwrap();
        assert_eq!(FOLDED.get() - before, 600);
    }
}
