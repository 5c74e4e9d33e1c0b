//! The repository port over one scope's file: reads, and the one aggregate write.

use std::collections::BTreeMap;
use std::sync::Arc;

use inklings_core::change::{FileStamp, RevisionFilter, RevisionPage, TreeManifest};
use inklings_core::reliability::{Judgement, SkillUsage, UsageSignals};
use inklings_core::skill_list::{NameMatch, ScopeListPage, SkillListItem};
use inklings_core::trace::Usage;
use inklings_core::{
    Artifact, ArtifactId, ArtifactKind, BatchCommit, ChangeSet, DeletedSkill, DeletedSummary, Expected, Failpoint, Head, LifecycleChange,
    LifecycleEntry, MessageId, Origin, Scope, Skill, SkillFacts, SkillFormat, SkillId, SkillNames, SkillPath, SkillStorageRepository,
    SkillSummary, Slug, Source, StorageError, Time, Tree, TreeFile, limits,
};
use inklings_sqlite::Fault;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Transaction};

use crate::blob::{self, missing};
use crate::feed;
use crate::store::Store;
use crate::tables::revisions::{self, NewRevision};
use crate::tables::{artifacts, bindings, files, invocations, ledger, library, relations, skill_list, skills};

/// Writes per transaction.
const BATCH_SIZE: usize = 500;

impl SkillStorageRepository for Store {
    fn scope(&self) -> Scope {
        self.scope_of()
    }

    fn skill_format(&self) -> &dyn SkillFormat {
        self.projection_of()
    }

    fn list_skills(&self) -> Result<Vec<SkillSummary>, StorageError> {
        self.read(|connection| skills::list(connection, self.scope_of()))
    }

    fn names(&self) -> Result<Arc<[Arc<SkillNames>]>, StorageError> {
        let Some(database) = self.database()? else { return Ok(Arc::default()) };
        self.names.current(&database)
    }

    fn version(&self) -> Result<i64, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM changes")?;
            Ok(statement.query_row([], |row| row.get(0))?)
        })
    }

    fn usage(&self) -> Result<Vec<SkillUsage>, StorageError> {
        self.read(library::usage)
    }

    fn usage_of(&self, id: SkillId) -> Result<Option<UsageSignals>, StorageError> {
        self.read(|connection| library::usage_of(connection, id))
    }

    fn forks(&self) -> Result<Vec<SkillId>, StorageError> {
        self.read(library::forks)
    }

    fn last_used(&self) -> Result<Vec<(SkillId, Time)>, StorageError> {
        self.read(library::last_used)
    }

    fn skill_facts(&self, ids: &[SkillId]) -> Result<Vec<SkillFacts>, StorageError> {
        self.read(|connection| library::facts(connection, ids))
    }

    fn list_page(&self, after: Option<&str>, limit: usize) -> Result<ScopeListPage, StorageError> {
        self.read(|connection| skill_list::page(connection, self.scope_of(), after, limit))
    }

    fn list_items(&self, ids: &[SkillId]) -> Result<Vec<SkillListItem>, StorageError> {
        self.read(|connection| skill_list::some(connection, self.scope_of(), ids))
    }

    fn count_skills(&self) -> Result<u32, StorageError> {
        self.read(|connection| Ok(connection.query_row("SELECT count(*) FROM skills", [], |row| row.get(0))?))
    }

    fn name_matches(&self, names: &[(Slug, String)]) -> Result<Vec<NameMatch>, StorageError> {
        let found = self.read(|connection| skill_list::name_matches(connection, names))?;
        Ok(if found.is_empty() { vec![NameMatch::default(); names.len()] } else { found })
    }

    fn get_skill(&self, id: SkillId) -> Result<Option<Skill>, StorageError> {
        self.read(|connection| self.load(connection, id))
    }

    fn get_skill_by_name(&self, name: &str) -> Result<Option<Skill>, StorageError> {
        self.read(|connection| match skills::resolve(connection, name)? {
            Some(id) => self.load(connection, id),
            None => Ok(None),
        })
    }

    fn get_values_by_name(&self, name: &str) -> Result<Option<Skill>, StorageError> {
        self.read(|connection| {
            let Some(id) = skills::resolve(connection, name)? else { return Ok(None) };
            Ok(skills::get(connection, self.scope_of(), id)?.map(|(_, skill)| skill))
        })
    }

    fn get_file(&self, id: SkillId, path: &SkillPath) -> Result<Option<TreeFile>, StorageError> {
        self.read(|connection| {
            let Some((key, mut skill)) = skills::get(connection, self.scope_of(), id)? else { return Ok(None) };
            skill.package.artifacts = artifacts::at(connection, key, path)?;
            skill.package.files = files::at(connection, key, path)?;
            Ok(skill.package.tree().remove(path))
        })
    }

    fn get_artifacts(&self, id: SkillId, kinds: &[ArtifactKind]) -> Result<Vec<Artifact>, StorageError> {
        self.read(|connection| match skills::key(connection, id)? {
            Some(key) => artifacts::list(connection, key, kinds),
            None => Ok(Vec::new()),
        })
    }

    fn get_artifact(&self, id: ArtifactId) -> Result<Option<Artifact>, StorageError> {
        self.read(|connection| artifacts::get(connection, id))
    }

    fn commit(&self, change: &ChangeSet, expected: Expected) -> Result<i64, StorageError> {
        check_limits(change)?;
        self.write_revisions(|transaction| self.apply(transaction, change, expected))
    }

    fn commit_together(&self, changes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError> {
        changes.iter().try_for_each(|(change, _)| check_limits(change))?;
        self.write_revisions(|transaction| changes.iter().map(|(change, expected)| self.apply(transaction, change, *expected)).collect())
    }

    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit {
        let mut all = BatchCommit { results: Vec::with_capacity(changes.len()), fault: None };
        for batch in changes.chunks(BATCH_SIZE) {
            let done = self.write_revisions(|transaction| {
                let mut done = Vec::with_capacity(batch.len());
                for (change, expected) in batch {
                    let savepoint = transaction.savepoint()?;
                    match check_limits(change).map_err(Fault::from).and_then(|()| self.apply(&savepoint, change, *expected)) {
                        Ok(revision) => {
                            savepoint.commit()?;
                            done.push(Ok(revision));
                            Failpoint::BatchSkill.reach();
                        }
                        // Dropping the savepoint rolls back only this skill.
                        Err(Fault::Storage(error)) => done.push(Err(error)),
                        Err(fault) => return Err(fault),
                    }
                }
                Ok(done)
            });
            match done {
                Ok(mut done) => {
                    all.results.append(&mut done);
                    Failpoint::BatchCommitted.reach();
                }
                Err(fault) => {
                    all.fault = Some(fault);
                    break;
                }
            }
        }
        all
    }

    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| {
            let slug: Option<String> = transaction
                .prepare_cached("UPDATE skills SET enabled = ?2 WHERE id = ?1 RETURNING slug")?
                .query_row(rusqlite::params![id.to_string(), enabled], |row| row.get(0))
                .optional()?;
            let slug = slug.ok_or_else(|| missing("skill", id))?;
            ledger::append(transaction, id, &slug, if enabled { "enabled" } else { "disabled" }, &serde_json::json!({}), actor, &now)?;
            feed::append(transaction, "skill", &id.to_string(), self.origin())
        })
    }

    fn set_lifecycle(&self, id: SkillId, change: &LifecycleChange, actor: &str) -> Result<bool, StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| {
            let slug = match skills::set_lifecycle(transaction, id, change, &now)? {
                Some(slug) => slug,
                None if skills::key(transaction, id)?.is_some() => return Ok(false),
                None => return Err(missing("skill", id)),
            };
            let detail = ledger::lifecycle_detail(change);
            ledger::append(transaction, id, &slug, change.action.as_str(), &detail, actor, &now)?;
            feed::append(transaction, "skill", &id.to_string(), self.origin())?;
            Ok(true)
        })
    }

    fn lifecycle_history(&self, id: SkillId) -> Result<Vec<LifecycleEntry>, StorageError> {
        self.read(|connection| ledger::lifecycle_entries(connection, id))
    }

    fn record_use(&self, id: SkillId, ok: bool, usage: Usage) -> Result<(), StorageError> {
        if !self.exists() || !self.is_writable() {
            return Ok(());
        }
        let now = self.now().to_string();
        self.write(|transaction| invocations::record_run(transaction, id, ok, usage, &now))
    }

    fn record_load(&self, id: SkillId, answer: Option<MessageId>) -> Result<(), StorageError> {
        if !self.exists() || !self.is_writable() {
            return Ok(());
        }
        let now = self.now().to_string();
        self.write(|transaction| invocations::record_load(transaction, id, answer, &now))
    }

    fn judge_loads(&self, answer: MessageId, judgement: Judgement) -> Result<(), StorageError> {
        if !self.exists() || !self.is_writable() {
            return Ok(());
        }
        self.write(|transaction| invocations::judge_loads(transaction, answer, judgement))
    }

    fn related_to(&self, slug: &Slug) -> Result<Vec<SkillId>, StorageError> {
        self.read(|connection| relations::related_to(connection, slug.as_str()))
    }

    fn dependents(&self, names: &[(Slug, String)]) -> Result<Vec<Vec<String>>, StorageError> {
        self.read(|connection| relations::dependents(connection, names))
    }

    fn revisions(&self, id: SkillId, filter: &RevisionFilter, limit: usize) -> Result<RevisionPage, StorageError> {
        self.read(|connection| revisions::list(connection, id, filter, limit))
    }

    fn revision_with(&self, id: SkillId, tree: &Tree) -> Result<Option<i64>, StorageError> {
        self.read(|connection| revisions::with_tree(connection, id, tree))
    }

    fn revision_tree(&self, id: SkillId, number: i64) -> Result<Tree, StorageError> {
        let tree = self.read(|connection| {
            let Some(manifest) = revisions::manifest(connection, id, number)? else {
                return Ok(None);
            };
            let current = self.load(connection, id)?.map(|skill| skill.package.tree()).unwrap_or_default();
            revisions::tree(connection, &manifest, &current).map(Some)
        })?;
        tree.ok_or_else(|| StorageError::NotFound { what: "revision", name: number.to_string() })
    }

    fn revision_manifest(&self, id: SkillId, number: i64) -> Result<Option<TreeManifest>, StorageError> {
        self.read(|connection| revisions::manifest(connection, id, number))
    }

    fn list_deleted(&self) -> Result<Vec<DeletedSummary>, StorageError> {
        self.read(revisions::list_deleted)
    }

    fn deleted(&self, id: SkillId) -> Result<Option<DeletedSkill>, StorageError> {
        let now = self.now();
        self.read(|connection| {
            let Some((head, manifest)) = revisions::deleted(connection, id)? else {
                return Ok(None);
            };
            let fresh = Head::new(id, self.scope_of(), Source::User, Origin::Human, now);
            Ok(Some(DeletedSkill {
                slug: revisions::field(&head, "slug")?,
                artifacts: revisions::field(&head, "artifacts")?,
                head: revisions::read_head_json(&head, fresh)?,
                tree: revisions::tree(connection, &manifest, &Tree::new())?,
            }))
        })
    }
}

impl Store {
    /// The revisions that later merges with imported skills and with originals of forks start from. `merged` is
    /// [`Self::proposed_merges`] of the account.
    pub fn merge_bases(&self, merged: &[(SkillId, i64)]) -> Result<Vec<(SkillId, i64)>, StorageError> {
        self.read(|connection| revisions::merge_bases(connection, merged))
    }

    /// Deletes history older than `keep_days`, except the last revision of each day and `bases`, which something is based on. Returns the
    /// number of deleted revisions.
    pub fn prune(&self, keep_days: i64, bases: &[(SkillId, i64)]) -> Result<usize, StorageError> {
        let now = self.now();
        if !self.exists() {
            return Ok(0);
        }
        self.write(|transaction| {
            let deleted = revisions::prune(transaction, now, keep_days, bases)?;
            bindings::prune(transaction)?;
            Ok(deleted)
        })
    }

    fn load(&self, connection: &Connection, id: SkillId) -> Result<Option<Skill>, Fault> {
        let Some((key, mut skill)) = skills::get(connection, self.scope_of(), id)? else {
            return Ok(None);
        };
        skill.package.artifacts = artifacts::list(connection, key, &[])?;
        skill.package.files = files::list(connection, key)?;
        skill.package.relations = relations::list(connection, key)?;
        Ok(Some(skill))
    }

    pub(crate) fn write_revisions<T>(&self, change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>) -> Result<T, StorageError> {
        let value = self.write(|transaction| {
            Failpoint::CommitBegun.reach();
            let value = change(transaction)?;
            Failpoint::CommitBefore.reach();
            Ok(value)
        })?;
        Failpoint::CommitAfter.reach();
        Ok(value)
    }

    /// Runs inside a transaction or savepoint of the caller.
    pub(crate) fn apply(&self, connection: &Connection, change: &ChangeSet, expected: Expected) -> Result<i64, Fault> {
        let present = skills::head(connection, self.scope_of(), change.id)?;
        check_expected(connection, change, expected, present.as_ref())?;
        let (last, now) = (revisions::last(connection, change.id)?, self.now().to_string());
        let number = last + 1;
        let before = match &present {
            Some(head) => revisions::manifest(connection, change.id, head.revision)?.unwrap_or_default(),
            None => TreeManifest::new(),
        };
        for entry in change.superseded.values() {
            blob::put(connection, &entry.bytes)?;
        }
        Failpoint::CommitSuperseded.reach();
        let manifest = next_manifest(before, change);
        // Read before the rows are deleted: a deletion records the ids of its artifacts.
        let ids = match skills::key(connection, change.id)? {
            Some(key) if change.after.is_none() => artifacts::ids(connection, key)?,
            _ => BTreeMap::new(),
        };
        let (slug, name) = match &change.after {
            Some(skill) => {
                Self::put(connection, change, skill, number, manifest.len(), &now)?;
                (skill.package.slug.as_str().to_owned(), skill.package.name.clone())
            }
            None => delete(connection, change.id)?,
        };
        Failpoint::CommitRows.reach();
        let head = present.filter(|_| change.after.is_none()).map(|head| revisions::head_json(&head, &slug, &name, &ids).to_string());
        let revision = NewRevision {
            skill: change.id,
            number,
            slug: &slug,
            manifest: &manifest,
            head,
            actor: &change.actor,
            why: &change.why,
            now: &now,
        };
        revisions::append(connection, &revision)?;
        Failpoint::CommitRevision.reach();
        feed::append(connection, "skill", &change.id.to_string(), self.origin())?;
        Ok(number)
    }

    fn put(connection: &Connection, change: &ChangeSet, skill: &Skill, number: i64, paths: usize, now: &str) -> Result<(), Fault> {
        let key = skills::put(connection, skill, number, paths, now).map_err(|fault| unique_violation(fault, skill))?;
        for id in &change.remove_artifacts {
            artifacts::remove(connection, key, *id)?;
        }
        for path in &change.remove_files {
            files::remove(connection, key, path)?;
        }
        if let Some(id) = artifacts::used_id(connection, key, &change.put_artifacts)? {
            return Err(StorageError::Exists { what: "artifact id", value: id.to_string() }.into());
        }
        // Artifacts may swap names or paths, so all old names are freed before any row is written.
        if change.put_artifacts.len() > 1 {
            for artifact in &change.put_artifacts {
                artifacts::park(connection, key, artifact.id)?;
            }
        }
        for artifact in &change.put_artifacts {
            artifacts::put(connection, key, artifact)?;
        }
        for file in &change.put_files {
            files::put(connection, key, file)?;
        }
        relations::put(connection, key, &skill.package.relations)
    }
}

/// Returns the former slug and title.
fn delete(connection: &Connection, id: SkillId) -> Result<(String, String), Fault> {
    let names: Option<(String, String)> = connection
        .prepare_cached("DELETE FROM skills WHERE id = ?1 RETURNING slug, name")?
        .query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    names.ok_or_else(|| missing("skill", id))
}

fn check_expected(connection: &Connection, change: &ChangeSet, expected: Expected, present: Option<&Head>) -> Result<(), Fault> {
    let actual = present.map_or(0, |head| head.revision);
    let wanted = match expected {
        Expected::Absent => 0,
        Expected::Revision(number) => number,
    };
    if actual == wanted {
        return Ok(());
    }
    let slug = match &change.after {
        Some(skill) => skill.package.slug.clone(),
        None => slug_of(connection, change.id)?.ok_or_else(|| missing("skill", change.id))?,
    };
    Err(StorageError::RevisionConflict { slug, expected: wanted, actual }.into())
}

fn slug_of(connection: &Connection, id: SkillId) -> Result<Option<Slug>, Fault> {
    let slug: Option<String> =
        connection.query_row("SELECT slug FROM skills WHERE id = ?1", [id.to_string()], |row| row.get(0)).optional()?;
    slug.map(|slug| Slug::parse(&slug).map_err(|error| blob::broken(&error))).transpose()
}

/// Maps a unique constraint violation to `Exists`.
fn unique_violation(fault: Fault, skill: &Skill) -> Fault {
    match fault {
        Fault::Sql(rusqlite::Error::SqliteFailure(code, Some(message))) if code.code == ErrorCode::ConstraintViolation => {
            if message.contains("skills.slug") {
                StorageError::Exists { what: "slug", value: skill.package.slug.to_string() }.into()
            } else if message.contains("skills.name_key") {
                StorageError::Exists { what: "title", value: skill.package.name.clone() }.into()
            } else {
                rusqlite::Error::SqliteFailure(code, Some(message)).into()
            }
        }
        other => other,
    }
}

fn next_manifest(mut manifest: TreeManifest, change: &ChangeSet) -> TreeManifest {
    for (path, entry) in &change.paths {
        match entry {
            Some(entry) => manifest.insert(path.clone(), FileStamp { sha256: entry.digest(), executable: entry.executable }),
            None => manifest.remove(path),
        };
    }
    manifest
}

pub(crate) fn check_limits(change: &ChangeSet) -> Result<(), StorageError> {
    let Some(Skill { package, .. }) = &change.after else {
        return Ok(());
    };
    let check = |what: &str, found: usize, limit: usize| {
        if found <= limit {
            return Ok(());
        }
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        Err(StorageError::Limit { what: what.to_owned(), found: count(found), limit: count(limit) })
    };
    check("characters of the title", package.name.chars().count(), limits::NAME_CHARS)?;
    check("characters of the description", package.description.chars().count(), limits::DESCRIPTION_CHARS_LENIENT)?;
    check("files of the skill", package.artifacts.len() + package.files.len(), limits::FILES)?;
    check("bytes of the skill", usize::try_from(package.bytes()).unwrap_or(usize::MAX), limits::SKILL_BYTES)?;
    for artifact in &change.put_artifacts {
        check(&format!("bytes of {}", artifact.path), artifact.content.len(), limits::ARTIFACT_BYTES)?;
    }
    if package.name.trim().is_empty() {
        return Err(StorageError::Invalid(vec![inklings_core::Diagnostic::error("skill/title", "the title is empty")]));
    }
    Ok(())
}
