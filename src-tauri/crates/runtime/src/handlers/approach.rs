//! Approach: a strategy, given to the model as instructions after the description.

use inklings_core::{Artifact, ArtifactKind};

use crate::context::Conversation;
use crate::handler::ArtifactHandler;

pub(super) struct Approach;

impl ArtifactHandler for Approach {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::Approach
    }

    fn accompany(&self, artifact: &Artifact, conversation: &mut Conversation) {
        conversation.instruct(&artifact.content);
    }
}
