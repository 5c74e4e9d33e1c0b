//! Writes the trace of each execution: the row is there before the execution begins, so that a crash leaves it behind.

use std::sync::Arc;

use inklings_core::trace::{Spent, Trace, TracedSkill, Verdict};
use inklings_core::{Artifact, Clock, IdSource, RunId, SessionId, StorageError, TraceId, TraceStatus, TraceStore};
use serde_json::{Map, Value};

use crate::assertions::Score;
use crate::error::SkillError;
use crate::redact::Redactor;

/// Bytes of an input or output that are kept.
pub const KEPT_BYTES: usize = 256 * 1024;
/// How often the end of a run is tried again, waiting for the database each time.
const LATER_TRIES: u32 = 60;
/// What is written where the rest was.
const CUT: &str = "\n[cut: the rest is not kept]";

/// Where the traces of one run go.
#[derive(Clone)]
pub struct Recorder {
    /// The store.
    pub store: Arc<dyn TraceStore>,
    /// Takes secrets out.
    pub redactor: Redactor,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Fresh ids.
    pub ids: Arc<dyn IdSource>,
}

/// What all rows of a run have in common.
#[derive(Debug, Clone)]
pub(crate) struct Common {
    pub(crate) run: RunId,
    pub(crate) session: SessionId,
    pub(crate) parent: Option<RunId>,
    pub(crate) replay_of: Option<TraceId>,
    pub(crate) skill: TracedSkill,
    pub(crate) model_requested: Option<String>,
    pub(crate) asked_artifact: Option<String>,
}

/// What an execution ended with.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    pub(crate) rendered: Option<String>,
    pub(crate) output: Option<String>,
    pub(crate) spent: Spent,
    pub(crate) model_requested: Option<String>,
    pub(crate) model_id: Option<String>,
    pub(crate) cut_off: bool,
    pub(crate) verdicts: Vec<Verdict>,
}

impl Recorder {
    /// Opens the row of an execution that is about to begin.
    pub(crate) async fn begin(
        &self,
        common: &Common,
        artifact: &Artifact,
        params: Option<&Map<String, Value>>,
        fallback_of: Option<TraceId>,
    ) -> Result<Trace, SkillError> {
        let params = params.map(|params| self.clean_params(params));
        let bulky = params.as_ref().is_some_and(|params| serde_json::to_string(params).is_ok_and(|text| text.len() > KEPT_BYTES));
        let trace = Trace {
            id: TraceId::new(self.ids.uuid()),
            session_id: common.session,
            run_id: common.run,
            parent_run_id: common.parent,
            skill: common.skill.clone(),
            artifact_id: artifact.id,
            artifact_name: artifact.name.clone(),
            artifact_path: artifact.path.clone(),
            artifact_kind: artifact.kind,
            variant: artifact.variant.clone(),
            status: TraceStatus::Running,
            asked_artifact: params.as_ref().and(common.asked_artifact.as_deref()).map(|asked| self.redactor.redact(asked)),
            params: params.filter(|_| !bulky),
            rendered_input: None,
            raw_output: None,
            error: None,
            truncated: bulky,
            cut_off: false,
            started_at: self.clock.now(),
            completed_at: None,
            duration_ms: None,
            spent: Spent::default(),
            model_requested: common.model_requested.clone(),
            model_id: None,
            assertions_run: 0,
            assertions_passed: 0,
            score: None,
            verdicts: Vec::new(),
            fallback_of,
            replay_of: common.replay_of,
        };
        let row = trace.clone();
        self.write(move |store| store.open_trace(&row)).await?;
        Ok(trace)
    }

    /// Closes a row.
    pub(crate) async fn end(
        &self,
        mut trace: Trace,
        status: TraceStatus,
        error: Option<&str>,
        ending: Ending,
    ) -> Result<Trace, SkillError> {
        let now = self.clock.now();
        trace.status = status;
        trace.completed_at = Some(now);
        trace.duration_ms = Some((now.millis() - trace.started_at.millis()).max(0));
        trace.error = error.map(|error| self.redactor.redact(error));
        trace.rendered_input = ending.rendered.map(|text| self.kept(&text, &mut trace.truncated));
        trace.raw_output = ending.output.map(|text| self.kept(&text, &mut trace.truncated));
        trace.spent = ending.spent;
        trace.model_requested = ending.model_requested.or(trace.model_requested);
        trace.model_id = ending.model_id.map(|model| self.redactor.redact(&model));
        trace.cut_off = ending.cut_off;
        let score = Score::of(&ending.verdicts);
        (trace.assertions_run, trace.assertions_passed, trace.score) = (score.run, score.passed, score.weighted);
        trace.verdicts = ending.verdicts;
        for verdict in &mut trace.verdicts {
            verdict.description = self.redactor.redact(&verdict.description);
            verdict.explanation = self.redactor.redact(&verdict.explanation);
        }
        let row = trace.clone();
        match self.write(move |store| store.close_trace(&row)).await {
            Err(SkillError::Trace(StorageError::Busy { .. })) => self.end_later(trace.clone()),
            written => written?,
        }
        Ok(trace)
    }

    /// Another program keeps the database to itself: the run's end is written when it lets go, and nobody waits for that.
    fn end_later(&self, trace: Trace) {
        let recorder = self.clone();
        tokio::spawn(async move {
            for _ in 0..LATER_TRIES {
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

    fn kept(&self, text: &str, truncated: &mut bool) -> String {
        let mut text = self.redactor.redact(text);
        if text.len() > KEPT_BYTES {
            text.truncate(text.floor_char_boundary(KEPT_BYTES));
            text.push_str(CUT);
            *truncated = true;
        }
        text
    }

    fn clean_params(&self, params: &Map<String, Value>) -> Map<String, Value> {
        let clean = params.iter().map(|(name, value)| (self.redactor.redact(name), self.clean(value)));
        clean.collect()
    }

    fn clean(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.redactor.redact(text).into(),
            Value::Array(items) => items.iter().map(|item| self.clean(item)).collect(),
            Value::Object(fields) => self.clean_params(fields).into(),
            other => other.clone(),
        }
    }
}
