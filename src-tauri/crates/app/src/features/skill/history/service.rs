use inklings_core::change::RevisionFilter;
use inklings_core::edit::{SaveError, Saved, TreeEdit, edits_between};
use inklings_core::{Skill, SkillPath, SkillStorageRepository, StorageError, Tree};
use inklings_folder::disk::is_part_of_skill;

use super::api::History;
use super::error::HistoryError;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::wire::RevisionFile;

const DEFAULT_PAGE_SIZE: usize = 50;
const MAX_PAGE_SIZE: usize = 500;

pub(crate) fn list(
    repository: &dyn SkillStorageRepository,
    skill: &Skill,
    filter: &RevisionFilter,
    limit: Option<usize>,
) -> Result<History, StorageError> {
    let limit = limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let page = repository.revisions(skill.head.id, filter, limit)?;
    Ok(History { revisions: page.revisions, next: page.next })
}

pub(crate) fn read(
    repository: &dyn SkillStorageRepository,
    skill: &Skill,
    number: i64,
    path: &SkillPath,
) -> Result<RevisionFile, StorageError> {
    Ok(RevisionFile::of(repository.revision_file(skill.head.id, number, path)?.as_ref()))
}

/// Makes a skill what it was at a revision.
pub(crate) fn roll_back(editor: &SkillEditor<'_>, skill: &Skill, number: i64, expected: Option<i64>) -> Result<Saved, HistoryError> {
    ensure_unlocked(skill)?;
    let present = skill.package.tree();
    let mut wanted = editor.repository_of(skill)?.revision_tree(skill.head.id, number)?;
    // Older versions stored others, which can stay but not come back.
    wanted.retain(|path, _| is_part_of_skill(path) || present.contains_key(path));
    let edits = edits_between(&present, &wanted);
    let why = format!("rolled back to revision {number}");
    Ok(editor.save(skill, &edits, expected.unwrap_or(skill.head.revision), &why)?)
}

/// Makes some files what they were at a revision.
pub(crate) fn restore_files(
    editor: &SkillEditor<'_>,
    skill: &Skill,
    paths: &[SkillPath],
    number: i64,
    expected: Option<i64>,
) -> Result<Saved, HistoryError> {
    ensure_unlocked(skill)?;
    let past = editor.repository_of(skill)?.revision_tree(skill.head.id, number)?;
    let edits = restoring_edits(&skill.package.tree(), &past, paths, number)?;
    let names = paths.iter().map(SkillPath::as_str).collect::<Vec<_>>().join(", ");
    let why = format!("restored {names} from revision {number}");
    Ok(editor.save(skill, &edits, expected.unwrap_or(skill.head.revision), &why)?)
}

fn restoring_edits(now: &Tree, past: &Tree, paths: &[SkillPath], revision: i64) -> Result<Vec<TreeEdit>, HistoryError> {
    let mut wanted = now.clone();
    for path in paths {
        match past.get(path) {
            Some(file) => wanted.insert(path.clone(), file.clone()),
            None if now.contains_key(path) => wanted.remove(path),
            None => return Err(HistoryError::NoFile { path: path.clone(), revision }),
        };
    }
    Ok(edits_between(now, &wanted))
}

/// Takes back what led from revision `to` to revision `from`, or makes it again; what was written since to other files stays.
pub(crate) fn revert(editor: &SkillEditor<'_>, skill: &Skill, from: i64, to: i64) -> Result<Saved, HistoryError> {
    ensure_unlocked(skill)?;
    let repository = editor.repository_of(skill)?;
    let tree = |number| {
        let mut tree = repository.revision_tree(skill.head.id, number)?;
        // Older versions stored others.
        tree.retain(|path, _| is_part_of_skill(path));
        Ok::<_, StorageError>(tree)
    };
    let edits = edits_between(&tree(from)?, &tree(to)?);
    let why = format!("reverted revision {from}");
    editor.save(skill, &edits, from, &why).map_err(|error| match error {
        SaveError::Conflict(conflict) => HistoryError::ChangedSince { path: conflict.path, revision: conflict.revision },
        SaveError::Storage(StorageError::NotFound { .. }) => HistoryError::Pruned,
        error => error.into(),
    })
}
