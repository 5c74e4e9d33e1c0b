//! A DSPy program. Its process isn't part of this version yet, so its fallback runs in its place.

use async_trait::async_trait;
use inklings_core::{Artifact, ArtifactKind};
use inklings_lint::signature;
use inklings_prompt::PromptEngine;
use serde_json::Value;

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::handler::{ArtifactHandler, ArtifactOutput, Yields};

/// The part that would run it.
const PROCESS: &str = "the DSPy process";

/// The handler.
pub(super) struct DspyModule;

/// The signature in an artifact's content; none if it can't be read, which the editor has said already.
fn signature_of(artifact: &Artifact) -> Option<signature::Signature> {
    let content: Value = serde_json::from_str(&artifact.content).ok()?;
    signature::parse(content.get("signature")?.as_str()?).ok()
}

#[async_trait]
impl ArtifactHandler for DspyModule {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::DspyModule
    }

    fn needs(&self, artifact: &Artifact, _: &PromptEngine) -> Result<Vec<String>, SkillError> {
        Ok(signature_of(artifact).map(|signature| signature.inputs.into_iter().map(|field| field.name).collect()).unwrap_or_default())
    }

    fn yields(&self, artifact: &Artifact) -> Yields {
        let fields = || signature_of(artifact).map(|signature| signature.outputs.into_iter().map(|field| field.name).collect());
        super::declared_outputs(artifact).or_else(fields).map_or(Yields::Unknown, Yields::Names)
    }

    fn unavailable(&self) -> Option<String> {
        Some(SkillError::NotInstalled { part: PROCESS }.to_string())
    }

    async fn execute(&self, _: &Artifact, _: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        Err(SkillError::NotInstalled { part: PROCESS })
    }
}
