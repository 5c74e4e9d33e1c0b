//! A DSPy program: a shipped template over a signature, run in its own process, with the state that an optimisation left.

use std::sync::Arc;

use async_trait::async_trait;
use inklings_core::program::{Execution, ProcessState, ProgramRunner};
use inklings_core::{Artifact, ArtifactKind, ModelError, ProgramError};
use inklings_prompt::PromptEngine;

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::handler::{ArtifactHandler, OutputSpec};
use crate::output::ArtifactOutput;
use crate::program::{Content, Host, output_of, state_of};

/// The handler.
pub(super) struct DspyModule(pub(super) Arc<dyn ProgramRunner>);

#[async_trait]
impl ArtifactHandler for DspyModule {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::DspyModule
    }

    fn needs(&self, artifact: &Artifact, _: &PromptEngine) -> Result<Vec<String>, SkillError> {
        // What can't be read fails when it runs; the editor has said so already.
        let Ok(content) = Content::of(artifact) else { return Ok(Vec::new()) };
        Ok(content.inputs().filter(|name| !super::has_default(artifact, name)).map(str::to_owned).collect())
    }

    fn outputs(&self, artifact: &Artifact) -> OutputSpec {
        let fields = || Some(Content::of(artifact).ok()?.signature.outputs.into_iter().map(|field| field.name).collect());
        super::declared_outputs(artifact).or_else(fields).map_or(OutputSpec::Unknown, OutputSpec::Names)
    }

    fn unavailable(&self) -> Option<String> {
        self.0.unavailable()
    }

    async fn execute(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        let failed = |error: ProgramError| failed(artifact, error);
        let described = Content::of(artifact).map_err(failed)?;
        let values = super::with_defaults(artifact, context.values);
        let given = |name: &str| Some((name.to_owned(), values.get(name)?.clone()));
        let params = described.inputs().filter_map(given).collect();
        let job = Execution { program: described.program, state_blob: state_of(artifact), params };
        let progress = |progress: inklings_core::program::ProgramProgress, _| context.progress(progress.fraction, &progress.text);
        let host = Host::new(artifact, context, &progress)?;
        if self.0.status().state != ProcessState::Ready {
            context.progress(0.0, "DSPy is warming up");
        }
        let ended = self.0.execute(&job, &host, context.cancel).await;
        context.tell_rendered();
        let used = host.used();
        // What ended the run for a tool ends it for the program too, whatever that made of it.
        if let Some(error) = used.fatal {
            return Err(error);
        }
        let prediction = ended.map_err(failed)?;
        for line in &prediction.diagnostics {
            context.log(&format!("{line}\n"));
        }
        Ok(ArtifactOutput { skills_used: used.skills, tools_used: used.tools, ..output_of(prediction.outputs) })
    }
}

/// A program's error as the run's.
pub(crate) fn failed(artifact: &Artifact, error: ProgramError) -> SkillError {
    match error {
        ProgramError::Cancelled | ProgramError::Model(ModelError::Cancelled) => SkillError::Cancelled,
        ProgramError::Model(error) => SkillError::Model(error),
        error => SkillError::Program { artifact: artifact.name.clone(), error },
    }
}
