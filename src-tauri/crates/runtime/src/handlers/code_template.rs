//! A script for the sandbox over the workspace's pages. The sandbox isn't part of this version yet: running one says so.

use async_trait::async_trait;
use inklings_core::{Artifact, ArtifactKind};
use inklings_prompt::PromptEngine;
use serde_json::Value;

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::handler::{ArtifactHandler, ArtifactOutput, Yields};

/// The part that would run it.
const SANDBOX: &str = "the Python sandbox";

/// The handler.
pub(super) struct CodeTemplate;

#[async_trait]
impl ArtifactHandler for CodeTemplate {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::CodeTemplate
    }

    /// Its template's variables, and what its `params` schema requires: scripts read parameters by name too.
    fn needs(&self, artifact: &Artifact, prompts: &PromptEngine) -> Result<Vec<String>, SkillError> {
        let mut needs = super::template_needs(artifact, prompts)?;
        let schema = artifact.metadata.get("params");
        let required = schema.and_then(|schema| schema.get("required")).and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if !needs.iter().any(|known| known == name) && !super::has_default(artifact, name) {
                needs.push(name.to_owned());
            }
        }
        Ok(needs)
    }

    fn yields(&self, artifact: &Artifact) -> Yields {
        super::declared_outputs(artifact).map_or(Yields::Unknown, Yields::Names)
    }

    fn unavailable(&self) -> Option<String> {
        Some(SkillError::NotInstalled { part: SANDBOX }.to_string())
    }

    async fn execute(&self, _: &Artifact, _: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        Err(SkillError::NotInstalled { part: SANDBOX })
    }
}
