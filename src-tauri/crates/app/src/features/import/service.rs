use std::path::Path;

use inklings_core::{Skill, SkillStorageRepository};

use super::api::{ImportFileParams, ImportSource};
use super::error::PreviewError;
use crate::discovery::DiscoveredSkill;
use crate::provenance::Provenance;
use crate::wire::{MergeVersions, RevisionFile};

pub(super) fn merge_versions(
    repository: &dyn SkillStorageRepository,
    skill: &Skill,
    ImportFileParams { path, base, file, texts, .. }: &ImportFileParams,
) -> Result<MergeVersions, PreviewError> {
    let theirs = DiscoveredSkill::labelled(path, texts)?.ok_or_else(|| PreviewError::NoSkill(path.clone()))?.read()?;
    let base = match *base {
        Some(number) => repository.revision_file(skill.head.id, number, file)?,
        None => None,
    };
    Ok(MergeVersions {
        base: RevisionFile::of(base.as_ref()),
        ours: RevisionFile::of(skill.package.tree().get(file)),
        theirs: RevisionFile::of(theirs.tree.get(file)),
    })
}

pub(super) fn source_of(skill: &Skill) -> Result<ImportSource, PreviewError> {
    let repository = Provenance::repository(&skill.head);
    // A text that was imported has a name, but no path to read a newer version from.
    let name = Provenance::imported_from(&skill.head).filter(|name| repository.is_some() || Path::new(name).is_absolute());
    let name = name.ok_or_else(|| PreviewError::NotImported(skill.package.slug.to_string()))?.to_owned();
    Ok(ImportSource { skill: skill.head.id, scope: skill.head.scope, repository, name })
}
