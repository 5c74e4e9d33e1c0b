//! `sessions` and `skill_execution_traces`: what ran, when, with what result.

mod filter;
mod prune;

use inklings_core::trace::{
    Retention, RunSummary, Session, SessionKind, SkillSum, StatsBy, StatsRow, Trace, TraceFilter, TracePage, TracedSkill, Usage, Verdict,
};
use inklings_core::{ArtifactKind, RunId, SessionId, StorageError, Time, TraceId, TraceStatus, TraceStore};
use inklings_sqlite::{Fault, LivenessLock};
use rusqlite::{Connection, Row, named_params, params, params_from_iter};

use crate::blob::broken;
use crate::feed;
use crate::store::Store;
use crate::tables::{library, parse, parse_optional, to_json};

use filter::Conditions;
use prune::{DELETE_ENDED_RUN, PRUNE_BATCH, numbers, runs_over};

/// One entry when a run starts, progresses or ends.
const FEED_KIND: &str = "run";

impl TraceStore for Store {
    fn takes_traces(&self) -> bool {
        self.is_writable()
    }

    fn open_session(&self, session: &Session) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached("INSERT INTO sessions (id, kind, title, created_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING")?
                .execute(params![session.id.to_string(), session.kind.as_str(), session.title, session.created_at.to_string()])?;
            Ok(())
        })
    }

    fn session_kind(&self, id: SessionId) -> Result<Option<SessionKind>, StorageError> {
        self.read(|transaction| {
            let mut query = transaction.prepare_cached("SELECT kind FROM sessions WHERE id = ?1")?;
            let mut rows = query.query([id.to_string()])?;
            rows.next()?.map(|row| parse(row, "kind")).transpose()
        })
    }

    fn open_trace(&self, trace: &Trace) -> Result<(), StorageError> {
        self.put_mark();
        self.write(|transaction| {
            open(transaction, trace, self.origin())?;
            feed::append(transaction, FEED_KIND, &trace.run_id.to_string(), self.origin())
        })
    }

    fn close_trace(&self, trace: &Trace) -> Result<(), StorageError> {
        self.write(|transaction| {
            if !close(transaction, trace)? {
                open(transaction, trace, self.origin())?;
                close(transaction, trace)?;
            }
            feed::append(transaction, FEED_KIND, &trace.run_id.to_string(), self.origin())
        })
    }

    fn mark_interrupted(&self) -> Result<usize, StorageError> {
        let owners = self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT DISTINCT coalesce(owner, '') FROM skill_execution_traces WHERE status = 'running'")?;
            Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?)
        })?;
        let dead: Vec<_> =
            owners.into_iter().filter(|owner| owner != self.origin() && !LivenessLock::is_held(self.path(), owner)).collect();
        if dead.is_empty() || !self.is_writable() {
            return Ok(0);
        }
        let dead = serde_json::to_string(&dead).unwrap_or_default();
        self.write(|transaction| {
            let marked = transaction.execute(
                "UPDATE skill_execution_traces SET status = 'interrupted', owner = NULL,
                    error = coalesce(error, 'the program that ran it stopped')
                 WHERE status = 'running' AND coalesce(owner, '') IN (SELECT value FROM json_each(?1))",
                [&dead],
            )?;
            feed::append(transaction, FEED_KIND, "", self.origin())?;
            Ok(marked)
        })
    }

    fn trace(&self, id: TraceId) -> Result<Option<Trace>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM skill_execution_traces WHERE id = ?1")?;
            let mut rows = statement.query([id.to_string()])?;
            rows.next()?.map(read).transpose()
        })
    }

    fn traces(&self, filter: &TraceFilter, before: Option<i64>, limit: usize) -> Result<TracePage<Trace>, StorageError> {
        self.read(|connection| {
            let mut wanted = Conditions::of(filter);
            if let Some(before) = before {
                wanted.and("seq < ?", [before]);
            }
            // Sorts numbers and fetches each row afterwards, so that long texts aren't sorted.
            let sql = format!("SELECT seq, id FROM skill_execution_traces WHERE {} ORDER BY seq DESC", wanted.sql);
            let mut statement = connection.prepare_cached(&sql)?;
            let mut found = statement.query(params_from_iter(wanted.values))?;
            let mut whole = connection.prepare_cached("SELECT * FROM skill_execution_traces WHERE seq = ?1")?;
            let mut page = TracePage::default();
            let mut last = None;
            while let Some(one) = found.next()? {
                if page.items.len() >= limit {
                    page.next = last;
                    break;
                }
                let seq: i64 = one.get("seq")?;
                // An invalid row must not hide the others, or make the page look like the last one.
                match whole.query_row([seq], |row| Ok(read(row)))? {
                    Ok(trace) => page.items.push(trace),
                    Err(fault) => tracing::warn!(id = ?one.get_ref("id"), ?fault, "a trace can't be read"),
                }
                last = Some(seq);
            }
            Ok(page)
        })
    }

    fn runs(&self, filter: &TraceFilter, before: Option<i64>, limit: usize) -> Result<TracePage<RunSummary>, StorageError> {
        self.read(|connection| {
            let wanted = Conditions::of(filter);
            let mut values = wanted.values;
            values.push(before.unwrap_or(i64::MAX).into());
            // First the page of runs, by their first matching trace; then each run's aggregate. The cursor is that trace's
            // sequence number: any other number could skip runs between pages.
            let sql = format!(
                "SELECT run_id, min(seq) AS first FROM skill_execution_traces WHERE {}
                 GROUP BY run_id HAVING min(seq) < ? ORDER BY first DESC",
                wanted.sql
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let mut found = statement.query(params_from_iter(values))?;
            let mut page = TracePage::default();
            let mut last = None;
            while let Some(one) = found.next()? {
                if page.items.len() >= limit {
                    page.next = last;
                    break;
                }
                let id: String = one.get("run_id")?;
                match run(connection, &id) {
                    Ok(summary) => page.items.extend(summary),
                    Err(fault) => tracing::warn!(id, ?fault, "a run can't be read"),
                }
                last = Some(one.get("first")?);
            }
            Ok(page)
        })
    }

    fn trace_stats(&self, filter: &TraceFilter, by: StatsBy) -> Result<Vec<StatsRow>, StorageError> {
        let (key, order) = match by {
            StatsBy::Day => ("substr(started_at, 1, 10)", "1"),
            StatsBy::Artifact => ("skill_slug || '/' || artifact_path", "3 DESC, 1"),
            StatsBy::Model => ("coalesce(model_id, '')", "3 DESC, 1"),
            StatsBy::Skill => ("skill_slug", "3 DESC, 1"),
        };
        self.read(|connection| {
            let wanted = Conditions::of(filter);
            let context = context();
            // Tokens of context artifacts are part of the prompts; they are counted only in the list by artifact.
            let read = if by == StatsBy::Artifact { "input_tokens".to_owned() } else { format!("iif({context}, NULL, input_tokens)") };
            // Context artifacts use no model.
            let left_out = if by == StatsBy::Model { format!(" AND NOT {context}") } else { String::new() };
            // Days and skills count runs; artifacts and models count executions.
            let mean = match by {
                StatsBy::Day | StatsBy::Skill => "avg(took)",
                StatsBy::Artifact | StatsBy::Model => "sum(duration) / sum(timed)",
            };
            let sql = format!(
                "SELECT key, count(*), sum(executions), sum(errors), {}, {}, sum(cost), {mean}, sum(assertions_run), sum(assertions_passed),
                        sum(unpriced)
                 FROM (SELECT {key} AS key, count(*) AS executions, sum(status = 'error') AS errors, {} AS tokens_read,
                              {} AS tokens_written, sum(estimated_cost) AS cost, total(duration_ms) AS duration, count(duration_ms) AS timed,
                              iif(count(*) = count(completed_at), total(duration_ms), NULL) AS took,
                              sum(assertions_run) AS assertions_run, sum(assertions_passed) AS assertions_passed,
                              sum(model_id IS NOT NULL AND estimated_cost IS NULL) AS unpriced
                       FROM skill_execution_traces WHERE {}{left_out} GROUP BY 1, run_id)
                 GROUP BY 1 ORDER BY {order}",
                total("tokens_read"),
                total("tokens_written"),
                total(&read),
                total("output_tokens"),
                wanted.sql
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(wanted.values), |row| {
                Ok(StatsRow {
                    key: row.get(0)?,
                    runs: row.get(1)?,
                    traces: row.get(2)?,
                    errors: row.get(3)?,
                    usage: Usage { input_tokens: tokens(row.get(4)?), output_tokens: tokens(row.get(5)?), cost: row.get(6)? },
                    mean_ms: row.get(7)?,
                    assertions_run: row.get(8)?,
                    assertions_passed: row.get(9)?,
                    unpriced: row.get(10)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    fn skill_sums(&self, since: Time) -> Result<Vec<SkillSum>, StorageError> {
        self.read(|connection| library::sums(connection, since))
    }

    fn prune_traces(&self, retention: Retention) -> Result<usize, StorageError> {
        if !self.exists() || !self.is_writable() {
            return Ok(0);
        }
        let edge = self.now().millis() - i64::from(retention.days) * 24 * 60 * 60 * 1000;
        let edge = Time::from_millis(edge).to_string();
        let allowed = i64::try_from(retention.bytes).unwrap_or(i64::MAX);
        // Victims are selected without the write lock, since that takes long in a large database.
        let (old, too_many, checkpoints) = self.read(|connection| {
            let old = numbers(connection, "SELECT seq FROM skill_execution_traces WHERE status <> 'running' AND started_at < ?1", &edge)?;
            let checkpoints = numbers(connection, "SELECT count(*) FROM checkpoints WHERE updated_at < ?1", &edge)?;
            Ok((old, runs_over(connection, allowed, &edge)?, checkpoints.first().is_some_and(|count| *count > 0)))
        })?;
        let mut deleted = 0;
        for part in old.chunks(PRUNE_BATCH) {
            deleted += self.delete_each("DELETE FROM skill_execution_traces WHERE seq = ?1 AND status <> 'running'", part)?;
        }
        for part in too_many.chunks(PRUNE_BATCH) {
            deleted += self.delete_each(DELETE_ENDED_RUN, part)?;
        }
        if checkpoints {
            self.write(|transaction| Ok(transaction.execute("DELETE FROM checkpoints WHERE updated_at < ?1", [&edge])?))?;
        }
        Ok(deleted)
    }

    fn delete_runs(&self, runs: &[RunId]) -> Result<usize, StorageError> {
        if !self.exists() {
            return Ok(0);
        }
        self.write(|transaction| {
            let mut deleted = 0;
            for run in runs {
                deleted += transaction.prepare_cached(DELETE_ENDED_RUN)?.execute([run.to_string()])?;
            }
            delete_empty_sessions(transaction)?;
            feed::append(transaction, FEED_KIND, "", self.origin())?;
            Ok(deleted)
        })
    }
}

fn open(connection: &Connection, trace: &Trace, owner: &str) -> Result<(), Fault> {
    connection.prepare_cached(INSERT_OPEN)?.execute(named_params! {
        ":id": trace.id.to_string(),
        ":session_id": trace.session_id.to_string(),
        ":run_id": trace.run_id.to_string(),
        ":parent_run_id": trace.parent_run_id.map(|id| id.to_string()),
        ":skill_id": trace.skill.id.to_string(),
        ":skill_scope": trace.skill.scope.as_str(),
        ":skill_slug": trace.skill.slug.as_str(),
        ":skill_revision": trace.skill.revision,
        ":artifact_id": trace.artifact_id.to_string(),
        ":artifact_kind": trace.artifact_kind.as_str(),
        ":artifact_name": trace.artifact_name,
        ":artifact_path": trace.artifact_path.as_str(),
        ":variant": trace.variant,
        ":params": trace.params.as_ref().map(to_json).transpose()?,
        ":asked_artifact": trace.asked_artifact,
        ":rendered_input": trace.rendered_input,
        ":started_at": trace.started_at.to_string(),
        ":model_requested": trace.model_requested,
        ":fallback_of": trace.fallback_of.map(|id| id.to_string()),
        ":replay_of": trace.replay_of.map(|id| id.to_string()),
        ":owner": owner,
    })?;
    Ok(())
}

/// False if the row doesn't exist.
fn close(connection: &Connection, trace: &Trace) -> Result<bool, Fault> {
    let ended = connection.prepare_cached(UPDATE_CLOSED)?.execute(named_params! {
        ":id": trace.id.to_string(),
        ":variant": trace.variant,
        ":status": trace.status.as_str(),
        ":rendered_input": trace.rendered_input,
        ":raw_output": trace.raw_output,
        ":error": trace.error,
        ":detail": trace.detail.as_ref().map(to_json).transpose()?,
        ":log": trace.log,
        ":truncated": trace.truncated,
        ":cut_off": trace.cut_off,
        ":completed_at": trace.completed_at.map(|time| time.to_string()),
        ":duration_ms": trace.duration_ms,
        ":input_tokens": trace.usage.input_tokens.map(count),
        ":output_tokens": trace.usage.output_tokens.map(count),
        ":model_requested": trace.model_requested,
        ":model_id": trace.model_id,
        ":estimated_cost": trace.usage.cost,
        ":assertions_run": trace.assertions_run,
        ":assertions_passed": trace.assertions_passed,
        ":score": trace.score,
        ":verdicts": to_json(&trace.verdicts)?,
    })?;
    Ok(ended > 0)
}

fn count(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

pub(crate) fn tokens(count: Option<i64>) -> Option<u64> {
    count.and_then(|count| u64::try_from(count).ok())
}

pub(crate) fn traced_skill(row: &Row<'_>) -> Result<TracedSkill, Fault> {
    let scope: String = row.get("skill_scope")?;
    Ok(TracedSkill {
        scope: if scope == "workspace" { inklings_core::skill::Scope::Workspace } else { inklings_core::skill::Scope::Account },
        id: parse(row, "skill_id")?,
        slug: parse(row, "skill_slug")?,
        revision: row.get("skill_revision")?,
    })
}

pub(crate) fn usage(row: &Row<'_>) -> Result<Usage, Fault> {
    Ok(Usage {
        input_tokens: tokens(row.get("input_tokens")?),
        output_tokens: tokens(row.get("output_tokens")?),
        cost: row.get("estimated_cost")?,
    })
}

fn read(row: &Row<'_>) -> Result<Trace, Fault> {
    let json = |column: &str| -> Result<Option<String>, Fault> { Ok(row.get(column)?) };
    let verdicts: Vec<Verdict> = serde_json::from_str(&json("verdicts")?.unwrap_or_default()).map_err(|error| broken(&error))?;
    Ok(Trace {
        id: parse(row, "id")?,
        session_id: parse(row, "session_id")?,
        run_id: parse(row, "run_id")?,
        parent_run_id: parse_optional(row, "parent_run_id")?,
        skill: traced_skill(row)?,
        artifact_id: parse(row, "artifact_id")?,
        artifact_name: row.get("artifact_name")?,
        artifact_path: parse(row, "artifact_path")?,
        artifact_kind: parse(row, "artifact_kind")?,
        variant: row.get("variant")?,
        status: parse(row, "status")?,
        params: json("params")?.map(|text| serde_json::from_str(&text).map_err(|error| broken(&error))).transpose()?,
        asked_artifact: row.get("asked_artifact")?,
        rendered_input: row.get("rendered_input")?,
        raw_output: row.get("raw_output")?,
        error: row.get("error")?,
        detail: json("detail")?.map(|text| serde_json::from_str(&text).map_err(|error| broken(&error))).transpose()?,
        log: row.get("log")?,
        truncated: row.get("truncated")?,
        cut_off: row.get("cut_off")?,
        started_at: parse(row, "started_at")?,
        completed_at: parse_optional(row, "completed_at")?,
        duration_ms: row.get("duration_ms")?,
        usage: usage(row)?,
        model_requested: row.get("model_requested")?,
        model_id: row.get("model_id")?,
        assertions_run: row.get("assertions_run")?,
        assertions_passed: row.get("assertions_passed")?,
        score: row.get("score")?,
        verdicts,
        fallback_of: parse_optional(row, "fallback_of")?,
        replay_of: parse_optional(row, "replay_of")?,
    })
}

/// One run, from all its rows.
fn run(connection: &Connection, id: &str) -> Result<Option<RunSummary>, Fault> {
    let mut statement = connection.prepare_cached(SELECT_RUN)?;
    let mut rows = statement.query([id])?;
    let (mut whole, mut took): (Option<RunSummary>, i64) = (None, 0);
    while let Some(row) = rows.next()? {
        let status: TraceStatus = parse(row, "status")?;
        let completed_at = parse_optional(row, "completed_at")?;
        let (error, model): (Option<String>, Option<String>) = (row.get("error")?, row.get("model_id")?);
        let one = match &mut whole {
            Some(one) => one,
            None => whole.insert(RunSummary {
                run_id: parse(row, "run_id")?,
                session_id: parse(row, "session_id")?,
                parent_run_id: parse_optional(row, "parent_run_id")?,
                skill: traced_skill(row)?,
                status: TraceStatus::Ok,
                started_at: parse(row, "started_at")?,
                completed_at: None,
                duration_ms: None,
                usage: Usage::default(),
                traces: 0,
                model_id: None,
                artifact_name: String::new(),
                assertions_run: 0,
                assertions_passed: 0,
                fell_back: false,
                error: None,
            }),
        };
        one.traces += 1;
        let kind: ArtifactKind = parse(row, "artifact_kind")?;
        if !kind.is_context() || model.is_some() {
            one.usage.add(usage(row)?);
        }
        one.status = worse(one.status, status);
        // The system clock may have been set back between two executions.
        let completed_at = completed_at.or(one.completed_at).map(|end: Time| end.max(one.started_at));
        one.completed_at = completed_at.filter(|_| status != TraceStatus::Running);
        // Executions are sequential, so their durations add up, independent of the clock.
        took = took.saturating_add(row.get::<_, Option<i64>>("duration_ms")?.unwrap_or(0));
        one.duration_ms = one.completed_at.map(|_| took);
        one.model_id = model.or(one.model_id.take());
        one.artifact_name = row.get("artifact_name")?;
        one.assertions_run += row.get::<_, u32>("assertions_run")?;
        one.assertions_passed += row.get::<_, u32>("assertions_passed")?;
        one.fell_back |= status == TraceStatus::Fallback;
        if status != TraceStatus::Fallback {
            one.error = one.error.take().or(error);
        }
    }
    Ok(whole)
}

/// The more severe status. A fallback isn't a failure: the status of its replacement counts.
fn worse(a: TraceStatus, b: TraceStatus) -> TraceStatus {
    let weight = |status| match status {
        TraceStatus::Ok | TraceStatus::Fallback => 0,
        TraceStatus::Interrupted => 1,
        TraceStatus::Cancelled => 2,
        TraceStatus::Error => 3,
        TraceStatus::Running => 4,
    };
    let worst = if weight(b) > weight(a) { b } else { a };
    if worst == TraceStatus::Fallback { TraceStatus::Ok } else { worst }
}

fn delete_empty_sessions(connection: &Connection) -> Result<(), Fault> {
    connection.execute("DELETE FROM sessions WHERE kind = 'run' AND id NOT IN (SELECT session_id FROM skill_execution_traces)", [])?;
    Ok(())
}

/// Can't overflow, since providers may report any number. Null if no value is known.
fn total(column: &str) -> String {
    format!("iif(count({column}) = 0, NULL, CAST(total({column}) AS INTEGER))")
}

/// SQL condition: artifacts that are only context for prompts.
fn context() -> String {
    let kinds: Vec<_> = ArtifactKind::ALL.into_iter().filter(|kind| kind.is_context()).map(|kind| format!("'{}'", kind.as_str())).collect();
    format!("(artifact_kind IN ({}) AND model_id IS NULL)", kinds.join(", "))
}

/// Without the long texts.
const SELECT_RUN: &str = "
    SELECT run_id, session_id, parent_run_id, skill_scope, skill_id, skill_slug, skill_revision, artifact_kind, artifact_name, status, error,
        started_at, completed_at, duration_ms, input_tokens, output_tokens, estimated_cost, model_id, assertions_run, assertions_passed
    FROM skill_execution_traces WHERE run_id = ?1 ORDER BY seq";

const INSERT_OPEN: &str = "
    INSERT INTO skill_execution_traces (id, session_id, run_id, parent_run_id, skill_id, skill_scope, skill_slug, skill_revision,
        artifact_id, artifact_kind, artifact_name, artifact_path, variant, params, asked_artifact, rendered_input, started_at, model_requested,
        fallback_of, replay_of, owner, created_at)
    VALUES (:id, :session_id, :run_id, :parent_run_id, :skill_id, :skill_scope, :skill_slug, :skill_revision, :artifact_id,
        :artifact_kind, :artifact_name, :artifact_path, :variant, :params, :asked_artifact, :rendered_input, :started_at, :model_requested,
        :fallback_of, :replay_of, :owner, :started_at)";

const UPDATE_CLOSED: &str = "
    UPDATE skill_execution_traces SET variant = :variant, status = :status, rendered_input = :rendered_input, raw_output = :raw_output,
        error = :error, detail = :detail, log = :log, truncated = :truncated, cut_off = :cut_off, completed_at = :completed_at, duration_ms = :duration_ms, input_tokens = :input_tokens,
        output_tokens = :output_tokens, model_requested = :model_requested, model_id = :model_id, estimated_cost = :estimated_cost,
        assertions_run = :assertions_run, assertions_passed = :assertions_passed, score = :score, verdicts = :verdicts, owner = NULL
    WHERE id = :id";
