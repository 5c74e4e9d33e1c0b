//! DSPy module: a shipped program template over a signature, run in the DSPy process with its compiled state.

use std::sync::Arc;

use async_trait::async_trait;
use inklings_core::program::{Execution, ProcessState, ProgramRunner};
use inklings_core::{Artifact, ArtifactKind, ModelError, ProgramError};
use inklings_prompt::PromptEngine;

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::handler::{ArtifactHandler, OutputSpec};
use crate::output::ArtifactOutput;
use crate::program::{Content, ProgramServices, output_of, state_of};

pub(super) struct DspyModule(pub(super) Arc<dyn ProgramRunner>);

#[async_trait]
impl ArtifactHandler for DspyModule {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::DspyModule
    }

    fn needs(&self, artifact: &Artifact, _: &PromptEngine) -> Result<Vec<String>, SkillError> {
        // Invalid content fails when it runs; the validator has reported it already.
        let Ok(content) = Content::of(artifact) else { return Ok(Vec::new()) };
        Ok(content.inputs().filter(|name| !super::has_default(artifact, name)).map(str::to_owned).collect())
    }

    fn outputs(&self, artifact: &Artifact) -> OutputSpec {
        let fields = || Some(Content::of(artifact).ok()?.signature.outputs.into_iter().map(|field| field.name).collect());
        inklings_lint::outputs(artifact).or_else(fields).map_or(OutputSpec::Unknown, OutputSpec::Names)
    }

    fn unavailable(&self) -> Option<String> {
        self.0.unavailable()
    }

    async fn execute(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        let failed = |error: ProgramError| failed(artifact, error);
        let module = Content::of(artifact).map_err(failed)?;
        let values = super::with_defaults(artifact, context.values);
        let given = |name: &str| Some((name.to_owned(), values.get(name)?.clone()));
        let params = module.inputs().filter_map(given).collect();
        let job = Execution { program: module.program, state_blob: state_of(artifact), params };
        let progress = |progress: inklings_core::program::ProgramProgress, _| context.progress(progress.fraction, &progress.text);
        let host = ProgramServices::new(artifact, context, &progress)?;
        if self.0.status().state != ProcessState::Ready {
            context.progress(0.0, "starting DSPy");
        }
        let result = self.0.execute(&job, &host, context.cancel).await;
        context.emit_rendered();
        let report = host.into_report();
        // An error that ends the run wins over the program's result, which may have swallowed it.
        if let Some(error) = report.fatal {
            return Err(error);
        }
        let prediction = result.map_err(failed)?;
        for line in &prediction.diagnostics {
            context.log(&format!("{line}\n"));
        }
        Ok(ArtifactOutput { skills_used: report.skills, tools_used: report.tools, ..output_of(prediction.outputs) })
    }
}

pub(crate) fn failed(artifact: &Artifact, error: ProgramError) -> SkillError {
    match error {
        ProgramError::Cancelled | ProgramError::Model(ModelError::Cancelled) => SkillError::Cancelled,
        ProgramError::Model(error) => SkillError::Model(error),
        error => SkillError::Program { artifact: artifact.name.clone(), error },
    }
}
