//! Uses of skills: the counts of `skills`, and `skill_invocations` for what the user judges later. They change neither revisions nor the
//! change feed.

use inklings_core::chat::Feedback;
use inklings_core::reliability::{Judgement, outcome};
use inklings_core::trace::Usage;
use inklings_core::{MessageId, SkillId};
use inklings_sqlite::Fault;
use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::tables::parse_optional;

/// What a success adds to the utility.
const UTILITY_GAIN: f64 = 0.1;
/// What a failure takes from it.
const UTILITY_LOSS: f64 = 0.05;

pub(crate) fn record_run(transaction: &Transaction<'_>, id: SkillId, ok: bool, usage: Usage, now: &str) -> Result<(), Fault> {
    let tokens = i64::try_from(usage.input_tokens.unwrap_or(0).saturating_add(usage.output_tokens.unwrap_or(0))).unwrap_or(i64::MAX);
    transaction
        .prepare_cached(
            "UPDATE skills SET invocation_count = invocation_count + 1, success_count = success_count + ?2, last_used_at = ?3,
                utility_score = min(1.0, max(0.0, utility_score + ?5)),
                token_cost = (coalesce(token_cost, 0) * (invocation_count - load_count) + ?4) / (invocation_count - load_count + 1)
             WHERE id = ?1",
        )?
        .execute(params![id.to_string(), ok, now, tokens, utility_step(ok)])?;
    Ok(())
}

/// An answer loads a skill once, however often it reads in it. A load without an answer can't be judged, so it is only counted.
pub(crate) fn record_load(transaction: &Transaction<'_>, id: SkillId, answer: Option<MessageId>, now: &str) -> Result<(), Fault> {
    let is_new = match answer {
        Some(answer) => insert_load(transaction, id, answer, now)?,
        None => true,
    };
    if is_new {
        transaction
            .prepare_cached(
                "UPDATE skills SET invocation_count = invocation_count + 1, load_count = load_count + 1, last_used_at = ?2 WHERE id = ?1",
            )?
            .execute(params![id.to_string(), now])?;
    }
    Ok(())
}

/// Returns false if the answer loaded the skill before, or the skill is deleted.
fn insert_load(transaction: &Transaction<'_>, id: SkillId, answer: MessageId, now: &str) -> Result<bool, Fault> {
    let inserted = transaction
        .prepare_cached(
            "INSERT INTO skill_invocations (answer, skill_id, skill_slug, skill_revision, created_at)
             SELECT ?1, id, slug, revision, ?3 FROM skills WHERE id = ?2 ON CONFLICT DO NOTHING",
        )?
        .execute(params![answer.to_string(), id.to_string(), now])?;
    Ok(inserted > 0)
}

pub(crate) fn judge_loads(transaction: &Transaction<'_>, answer: MessageId, judgement: Judgement) -> Result<(), Fault> {
    for load in loads(transaction, answer)? {
        let judged = match judgement {
            Judgement::Marked(feedback) => Load { feedback, ..load.clone() },
            Judgement::Accepted => Load { accepted: true, ..load.clone() },
        };
        let (before, after) = (outcome(load.feedback, load.accepted), outcome(judged.feedback, judged.accepted));
        let utility_change = if before == after { load.utility_change } else { recount(transaction, &load, before, after)? };
        transaction
            .prepare_cached(
                "UPDATE skill_invocations SET feedback = ?3, accepted = ?4, utility_change = ?5 WHERE answer = ?1 AND skill_id = ?2",
            )?
            .execute(params![answer.to_string(), load.skill, judged.feedback.map(Feedback::as_str), judged.accepted, utility_change])?;
    }
    Ok(())
}

/// A row of `skill_invocations`.
#[derive(Clone)]
struct Load {
    skill: String,
    feedback: Option<Feedback>,
    accepted: bool,
    utility_change: f64,
}

fn loads(transaction: &Transaction<'_>, answer: MessageId) -> Result<Vec<Load>, Fault> {
    let sql = "SELECT skill_id, feedback, accepted, utility_change FROM skill_invocations WHERE answer = ?1";
    let mut statement = transaction.prepare_cached(sql)?;
    let mut rows = statement.query([answer.to_string()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(Load {
            skill: row.get("skill_id")?,
            feedback: parse_optional(row, "feedback")?,
            accepted: row.get("accepted")?,
            utility_change: row.get("utility_change")?,
        });
    }
    Ok(all)
}

/// Replaces the outcome of a load in the counts of its skill. Returns what the new one added to the utility, which has limits, so that
/// it can be taken back exactly.
fn recount(transaction: &Transaction<'_>, load: &Load, before: Option<bool>, after: Option<bool>) -> Result<f64, Fault> {
    let utility: Option<f64> = transaction
        .prepare_cached("SELECT utility_score FROM skills WHERE id = ?1")?
        .query_row([&load.skill], |row| row.get(0))
        .optional()?;
    // The skill may be deleted.
    let Some(utility) = utility else { return Ok(0.0) };
    let reset = (utility - load.utility_change).clamp(0.0, 1.0);
    let set = (reset + after.map_or(0.0, utility_step)).clamp(0.0, 1.0);
    let judged = i64::from(after.is_some()) - i64::from(before.is_some());
    let good = i64::from(after == Some(true)) - i64::from(before == Some(true));
    transaction
        .prepare_cached(
            "UPDATE skills SET judged_count = max(0, judged_count + ?2), accepted_count = max(0, accepted_count + ?3),
                success_count = max(0, success_count + ?3), utility_score = ?4
             WHERE id = ?1",
        )?
        .execute(params![load.skill, judged, good, set])?;
    Ok(set - reset)
}

const fn utility_step(ok: bool) -> f64 {
    if ok { UTILITY_GAIN } else { -UTILITY_LOSS }
}
