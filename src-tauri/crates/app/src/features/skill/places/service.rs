use std::cmp::Ordering;
use std::path::Path;

use inklings_core::path::SKILL_JSON;
use inklings_core::{Scope, Skill, SkillCatalog, SkillFormat as _, SkillStorageRepository, StorageError, Tree};
use inklings_folder::disk;
use semver::Version;
use serde_json::Value;

use super::api::{OtherSkill, Places, SkillCopy, VersionRelation};
use crate::agent_copies::{AgentCopy, AgentCopyCache, AgentFolders};
use crate::features::compare::differences;
use crate::wire::scope_words;

/// Folders that the line names; of more it says how many.
const MAX_NAMED_FOLDERS: usize = 2;

pub(super) fn places(
    catalog: &SkillCatalog,
    folders: AgentFolders<'_>,
    cache: &AgentCopyCache,
    skill: &Skill,
) -> Result<Places, StorageError> {
    let other = in_other_scope(catalog, skill)?;
    let parent = parent(catalog, skill)?.filter(|parent| other.as_ref().is_none_or(|other| other.head.id != parent.head.id));
    let copies = cache.copies_of(folders, &skill.package.slug);
    let copies = copies.iter().map(|copy| skill_copy(catalog, folders, skill, copy)).collect::<Result<Vec<_>, _>>()?;
    let wins = match (&other, skill.head.scope) {
        (Some(_), _) | (None, Scope::Workspace) => Scope::Workspace,
        (None, Scope::Account) => Scope::Account,
    };
    let related = |one: Option<Skill>| one.map(|one| other_skill(catalog, skill, &one)).transpose();
    Ok(Places { line: summary_line(skill, other.is_some(), &copies), wins, other: related(other)?, parent: related(parent)?, copies })
}

fn repository_of<'a>(catalog: &'a SkillCatalog, skill: &Skill) -> Result<&'a dyn SkillStorageRepository, StorageError> {
    Ok(catalog.holder(skill.head.id, skill.head.scope)?.as_ref())
}

/// The skill of the same slug in the other scope.
fn in_other_scope(catalog: &SkillCatalog, skill: &Skill) -> Result<Option<Skill>, StorageError> {
    let other = match skill.head.scope {
        Scope::Account => Scope::Workspace,
        Scope::Workspace => Scope::Account,
    };
    let Some(repository) = catalog.repository(other) else { return Ok(None) };
    let found = repository.get_skill_by_name(skill.package.slug.as_str())?;
    Ok(found.filter(|found| found.package.slug == skill.package.slug))
}

fn parent(catalog: &SkillCatalog, skill: &Skill) -> Result<Option<Skill>, StorageError> {
    let Some(id) = skill.head.parent_skill_id else { return Ok(None) };
    for scope in [Scope::Workspace, Scope::Account] {
        if let Some(found) = catalog.repository(scope).map(|repository| repository.get_skill(id)).transpose()?.flatten() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn other_skill(catalog: &SkillCatalog, skill: &Skill, other: &Skill) -> Result<OtherSkill, StorageError> {
    let standing = if same(&other.package.tree(), &skill.package.tree()) {
        VersionRelation::Same
    } else {
        by_past(catalog, skill, other)?.unwrap_or_else(|| by_version(&skill.package.version, &other.package.version))
    };
    Ok(OtherSkill {
        id: other.head.id,
        scope: other.head.scope,
        slug: other.package.slug.clone(),
        name: other.package.name.clone(),
        revision: other.head.revision,
        version: other.package.version.clone(),
        enabled: other.head.enabled,
        standing,
    })
}

/// Older, if this skill was once exactly what the other one is.
fn by_past(catalog: &SkillCatalog, skill: &Skill, other: &Skill) -> Result<Option<VersionRelation>, StorageError> {
    Ok(repository_of(catalog, skill)?.revision_with(skill.head.id, &other.package.tree())?.map(|_| VersionRelation::Older))
}

fn skill_copy(catalog: &SkillCatalog, folders: AgentFolders<'_>, skill: &Skill, copy: &AgentCopy) -> Result<SkillCopy, StorageError> {
    let mut found = SkillCopy {
        agent: copy.agent.name.to_owned(),
        of_workspace: copy.of_workspace,
        folder: as_written(folders, copy),
        path: copy.path.display().to_string(),
        standing: VersionRelation::Unreadable,
        revision: None,
        version: None,
        problem: None,
    };
    let tree = match disk::read_dir(&copy.path) {
        Ok((tree, findings)) => match findings.iter().find(|finding| finding.is_error()) {
            None => tree,
            Some(finding) => {
                found.problem = Some(finding.message.clone());
                return Ok(found);
            }
        },
        Err(error) => {
            found.problem = Some(error.to_string());
            return Ok(found);
        }
    };
    if same(&tree, &skill.package.tree()) {
        (found.standing, found.revision) = (VersionRelation::Same, Some(skill.head.revision));
        found.version = Some(skill.package.version.clone());
        return Ok(found);
    }
    found.revision = repository_of(catalog, skill)?.revision_with(skill.head.id, &tree)?;
    let reading = folders.format.read(&tree, &disk::folder_name(&copy.path), None);
    found.version = reading.ok().map(|reading| reading.package.version);
    found.standing = match (found.revision, &found.version) {
        (Some(_), _) => VersionRelation::Older,
        (None, Some(version)) => by_version(&skill.package.version, version),
        (None, None) => VersionRelation::Different,
    };
    Ok(found)
}

/// Whether two folders hold the same, ids aside: a duplicate has its own.
fn same(one: &Tree, other: &Tree) -> bool {
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

fn by_version(here: &str, there: &str) -> VersionRelation {
    match (Version::parse(here), Version::parse(there)) {
        (Ok(here), Ok(there)) => match there.cmp_precedence(&here) {
            Ordering::Less => VersionRelation::Older,
            Ordering::Greater => VersionRelation::Newer,
            Ordering::Equal => VersionRelation::Different,
        },
        _ => VersionRelation::Different,
    }
}

/// The agent's folder as a person writes it.
fn as_written(folders: AgentFolders<'_>, copy: &AgentCopy) -> String {
    let below = |root: Option<&Path>| root.and_then(|root| copy.target.strip_prefix(root).ok()).map(|path| path.display().to_string());
    if copy.of_workspace {
        return below(folders.workspace).unwrap_or_else(|| copy.target.display().to_string());
    }
    let home = below(folders.places.map(|places| places.home.as_path()));
    home.map_or_else(|| copy.target.display().to_string(), |path| format!("~/{path}"))
}

/// "workspace overrides account; also in ~/.claude/skills, older"
fn summary_line(skill: &Skill, hidden: bool, copies: &[SkillCopy]) -> String {
    let mut parts = vec![scope_words(skill.head.scope, hidden, skill.head.enabled)];
    for (index, copy) in copies.iter().take(MAX_NAMED_FOLDERS).enumerate() {
        let also = if index == 0 { "also in " } else { "" };
        parts.push(format!("{also}{}, {}", copy.folder, copy.standing));
    }
    if copies.len() > MAX_NAMED_FOLDERS {
        parts.push(format!("and in {} more", copies.len() - MAX_NAMED_FOLDERS));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_say_which_is_newer_where_both_are_numbers() {
        assert_eq!(by_version("1.2.0", "1.10.0"), VersionRelation::Newer);
        assert_eq!(by_version("1.2.0", "1.1.9"), VersionRelation::Older);
        assert_eq!(by_version("1.2.0", "1.2.0+build"), VersionRelation::Different);
        assert_eq!(by_version("1.2.0", "soon"), VersionRelation::Different);
    }
}
