//! Events of a run in progress, broadcast to windows and the command line. They carry text as it arrives and may be lost; what is valid is
//! in the traces.

use inklings_core::trace::Usage;
use inklings_core::{ArtifactKind, RunId, SkillPath, Trace, TraceId, TraceStatus};
use schemars::JsonSchema;
use serde::Serialize;

/// One event of a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunEvent {
    pub run: RunId,
    /// Position in the run, from 0.
    pub seq: u64,
    #[serde(flatten)]
    pub what: RunEventKind,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunEventKind {
    /// A step began.
    Began {
        trace: TraceId,
        name: String,
        path: SkillPath,
        artifact_kind: ArtifactKind,
        /// Whether it only accompanies prompts.
        context: bool,
        /// The step that it replaces.
        fallback_of: Option<TraceId>,
    },
    /// A template was rendered: what is about to be sent or executed.
    Rendered {
        trace: TraceId,
        text: String,
    },
    /// A piece of the answer arrived.
    Text {
        trace: TraceId,
        text: String,
    },
    /// A script wrote to its log.
    Log {
        trace: TraceId,
        /// Includes line ends.
        text: String,
    },
    Progress {
        trace: TraceId,
        /// From 0 to 1.
        fraction: f64,
        text: String,
    },
    /// An optimizer evaluated a candidate.
    Trial {
        trace: TraceId,
        /// Score from 0 to 1 on the training examples.
        score: Option<f64>,
        /// Usage so far.
        #[serde(flatten)]
        usage: Usage,
    },
    /// A step ended.
    Ended {
        trace: Box<Trace>,
    },
    Finished {
        status: TraceStatus,
    },
}

/// Receives a run's events, in order and from any thread. Must not block.
pub trait RunEvents: Send + Sync {
    fn on_event(&self, event: RunEvent);
}

#[derive(Debug, Clone, Copy)]
pub struct NoopListener;

impl RunEvents for NoopListener {
    fn on_event(&self, _: RunEvent) {}
}
