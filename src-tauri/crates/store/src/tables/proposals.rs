//! `proposals` and `approvals`: what waits for a person's decision, and what was decided, in the account's database.

use inklings_core::proposal::{Approval, Approvals, Decision, ProposalFilter, ProposalStatus, RecordedDecision};
use inklings_core::{ChangeSet, Expected, Failpoint, Proposal, ProposalId, Proposals, SkillId, SkillPath, StorageError};
use inklings_sqlite::Fault;
use rusqlite::{Row, Transaction, named_params, params};

use crate::blob::missing;
use crate::feed;
use crate::repository::check_limits;
use crate::store::Store;
use crate::tables::traces::traced_skill;
use crate::tables::{json, parse, parse_optional, to_json};

const FEED_KIND: &str = "proposal";
/// What is decided on beside proposals are gates of runs and of answers.
const RUN_FEED_KIND: &str = "run";
const MATCHES_FILTER: &str = "(:workspace IS NULL OR workspace IN (:workspace, '')) AND (:skill IS NULL OR skill_id = :skill)
    AND (:status IS NULL OR status = :status) AND NOT (:without_account AND workspace = '')";

impl Proposals for Store {
    fn put_proposal(&self, proposal: &Proposal) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO proposals (id, kind, workspace, skill_id, skill_scope, skill_slug, skill_revision, artifact_path, title,
                        status, body, revision, created_at, decided_at)
                     VALUES (:id, :kind, :workspace, :skill_id, :skill_scope, :skill_slug, :skill_revision, :artifact_path, :title,
                        :status, :body, :revision, :created_at, :decided_at)",
                )?
                .execute(named_params! {
                    ":id": proposal.id.to_string(),
                    ":kind": proposal.kind.as_str(),
                    ":workspace": proposal.workspace,
                    ":skill_id": proposal.skill.id.to_string(),
                    ":skill_scope": proposal.skill.scope.as_str(),
                    ":skill_slug": proposal.skill.slug.as_str(),
                    ":skill_revision": proposal.skill.revision,
                    ":artifact_path": proposal.artifact_path.as_ref().map(SkillPath::as_str),
                    ":title": proposal.title,
                    ":status": proposal.status.as_str(),
                    ":body": to_json(&proposal.body)?,
                    ":revision": proposal.revision,
                    ":created_at": proposal.created_at.to_string(),
                    ":decided_at": proposal.decided_at.map(|time| time.to_string()),
                })?;
            feed::append(transaction, FEED_KIND, &proposal.id.to_string(), self.origin())
        })
    }

    fn update_proposal(&self, before: &Proposal, after: &Proposal) -> Result<bool, StorageError> {
        self.write(|transaction| {
            if !is_unchanged(transaction, before)? {
                return Ok(false);
            }
            let id = before.id.to_string();
            transaction
                .prepare_cached(
                    "UPDATE proposals SET skill_id = :skill_id, skill_scope = :skill_scope, skill_slug = :skill_slug,
                        skill_revision = :skill_revision, title = :title, body = :body WHERE id = :id",
                )?
                .execute(named_params! {
                    ":id": id,
                    ":skill_id": after.skill.id.to_string(),
                    ":skill_scope": after.skill.scope.as_str(),
                    ":skill_slug": after.skill.slug.as_str(),
                    ":skill_revision": after.skill.revision,
                    ":title": after.title,
                    ":body": to_json(&after.body)?,
                })?;
            feed::append(transaction, FEED_KIND, &id, self.origin())?;
            Ok(true)
        })
    }

    fn proposal(&self, id: ProposalId) -> Result<Option<Proposal>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM proposals WHERE id = ?1")?;
            let mut rows = statement.query([id.to_string()])?;
            rows.next()?.map(read).transpose()
        })
    }

    fn count_proposals(&self, filter: &ProposalFilter) -> Result<usize, StorageError> {
        self.read(|connection| {
            let count: i64 = connection.prepare_cached(&format!("SELECT count(*) FROM proposals WHERE {MATCHES_FILTER}"))?.query_row(
                named_params! {
                    ":workspace": filter.workspace,
                    ":skill": filter.skill.map(|skill| skill.to_string()),
                    ":status": filter.status.map(ProposalStatus::as_str),
                    ":without_account": filter.without_account,
                },
                |row| row.get(0),
            )?;
            Ok(usize::try_from(count).unwrap_or_default())
        })
    }

    fn proposals(&self, filter: &ProposalFilter) -> Result<Vec<Proposal>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!("SELECT * FROM proposals WHERE {MATCHES_FILTER} ORDER BY seq DESC"))?;
            let mut rows = statement.query(named_params! {
                ":workspace": filter.workspace,
                ":skill": filter.skill.map(|skill| skill.to_string()),
                ":status": filter.status.map(ProposalStatus::as_str),
                ":without_account": filter.without_account,
            })?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(read(row)?);
            }
            Ok(all)
        })
    }

    fn decide(&self, proposal: &Proposal, decision: &Decision<'_>) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let found = is_unchanged(transaction, proposal)?;
            if found {
                self.record(transaction, proposal.id, decision)?;
            }
            Ok(found)
        })
    }

    fn accept(&self, proposal: &Proposal, approval: Approval<'_>, writes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError> {
        writes.iter().try_for_each(|(change, _)| check_limits(change))?;
        self.write_revisions(|transaction| {
            if !is_unchanged(transaction, proposal)? {
                return Err(missing("open proposal", proposal.id));
            }
            let revisions = writes.iter().map(|(change, expected)| self.apply(transaction, change, *expected));
            let revisions = revisions.collect::<Result<Vec<i64>, Fault>>()?;
            let Approval { actor, reason } = approval;
            let revision = revisions.last().copied();
            Failpoint::AcceptRevisions.reach();
            self.record(transaction, proposal.id, &Decision { status: ProposalStatus::Accepted, revision, actor, reason })?;
            Ok(revisions)
        })
    }
}

impl Approvals for Store {
    fn put_decision(&self, subject: &str, approved: bool, approval: Approval<'_>) -> Result<(), StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| {
            insert_approval(transaction, subject, approved, approval, &now)?;
            let run = subject.split_once(' ').map_or(subject, |(run, _)| run);
            feed::append(transaction, RUN_FEED_KIND, run, self.origin())
        })
    }

    fn decisions(&self, prefix: &str) -> Result<Vec<RecordedDecision>, StorageError> {
        self.read(|transaction| {
            let mut query = transaction.prepare_cached(
                "SELECT subject, decision = 'approved' AS approved, actor, reason, created_at FROM approvals
                 WHERE subject >= :prefix AND substr(subject, 1, length(:prefix)) = :prefix ORDER BY id",
            )?;
            let mut rows = query.query(named_params! { ":prefix": prefix })?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(RecordedDecision {
                    subject: row.get("subject")?,
                    approved: row.get("approved")?,
                    actor: row.get("actor")?,
                    reason: row.get("reason")?,
                    decided_at: parse(row, "created_at")?,
                });
            }
            Ok(all)
        })
    }
}

fn insert_approval(
    transaction: &Transaction<'_>,
    subject: &str,
    approved: bool,
    Approval { actor, reason }: Approval<'_>,
    now: &str,
) -> Result<(), Fault> {
    let decision = if approved { "approved" } else { "rejected" };
    transaction
        .prepare_cached("INSERT INTO approvals (subject, decision, actor, reason, created_at) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![subject, decision, actor, reason, now])?;
    Ok(())
}

impl Store {
    /// The revisions that open proposals are based on.
    pub fn proposal_bases(&self) -> Result<Vec<(SkillId, i64)>, StorageError> {
        self.revisions_of("SELECT skill_id, skill_revision FROM proposals WHERE status = 'open'")
    }

    /// Forks, and the revisions of their originals that proposals merge or merged into them.
    pub fn proposed_merges(&self) -> Result<Vec<(SkillId, i64)>, StorageError> {
        self.revisions_of(
            "SELECT skill_id, body ->> '$.original.revision' AS skill_revision FROM proposals
             WHERE status <> 'rejected' AND json_type(body, '$.original.revision') = 'integer'",
        )
    }

    fn revisions_of(&self, sql: &str) -> Result<Vec<(SkillId, i64)>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push((parse(row, "skill_id")?, row.get("skill_revision")?));
            }
            Ok(all)
        })
    }

    fn record(&self, transaction: &Transaction<'_>, id: ProposalId, decision: &Decision<'_>) -> Result<(), Fault> {
        let (id, now) = (id.to_string(), self.now().to_string());
        transaction.prepare_cached("UPDATE proposals SET status = ?2, revision = ?3, decided_at = ?4 WHERE id = ?1")?.execute(params![
            id,
            decision.status.as_str(),
            decision.revision,
            now
        ])?;
        let approved = decision.status == ProposalStatus::Accepted;
        insert_approval(transaction, &id, approved, Approval { actor: decision.actor, reason: decision.reason }, &now)?;
        feed::append(transaction, FEED_KIND, &id, self.origin())
    }
}

/// Whether a proposal is open and still as it was read.
fn is_unchanged(transaction: &Transaction<'_>, known: &Proposal) -> Result<bool, Fault> {
    let mut statement = transaction.prepare_cached("SELECT * FROM proposals WHERE id = ?1 AND status = 'open'")?;
    let mut rows = statement.query([known.id.to_string()])?;
    let stored = rows.next()?.map(read).transpose()?;
    Ok(stored.as_ref() == Some(known))
}

fn read(row: &Row<'_>) -> Result<Proposal, Fault> {
    Ok(Proposal {
        id: parse(row, "id")?,
        kind: parse(row, "kind")?,
        workspace: row.get("workspace")?,
        skill: traced_skill(row)?,
        artifact_path: parse_optional(row, "artifact_path")?,
        title: row.get("title")?,
        status: parse(row, "status")?,
        body: json(row, "body")?,
        revision: row.get("revision")?,
        created_at: parse(row, "created_at")?,
        decided_at: parse_optional(row, "decided_at")?,
    })
}
