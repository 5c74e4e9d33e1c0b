//! Ports: what the domain needs of the world. Adapters implement them; the engine puts them together.

use std::path::PathBuf;
use std::sync::Arc;

use crate::change::{ChangeSet, Expected, RevisionFilter, RevisionPage};
use crate::check::Diagnostic;
use crate::id::{ArtifactId, SkillId};
use crate::kind::ArtifactKind;
use crate::name::Slug;
use crate::path::SkillPath;
use crate::skill::{Artifact, Package, Scope, Skill, SkillSummary};
use crate::skill_list::{NameMatch, ScopeListPage, SkillListItem};
use crate::time::Time;
use crate::tree::Tree;

/// Tells the time; a fake in tests.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Time;
}

/// Makes ids; a counter in tests.
pub trait IdSource: Send + Sync {
    /// A fresh UUID; later ones sort after earlier ones.
    fn uuid(&self) -> uuid::Uuid;

    /// A fresh skill id.
    fn skill(&self) -> SkillId {
        SkillId::new(self.uuid())
    }

    /// A fresh artifact id.
    fn artifact(&self) -> ArtifactId {
        ArtifactId::new(self.uuid())
    }
}

/// What reading a folder gave.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The skill's package, settled.
    pub package: Package,
    /// The id that `skill.json` claims for the skill, if any.
    pub id: Option<SkillId>,
    /// The slug, if the texts state one. Without, the package's was made of a title or of the folder's name.
    pub stated_slug: Option<Slug>,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
}

/// The mapping between a skill and its folder, the same in both directions.
pub trait SkillFormat: Send + Sync {
    /// Reads a folder. `known` is the stored package of the same skill: artifacts keep their ids by path. `folder` is the
    /// folder's own name, the last resort for a slug. `Err` holds at least one error and means: refused as a whole.
    fn read(&self, tree: &Tree, folder: &str, known: Option<&Package>) -> Result<Reading, Vec<Diagnostic>>;

    /// Lets values of `after` that `before` had from an artifact's text follow that text. Values that were set stay.
    fn follow(&self, _before: &Package, _after: &mut Package) {}

    /// Makes `sources` say what the values say, changing as little text as possible. Findings that are errors mean that no folder
    /// can hold the package.
    fn sync_sources(&self, package: &mut Package) -> Vec<Diagnostic>;

    /// [`Self::settle`], refusing a package that no folder can hold.
    fn sync_sources_strictly(&self, package: &mut Package) -> Result<Vec<Diagnostic>, StorageError> {
        let findings = self.sync_sources(package);
        if findings.iter().any(Diagnostic::is_error) { Err(StorageError::Invalid(findings)) } else { Ok(findings) }
    }
}

/// What a store can fail with.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The thing isn't there.
    #[error("no {what} {name:?} here")]
    NotFound {
        /// `skill`, `artifact`, `revision`, `file`.
        what: &'static str,
        /// How it was asked for.
        name: String,
    },
    /// The skill moved on since the writer read it.
    #[error("skill {slug} is at revision {actual}, the change was made to revision {expected}")]
    RevisionConflict {
        /// The skill.
        slug: Slug,
        /// What the writer knew; 0 when it expected none.
        expected: i64,
        /// What is stored; 0 when it is gone.
        actual: i64,
    },
    /// Another skill of this database has the slug or the title.
    #[error("the {what} {value:?} is taken")]
    Exists {
        /// `slug` or `title`.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// A limit was crossed.
    #[error("{what}: {found}, at most {limit} are allowed")]
    Limit {
        /// What was counted, e.g. `bytes of prompts/big.j2`.
        what: String,
        /// How many there are.
        found: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The content breaks a rule; at least one diagnostic is an error.
    #[error("{}", first_message(.0))]
    Invalid(Vec<Diagnostic>),
    /// The database can't be written.
    #[error("{} can't be written", .path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The database was written by a newer build.
    #[error("{} was written by a newer version (schema {found}, this version knows {known})", .path.display())]
    NewerDatabase {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// The file is no database, or damaged.
    #[error("{} is damaged: {detail}", .path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// A sound database, but not one of ours; it is left alone.
    #[error("{} is not a skill database: {detail}", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The file or its folder was removed while it was open.
    #[error("{} is gone: it was moved or deleted", .path.display())]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// Another process has the database open and the action needs it alone.
    #[error("{} is open in another program", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Another process held the database for too long.
    #[error("{} is busy: another program is writing to it", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("no space left to write {}", .path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Someone asked for it to stop; nothing was changed.
    #[error("{action} {} was cancelled", .path.display())]
    Cancelled {
        /// What was going on, e.g. `copying`.
        action: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// Anything else that the operating system or the database refused.
    #[error("{action} {} failed: {source}", .path.display())]
    Failed {
        /// What was tried, e.g. `opening`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

fn first_message(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().find(|finding| finding.is_error()).or(diagnostics.first()).map_or_else(
        || "the content is not valid".to_owned(),
        |finding| match &finding.file {
            Some(file) => format!("{file}: {}", finding.message),
            None => finding.message.clone(),
        },
    )
}

/// What is left of a deleted skill: enough to bring it back as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct DeletedSkill {
    /// Its head.
    pub head: crate::skill::Head,
    /// Its slug.
    pub slug: Slug,
    /// The ids of its artifacts, by path.
    pub artifacts: std::collections::BTreeMap<SkillPath, ArtifactId>,
    /// Its last folder.
    pub tree: Tree,
}

/// A deleted skill in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedSummary {
    /// Its id.
    pub id: SkillId,
    /// Its slug.
    pub slug: Slug,
    /// Its title; the slug where the title wasn't recorded.
    pub name: String,
    /// When it was deleted.
    pub deleted_at: Time,
    /// Who deleted it.
    pub actor: String,
}

/// A file as it is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName {
    /// Its path.
    pub path: SkillPath,
    /// Of the artifact that it is.
    pub kind: Option<ArtifactKind>,
}

/// What a skill and its files are looked for by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillNames {
    /// Its id.
    pub id: SkillId,
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// All files of its folder, by path.
    pub files: Vec<FileName>,
}

/// What a library shows of a skill beside its summary.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillFacts {
    /// Its id.
    pub id: SkillId,
    /// When it ran last.
    pub last_used_at: Option<Time>,
    /// Its free metadata; the manifest is in it.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// What became of many writes.
#[derive(Debug, Default)]
pub struct BatchCommit {
    /// The new revision's number, or why a write was refused, for the writes in order; fewer when there is a fault.
    pub results: Vec<Result<i64, StorageError>>,
    /// What made the store give up. Nothing is stored of the writes that have no result.
    pub fault: Option<StorageError>,
}

/// Skills at one scope. Calls block: callers in async code move them to a blocking thread, once, at the boundary.
pub trait SkillStorageRepository: Send + Sync {
    /// Which scope this is.
    fn scope(&self) -> Scope;

    /// The mapping to folders that keeps written packages settled.
    fn skill_format(&self) -> &dyn SkillFormat;

    /// All skills, metadata only, by slug.
    fn list_skills(&self) -> Result<Vec<SkillSummary>, StorageError>;

    /// Some of the skills as a tree shows them, by folded title, from behind one of them.
    fn list_page(&self, after: Option<&str>, limit: usize) -> Result<ScopeListPage, StorageError>;

    /// Those of these skills that are there, as a tree shows them.
    fn list_items(&self, ids: &[SkillId]) -> Result<Vec<SkillListItem>, StorageError>;

    /// How many skills there are.
    fn count_skills(&self) -> Result<u32, StorageError>;

    /// What this scope has under each slug and folded title.
    fn name_matches(&self, names: &[(Slug, String)]) -> Result<Vec<NameMatch>, StorageError>;

    /// The names of all skills and of their files. Kept from call to call, so that it can be asked while someone types.
    fn names(&self) -> Result<Arc<[Arc<SkillNames>]>, StorageError>;

    /// When skills ran last; those that never did are left out.
    fn last_used(&self) -> Result<Vec<(SkillId, Time)>, StorageError>;

    /// What a library shows of these skills; those that are gone are left out.
    fn skill_facts(&self, ids: &[SkillId]) -> Result<Vec<SkillFacts>, StorageError>;

    /// Whether a skill has exactly this slug.
    fn has_slug(&self, slug: &Slug) -> Result<bool, StorageError> {
        Ok(self.name_matches(&[(slug.clone(), String::new())])?.iter().any(|found| found.same_slug))
    }

    /// One skill with everything.
    fn get_skill(&self, id: SkillId) -> Result<Option<Skill>, StorageError>;

    /// One skill by id, slug, then title (`_` and blanks stand for `-`).
    fn get_skill_by_name(&self, name: &str) -> Result<Option<Skill>, StorageError>;

    /// A skill's artifacts of some kinds, by ordinal; all kinds when empty.
    fn get_artifacts(&self, id: SkillId, kinds: &[ArtifactKind]) -> Result<Vec<Artifact>, StorageError>;

    /// One artifact.
    fn get_artifact(&self, id: ArtifactId) -> Result<Option<Artifact>, StorageError>;

    /// The one way to write: all of `change` or nothing. Returns the new revision's number.
    fn commit(&self, change: &ChangeSet, expected: Expected) -> Result<i64, StorageError>;

    /// Several writes as one: all of them or none. Returns the new revisions' numbers, in order.
    fn commit_together(&self, changes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError>;

    /// Many writes, each all or nothing, at most 500 a transaction.
    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit;

    /// Turns a skill on or off: an entry of the ledger, no revision.
    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError>;

    /// Counts a use of a skill; neither its revision nor its time of change moves. A skill that is gone is no error.
    fn record_use(&self, id: SkillId, ok: bool, usage: crate::trace::Usage) -> Result<(), StorageError>;

    /// Ids of this scope's skills that name the skill `slug` in a relation, in whatever spelling.
    fn related_to(&self, slug: &Slug) -> Result<Vec<SkillId>, StorageError>;

    /// For each slug and folded title, the slugs of this scope's skills that depend on the skill of that name, itself left out. The
    /// relations are read once, however many names there are.
    fn dependents(&self, names: &[(Slug, String)]) -> Result<Vec<Vec<String>>, StorageError>;

    /// Part of the history, newest first, at most `limit` revisions.
    fn revisions(&self, id: SkillId, filter: &RevisionFilter, limit: usize) -> Result<RevisionPage, StorageError>;

    /// The newest revision with exactly this folder.
    fn revision_with(&self, id: SkillId, tree: &Tree) -> Result<Option<i64>, StorageError>;

    /// The folder at a revision.
    fn revision_tree(&self, id: SkillId, number: i64) -> Result<Tree, StorageError>;

    /// One file at a revision; `None` if the revision has no such path.
    fn revision_file(&self, id: SkillId, number: i64, path: &SkillPath) -> Result<Option<crate::tree::TreeFile>, StorageError> {
        Ok(self.revision_tree(id, number)?.remove(path))
    }

    /// A deleted skill, while history keeps it.
    fn deleted(&self, id: SkillId) -> Result<Option<DeletedSkill>, StorageError>;

    /// The deleted skills that history keeps, last deleted first.
    fn list_deleted(&self) -> Result<Vec<DeletedSummary>, StorageError>;

    /// Stores a new skill.
    fn create_skill(&self, skill: &Skill, actor: &str) -> Result<i64, StorageError> {
        let mut after = skill.clone();
        self.skill_format().sync_sources_strictly(&mut after.package)?;
        self.commit(&ChangeSet::between(None, Some(after), skill.head.id, actor, "created"), Expected::Absent)
    }

    /// Replaces a skill as a whole; `skill.head.revision` is what the writer knew.
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

    /// Deletes a skill; its history stays for a while, so that it can be undone.
    fn delete_skill(&self, id: SkillId, actor: &str) -> Result<i64, StorageError> {
        let before = self.present(id)?;
        let expected = Expected::Revision(before.head.revision);
        self.commit(&ChangeSet::between(Some(&before), None, id, actor, "deleted"), expected)
    }

    /// Adds an artifact.
    fn add_artifact(&self, skill: SkillId, artifact: Artifact, actor: &str) -> Result<i64, StorageError> {
        let mut after = self.present(skill)?;
        after.package.artifacts.push(artifact);
        self.update_skill(&after, actor)
    }

    /// Replaces the artifact of the same id.
    fn update_artifact(&self, skill: SkillId, artifact: Artifact, actor: &str) -> Result<i64, StorageError> {
        let mut after = self.present(skill)?;
        let Some(known) = after.package.artifacts.iter_mut().find(|known| known.id == artifact.id) else {
            return Err(StorageError::NotFound { what: "artifact", name: artifact.id.to_string() });
        };
        *known = artifact;
        self.update_skill(&after, actor)
    }

    /// Removes an artifact.
    fn delete_artifact(&self, skill: SkillId, artifact: ArtifactId, actor: &str) -> Result<i64, StorageError> {
        let mut after = self.present(skill)?;
        after.package.artifacts.retain(|known| known.id != artifact);
        self.update_skill(&after, actor)
    }

    /// The skill, or the error that it is not there.
    fn present(&self, id: SkillId) -> Result<Skill, StorageError> {
        self.get_skill(id)?.ok_or_else(|| StorageError::NotFound { what: "skill", name: id.to_string() })
    }
}
