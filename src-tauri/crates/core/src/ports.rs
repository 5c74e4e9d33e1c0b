//! Ports: the interfaces that adapters implement and the engine wires up.

use std::sync::Arc;

use crate::change::{ChangeSet, Expected, RevisionFilter, RevisionPage, TreeManifest};
use crate::check::Diagnostic;
use crate::id::{ArtifactId, MessageId, SkillId};
use crate::kind::ArtifactKind;
use crate::lifecycle::{LifecycleChange, LifecycleEntry};
use crate::name::Slug;
use crate::path::SkillPath;
use crate::reliability::{Judgement, SkillUsage, UsageSignals};
use crate::skill::{Artifact, Package, Scope, Skill, SkillSummary};
use crate::skill_list::{NameMatch, ScopeListPage, SkillListItem};
use crate::storage_error::StorageError;
use crate::time::Time;
use crate::tree::Tree;

pub trait Clock: Send + Sync {
    fn now(&self) -> Time;
}

pub trait IdSource: Send + Sync {
    /// Time-ordered: later IDs sort after earlier ones.
    fn uuid(&self) -> uuid::Uuid;

    fn skill(&self) -> SkillId {
        SkillId::new(self.uuid())
    }

    fn artifact(&self) -> ArtifactId {
        ArtifactId::new(self.uuid())
    }
}

#[derive(Debug, Clone)]
pub struct ReadOutput {
    /// With sources in sync.
    pub package: Package,
    /// The ID of the skill in `skill.json`.
    pub id: Option<SkillId>,
    /// The slug declared in the files; `None` if it was derived from the title or the folder name.
    pub stated_slug: Option<Slug>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The mapping between a skill and its folder. Reading and writing are inverse.
pub trait SkillFormat: Send + Sync {
    /// Reads a folder. `known` is the stored package of the same skill, whose artifact IDs are kept by path. `folder` is the
    /// name of the folder, the last resort for the slug. `Err` contains at least one error.
    fn read(&self, tree: &Tree, folder: &str, known: Option<&Package>) -> Result<ReadOutput, Vec<Diagnostic>>;

    /// Updates values of `after` that were derived from an artifact's text in `before`. Values set explicitly are kept.
    fn follow(&self, _before: &Package, _after: &mut Package) {}

    /// Updates `sources` to the values, changing as little text as possible. Error diagnostics mean that no folder
    /// can represent the package.
    fn sync_sources(&self, package: &mut Package) -> Vec<Diagnostic>;

    /// [`Self::sync_sources`], refusing a package that no folder can represent.
    fn sync_sources_strictly(&self, package: &mut Package) -> Result<Vec<Diagnostic>, StorageError> {
        let findings = self.sync_sources(package);
        if findings.iter().any(Diagnostic::is_error) { Err(StorageError::Invalid(findings)) } else { Ok(findings) }
    }
}

/// Everything needed to restore a deleted skill.
#[derive(Debug, Clone, PartialEq)]
pub struct DeletedSkill {
    pub head: crate::skill::Head,
    pub slug: Slug,
    /// By path.
    pub artifacts: std::collections::BTreeMap<SkillPath, ArtifactId>,
    pub tree: Tree,
}

impl DeletedSkill {
    /// Gives the artifacts of a package that was read again the ids that they had, by path.
    pub fn restore_ids(&self, package: &mut Package) {
        for artifact in &mut package.artifacts {
            if let Some(id) = self.artifacts.get(&artifact.path) {
                artifact.id = *id;
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedSummary {
    pub id: SkillId,
    pub slug: Slug,
    /// Title, or the slug if the title wasn't recorded.
    pub name: String,
    pub deleted_at: Time,
    pub actor: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName {
    pub path: SkillPath,
    pub kind: Option<ArtifactKind>,
}

/// Names of a skill and its files, for quick open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillNames {
    pub id: SkillId,
    pub slug: Slug,
    /// Title.
    pub name: String,
    /// Sorted by path.
    pub files: Vec<FileName>,
}

/// Details of a library entry that the summary doesn't have.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillFacts {
    pub id: SkillId,
    pub last_used_at: Option<Time>,
    /// When a person last vouched for it.
    pub last_validated_at: Option<Time>,
    pub usage: UsageSignals,
    /// Includes the manifest.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// Result of a batch of writes.
#[derive(Debug, Default)]
pub struct BatchCommit {
    /// The number of the new revision or the error of each write, in order. Fewer than writes if there is a fault.
    pub results: Vec<Result<i64, StorageError>>,
    /// The error that ended the batch. Writes without a result weren't stored.
    pub fault: Option<StorageError>,
}

/// The skills of one scope. Calls block: async code calls them on a blocking thread.
pub trait SkillStorageRepository: Send + Sync {
    fn scope(&self) -> Scope;

    /// Keeps the sources of written packages in sync.
    fn skill_format(&self) -> &dyn SkillFormat;

    /// Metadata of all skills, by slug.
    fn list_skills(&self) -> Result<Vec<SkillSummary>, StorageError>;

    /// A page of the skill tree, by folded title. `after` is the cursor of the previous page.
    fn list_page(&self, after: Option<&str>, limit: usize) -> Result<ScopeListPage, StorageError>;

    /// Rows of the skill tree. Unknown IDs are skipped.
    fn list_items(&self, ids: &[SkillId]) -> Result<Vec<SkillListItem>, StorageError>;

    fn count_skills(&self) -> Result<u32, StorageError>;

    /// For each slug and folded title, the skills of this scope that have them.
    fn name_matches(&self, names: &[(Slug, String)]) -> Result<Vec<NameMatch>, StorageError>;

    /// Names of all skills and files. Cached, since it is called on each key press.
    fn names(&self) -> Result<Arc<[Arc<SkillNames>]>, StorageError>;

    /// A number that changes with every skill that is created, changed or deleted. Recording a use doesn't change it.
    fn version(&self) -> Result<i64, StorageError>;

    /// Of the skills that were run.
    fn usage(&self) -> Result<Vec<SkillUsage>, StorageError>;

    /// The same of one skill. `None` if it wasn't run.
    fn usage_of(&self, id: SkillId) -> Result<Option<UsageSignals>, StorageError>;

    /// The skills that were duplicated from others.
    fn forks(&self) -> Result<Vec<SkillId>, StorageError>;

    /// Skills that never ran are skipped.
    fn last_used(&self) -> Result<Vec<(SkillId, Time)>, StorageError>;

    /// Deleted skills are skipped.
    fn skill_facts(&self, ids: &[SkillId]) -> Result<Vec<SkillFacts>, StorageError>;

    fn has_slug(&self, slug: &Slug) -> Result<bool, StorageError> {
        Ok(self.name_matches(&[(slug.clone(), String::new())])?.iter().any(|found| found.same_slug))
    }

    fn get_skill(&self, id: SkillId) -> Result<Option<Skill>, StorageError>;

    /// By ID, then slug, then title; `_` and spaces match `-`.
    fn get_skill_by_name(&self, name: &str) -> Result<Option<Skill>, StorageError>;

    /// The same without artifacts, files and relations.
    fn get_values_by_name(&self, name: &str) -> Result<Option<Skill>, StorageError>;

    /// A file of a skill as its folder has it. Reads no other.
    fn get_file(&self, id: SkillId, path: &SkillPath) -> Result<Option<crate::tree::TreeFile>, StorageError>;

    /// Artifacts of a skill by ordinal, of some kinds or, if `kinds` is empty, of all.
    fn get_artifacts(&self, id: SkillId, kinds: &[ArtifactKind]) -> Result<Vec<Artifact>, StorageError>;

    fn get_artifact(&self, id: ArtifactId) -> Result<Option<Artifact>, StorageError>;

    /// Stores all of `change` or nothing. Returns the number of the new revision.
    fn commit(&self, change: &ChangeSet, expected: Expected) -> Result<i64, StorageError>;

    /// Stores several changes, all or none. Returns the numbers of the new revisions, in order.
    fn commit_together(&self, changes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError>;

    /// Stores many changes, each as a whole or not at all, at most 500 per transaction.
    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit;

    /// Adds an entry to the ledger, but no revision.
    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError>;

    /// Adds an entry to the ledger, but no revision. False if the skill has another state or revision than the change is for.
    fn set_lifecycle(&self, id: SkillId, change: &LifecycleChange, actor: &str) -> Result<bool, StorageError>;

    /// Changes of a skill's lifecycle, newest first.
    fn lifecycle_history(&self, id: SkillId) -> Result<Vec<LifecycleEntry>, StorageError>;

    /// Changes neither revision nor modification time. A deleted skill is not an error.
    fn record_use(&self, id: SkillId, ok: bool, usage: crate::trace::Usage) -> Result<(), StorageError>;

    /// Counts a load without an outcome: by an answer in a chat once, and each one outside of chats, which is never judged. Otherwise as
    /// [`Self::record_use`].
    fn record_load(&self, id: SkillId, answer: Option<MessageId>) -> Result<(), StorageError>;

    /// Gives the skills that an answer loaded the outcome that the user's judgement means.
    fn judge_loads(&self, answer: MessageId, judgement: Judgement) -> Result<(), StorageError>;

    /// IDs of the skills of this scope with a relation to the skill `slug`, in any spelling.
    fn related_to(&self, slug: &Slug) -> Result<Vec<SkillId>, StorageError>;

    /// For each slug and folded title, the slugs of the skills of this scope that depend on that skill, without itself. The
    /// relations are read once.
    fn dependents(&self, names: &[(Slug, String)]) -> Result<Vec<Vec<String>>, StorageError>;

    /// A page of at most `limit` revisions, newest first.
    fn revisions(&self, id: SkillId, filter: &RevisionFilter, limit: usize) -> Result<RevisionPage, StorageError>;

    /// The newest revision with exactly these files.
    fn revision_with(&self, id: SkillId, tree: &Tree) -> Result<Option<i64>, StorageError>;

    fn revision_tree(&self, id: SkillId, number: i64) -> Result<Tree, StorageError>;

    /// The hashes of the files of a revision, without reading them. `None` if it doesn't exist, or was pruned.
    fn revision_manifest(&self, id: SkillId, number: i64) -> Result<Option<TreeManifest>, StorageError>;

    /// A file at a revision; `None` if it doesn't exist there.
    fn revision_file(&self, id: SkillId, number: i64, path: &SkillPath) -> Result<Option<crate::tree::TreeFile>, StorageError> {
        Ok(self.revision_tree(id, number)?.remove(path))
    }

    /// A deleted skill, unless it was pruned from the history.
    fn deleted(&self, id: SkillId) -> Result<Option<DeletedSkill>, StorageError>;

    /// The deleted skills that can be restored, last deleted first.
    fn list_deleted(&self) -> Result<Vec<DeletedSummary>, StorageError>;

    fn create_skill(&self, skill: &Skill, actor: &str) -> Result<i64, StorageError> {
        let mut after = skill.clone();
        self.skill_format().sync_sources_strictly(&mut after.package)?;
        self.commit(&ChangeSet::between(None, Some(after), skill.head.id, actor, "created"), Expected::Absent)
    }

    /// Replaces a skill. `skill.head.revision` is the revision that the caller has read.
    fn update_skill(&self, skill: &Skill, actor: &str) -> Result<i64, StorageError> {
        let before = self.present(skill.head.id)?;
        let mut after = skill.clone();
        self.skill_format().follow(&before.package, &mut after.package);
        self.skill_format().sync_sources_strictly(&mut after.package)?;
        self.commit(
            &ChangeSet::between(Some(&before), Some(after), skill.head.id, actor, "updated"),
            Expected::Revision(skill.head.revision),
        )
    }

    /// Deletes a skill. Its history is kept for a while, so that it can be restored.
    fn delete_skill(&self, id: SkillId, actor: &str) -> Result<i64, StorageError> {
        let before = self.present(id)?;
        let expected = Expected::Revision(before.head.revision);
        self.commit(&ChangeSet::between(Some(&before), None, id, actor, "deleted"), expected)
    }

    fn add_artifact(&self, skill: SkillId, artifact: Artifact, actor: &str) -> Result<i64, StorageError> {
        let mut after = self.present(skill)?;
        after.package.artifacts.push(artifact);
        self.update_skill(&after, actor)
    }

    fn update_artifact(&self, skill: SkillId, artifact: Artifact, actor: &str) -> Result<i64, StorageError> {
        let mut after = self.present(skill)?;
        let Some(known) = after.package.artifacts.iter_mut().find(|known| known.id == artifact.id) else {
            return Err(StorageError::NotFound { what: "artifact", name: artifact.id.to_string() });
        };
        *known = artifact;
        self.update_skill(&after, actor)
    }

    fn delete_artifact(&self, skill: SkillId, artifact: ArtifactId, actor: &str) -> Result<i64, StorageError> {
        let mut after = self.present(skill)?;
        after.package.artifacts.retain(|known| known.id != artifact);
        self.update_skill(&after, actor)
    }

    /// Like `get_skill`, but a missing skill is an error.
    fn present(&self, id: SkillId) -> Result<Skill, StorageError> {
        self.get_skill(id)?.ok_or_else(|| StorageError::NotFound { what: "skill", name: id.to_string() })
    }
}
