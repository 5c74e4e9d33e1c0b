//! What is told about a run while it goes on.

use inklings_core::trace::Usage;
use inklings_core::{ArtifactKind, RunId, SkillPath, Trace, TraceId, TraceStatus};
use schemars::JsonSchema;
use serde::Serialize;

/// One event of a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunEvent {
    /// The run.
    pub run: RunId,
    /// Position in the run, from 0.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: RunEventKind,
}

/// What happened.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunEventKind {
    /// An execution began.
    Began {
        /// Its trace.
        trace: TraceId,
        /// The artifact's name.
        name: String,
        /// Its file.
        path: SkillPath,
        /// Its kind.
        artifact_kind: ArtifactKind,
        /// The execution in whose place it runs.
        fallback_of: Option<TraceId>,
    },
    /// A template was rendered: what is about to be sent or executed.
    Rendered {
        /// The trace.
        trace: TraceId,
        /// The text.
        text: String,
    },
    /// A piece of the answer arrived.
    Text {
        /// The trace.
        trace: TraceId,
        /// The piece.
        text: String,
    },
    /// A script wrote to its log.
    Log {
        /// The trace.
        trace: TraceId,
        /// The text, with its line ends.
        text: String,
    },
    /// A script said how far it is.
    Progress {
        /// The trace.
        trace: TraceId,
        /// From 0 to 1.
        fraction: f64,
        /// What it is about.
        text: String,
    },
    /// An optimisation went on.
    Trial {
        /// The trace.
        trace: TraceId,
        /// Score from 0 to 1 of a candidate that was just judged over the training examples.
        score: Option<f64>,
        /// What was used so far.
        #[serde(flatten)]
        usage: Usage,
    },
    /// An execution ended.
    Ended {
        /// Its trace, complete.
        trace: Box<Trace>,
    },
    /// The run ended.
    Finished {
        /// How.
        status: TraceStatus,
    },
}

/// Hears a run's events, in order, from any thread. Must not block.
pub trait RunEvents: Send + Sync {
    fn on_event(&self, event: RunEvent);
}

/// Nobody listens.
#[derive(Debug, Clone, Copy)]
pub struct NoopListener;

impl RunEvents for NoopListener {
    fn on_event(&self, _: RunEvent) {}
}
