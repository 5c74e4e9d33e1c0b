//! Script: rendered so that no value becomes code, run in the sandbox; its output is the submitted value.

use std::sync::Arc;

use async_trait::async_trait;
use inklings_core::trace::TraceDetail;
use inklings_core::{Artifact, ArtifactKind, Digest, Sandbox, Script, ScriptError};
use inklings_prompt::PromptEngine;
use inklings_prompt::script::LineMap;
use serde_json::Value;

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::handler::{ArtifactHandler, OutputSpec};
use crate::output::ArtifactOutput;
use crate::script::{Capabilities, ScriptHost};

pub(super) struct CodeTemplate(pub(super) Arc<dyn Sandbox>);

#[async_trait]
impl ArtifactHandler for CodeTemplate {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::CodeTemplate
    }

    /// The template's variables, the `required` of its `params` schema, and the parameters that it reads without asking whether they are there.
    fn needs(&self, artifact: &Artifact, prompts: &PromptEngine) -> Result<Vec<String>, SkillError> {
        let mut needs = super::template_needs(artifact, prompts)?;
        let schema = artifact.metadata.get("params");
        let required = schema.and_then(|schema| schema.get("required")).and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if !needs.iter().any(|known| known == name) && !super::has_default(artifact, name) {
                needs.push(name.to_owned());
            }
        }
        for param in prompts.script_params(artifact.content.as_ref()).into_iter().filter(|param| !param.optional) {
            if !needs.contains(&param.name) && !super::has_default(artifact, &param.name) {
                needs.push(param.name);
            }
        }
        Ok(needs)
    }

    fn outputs(&self, artifact: &Artifact) -> OutputSpec {
        inklings_lint::outputs(artifact).map_or(OutputSpec::Unknown, OutputSpec::Names)
    }

    fn unavailable(&self) -> Option<String> {
        self.0.unavailable()
    }

    async fn execute(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        let values = super::with_defaults(artifact, context.values);
        let rendered = context
            .prompts
            .render_script(&artifact.content, &values)
            .map_err(|error| SkillError::Template(Box::new(error.to_diagnostic(artifact.path.as_str()))))?;
        context.set_rendered(&rendered.source);
        let script = Script {
            name: artifact.path.to_string(),
            source: rendered.source,
            params: values.into_iter().collect(),
            limits: context.resources.limits,
        };
        let host = ScriptHost::new(context, Capabilities::of(artifact), Digest::of(artifact.content.as_bytes()));
        let result = self.0.run(&script, &host, context.cancel).await;
        let report = host.into_report();
        if let Some(error) = report.fatal {
            return Err(error);
        }
        let output = result.map_err(|error| failed(artifact, error, &rendered.lines))?;
        let text = match &output.value {
            Value::String(text) => text.clone(),
            other => serde_json::to_string_pretty(other).unwrap_or_default(),
        };
        Ok(ArtifactOutput { text, value: Some(output.value), skills_used: report.skills, ..ArtifactOutput::default() })
    }
}

/// Maps a script's error to lines of the artifact's file: Python's lines are those of the rendered script.
fn failed(artifact: &Artifact, mut error: ScriptError, lines: &LineMap) -> SkillError {
    let outcome = error.outcome();
    let detail = match &mut error {
        ScriptError::Unavailable(reason) => {
            return SkillError::Unavailable { artifact: artifact.name.clone(), kind: artifact.kind, reason: reason.clone() };
        }
        ScriptError::Cancelled => return SkillError::Cancelled,
        ScriptError::Syntax { line, .. } => {
            *line = lines.template_line(*line);
            TraceDetail { outcome, traceback: None, line: Some(*line) }
        }
        ScriptError::BadResult { line, .. } => {
            *line = line.map(|line| lines.template_line(line));
            TraceDetail { outcome, traceback: None, line: *line }
        }
        ScriptError::Exception(exception) => {
            exception.line = exception.line.map(|line| lines.template_line(line));
            exception.traceback = in_file(&exception.traceback, artifact.path.as_str(), lines);
            TraceDetail { outcome, traceback: Some(exception.traceback.clone()), line: exception.line }
        }
        _ => TraceDetail { outcome, traceback: None, line: None },
    };
    SkillError::Script { artifact: artifact.name.clone(), error: Box::new(error), detail }
}

/// The traceback with the line numbers of the artifact's file.
fn in_file(traceback: &str, name: &str, lines: &LineMap) -> String {
    let begin = format!("File \"{name}\", line ");
    let change = |line: &str| {
        let (before, rest) = line.split_once(&begin)?;
        let digits = rest.len() - rest.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
        let number: u32 = rest[..digits].parse().ok()?;
        Some(format!("{before}{begin}{}{}", lines.template_line(number), &rest[digits..]))
    };
    let changed: Vec<_> = traceback.lines().map(|line| change(line).unwrap_or_else(|| line.to_owned())).collect();
    changed.join("\n")
}
