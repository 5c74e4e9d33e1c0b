//! Writes the trace of each step. The row exists before the step begins, so that a crash leaves an open row.

use std::sync::Arc;
use std::time::Instant;

use inklings_core::trace::{Trace, TraceDetail, TracedSkill, Usage, Verdict};
use inklings_core::{Artifact, Clock, IdSource, RunId, SessionId, StorageError, Time, TraceId, TraceStatus, TraceStore};
use serde_json::{Map, Value};

use crate::assertions::Score;
use crate::error::SkillError;
use crate::redact::{Redactor, Secrets};

/// Of each input, output and log.
pub const MAX_STORED_BYTES: usize = 256 * 1024;
/// Attempts to close a trace while the database is busy; each waits for the busy timeout.
const MAX_CLOSE_ATTEMPTS: u32 = 60;
const CUT_NOTICE: &str = "\n[truncated]";

#[derive(Clone)]
pub struct Recorder {
    pub store: Arc<dyn TraceStore>,
    pub redactor: Redactor,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn IdSource>,
}

/// What all traces of a run have in common.
#[derive(Debug, Clone)]
pub(crate) struct RunMeta {
    pub(crate) run: RunId,
    pub(crate) session: SessionId,
    pub(crate) parent: Option<RunId>,
    pub(crate) replay_of: Option<TraceId>,
    pub(crate) skill: TracedSkill,
    pub(crate) model_requested: Option<String>,
    pub(crate) asked_artifact: Option<String>,
}

/// The trace of a step in progress.
#[derive(Debug)]
pub(crate) struct OpenTrace {
    pub(crate) trace: Trace,
    /// The duration is measured from here, since the wall clock may be set meanwhile.
    pub(crate) begun: Instant,
}

/// What a step adds to its trace when it ends.
#[derive(Debug, Default)]
pub(crate) struct StepOutcome {
    pub(crate) rendered: Option<String>,
    pub(crate) output: Option<String>,
    pub(crate) log: Option<String>,
    /// Whether log or output reached its limit.
    pub(crate) truncated: bool,
    pub(crate) detail: Option<TraceDetail>,
    pub(crate) usage: Usage,
    pub(crate) model_requested: Option<String>,
    pub(crate) model_id: Option<String>,
    pub(crate) cut_off: bool,
    pub(crate) verdicts: Vec<Verdict>,
}

impl Recorder {
    pub(crate) async fn begin(
        &self,
        meta: &RunMeta,
        artifact: &Artifact,
        params: Option<&Map<String, Value>>,
        fallback_of: Option<TraceId>,
    ) -> Result<OpenTrace, SkillError> {
        let begun = Instant::now();
        let mut trace = Trace {
            id: TraceId::new(self.ids.uuid()),
            session_id: meta.session,
            run_id: meta.run,
            parent_run_id: meta.parent,
            skill: meta.skill.clone(),
            artifact_id: artifact.id,
            artifact_name: artifact.name.clone(),
            artifact_path: artifact.path.clone(),
            artifact_kind: artifact.kind,
            variant: artifact.variant.clone(),
            status: TraceStatus::Running,
            asked_artifact: None,
            params: None,
            rendered_input: None,
            raw_output: None,
            error: None,
            detail: None,
            log: None,
            truncated: false,
            cut_off: false,
            started_at: self.clock.now(),
            completed_at: None,
            duration_ms: None,
            usage: Usage::default(),
            model_requested: meta.model_requested.clone(),
            model_id: None,
            assertions_run: 0,
            assertions_passed: 0,
            score: None,
            verdicts: Vec::new(),
            fallback_of,
            replay_of: meta.replay_of,
        };
        let given = params.map(|params| (params.clone(), meta.asked_artifact.clone()));
        let redactor = self.redactor.clone();
        let open = move |store: &dyn TraceStore| {
            if let Some((params, asked)) = given {
                let secrets = redactor.now();
                let params = secrets.redact_fields(&params);
                trace.truncated = serde_json::to_string(&params).is_ok_and(|text| text.len() > MAX_STORED_BYTES);
                trace.params = Some(params).filter(|_| !trace.truncated);
                trace.asked_artifact = asked.map(|asked| secrets.redact(&asked));
            }
            store.open_trace(&trace)?;
            Ok(trace)
        };
        Ok(OpenTrace { trace: self.write(open).await?, begun })
    }

    pub(crate) async fn end(
        &self,
        OpenTrace { mut trace, begun }: OpenTrace,
        status: TraceStatus,
        error: Option<&str>,
        outcome: StepOutcome,
    ) -> Result<Trace, SkillError> {
        trace.status = status;
        let took = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        trace.duration_ms = Some(took);
        trace.completed_at = Some(Time::from_millis(trace.started_at.millis().saturating_add(took)));
        let (redactor, error) = (self.redactor.clone(), error.map(str::to_owned));
        let close = move |store: &dyn TraceStore| {
            fill(&mut trace, &redactor.now(), error.as_deref(), outcome);
            let written = store.close_trace(&trace);
            Ok((trace, written))
        };
        let (trace, written) = self.write(close).await?;
        match written {
            Err(StorageError::Busy { .. }) => self.close_in_background(trace.clone()),
            written => written?,
        }
        Ok(trace)
    }

    /// Closes the trace in the background once the program that locks the database releases it.
    fn close_in_background(&self, trace: Trace) {
        let recorder = self.clone();
        tokio::spawn(async move {
            for _ in 0..MAX_CLOSE_ATTEMPTS {
                let row = trace.clone();
                match recorder.write(move |store| store.close_trace(&row)).await {
                    Err(SkillError::Trace(StorageError::Busy { .. })) => {}
                    Ok(()) => return,
                    Err(error) => return tracing::warn!(%error, "can't close a trace"),
                }
            }
            tracing::warn!("can't close a trace: the database is busy");
        });
    }

    /// Runs a write on a blocking thread.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&dyn TraceStore) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, SkillError> {
        let store = self.store.clone();
        match tokio::task::spawn_blocking(move || write(store.as_ref())).await {
            Ok(result) => Ok(result?),
            Err(stopped) if stopped.is_cancelled() => Err(SkillError::Cancelled),
            Err(_) => Err(SkillError::Internal("writing the trace")),
        }
    }
}

/// Sets the fields of a step that ended, without secrets.
fn fill(trace: &mut Trace, secrets: &Secrets, error: Option<&str>, outcome: StepOutcome) {
    trace.error = error.map(|error| secrets.redact(error));
    trace.truncated |= outcome.truncated;
    trace.rendered_input = outcome.rendered.map(|text| redact_and_truncate(secrets, &text, &mut trace.truncated));
    trace.raw_output = outcome.output.map(|text| redact_and_truncate(secrets, &text, &mut trace.truncated));
    trace.log = outcome.log.map(|text| redact_and_truncate(secrets, &text, &mut trace.truncated));
    trace.detail = outcome.detail.map(|detail| TraceDetail {
        outcome: detail.outcome,
        traceback: detail.traceback.map(|text| redact_and_truncate(secrets, &text, &mut trace.truncated)),
        line: detail.line,
    });
    trace.usage = outcome.usage;
    trace.model_requested = outcome.model_requested.or(trace.model_requested.take());
    trace.model_id = outcome.model_id.map(|model| secrets.redact(&model));
    trace.cut_off = outcome.cut_off;
    let score = Score::of(&outcome.verdicts);
    (trace.assertions_run, trace.assertions_passed, trace.score) = (score.run, score.passed, score.weighted);
    trace.verdicts = outcome.verdicts;
    for verdict in &mut trace.verdicts {
        verdict.description = secrets.redact(&verdict.description);
        verdict.explanation = secrets.redact(&verdict.explanation);
    }
}

fn redact_and_truncate(secrets: &Secrets, text: &str, truncated: &mut bool) -> String {
    let mut text = secrets.redact(text);
    if text.len() > MAX_STORED_BYTES {
        text.truncate(text.floor_char_boundary(MAX_STORED_BYTES));
        text.push_str(CUT_NOTICE);
        *truncated = true;
    }
    text
}
