//! The handler of an artifact kind, and the dispatcher that finds it.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use inklings_core::{Artifact, ArtifactKind};
use inklings_prompt::PromptEngine;

use crate::context::{Conversation, ExecutionContext};
use crate::error::SkillError;
use crate::output::ArtifactOutput;

/// What a step adds to the values of later steps, besides `outputs.<artifact>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputSpec {
    Nothing,
    Names(Vec<String>),
    /// Known only after it has run.
    Unknown,
}

/// Runs the artifacts of one kind. A new kind is a new file under `handlers` and one line in its `all`.
#[async_trait]
pub trait ArtifactHandler: Send + Sync {
    fn kind(&self) -> ArtifactKind;

    /// Names of the required values.
    fn needs(&self, _artifact: &Artifact, _prompts: &PromptEngine) -> Result<Vec<String>, SkillError> {
        Ok(Vec::new())
    }

    fn outputs(&self, _artifact: &Artifact) -> OutputSpec {
        OutputSpec::Nothing
    }

    /// Why artifacts of this kind can't run now; their fallback runs instead.
    fn unavailable(&self) -> Option<String> {
        None
    }

    /// Adds a context artifact to what prompts are sent with.
    fn accompany(&self, _artifact: &Artifact, _conversation: &mut Conversation) {}

    /// Passes the rendered input to the context as soon as it is known, so that the trace has it if the rest fails.
    async fn execute(&self, _artifact: &Artifact, _context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        Err(SkillError::NothingToRun)
    }
}

pub struct ArtifactDispatcher {
    handlers: HashMap<ArtifactKind, Arc<dyn ArtifactHandler>>,
}

impl ArtifactDispatcher {
    #[must_use]
    pub fn new(handlers: Vec<Arc<dyn ArtifactHandler>>) -> Self {
        Self { handlers: handlers.into_iter().map(|handler| (handler.kind(), handler)).collect() }
    }

    pub fn handler(&self, kind: ArtifactKind) -> Result<&Arc<dyn ArtifactHandler>, SkillError> {
        self.handlers.get(&kind).ok_or(SkillError::NoHandler(kind))
    }

    pub async fn dispatch(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        self.handler(artifact.kind)?.execute(artifact, context).await
    }
}
