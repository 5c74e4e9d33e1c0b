//! Handlers: one for each kind of artifact, found through the registry only.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use inklings_core::{Artifact, ArtifactKind};
use inklings_prompt::PromptEngine;

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::output::ArtifactOutput;

/// What an execution adds to the values of the artifacts after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputSpec {
    /// Only `outputs.<artifact>`.
    Nothing,
    /// These names.
    Names(Vec<String>),
    /// Names that are known when it has run.
    Unknown,
}

/// Runs the artifacts of one kind. A new kind is a new file under `handlers` and one line in its `all`.
#[async_trait]
pub trait ArtifactHandler: Send + Sync {
    fn kind(&self) -> ArtifactKind;

    /// The values that an artifact can't do without; none for plain texts.
    fn needs(&self, _artifact: &Artifact, _prompts: &PromptEngine) -> Result<Vec<String>, SkillError> {
        Ok(Vec::new())
    }

    /// What it adds for those after it.
    fn outputs(&self, _artifact: &Artifact) -> OutputSpec {
        OutputSpec::Nothing
    }

    /// Why artifacts of this kind can't run at the moment; their fallback runs instead.
    fn unavailable(&self) -> Option<String> {
        None
    }

    /// Runs it. What was rendered is told to the context as soon as it is known, so that it is there if the rest fails.
    async fn execute(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError>;
}

/// Finds the handler of a kind. Knows the kinds through their handlers only.
pub struct ArtifactDispatcher {
    handlers: HashMap<ArtifactKind, Arc<dyn ArtifactHandler>>,
}

impl ArtifactDispatcher {
    /// A registry of these handlers.
    #[must_use]
    pub fn new(handlers: Vec<Arc<dyn ArtifactHandler>>) -> Self {
        Self { handlers: handlers.into_iter().map(|handler| (handler.kind(), handler)).collect() }
    }

    pub fn handler(&self, kind: ArtifactKind) -> Result<&Arc<dyn ArtifactHandler>, SkillError> {
        self.handlers.get(&kind).ok_or(SkillError::NoHandler(kind))
    }

    /// Runs an artifact through its handler.
    pub async fn dispatch(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        self.handler(artifact.kind)?.execute(artifact, context).await
    }
}
