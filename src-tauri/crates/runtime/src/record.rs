//! Writes the trace of each execution: the row is there before the execution begins, so that a crash leaves it behind.

use std::sync::Arc;
use std::time::Instant;

use inklings_core::trace::{Trace, TraceDetail, TracedSkill, Usage, Verdict};
use inklings_core::{Artifact, Clock, IdSource, RunId, SessionId, StorageError, Time, TraceId, TraceStatus, TraceStore};
use serde_json::{Map, Value};

use crate::assertions::Score;
use crate::error::SkillError;
use crate::redact::{Redactor, Secrets};

/// Bytes of an input or output that are kept.
pub const MAX_STORED_BYTES: usize = 256 * 1024;
/// How often the end of a run is tried again, waiting for the database each time.
const MAX_LATER_ATTEMPTS: u32 = 60;
/// What is written where the rest was.
const CUT_NOTICE: &str = "\n[cut: the rest is not kept]";

/// Where the traces of one run go.
#[derive(Clone)]
pub struct Recorder {
    pub store: Arc<dyn TraceStore>,
    /// Takes secrets out.
    pub redactor: Redactor,
    pub clock: Arc<dyn Clock>,
    /// Fresh ids.
    pub ids: Arc<dyn IdSource>,
}

/// What all rows of a run have in meta.
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

/// The row of an execution that goes on.
#[derive(Debug)]
pub(crate) struct OpenTrace {
    pub(crate) trace: Trace,
    /// When it began: what it took is measured from here, whatever the clock says.
    pub(crate) begun: Instant,
}

/// What an execution ended with.
#[derive(Debug, Default)]
pub(crate) struct StepOutcome {
    pub(crate) rendered: Option<String>,
    pub(crate) output: Option<String>,
    pub(crate) log: Option<String>,
    pub(crate) detail: Option<TraceDetail>,
    pub(crate) usage: Usage,
    pub(crate) model_requested: Option<String>,
    pub(crate) model_id: Option<String>,
    pub(crate) cut_off: bool,
    pub(crate) verdicts: Vec<Verdict>,
}

impl Recorder {
    /// Opens the row of an execution that is about to begin.
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
                let params = clean_params(&secrets, &params);
                trace.truncated = serde_json::to_string(&params).is_ok_and(|text| text.len() > MAX_STORED_BYTES);
                trace.params = Some(params).filter(|_| !trace.truncated);
                trace.asked_artifact = asked.map(|asked| secrets.redact(&asked));
            }
            store.open_trace(&trace)?;
            Ok(trace)
        };
        Ok(OpenTrace { trace: self.write(open).await?, begun })
    }

    /// Closes a row.
    pub(crate) async fn end(
        &self,
        OpenTrace { mut trace, begun }: OpenTrace,
        status: TraceStatus,
        error: Option<&str>,
        ending: StepOutcome,
    ) -> Result<Trace, SkillError> {
        trace.status = status;
        let took = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        trace.duration_ms = Some(took);
        // Not what the clock says now: it may have been set meanwhile.
        trace.completed_at = Some(Time::from_millis(trace.started_at.millis().saturating_add(took)));
        let (redactor, error) = (self.redactor.clone(), error.map(str::to_owned));
        let close = move |store: &dyn TraceStore| {
            fill(&mut trace, &redactor.now(), error.as_deref(), ending);
            let written = store.close_trace(&trace);
            Ok((trace, written))
        };
        let (trace, written) = self.write(close).await?;
        match written {
            Err(StorageError::Busy { .. }) => self.end_later(trace.clone()),
            written => written?,
        }
        Ok(trace)
    }

    /// Another program keeps the database to itself: the run's end is written when it lets go, and nobody waits for that.
    fn end_later(&self, trace: Trace) {
        let recorder = self.clone();
        tokio::spawn(async move {
            for _ in 0..MAX_LATER_ATTEMPTS {
                let row = trace.clone();
                match recorder.write(move |store| store.close_trace(&row)).await {
                    Err(SkillError::Trace(StorageError::Busy { .. })) => {}
                    Ok(()) => return,
                    Err(error) => return tracing::warn!(%error, "the end of a run could not be written"),
                }
            }
            tracing::warn!("the end of a run could not be written: the database stayed busy");
        });
    }

    /// Runs a write on a thread for it.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&dyn TraceStore) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, SkillError> {
        let store = self.store.clone();
        match tokio::task::spawn_blocking(move || write(store.as_ref())).await {
            Ok(result) => Ok(result?),
            Err(stopped) if stopped.is_cancelled() => Err(SkillError::Cancelled),
            Err(_) => Err(SkillError::Broken("writing a trace")),
        }
    }
}

/// Takes into a row what its execution ended with, without secrets.
fn fill(trace: &mut Trace, secrets: &Secrets, error: Option<&str>, ending: StepOutcome) {
    trace.error = error.map(|error| secrets.redact(error));
    trace.rendered_input = ending.rendered.map(|text| kept(secrets, &text, &mut trace.truncated));
    trace.raw_output = ending.output.map(|text| kept(secrets, &text, &mut trace.truncated));
    trace.log = ending.log.map(|text| kept(secrets, &text, &mut trace.truncated));
    trace.detail = ending.detail.map(|detail| TraceDetail {
        outcome: detail.outcome,
        traceback: detail.traceback.map(|text| kept(secrets, &text, &mut trace.truncated)),
        line: detail.line,
    });
    trace.usage = ending.usage;
    trace.model_requested = ending.model_requested.or(trace.model_requested.take());
    trace.model_id = ending.model_id.map(|model| secrets.redact(&model));
    trace.cut_off = ending.cut_off;
    let score = Score::of(&ending.verdicts);
    (trace.assertions_run, trace.assertions_passed, trace.score) = (score.run, score.passed, score.weighted);
    trace.verdicts = ending.verdicts;
    for verdict in &mut trace.verdicts {
        verdict.description = secrets.redact(&verdict.description);
        verdict.explanation = secrets.redact(&verdict.explanation);
    }
}

fn kept(secrets: &Secrets, text: &str, truncated: &mut bool) -> String {
    let mut text = secrets.redact(text);
    if text.len() > MAX_STORED_BYTES {
        text.truncate(text.floor_char_boundary(MAX_STORED_BYTES));
        text.push_str(CUT_NOTICE);
        *truncated = true;
    }
    text
}

fn clean_params(secrets: &Secrets, params: &Map<String, Value>) -> Map<String, Value> {
    params.iter().map(|(name, value)| (secrets.redact(name), clean(secrets, value))).collect()
}

fn clean(secrets: &Secrets, value: &Value) -> Value {
    match value {
        Value::String(text) => secrets.redact(text).into(),
        Value::Array(items) => items.iter().map(|item| clean(secrets, item)).collect(),
        Value::Object(fields) => clean_params(secrets, fields).into(),
        other => other.clone(),
    }
}
