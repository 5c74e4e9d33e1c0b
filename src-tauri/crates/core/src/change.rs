//! Writes: the one aggregate change of a skill.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::id::{ArtifactId, SkillId};
use crate::path::SkillPath;
use crate::skill::{Artifact, Package, Skill, SkillFile};
use crate::time::Time;
use crate::tree::{Tree, TreeFile};

/// What a writer believes about the stored skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// No skill of this id or slug.
    Absent,
    /// Exactly this revision.
    Revision(i64),
}

/// One write of one skill: everything that changes, in one transaction, giving one revision.
///
/// Built by [`ChangeSet::between`]; rows that are equal before and after are not in it, so a store touches only what
/// changed. Deleting is `after: None`.
#[derive(Debug, Clone)]
pub struct ChangeSet {
    pub id: SkillId,
    /// Its whole state afterwards, settled; none deletes it.
    pub after: Option<Skill>,
    /// Artifacts to insert or replace.
    pub put_artifacts: Vec<Artifact>,
    pub remove_artifacts: Vec<ArtifactId>,
    /// Files to insert or replace.
    pub put_files: Vec<SkillFile>,
    pub remove_files: Vec<SkillPath>,
    /// Folder paths whose bytes or mode changed; none is removed.
    pub paths: BTreeMap<SkillPath, Option<TreeFile>>,
    /// Bodies that the write supersedes, by path: what history keeps.
    pub superseded: BTreeMap<SkillPath, TreeFile>,
    /// Who: `local`, `inklings` (seeding), …
    pub actor: String,
    /// Why: shown in the history.
    pub why: String,
}

impl ChangeSet {
    /// The change that leads from `before` to `after`.
    #[must_use]
    pub fn between(before: Option<&Skill>, after: Option<Skill>, id: SkillId, actor: impl Into<String>, why: impl Into<String>) -> Self {
        let old = before.map(|skill| &skill.package);
        let new = after.as_ref().map(|skill| &skill.package);
        let old_artifacts: BTreeMap<_, _> = artifacts(old).map(|artifact| (artifact.id, artifact)).collect();
        let kept: BTreeSet<_> = artifacts(new).map(|artifact| artifact.id).collect();
        let old_files: BTreeMap<_, _> = files(old).map(|file| (&file.path, file)).collect();
        let kept_files: BTreeSet<_> = files(new).map(|file| &file.path).collect();
        let put_artifacts = artifacts(new).filter(|artifact| old_artifacts.get(&artifact.id) != Some(artifact)).cloned().collect();
        let put_files = files(new).filter(|file| old_files.get(&file.path) != Some(file)).cloned().collect();
        let remove_artifacts = old_artifacts.keys().filter(|id| !kept.contains(id)).copied().collect();
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

/// Paths that differ between two folders, with what they are in `new`.
#[must_use]
pub fn changed_paths(old: &Tree, new: &Tree) -> BTreeMap<SkillPath, Option<TreeFile>> {
    let removed = old.keys().filter(|path| !new.contains_key(*path)).map(|path| (path.clone(), None));
    let put = new.iter().filter(|(path, entry)| old.get(*path) != Some(entry)).map(|(path, entry)| (path.clone(), Some(entry.clone())));
    removed.chain(put).collect()
}

/// A file in a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Hash of the content.
    pub sha256: Digest,
    /// The owner's execute bit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

/// The folder of a revision, by content hash.
pub type Manifest = BTreeMap<SkillPath, Stamp>;

/// How a path differs from the revision before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PathChange {
    /// New.
    Added,
    /// Other bytes or mode.
    Modified,
    /// Gone.
    Removed,
}

impl PathChange {
    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Removed => "removed",
        }
    }
}

/// One path of a revision that differs from the revision before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedPath {
    /// The path.
    pub path: SkillPath,
    /// How.
    pub change: PathChange,
}

/// One entry of a skill's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevisionInfo {
    /// Number, from 1.
    pub number: i64,
    /// When.
    pub created_at: Time,
    /// Who.
    pub actor: String,
    /// Why.
    pub why: String,
    /// The revision that is kept before it; none before the first.
    pub previous: Option<i64>,
    /// What differs from that one.
    pub changed: Vec<ChangedPath>,
}

/// Which part of a history is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RevisionFilter {
    /// Only revisions before this one.
    pub before: Option<i64>,
    /// Only revisions that changed this file.
    pub path: Option<SkillPath>,
}

/// Part of a history.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RevisionPage {
    /// Newest first.
    pub revisions: Vec<RevisionInfo>,
    /// What the next part comes before; none at the end. A part may be empty and still have one: only so much is looked through at
    /// a time.
    pub next: Option<i64>,
}

/// What differs between two revisions' folders.
#[must_use]
pub fn changed_between(old: &Manifest, new: &Manifest) -> Vec<ChangedPath> {
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
