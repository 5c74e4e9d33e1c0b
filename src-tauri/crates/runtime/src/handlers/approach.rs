//! Approach: a strategy, given to the model as instructions after the description.

use async_trait::async_trait;
use inklings_core::{Artifact, ArtifactKind};

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::handler::ArtifactHandler;
use crate::output::ArtifactOutput;

pub(super) struct Approach;

#[async_trait]
impl ArtifactHandler for Approach {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::Approach
    }

    async fn execute(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        context.instruct(artifact.content.trim());
        Ok(super::context_output(artifact.content.trim()))
    }
}
