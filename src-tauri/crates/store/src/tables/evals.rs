//! `eval_runs`, `eval_results` and `response_cache`, in the account's database.

use std::collections::HashMap;
use std::time::Duration;

use inklings_core::eval::{CachedResponse, EvalCell, EvalFilter, EvalResult, EvalRun, EvalStatus};
use inklings_core::trace::Usage;
use inklings_core::{Digest, EvalRunId, EvalStore, ResponseCache, SkillId, StorageError, Time};
use inklings_sqlite::{Fault, LivenessLock};
use rusqlite::{Row, named_params, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::blob::{broken, missing};
use crate::feed;
use crate::store::Store;
use crate::tables::traces::traced_skill;
use crate::tables::{json, parse, parse_optional, to_json};

const FEED_KIND: &str = "eval";
const RESPONSE_LIFETIME: Duration = Duration::from_hours(90 * 24);

/// The column `usage`.
#[derive(Serialize, Deserialize)]
struct Used {
    answer: Usage,
    judge: Usage,
    paid: Usage,
}

impl EvalStore for Store {
    fn open_eval(&self, run: &EvalRun) -> Result<(), StorageError> {
        self.put_mark();
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO eval_runs (id, workspace, skill_id, skill_scope, skill_slug, skill_revision, status, owner, plan, created_at)
                     VALUES (:id, :workspace, :skill_id, :skill_scope, :skill_slug, :skill_revision, :status, :owner, :plan, :created_at)",
                )?
                .execute(named_params! {
                    ":id": run.id.to_string(),
                    ":workspace": run.workspace,
                    ":skill_id": run.skill.id.to_string(),
                    ":skill_scope": run.skill.scope.as_str(),
                    ":skill_slug": run.skill.slug.as_str(),
                    ":skill_revision": run.skill.revision,
                    ":status": run.status.as_str(),
                    ":owner": self.origin(),
                    ":plan": to_json(&run.plan)?,
                    ":created_at": run.created_at.to_string(),
                })?;
            feed::append(transaction, FEED_KIND, &run.id.to_string(), self.origin())
        })
    }

    fn reopen_eval(&self, id: EvalRunId) -> Result<bool, StorageError> {
        self.put_mark();
        self.mark_interrupted_evals()?;
        self.write(|transaction| {
            let sql = "UPDATE eval_runs SET status = 'running', owner = ?2, error = NULL, completed_at = NULL
                WHERE id = ?1 AND status NOT IN ('running', 'complete')";
            let reopened = transaction.prepare_cached(sql)?.execute(params![id.to_string(), self.origin()])? == 1;
            if reopened {
                feed::append(transaction, FEED_KIND, &id.to_string(), self.origin())?;
            }
            Ok(reopened)
        })
    }

    fn put_eval_result(&self, run: EvalRunId, result: &EvalResult) -> Result<(), StorageError> {
        self.write(|transaction| {
            let used = Used { answer: result.usage, judge: result.judge_usage, paid: result.paid };
            let inserted = transaction
                .prepare_cached(
                    "INSERT INTO eval_results (run_seq, case_key, variant, repeat, outcome, output, error, verdicts, usage, duration_ms,
                        model_id, run_id, created_at)
                     SELECT seq, :case_key, :variant, :repeat, :outcome, :output, :error, :verdicts, :usage, :duration_ms, :model_id,
                        :run_id, :created_at
                     FROM eval_runs WHERE id = :id",
                )?
                .execute(named_params! {
                    ":id": run.to_string(),
                    ":case_key": result.cell.case,
                    ":variant": i64::try_from(result.cell.variant).unwrap_or(i64::MAX),
                    ":repeat": result.cell.repeat,
                    ":outcome": result.outcome.as_str(),
                    ":output": result.output,
                    ":error": result.error,
                    ":verdicts": to_json(&result.verdicts)?,
                    ":usage": to_json(&used)?,
                    ":duration_ms": i64::try_from(result.duration_ms).unwrap_or(i64::MAX),
                    ":model_id": result.model_id,
                    ":run_id": result.run.map(|run| run.to_string()),
                    ":created_at": result.created_at.to_string(),
                })?;
            if inserted == 0 {
                return Err(missing("eval run", run));
            }
            feed::append(transaction, FEED_KIND, &run.to_string(), self.origin())
        })
    }

    fn delete_evals(&self, ids: &[EvalRunId]) -> Result<usize, StorageError> {
        self.mark_interrupted_evals()?;
        self.write(|transaction| {
            let mut deleted = 0;
            for id in ids {
                let sql = "DELETE FROM eval_runs WHERE id = ?1 AND status <> 'running'";
                deleted += transaction.prepare_cached(sql)?.execute([id.to_string()])?;
                feed::append(transaction, FEED_KIND, &id.to_string(), self.origin())?;
            }
            Ok(deleted)
        })
    }

    fn put_rejected_edit(&self, skill: SkillId, key: Digest, edit: &Value) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO rejected_edits (skill_id, key, edit, created_at) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![skill.to_string(), &key.bytes()[..], to_json(edit)?, self.now().to_string()])?;
            Ok(())
        })
    }

    fn rejected_edits(&self, skill: SkillId, limit: usize) -> Result<Vec<(Digest, Value)>, StorageError> {
        self.read(|connection| {
            let sql = "SELECT key, edit FROM rejected_edits WHERE skill_id = ?1 ORDER BY seq DESC LIMIT ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params![skill.to_string(), i64::try_from(limit).unwrap_or(i64::MAX)])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                let key: Vec<u8> = row.get("key")?;
                let key = Digest::from_bytes(&key).ok_or_else(|| broken(&"a hash of rejected edits"))?;
                all.push((key, json(row, "edit")?));
            }
            all.reverse();
            Ok(all)
        })
    }

    fn close_eval(&self, id: EvalRunId, status: EvalStatus, error: Option<&str>) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached("UPDATE eval_runs SET status = ?2, owner = NULL, error = ?3, completed_at = ?4 WHERE id = ?1")?
                .execute(params![id.to_string(), status.as_str(), error, self.now().to_string()])?;
            feed::append(transaction, FEED_KIND, &id.to_string(), self.origin())
        })
    }

    fn eval_run(&self, id: EvalRunId) -> Result<Option<EvalRun>, StorageError> {
        self.mark_interrupted_evals()?;
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM eval_runs WHERE id = ?1")?;
            let mut rows = statement.query([id.to_string()])?;
            rows.next()?.map(read_run).transpose()
        })
    }

    fn eval_runs(&self, filter: &EvalFilter, limit: usize) -> Result<Vec<EvalRun>, StorageError> {
        self.mark_interrupted_evals()?;
        self.read(|connection| {
            let sql = "SELECT * FROM eval_runs
                WHERE workspace IN (:workspace, '') AND (:skill IS NULL OR skill_id = :skill)
                    AND NOT (:without_account AND workspace = '') ORDER BY seq DESC LIMIT :limit";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(named_params! {
                ":workspace": filter.workspace,
                ":skill": filter.skill.map(|skill| skill.to_string()),
                ":without_account": filter.without_account,
                ":limit": i64::try_from(limit).unwrap_or(i64::MAX),
            })?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(read_run(row)?);
            }
            Ok(all)
        })
    }

    fn eval_results(&self, id: EvalRunId) -> Result<Vec<EvalResult>, StorageError> {
        self.read(|connection| {
            let sql = "SELECT *, seq = max(seq) OVER (PARTITION BY case_key, variant, repeat) AS is_latest
                FROM eval_results WHERE run_seq = (SELECT seq FROM eval_runs WHERE id = ?1) ORDER BY seq";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([id.to_string()])?;
            let (mut all, mut paid) = (Vec::new(), HashMap::<EvalCell, Usage>::new());
            while let Some(row) = rows.next()? {
                let result = read_result(row)?;
                let sum = paid.entry(result.cell.clone()).or_default();
                sum.add(result.paid);
                if row.get("is_latest")? {
                    all.push(EvalResult { paid: *sum, ..result });
                }
            }
            Ok(all)
        })
    }
}

impl ResponseCache for Store {
    fn response(&self, key: Digest) -> Result<Option<CachedResponse>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT response FROM response_cache WHERE key = ?1")?;
            let mut rows = statement.query([&key.bytes()[..]])?;
            rows.next()?.map(|row| json(row, "response")).transpose()
        })
    }

    /// Also removes what is older than [`RESPONSE_LIFETIME`].
    fn put_response(&self, key: Digest, response: &CachedResponse) -> Result<(), StorageError> {
        self.write(|transaction| {
            let now = self.now();
            let lifetime = i64::try_from(RESPONSE_LIFETIME.as_millis()).unwrap_or(i64::MAX);
            let oldest = Time::from_millis(now.millis().saturating_sub(lifetime));
            transaction.prepare_cached("DELETE FROM response_cache WHERE created_at < ?1")?.execute([oldest.to_string()])?;
            transaction
                .prepare_cached("INSERT OR REPLACE INTO response_cache (key, response, created_at) VALUES (?1, ?2, ?3)")?
                .execute(params![&key.bytes()[..], to_json(response)?, now.to_string()])?;
            Ok(())
        })
    }

    fn forget_responses(&self, keys: &[Digest]) -> Result<(), StorageError> {
        self.write(|transaction| {
            let mut statement = transaction.prepare_cached("DELETE FROM response_cache WHERE key = ?1")?;
            for key in keys {
                statement.execute([&key.bytes()[..]])?;
            }
            Ok(())
        })
    }
}

impl Store {
    fn mark_interrupted_evals(&self) -> Result<(), StorageError> {
        let owners = self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT DISTINCT coalesce(owner, '') FROM eval_runs WHERE status = 'running'")?;
            Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?)
        })?;
        for owner in owners {
            if owner == self.origin() || LivenessLock::is_held(self.path(), &owner) || !self.is_writable() {
                continue;
            }
            self.write(|transaction| {
                let sql = "UPDATE eval_runs SET status = 'interrupted', owner = NULL WHERE status = 'running' AND coalesce(owner, '') = ?1";
                transaction.execute(sql, [&owner])?;
                feed::append(transaction, FEED_KIND, "", self.origin())
            })?;
        }
        Ok(())
    }
}

fn read_run(row: &Row<'_>) -> Result<EvalRun, Fault> {
    Ok(EvalRun {
        id: parse(row, "id")?,
        workspace: row.get("workspace")?,
        skill: traced_skill(row)?,
        status: parse(row, "status")?,
        error: row.get("error")?,
        plan: json(row, "plan")?,
        created_at: parse(row, "created_at")?,
        completed_at: parse_optional(row, "completed_at")?,
    })
}

fn read_result(row: &Row<'_>) -> Result<EvalResult, Fault> {
    let unsigned = |column: &str| -> Result<u64, Fault> { Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or_default()) };
    let used: Used = json(row, "usage")?;
    Ok(EvalResult {
        cell: EvalCell {
            case: row.get("case_key")?,
            variant: usize::try_from(unsigned("variant")?).unwrap_or_default(),
            repeat: row.get("repeat")?,
        },
        outcome: parse(row, "outcome")?,
        output: row.get("output")?,
        error: row.get("error")?,
        verdicts: json(row, "verdicts")?,
        usage: used.answer,
        judge_usage: used.judge,
        paid: used.paid,
        duration_ms: unsigned("duration_ms")?,
        model_id: row.get("model_id")?,
        run: parse_optional(row, "run_id")?,
        created_at: parse(row, "created_at")?,
    })
}
