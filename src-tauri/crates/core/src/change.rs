//! Changes of a skill as written in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::id::{ArtifactId, SkillId};
use crate::path::SkillPath;
use crate::skill::{Artifact, Package, Skill, SkillFile};
use crate::time::Time;
use crate::tree::{Tree, TreeFile};

/// Precondition of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// No skill has the ID or slug.
    Absent,
    /// The current revision is this one.
    Revision(i64),
}

/// A change of a skill: stored in one transaction as one revision.
///
/// Built by [`ChangeSet::between`], which omits unchanged rows, so that a store writes only what
/// changed.
#[derive(Debug, Clone)]
pub struct ChangeSet {
    pub id: SkillId,
    /// The skill after the change, with sources in sync; `None` deletes it.
    pub after: Option<Skill>,
    /// Artifacts to insert or replace.
    pub put_artifacts: Vec<Artifact>,
    pub remove_artifacts: Vec<ArtifactId>,
    /// Files to insert or replace.
    pub put_files: Vec<SkillFile>,
    pub remove_files: Vec<SkillPath>,
    /// Paths whose bytes or mode changed; `None` if the file was removed.
    pub paths: BTreeMap<SkillPath, Option<TreeFile>>,
    /// Replaced contents by path, for the history.
    pub superseded: BTreeMap<SkillPath, TreeFile>,
    /// Author: `local`, `inklings` (seeding), …
    pub actor: String,
    /// Message in the history.
    pub why: String,
}

impl ChangeSet {
    /// The change from `before` to `after`.
    #[must_use]
    pub fn between(before: Option<&Skill>, after: Option<Skill>, id: SkillId, actor: impl Into<String>, why: impl Into<String>) -> Self {
        let old = before.map(|skill| &skill.package);
        let new = after.as_ref().map(|skill| &skill.package);
        let old_artifacts: BTreeMap<_, _> = artifacts(old).map(|artifact| (artifact.id, artifact)).collect();
        let remaining: BTreeSet<_> = artifacts(new).map(|artifact| artifact.id).collect();
        let old_files: BTreeMap<_, _> = files(old).map(|file| (&file.path, file)).collect();
        let kept_files: BTreeSet<_> = files(new).map(|file| &file.path).collect();
        let put_artifacts = artifacts(new).filter(|artifact| old_artifacts.get(&artifact.id) != Some(artifact)).cloned().collect();
        let put_files = files(new).filter(|file| old_files.get(&file.path) != Some(file)).cloned().collect();
        let remove_artifacts = old_artifacts.keys().filter(|id| !remaining.contains(id)).copied().collect();
        let remove_files = old_files.keys().filter(|path| !kept_files.contains(*path)).map(|path| (*path).clone()).collect();
        let (old_tree, new_tree) = (old.map(Package::tree).unwrap_or_default(), new.map(Package::tree).unwrap_or_default());
        let paths = changed_paths(&old_tree, &new_tree);
        let superseded = paths.keys().filter_map(|path| old_tree.get(path).map(|entry| (path.clone(), entry.clone()))).collect();
        Self {
            id,
            put_artifacts,
            remove_artifacts,
            put_files,
            remove_files,
            paths,
            superseded,
            after,
            actor: actor.into(),
            why: why.into(),
        }
    }
}

fn artifacts(package: Option<&Package>) -> impl Iterator<Item = &Artifact> {
    package.into_iter().flat_map(|package| &package.artifacts)
}

fn files(package: Option<&Package>) -> impl Iterator<Item = &SkillFile> {
    package.into_iter().flat_map(|package| &package.files)
}

/// Paths that differ between two folders, with their files in `new`.
#[must_use]
pub fn changed_paths(old: &Tree, new: &Tree) -> BTreeMap<SkillPath, Option<TreeFile>> {
    let removed = old.keys().filter(|path| !new.contains_key(*path)).map(|path| (path.clone(), None));
    let put = new.iter().filter(|(path, entry)| old.get(*path) != Some(entry)).map(|(path, entry)| (path.clone(), Some(entry.clone())));
    removed.chain(put).collect()
}

/// A file in a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    pub sha256: Digest,
    /// The owner's execute bit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

pub type TreeManifest = BTreeMap<SkillPath, FileStamp>;

/// How a path differs from the revision before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PathChange {
    Added,
    /// Bytes or mode changed.
    Modified,
    Removed,
}

impl PathChange {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Removed => "removed",
        }
    }
}

/// A path that differs from the previous revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedPath {
    pub path: SkillPath,
    pub change: PathChange,
}

/// An entry of a skill's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevisionInfo {
    /// Number, from 1.
    pub number: i64,
    pub created_at: Time,
    pub actor: String,
    pub why: String,
    /// The previous stored revision; `None` for the first.
    pub previous: Option<i64>,
    pub changed: Vec<ChangedPath>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RevisionFilter {
    /// Only revisions before this one.
    pub before: Option<i64>,
    /// Only revisions that changed this file.
    pub path: Option<SkillPath>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RevisionPage {
    /// Newest first.
    pub revisions: Vec<RevisionInfo>,
    /// `before` for the next page; `None` on the last one. A page may be empty and still have a next one, since only a limited number
    /// of revisions is searched at a time.
    pub next: Option<i64>,
}

#[must_use]
pub fn changed_between(old: &TreeManifest, new: &TreeManifest) -> Vec<ChangedPath> {
    let mut changed: Vec<ChangedPath> = old
        .keys()
        .filter(|path| !new.contains_key(*path))
        .map(|path| ChangedPath { path: path.clone(), change: PathChange::Removed })
        .chain(new.iter().filter(|(path, stamp)| old.get(*path) != Some(stamp)).map(|(path, _)| ChangedPath {
            path: path.clone(),
            change: if old.contains_key(path) { PathChange::Modified } else { PathChange::Added },
        }))
        .collect();
    changed.sort_by(|a, b| a.path.cmp(&b.path));
    changed
}
