use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use inklings_core::name::fold;
use inklings_core::{
    ChangeSet, DeletedSkill, Expected, Scope, Skill, SkillCatalog, SkillFormat as _, SkillId, SkillPath, SkillStorageRepository, Slug,
    Source, StorageError,
};
use inklings_folder::Folder;
use inklings_folder::disk::is_part_of_skill;

use super::api::{DeletedContent, DeletedEntry, DeletedList, Deletion};
use super::error::DeletionError;
use crate::editing::SkillEditor;
use crate::wire::{RevisionFile, file_entry, is_in_both_scopes};

/// `plan` must include the skill. Refuses if `expected` isn't its current revision. Its drafts stay, for when it is restored.
pub(crate) fn delete(editor: &SkillEditor<'_>, plan: &DeletionPlan, skill: &Skill, expected: i64) -> Result<Deletion, DeletionError> {
    plan.check(&editor.catalog, skill)?;
    let (id, scope) = (skill.head.id, skill.head.scope);
    let change = ChangeSet::between(Some(skill), None, id, editor.caller.actor, "deleted");
    let revision = editor.repository_of(skill)?.commit(&change, Expected::Revision(expected))?;
    Ok(Deletion { id, scope, slug: skill.package.slug.clone(), revision })
}

/// The names by which other skills may refer to a skill to be deleted.
struct DeletionTarget {
    scope: Scope,
    slug: Slug,
    /// Case-folded.
    title: String,
}

impl DeletionTarget {
    fn of(skill: &Skill) -> Self {
        Self { scope: skill.head.scope, slug: skill.package.slug.clone(), title: fold(&skill.package.name) }
    }
}

/// Skills to be deleted together. They may depend on each other.
pub(crate) struct DeletionPlan {
    /// Slugs of the remaining dependents, by scope and slug of the skill to be deleted.
    dependents: HashMap<(Scope, Slug), BTreeSet<String>>,
}

impl DeletionPlan {
    /// Searches each database once for dependents.
    ///
    /// `other_workspaces` are the other open ones, whose skills may depend on the account's.
    pub(crate) fn new(
        catalog: &SkillCatalog,
        other_workspaces: &[Arc<dyn SkillStorageRepository>],
        skills: &[&Skill],
    ) -> Result<Self, StorageError> {
        let skills = skills.iter().map(|skill| DeletionTarget::of(skill));
        let (scopes, names): (Vec<_>, Vec<_>) = skills.map(|one| (one.scope, (one.slug, one.title))).unzip();
        let mut dependents: HashMap<_, BTreeSet<_>> = HashMap::new();
        let mut record = |at: usize, slugs: &mut dyn Iterator<Item = String>| {
            dependents.entry((scopes[at], names[at].0.clone())).or_default().extend(slugs);
        };
        for scope in [Scope::Workspace, Scope::Account] {
            let Some(repository) = catalog.repository(scope) else { continue };
            let deleted: HashSet<&str> =
                names.iter().zip(&scopes).filter(|(_, of)| **of == scope).map(|((slug, _), _)| slug.as_str()).collect();
            for (at, slugs) in repository.dependents(&names)?.into_iter().enumerate() {
                record(at, &mut slugs.into_iter().filter(|slug| !deleted.contains(slug.as_str())));
            }
        }
        if scopes.contains(&Scope::Account) {
            for repository in other_workspaces {
                for (at, slugs) in repository.dependents(&names)?.into_iter().enumerate() {
                    if scopes[at] == Scope::Account {
                        record(at, &mut slugs.into_iter());
                    }
                }
            }
        }
        Ok(Self { dependents })
    }

    /// Refuses if remaining skills depend on it, unless the other scope has a skill of the same name.
    pub(crate) fn check(&self, catalog: &SkillCatalog, skill: &Skill) -> Result<(), DeletionError> {
        let slug = &skill.package.slug;
        let dependents = match self.dependents.get(&(skill.head.scope, slug.clone())) {
            Some(dependents) if !dependents.is_empty() && !is_in_both_scopes(catalog, skill)? => dependents,
            _ => return Ok(()),
        };
        Err(DeletionError::HasDependents { slug: slug.clone(), dependents: dependents.clone() })
    }
}

/// By scope, latest deletion first.
pub(crate) fn list_deleted(catalog: &SkillCatalog) -> Result<DeletedList, StorageError> {
    let mut skills = Vec::new();
    for scope in [Scope::Workspace, Scope::Account] {
        let Some(repository) = catalog.repository(scope) else { continue };
        skills.extend(repository.list_deleted()?.into_iter().map(|one| DeletedEntry {
            id: one.id,
            scope,
            slug: one.slug,
            name: one.name,
            deleted_at: one.deleted_at,
            actor: one.actor,
        }));
    }
    Ok(DeletedList { skills })
}

fn require_deleted(catalog: &SkillCatalog, id: SkillId, scope: Scope) -> Result<DeletedSkill, StorageError> {
    let missing = || StorageError::NotFound { what: "deleted skill", name: id.to_string() };
    let mut deleted = catalog.holder(id, scope)?.deleted(id)?.ok_or_else(missing)?;
    // Older versions stored others.
    deleted.tree.retain(|path, _| is_part_of_skill(path));
    Ok(deleted)
}

/// Restores a deleted skill, under the first free slug and title, and with new artifact IDs, if its own are in use now.
pub(crate) fn restore(editor: &SkillEditor<'_>, id: SkillId, scope: Scope) -> Result<Skill, StorageError> {
    let deleted = require_deleted(&editor.catalog, id, scope)?;
    let reading = editor.folder.read(&deleted.tree, deleted.slug.as_str(), None).map_err(StorageError::Invalid)?;
    let mut package = reading.package;
    deleted.restore_ids(&mut package);
    // A copy of its folder may have its IDs by now.
    let repository = editor.catalog.holder(id, scope)?;
    let mut package = editor.free_ids(repository.as_ref(), package, None, &mut BTreeSet::new())?;
    let mut head = deleted.head;
    let (slug, title) = (package.slug.clone(), package.name.clone());
    let (mut slugs, mut titles) = (0, 0);
    loop {
        match editor.store_new(head.clone(), package.clone(), "restored") {
            Err(StorageError::Exists { what: "slug", .. }) => {
                slugs += 1;
                package.slug = slug.with_suffix(&restored_suffix(slugs, '-'));
                // A title that follows from the slug still does, so the skill needs no skill.json for it.
                if title == slug.humanised() {
                    package.name = package.slug.humanised();
                }
            }
            Err(StorageError::Exists { what: "title", .. }) => {
                titles += 1;
                package.name = format!("{title} {}", restored_suffix(titles, ' '));
            }
            stored => return stored,
        }
        // Under another name, it isn't what its registry has, which may be installed again by now.
        if head.package.take().is_some() {
            head.source = Source::User;
        }
        editor.folder.sync_sources_strictly(&mut package)?;
    }
}

/// `restored`, then `restored-2`.
fn restored_suffix(number: usize, separator: char) -> String {
    if number == 1 { "restored".to_owned() } else { format!("restored{separator}{number}") }
}

pub(crate) fn deleted_files(catalog: &SkillCatalog, folder: &Folder, id: SkillId, scope: Scope) -> Result<DeletedContent, StorageError> {
    let deleted = require_deleted(catalog, id, scope)?;
    let package = folder.read(&deleted.tree, deleted.slug.as_str(), None).map_err(StorageError::Invalid)?.package;
    let skill = Skill { head: deleted.head, package };
    Ok(DeletedContent {
        id,
        scope,
        slug: deleted.slug,
        entries: deleted.tree.keys().filter_map(|path| file_entry(&skill, &deleted.tree, path, false)).collect(),
        name: skill.package.name,
        description: skill.package.description,
    })
}

pub(crate) fn deleted_file(catalog: &SkillCatalog, id: SkillId, scope: Scope, path: &SkillPath) -> Result<RevisionFile, StorageError> {
    let deleted = require_deleted(catalog, id, scope)?;
    let missing = || StorageError::NotFound { what: "file", name: path.to_string() };
    Ok(RevisionFile::of(Some(deleted.tree.get(path).ok_or_else(missing)?)))
}
