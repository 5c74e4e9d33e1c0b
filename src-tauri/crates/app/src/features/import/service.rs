use inklings_core::{Skill, SkillPath, SkillStorageRepository};

use super::api::ImportSource;
use super::error::PreviewError;
use crate::discovery::DiscoveredSkill;
use crate::provenance::Provenance;
use crate::wire::{MergeVersions, RevisionFile};

/// `label` names the imported skill as in the import report.
pub(super) fn merge_versions(
    repository: &dyn SkillStorageRepository,
    skill: &Skill,
    label: &str,
    base: Option<i64>,
    file: &SkillPath,
) -> Result<MergeVersions, PreviewError> {
    let theirs = DiscoveredSkill::labelled(label)?.ok_or_else(|| PreviewError::NoSkill(label.to_owned()))?.read()?;
    let base = match base {
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
    let name = Provenance::imported_from(&skill.head).ok_or_else(|| PreviewError::NotImported(skill.package.slug.to_string()))?;
    Ok(ImportSource {
        skill: skill.head.id,
        scope: skill.head.scope,
        repository: Provenance::repository(&skill.head),
        name: name.to_owned(),
    })
}
