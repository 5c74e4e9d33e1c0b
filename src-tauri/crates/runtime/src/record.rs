//! Writes the trace of each execution: the row is there before the execution begins, so that a crash leaves it behind.

use std::sync::Arc;

use inklings_core::trace::{Outcome, Spent, Trace, TracedSkill, Verdict};
use inklings_core::{Artifact, Clock, IdSource, Owners, RunId, SessionId, StorageError, TraceId, TraceStatus, TraceStore};
use serde_json::{Map, Value};

use crate::error::SkillError;
use crate::redact::Redactor;

/// Bytes of an input or output that are kept.
pub const KEPT_BYTES: usize = 256 * 1024;
/// What is written where the rest was.
const CUT: &str = "\n[cut: the rest is not kept]";

/// Where the traces of one run go.
#[derive(Clone)]
pub struct Recorder {
    /// The store.
    pub store: Arc<dyn TraceStore>,
    /// Takes secrets out.
    pub redactor: Redactor,
    /// This process's mark.
    pub owners: Arc<dyn Owners>,
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
            params: params.map(|params| self.clean_params(params)),
            asked_artifact: params.and_then(|_| common.asked_artifact.clone()),
            rendered_input: None,
            raw_output: None,
            error: None,
            truncated: false,
            started_at: self.clock.now(),
            completed_at: None,
            duration_ms: None,
            spent: Spent::default(),
            model_requested: common.model_requested.clone(),
            model_id: None,
            assertions_run: 0,
            assertions_passed: 0,
            verdicts: Vec::new(),
            fallback_of,
            replay_of: common.replay_of,
        };
        let (row, owners) = (trace.clone(), self.owners.clone());
        self.write(move |store| store.open_trace(&row, owners.own())).await?;
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
        trace.model_id = ending.model_id;
        let of = |wanted: &[Outcome]| ending.verdicts.iter().filter(|one| wanted.contains(&one.outcome)).count();
        trace.assertions_run = u32::try_from(of(&[Outcome::Passed, Outcome::Failed])).unwrap_or(u32::MAX);
        trace.assertions_passed = u32::try_from(of(&[Outcome::Passed])).unwrap_or(u32::MAX);
        trace.verdicts = ending.verdicts;
        for verdict in &mut trace.verdicts {
            verdict.explanation = self.redactor.redact(&verdict.explanation);
        }
        let row = trace.clone();
        self.write(move |store| store.close_trace(&row)).await?;
        Ok(trace)
    }

    /// Runs a write on a thread for it.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&dyn TraceStore) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, SkillError> {
        let store = self.store.clone();
        match tokio::task::spawn_blocking(move || write(store.as_ref())).await {
            Ok(result) => Ok(result?),
            // Only at shutdown, or when the write panicked, which was reported already.
            Err(_) => Err(SkillError::Cancelled),
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
        let clean = params.iter().map(|(name, value)| (name.clone(), self.clean(value)));
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
