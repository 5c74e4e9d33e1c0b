use std::cmp::Ordering;
use std::path::Path;

use inklings_core::path::SKILL_JSON;
use inklings_core::{Scope, Skill, SkillCatalog, SkillFormat as _, SkillStorageRepository, StorageError, Tree};
use inklings_folder::disk;
use semver::Version;
use serde_json::Value;

use super::api::{OtherSkill, SkillCopy, SkillLocations, VersionRelation};
use crate::agent_copies::{AgentCopy, AgentCopyCache, AgentFolders};
use crate::features::compare::differences;
use crate::wire::scope_summary;

/// Folders that the summary line names; the others are counted.
const MAX_NAMED_FOLDERS: usize = 2;

pub(crate) fn locations(
    catalog: &SkillCatalog,
    folders: AgentFolders<'_>,
    cache: &AgentCopyCache,
    skill: &Skill,
    linked: Option<&Path>,
) -> Result<SkillLocations, StorageError> {
    let other = in_other_scope(catalog, skill)?;
    let parent = skill.head.parent_skill_id.map(|id| catalog.find_by_id(id)).transpose()?.flatten();
    let parent = parent.filter(|parent| other.as_ref().is_none_or(|other| other.head.id != parent.head.id));
    let mut copies = cache.copies_of(folders, &skill.package.slug);
    let used = folder_in_use(folders, &copies);
    // The folder that it is linked to is the skill itself.
    copies.retain(|copy| linked.is_none_or(|linked| copy.path.canonicalize().ok().as_deref() != Some(linked)));
    let copies = copies.iter().map(|copy| skill_copy(catalog, folders, skill, copy)).collect::<Result<Vec<_>, _>>()?;
    let wins = if other.is_some() { Scope::Workspace } else { skill.head.scope };
    let related = |one: Option<Skill>| one.map(|one| other_skill(catalog, skill, &one)).transpose();
    Ok(SkillLocations {
        line: summary_line(skill, other.is_some(), linked.map(|linked| display_path(folders, linked)), &copies, used),
        wins,
        other: related(other)?,
        parent: related(parent)?,
        copies,
    })
}

fn repository_of<'a>(catalog: &'a SkillCatalog, skill: &Skill) -> Result<&'a dyn SkillStorageRepository, StorageError> {
    Ok(catalog.holder(skill.head.id, skill.head.scope)?.as_ref())
}

/// The skill of the same slug in the other scope.
fn in_other_scope(catalog: &SkillCatalog, skill: &Skill) -> Result<Option<Skill>, StorageError> {
    let Some(repository) = catalog.repository(skill.head.scope.other()) else { return Ok(None) };
    let found = repository.get_skill_by_name(skill.package.slug.as_str())?;
    Ok(found.filter(|found| found.package.slug == skill.package.slug))
}

fn other_skill(catalog: &SkillCatalog, skill: &Skill, other: &Skill) -> Result<OtherSkill, StorageError> {
    let relation = if is_same(&other.package.tree(), &skill.package.tree()) {
        VersionRelation::Same
    } else {
        relation_by_history(catalog, skill, other)?.unwrap_or_else(|| relation_by_version(&skill.package.version, &other.package.version))
    };
    Ok(OtherSkill {
        id: other.head.id,
        scope: other.head.scope,
        slug: other.package.slug.clone(),
        name: other.package.name.clone(),
        revision: other.head.revision,
        version: other.package.version.clone(),
        enabled: other.head.enabled,
        relation,
    })
}

/// Older if an earlier revision of this skill has the files of the other one.
fn relation_by_history(catalog: &SkillCatalog, skill: &Skill, other: &Skill) -> Result<Option<VersionRelation>, StorageError> {
    Ok(repository_of(catalog, skill)?.revision_with(skill.head.id, &other.package.tree())?.map(|_| VersionRelation::Older))
}

fn skill_copy(catalog: &SkillCatalog, folders: AgentFolders<'_>, skill: &Skill, copy: &AgentCopy) -> Result<SkillCopy, StorageError> {
    let mut result = SkillCopy {
        agent: copy.agent.name.to_owned(),
        of_workspace: copy.of_workspace,
        folder: display_folder(folders, copy),
        path: copy.path.display().to_string(),
        relation: VersionRelation::Unreadable,
        revision: None,
        version: None,
        problem: None,
    };
    let tree = match disk::read_dir(&copy.path) {
        Ok((tree, findings)) => match findings.iter().find(|finding| finding.is_error()) {
            None => tree,
            Some(finding) => {
                result.problem = Some(finding.message.clone());
                return Ok(result);
            }
        },
        Err(error) => {
            result.problem = Some(error.to_string());
            return Ok(result);
        }
    };
    if is_same(&tree, &skill.package.tree()) {
        (result.relation, result.revision) = (VersionRelation::Same, Some(skill.head.revision));
        result.version = Some(skill.package.version.clone());
        return Ok(result);
    }
    result.revision = repository_of(catalog, skill)?.revision_with(skill.head.id, &tree)?;
    let reading = folders.format.read(&tree, &disk::folder_name(&copy.path), None);
    result.version = reading.ok().map(|reading| reading.package.version);
    result.relation = match (result.revision, &result.version) {
        (Some(_), _) => VersionRelation::Older,
        (None, Some(version)) => relation_by_version(&skill.package.version, version),
        (None, None) => VersionRelation::Different,
    };
    Ok(result)
}

/// Whether two folders have the same files, except for IDs, which each duplicate has its own of.
fn is_same(one: &Tree, other: &Tree) -> bool {
    let json = |tree: &Tree| {
        let text = tree.iter().find(|(path, _)| path.as_str() == SKILL_JSON)?.1.text()?;
        serde_json::from_str(text).ok().map(without_ids)
    };
    match differences(one, other).as_slice() {
        [] => true,
        [only] => only.path.as_str() == SKILL_JSON && !only.mode && json(one).is_some_and(|value| json(other) == Some(value)),
        _ => false,
    }
}

fn without_ids(mut manifest: Value) -> Value {
    let forget = |value: &mut Value| value.as_object_mut().map(|object| object.remove("id"));
    forget(&mut manifest);
    if let Some(artifacts) = manifest.get_mut("artifacts").and_then(Value::as_array_mut) {
        for artifact in artifacts {
            forget(artifact);
        }
    }
    manifest
}

fn relation_by_version(ours: &str, theirs: &str) -> VersionRelation {
    match (Version::parse(ours), Version::parse(theirs)) {
        (Ok(ours), Ok(theirs)) => match theirs.cmp_precedence(&ours) {
            Ordering::Less => VersionRelation::Older,
            Ordering::Greater => VersionRelation::Newer,
            Ordering::Equal => VersionRelation::Different,
        },
        _ => VersionRelation::Different,
    }
}

/// The agent's folder relative to the workspace or `~`.
fn display_folder(folders: AgentFolders<'_>, copy: &AgentCopy) -> String {
    let below = |root: Option<&Path>| root.and_then(|root| copy.target.strip_prefix(root).ok()).map(|path| path.display().to_string());
    if copy.of_workspace {
        return below(folders.workspace).unwrap_or_else(|| copy.target.display().to_string());
    }
    let home = below(folders.dirs.map(|dirs| dirs.home.as_path()));
    home.map_or_else(|| copy.target.display().to_string(), |path| format!("~/{path}"))
}

/// Relative to the workspace or the home folder, if it is below.
fn display_path(folders: AgentFolders<'_>, path: &Path) -> String {
    let below = |root: Option<&Path>| root.and_then(|root| path.strip_prefix(root).ok()).map(|path| path.display().to_string());
    let home = || below(folders.dirs.map(|dirs| dirs.home.as_path())).map(|path| format!("~/{path}"));
    below(folders.workspace).or_else(home).unwrap_or_else(|| path.display().to_string())
}

/// Of an agent that finds the skill in the user's and in the workspace's folder, and is known to use the user's.
fn folder_in_use(folders: AgentFolders<'_>, copies: &[AgentCopy]) -> Option<String> {
    let is_hidden = |user: &AgentCopy| copies.iter().any(|one| one.of_workspace && one.agent == user.agent);
    let used = copies.iter().find(|copy| !copy.of_workspace && copy.agent.user_wins && is_hidden(copy))?;
    Some(format!("{} uses the one in {}", used.agent.name, display_folder(folders, used)))
}

/// "workspace overrides account; also in ~/.claude/skills, older; Claude Code uses the one in ~/.claude/skills"
fn summary_line(skill: &Skill, hidden: bool, linked: Option<String>, copies: &[SkillCopy], used: Option<String>) -> String {
    let mut parts = vec![scope_summary(skill.head.scope, hidden, skill.head.enabled)];
    parts.extend(linked.map(|linked| format!("linked to {linked}")));
    for (index, copy) in copies.iter().take(MAX_NAMED_FOLDERS).enumerate() {
        let also = if index == 0 { "also in " } else { "" };
        parts.push(format!("{also}{}, {}", copy.folder, copy.relation));
    }
    if copies.len() > MAX_NAMED_FOLDERS {
        parts.push(format!("and in {} more", copies.len() - MAX_NAMED_FOLDERS));
    }
    parts.extend(used);
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_say_which_is_newer_where_both_are_numbers() {
        assert_eq!(relation_by_version("1.2.0", "1.10.0"), VersionRelation::Newer);
        assert_eq!(relation_by_version("1.2.0", "1.1.9"), VersionRelation::Older);
        assert_eq!(relation_by_version("1.2.0", "1.2.0+build"), VersionRelation::Different);
        assert_eq!(relation_by_version("1.2.0", "soon"), VersionRelation::Different);
    }
}
