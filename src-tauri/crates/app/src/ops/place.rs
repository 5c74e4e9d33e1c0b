//! `skill/places`: which scope's skill wins, what it hides, and where else on this machine the skill lives.

use std::cmp::Ordering;
use std::fmt;
use std::path::Path;

use inklings_core::path::SKILL_JSON;
use inklings_core::{Scope, Skill, SkillCatalog, SkillFormat as _, SkillId, Slug, StorageError, Tree};
use inklings_folder::disk;
use schemars::JsonSchema;
use semver::Version;
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::copies::Copy;
use crate::features::compare::differences;
use crate::ops::home;
use crate::wire::{SkillRef, scope_words};
use inklings_rpc::{CallContext, Failure, operations};

/// Folders that the line names; of more it says how many.
const NAMED: usize = 2;

/// How another version of a skill stands to this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The same files.
    Same,
    /// What this one was at an earlier revision, or a lower version number.
    Older,
    /// A higher version number.
    Newer,
    /// Something else.
    Different,
    /// Its folder can't be read.
    Unreadable,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "the same",
            Self::Older => "older",
            Self::Newer => "newer",
            Self::Different => "different",
            Self::Unreadable => "can\u{2019}t be read",
        })
    }
}

/// A skill of the same name in a scope, or the one that this was duplicated from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OtherSkill {
    /// Its id.
    pub id: SkillId,
    /// Where it lives.
    pub scope: Scope,
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// Its revision now.
    pub revision: i64,
    /// Its version.
    pub version: String,
    /// Whether it is on.
    pub enabled: bool,
    /// How it stands to the skill that was asked for.
    pub standing: Standing,
}

/// A copy in the folder of another agent.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillCopy {
    /// The agent's own name.
    pub agent: String,
    /// Whether the folder is the workspace's, and not the person's.
    pub of_workspace: bool,
    /// The agent's folder, as a person writes it: `~/.claude/skills`.
    pub folder: String,
    /// The copy's folder.
    pub path: String,
    /// How it stands to the skill here.
    pub standing: Standing,
    /// The revision that it is; null if it never was one.
    pub revision: Option<i64>,
    /// Its version, if it says one.
    pub version: Option<String>,
    /// Why it can't be read.
    pub problem: Option<String>,
}

/// Where a skill lives.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Places {
    /// All of it in one line.
    pub line: String,
    /// Which scope's skill is used.
    pub wins: Scope,
    /// The skill of the same name in the other scope.
    pub other: Option<OtherSkill>,
    /// The skill that it was duplicated from, if that is another than these and still there.
    pub parent: Option<OtherSkill>,
    /// The workspace's first.
    pub copies: Vec<SkillCopy>,
}

fn places(app: &App, cx: &CallContext, params: SkillRef) -> Result<Places, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let other = in_other_scope(&catalog, &skill)?;
    let parent = parent(&catalog, &skill)?.filter(|parent| other.as_ref().is_none_or(|other| other.head.id != parent.head.id));
    let mut copies = Vec::new();
    for copy in app.copies.of(app, cx, &skill.package.slug) {
        copies.push(described(app, cx, &catalog, &skill, &copy)?);
    }
    let wins = match (&other, skill.head.scope) {
        (Some(_), _) | (None, Scope::Workspace) => Scope::Workspace,
        (None, Scope::Account) => Scope::Account,
    };
    let described = |one: Option<Skill>| one.map(|one| other_skill(&catalog, &skill, &one)).transpose();
    Ok(Places { line: line(&skill, other.is_some(), &copies), wins, other: described(other)?, parent: described(parent)?, copies })
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

fn other_skill(catalog: &SkillCatalog, skill: &Skill, other: &Skill) -> Result<OtherSkill, Failure> {
    let standing = if same(&other.package.tree(), &skill.package.tree()) {
        Standing::Same
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
fn by_past(catalog: &SkillCatalog, skill: &Skill, other: &Skill) -> Result<Option<Standing>, Failure> {
    Ok(home(catalog, skill)?.revision_with(skill.head.id, &other.package.tree())?.map(|_| Standing::Older))
}

fn described(app: &App, cx: &CallContext, catalog: &SkillCatalog, skill: &Skill, copy: &Copy) -> Result<SkillCopy, Failure> {
    let mut found = SkillCopy {
        agent: copy.agent.name.to_owned(),
        of_workspace: copy.of_workspace,
        folder: as_written(app, cx, copy),
        path: copy.path.display().to_string(),
        standing: Standing::Unreadable,
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
        (found.standing, found.revision) = (Standing::Same, Some(skill.head.revision));
        found.version = Some(skill.package.version.clone());
        return Ok(found);
    }
    found.revision = home(catalog, skill)?.revision_with(skill.head.id, &tree)?;
    let reading = app.folder.read(&tree, &disk::folder_name(&copy.path), None);
    found.version = reading.ok().map(|reading| reading.package.version);
    found.standing = match (found.revision, &found.version) {
        (Some(_), _) => Standing::Older,
        (None, Some(version)) => by_version(&skill.package.version, version),
        (None, None) => Standing::Different,
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

fn by_version(here: &str, there: &str) -> Standing {
    match (Version::parse(here), Version::parse(there)) {
        (Ok(here), Ok(there)) => match there.cmp_precedence(&here) {
            Ordering::Less => Standing::Older,
            Ordering::Greater => Standing::Newer,
            Ordering::Equal => Standing::Different,
        },
        _ => Standing::Different,
    }
}

/// The agent's folder as a person writes it.
fn as_written(app: &App, cx: &CallContext, copy: &Copy) -> String {
    let below = |root: Option<&Path>| root.and_then(|root| copy.target.strip_prefix(root).ok()).map(|path| path.display().to_string());
    if copy.of_workspace {
        return below(cx.workspace.as_deref()).unwrap_or_else(|| copy.target.display().to_string());
    }
    let home = below(app.places.as_ref().map(|places| places.home.as_path()));
    home.map_or_else(|| copy.target.display().to_string(), |path| format!("~/{path}"))
}

/// "workspace overrides account; also in ~/.claude/skills, older"
fn line(skill: &Skill, hidden: bool, copies: &[SkillCopy]) -> String {
    let mut parts = vec![scope_words(skill.head.scope, hidden, skill.head.enabled)];
    for (index, copy) in copies.iter().take(NAMED).enumerate() {
        let also = if index == 0 { "also in " } else { "" };
        parts.push(format!("{also}{}, {}", copy.folder, copy.standing));
    }
    if copies.len() > NAMED {
        parts.push(format!("and in {} more", copies.len() - NAMED));
    }
    parts.join("; ")
}

operations! { App;
    FindPlaces = "skill/places", Read, blocking places(SkillRef) -> Places;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_say_which_is_newer_where_both_are_numbers() {
        assert_eq!(by_version("1.2.0", "1.10.0"), Standing::Newer);
        assert_eq!(by_version("1.2.0", "1.1.9"), Standing::Older);
        assert_eq!(by_version("1.2.0", "1.2.0+build"), Standing::Different);
        assert_eq!(by_version("1.2.0", "soon"), Standing::Different);
    }
}
