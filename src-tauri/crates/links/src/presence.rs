//! Skills and folders that are only on one side: new ones, removed ones, and those that came back.

use std::collections::BTreeSet;
use std::path::Path;

use inklings_core::artifact_ids::free_ids;
use inklings_core::change::RevisionFilter;
use inklings_core::skill::skill_json;
use inklings_core::{
    ChangeSet, Expected, Head, LinkBase, LinkedFile, Origin, Skill, SkillLink, SkillPath, Source, StorageError, Tree, TreeFile,
};
use inklings_folder::disk;
use serde_json::{Value, json};

use crate::folder::{GRACE, LinkedFolder, Listing};
use crate::sync::{ACTOR, LinkError, LinkedScope, Links, Step, known_base, problem_of, read, stamp};

/// Of the provenance: the folder that a skill was first stored from.
const LINKED_TO: &str = "linked_to";

impl Links {
    /// The skill was deleted in the store: its files are removed, unless one was changed since.
    pub(crate) fn remove_folder(&self, scope: &LinkedScope, link: &SkillLink, folder: &LinkedFolder) -> Result<Step, LinkError> {
        let failed = |action| LinkError::of(action, &link.folder);
        let theirs = match read(folder) {
            Ok(tree) => tree,
            Err(problem) => return self.note(link, link.base.clone(), Some(problem)).map(|()| Step::Done),
        };
        let base = known_base(scope, link)?;
        if theirs.iter().any(|(path, file)| base.files.get(path).is_none_or(|base| base.content != stamp(file))) {
            self.note(link, LinkBase::default(), None)?;
            return Ok(Step::Again);
        }
        for (path, file) in &theirs {
            if !folder.remove(path, file.digest()).map_err(failed("removing files of"))? {
                return Ok(Step::Again);
            }
        }
        if !theirs.is_empty() {
            std::thread::sleep(GRACE);
        }
        let listing = folder.list().map_err(failed("listing"))?;
        let (displaced, is_pending) = folder.clear_leftovers(&listing).map_err(failed("reading"))?;
        if !displaced.is_empty() || !listing.files.is_empty() || is_pending {
            return Ok(Step::Again);
        }
        // Other files, such as those of git, stay.
        let _ = std::fs::remove_dir(&link.folder);
        self.note(link, LinkBase::default(), None)?;
        Ok(Step::Done)
    }

    /// The folder was removed: so is the skill, unless it was changed since or the folder is out of reach. Its history stays.
    pub(crate) fn remove_skill(&self, scope: &LinkedScope, link: &SkillLink, skill: &Skill) -> Result<Step, LinkError> {
        let parent_is_there = link.folder.parent().is_some_and(Path::is_dir);
        let is_of_workspace = scope.workspace.as_ref().is_some_and(|root| root.is_dir() && link.folder.starts_with(root));
        if skill.head.revision != link.base.revision || !(parent_is_there || is_of_workspace) {
            let problem = format!("folder not found: {}", link.folder.display());
            return self.note(link, link.base.clone(), Some(problem)).map(|()| Step::Done);
        }
        let change = ChangeSet::between(Some(skill), None, link.skill, ACTOR, "removed on disk");
        match scope.repository.commit(&change, Expected::Revision(skill.head.revision)) {
            Ok(_) => self.note(link, LinkBase::default(), None).map(|()| Step::Done),
            Err(StorageError::RevisionConflict { .. }) => Ok(Step::Again),
            Err(error) => Err(error.into()),
        }
    }

    /// The folder is new, came back, or is of a skill that the store knows nothing of: it is stored, with its history if it has one.
    pub(crate) fn store_folder(&self, scope: &LinkedScope, link: &SkillLink, folder: &LinkedFolder) -> Result<Step, LinkError> {
        let listing = folder.list().map_err(LinkError::of("listing", &link.folder))?;
        let read = read(folder).and_then(|tree| Ok((self.new_skill(scope, link, &tree)?, tree)));
        let (mut skill, tree) = match read {
            Ok(read) => read,
            Err(problem) => return self.note(link, LinkBase::default(), Some(problem)).map(|()| Step::Done),
        };
        let slug = &skill.package.slug;
        if scope.repository.has_slug(slug)? {
            let problem = format!("another skill is named {slug}; rename one of them, or link this folder to that skill");
            return self.note(link, LinkBase::default(), Some(problem)).map(|()| Step::Done);
        }
        let declared = skill.package.sources.skill_json.clone();
        skill.package = free_ids(scope.repository.as_ref(), self.ids.as_ref(), skill.package, None, &mut BTreeSet::new())?;
        if let Some(text) = skill.package.sources.skill_json.as_ref().filter(|text| declared.as_ref() != Some(*text)) {
            // A copy of another skill's folder. Its new IDs are written before it is stored: then both sides agree on its files.
            let path = skill_json();
            return match folder.write(&path, &TreeFile::new(text.as_bytes()), tree.get(&path).map(TreeFile::digest)) {
                Ok(_) => Ok(Step::Again),
                Err(error) => {
                    let problem = format!("{path} can't be written: {error}");
                    self.note(link, LinkBase::default(), Some(problem)).map(|()| Step::Done)
                }
            };
        }
        let change = ChangeSet::between(None, Some(skill.clone()), link.skill, ACTOR, "found on disk");
        match scope.repository.commit(&change, Expected::Absent) {
            Ok(revision) => {
                self.note(link, base_of(&skill, &listing, revision), None)?;
                // The text may have been written again to be stored.
                Ok(Step::Again)
            }
            Err(error @ (StorageError::Exists { .. } | StorageError::Invalid(_) | StorageError::Limit { .. })) => {
                self.note(link, LinkBase::default(), Some(error.to_string())).map(|()| Step::Done)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The skill of a folder that isn't stored.
    pub(crate) fn new_skill(&self, scope: &LinkedScope, link: &SkillLink, tree: &Tree) -> Result<Skill, String> {
        let folder = disk::folder_name(&link.folder);
        let reading = scope.repository.skill_format().read(tree, &folder, None).map_err(|findings| problem_of(&findings))?;
        let mut package = reading.package;
        let head = match scope.repository.deleted(link.skill).map_err(|error| error.to_string())? {
            Some(deleted) => {
                deleted.restore_ids(&mut package);
                deleted.head
            }
            None => Head {
                created_by: Some(ACTOR.to_owned()),
                provenance: Some(json!({ LINKED_TO: link.folder.to_str() })),
                ..Head::new(link.skill, scope.repository.scope(), Source::User, Origin::Human, self.clock.now())
            },
        };
        Ok(Skill { head, package })
    }
}

/// Whether the store has deleted the skill since it agreed with the folder. A store without a record of that, whose database was lost or
/// replaced by an older one, says nothing about the folder.
pub(crate) fn was_deleted(scope: &LinkedScope, link: &SkillLink) -> Result<bool, StorageError> {
    if link.base.revision == 0 || scope.repository.deleted(link.skill)?.is_none() {
        return Ok(false);
    }
    let page = scope.repository.revisions(link.skill, &RevisionFilter::default(), 1)?;
    Ok(page.revisions.first().is_some_and(|deletion| deletion.number > link.base.revision))
}

/// Whether a skill was first stored from a folder: from this one, or from the one at its path in the workspace before that was moved.
pub(crate) fn is_from(skill: &Skill, scope: &LinkedScope, folder: &Path) -> bool {
    let former = skill.head.provenance.as_ref().and_then(|provenance| provenance.get(LINKED_TO)?.as_str()).map(Path::new);
    let relative = scope.workspace.as_ref().and_then(|workspace| folder.strip_prefix(workspace).ok());
    former.is_some_and(|former| former == folder || relative.is_some_and(|relative| former.ends_with(relative)))
}

/// Of a skill that goes elsewhere: its folder stays behind.
pub fn forget_folder(head: &mut Head) {
    if let Some(provenance) = head.provenance.as_mut().and_then(Value::as_object_mut) {
        provenance.remove(LINKED_TO);
    }
}

/// What is agreed after a folder was stored as it is.
pub(crate) fn base_of(skill: &Skill, listing: &Listing, revision: i64) -> LinkBase {
    let tree = skill.package.tree();
    let linked = |(path, file): (&SkillPath, &TreeFile)| {
        let (content, stat) = (stamp(file), *listing.files.get(path)?);
        Some((path.clone(), LinkedFile { content, stat, revision: None }))
    };
    LinkBase { revision, files: tree.iter().filter_map(linked).collect() }
}
