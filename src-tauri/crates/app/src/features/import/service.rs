use inklings_core::{Skill, SkillPath, SkillStorageRepository};

use super::api::ThreeFiles;
use super::error::PreviewError;
use crate::discovery::DiscoveredSkill;
use crate::wire::RevisionFile;

/// A file as it is here, as a skill on the disk has it, and at the revision that both come from. `label` names the skill on the disk as
/// the import's report does.
pub(super) fn three_sides(
    repository: &dyn SkillStorageRepository,
    skill: &Skill,
    label: &str,
    base: Option<i64>,
    file: &SkillPath,
) -> Result<ThreeFiles, PreviewError> {
    let theirs = DiscoveredSkill::labelled(label)?.ok_or_else(|| PreviewError::NoSkill(label.to_owned()))?.read()?;
    let base = match base {
        Some(number) => repository.revision_file(skill.head.id, number, file)?,
        None => None,
    };
    Ok(ThreeFiles {
        base: RevisionFile::of(base.as_ref()),
        mine: RevisionFile::of(skill.package.tree().get(file)),
        theirs: RevisionFile::of(theirs.tree.get(file)),
    })
}
