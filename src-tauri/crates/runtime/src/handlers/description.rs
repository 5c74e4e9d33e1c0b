//! Description: given to the model as instructions, of prompts or of a message.

use async_trait::async_trait;
use inklings_core::{Artifact, ArtifactKind};

use crate::context::{Conversation, ExecutionContext};
use crate::error::SkillError;
use crate::handler::ArtifactHandler;
use crate::instructions;
use crate::output::ArtifactOutput;

pub(super) struct Description;

#[async_trait]
impl ArtifactHandler for Description {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::Description
    }

    fn accompany(&self, artifact: &Artifact, conversation: &mut Conversation) {
        conversation.instruct(&artifact.content);
    }

    async fn execute(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        instructions::answer(artifact, context).await
    }
}
