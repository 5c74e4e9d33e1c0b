//! The parameters of a run.

use std::path::PathBuf;
use std::sync::Arc;

use inklings_core::{CancellationToken, ModelRef, RunId, SessionId, Skill, TraceId};
use serde_json::{Map, Value};

use crate::budget::Limits;
use crate::resources::RunResources;

#[derive(Debug, Clone)]
pub struct RunRequest {
    pub run: RunId,
    /// None opens a new session.
    pub session: Option<SessionId>,
    /// The run that calls this one.
    pub parent: Option<RunId>,
    /// Number of enclosing runs.
    pub depth: u32,
    pub skill: Arc<Skill>,
    /// The workspace's folder.
    pub workspace: Option<PathBuf>,
    /// Path or name of the only artifact to run; None runs the whole skill.
    pub artifact: Option<String>,
    pub params: Map<String, Value>,
    /// None is the default model.
    pub model: Option<ModelRef>,
    pub limits: Limits,
    pub cancel: CancellationToken,
    /// The trace that this run replays.
    pub replay_of: Option<TraceId>,
    pub resources: RunResources,
}
