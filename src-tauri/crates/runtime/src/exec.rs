//! Runs a file of a skill as a program: verbatim in the sandbox, with arguments and standard streams.
//!
//! It is a run like any other, with a budget, cancellation and a trace of one step, whose output is standard output and whose log is
//! standard error. The file needn't be an artifact; if it is one, its capabilities apply and its assertions don't, since they are about
//! a submitted value. Deliberately absent: other languages, and packages beyond Python's standard library.

use std::sync::{Arc, PoisonError};

use inklings_core::trace::{SessionKind, TraceDetail};
use inklings_core::{
    Artifact, ArtifactId, ArtifactKind, Digest, IdSource, Package, Sandbox, ScriptError, ScriptExit, ScriptFile, SkillPath, TraceStatus,
};
use serde_json::{Map, Value, json};

use crate::context::{ExecutionContext, RunModel};
use crate::error::SkillError;
use crate::event::RunEvents;
use crate::output::{ArtifactOutput, RunReport, ScriptResult};
use crate::record::Recorder;
use crate::request::RunRequest;
use crate::run::Runner;
use crate::script::{Capabilities, ScriptHost};

const MAX_ARGS: usize = 1_000;
/// Of all arguments together.
const MAX_ARGS_BYTES: usize = 128 * 1024;
pub const MAX_STDIN_BYTES: usize = 8 * 1024 * 1024;
/// The keys of a run's recorded values.
const ARGV: &str = "argv";
const STDIN: &str = "stdin";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScriptInput {
    /// Path of the file in the skill.
    pub path: String,
    pub args: Vec<String>,
    pub stdin: String,
}

impl ScriptInput {
    /// The input of a recorded run. None if its artifact ran in another way.
    #[must_use]
    pub fn from_params(path: &str, params: &Map<String, Value>) -> Option<Self> {
        if params.keys().any(|key| key != ARGV && key != STDIN) {
            return None;
        }
        let argv = params.get(ARGV)?.as_array()?;
        let mut argv = argv.iter().map(|one| one.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?.into_iter();
        let stdin = params.get(STDIN).map_or(Some(""), Value::as_str)?;
        // The first argument is the path, which tells these values from those of a template.
        argv.next().filter(|first| first == path)?;
        Some(Self { path: path.to_owned(), args: argv.collect(), stdin: stdin.to_owned() })
    }

    fn to_params(&self) -> Map<String, Value> {
        let argv: Vec<&str> = std::iter::once(self.path.as_str()).chain(self.args.iter().map(String::as_str)).collect();
        let mut params = Map::from_iter([(ARGV.to_owned(), json!(argv))]);
        if !self.stdin.is_empty() {
            params.insert(STDIN.to_owned(), self.stdin.as_str().into());
        }
        params
    }

    fn check(&self) -> Result<(), SkillError> {
        let bad = |name: &str, detail: String| Err(SkillError::BadParameter { name: name.to_owned(), detail });
        if let Some(index) = self.args.iter().position(|one| one.contains('\0')) {
            return bad("args", format!("argument {} contains a NUL character", index + 1));
        }
        if self.args.len() > MAX_ARGS {
            return bad("args", format!("there are {} arguments (maximum {MAX_ARGS})", self.args.len()));
        }
        let bytes: usize = self.args.iter().map(String::len).sum();
        if bytes > MAX_ARGS_BYTES {
            return bad("args", format!("the arguments have {bytes} bytes (maximum {MAX_ARGS_BYTES})"));
        }
        if self.stdin.len() > MAX_STDIN_BYTES {
            return bad("stdin", format!("it has {} bytes (maximum {MAX_STDIN_BYTES})", self.stdin.len()));
        }
        Ok(())
    }
}

/// The text of a Python file, or why it can't run. `path` may begin with `./`.
pub fn script_source(package: &Package, path: &str) -> Result<(SkillPath, Arc<str>), SkillError> {
    let found = SkillPath::parse(path.strip_prefix("./").unwrap_or(path)).ok();
    let found = found.and_then(|path| package.tree().remove(&path).map(|file| (path, file)));
    let (path, file) = found.ok_or_else(|| SkillError::NoFile(path.to_owned()))?;
    let refused = |reason: &str| SkillError::NotRunnable { path: path.to_string(), reason: reason.to_owned() };
    if !path.as_str().to_lowercase().ends_with(".py") {
        return Err(refused("only Python files (.py) run in the sandbox"));
    }
    let source = file.text().ok_or_else(|| refused("it isn't UTF-8 text"))?;
    Ok((path, source.into()))
}

/// Runs the file that `input` names. An error means that nothing was executed; later failures are in the report.
pub async fn run_file(
    runner: &Runner,
    request: RunRequest,
    mut input: ScriptInput,
    sandbox: &dyn Sandbox,
    recorder: &Recorder,
    events: &dyn RunEvents,
) -> Result<RunReport, SkillError> {
    request.limits.check()?;
    input.check()?;
    let (path, source) = script_source(&request.skill.package, &input.path)?;
    input.path = path.to_string();
    let artifact = artifact(&request.skill.package, path, source, recorder.ids.as_ref());
    if let Some(reason) = sandbox.unavailable() {
        return Err(failed(&artifact, ScriptError::Unavailable(reason)));
    }
    let params = input.to_params();
    let file = ScriptFile {
        path: input.path,
        source: artifact.content.to_string(),
        args: input.args,
        stdin: input.stdin,
        limits: request.resources.limits,
    };
    let request = RunRequest { artifact: Some(file.path.clone()), params: params.clone(), ..request };
    let model = Arc::new(RunModel::new(runner.models.clone(), request.model.clone()));
    let mut active = runner.begin(request, SessionKind::Run, None, (model.clone(), model), recorder, events).await?;
    let work = async |context: &ExecutionContext<'_>| execute(&file, &artifact, sandbox, context).await;
    let (row, result) = active.perform(&artifact, false, Some(&params), None, work).await?;
    let (error, output, outcome) = match result {
        Ok((output, outcome)) => (None, Some(output), outcome),
        Err((error, outcome)) => (Some(error), None, outcome),
    };
    let script = ScriptResult {
        exit_code: exit_code(error.as_ref()),
        stdout: outcome.output.clone().unwrap_or_default(),
        stderr: outcome.log.clone().unwrap_or_default(),
        truncated: outcome.truncated,
    };
    let closed = match error {
        None => active.close(row, TraceStatus::Ok, None, outcome).await,
        Some(error) => active.fail(row, error, outcome).await,
    };
    Ok(RunReport { output, script: Some(script), ..active.finish(closed.err()) })
}

/// The artifact at this path, or one that stands for a file that isn't an artifact.
fn artifact(package: &Package, path: SkillPath, content: Arc<str>, ids: &dyn IdSource) -> Artifact {
    if let Some(declared) = package.artifacts.iter().find(|one| one.path == path) {
        return Artifact { kind: ArtifactKind::CodeTemplate, ..declared.clone() };
    }
    Artifact {
        id: ArtifactId::new(ids.uuid()),
        name: path.to_string(),
        path,
        kind: ArtifactKind::CodeTemplate,
        ordinal: 0,
        content,
        variant: None,
        metadata: Map::new(),
        state: None,
        executable: false,
    }
}

async fn execute(
    file: &ScriptFile,
    artifact: &Artifact,
    sandbox: &dyn Sandbox,
    context: &ExecutionContext<'_>,
) -> Result<ArtifactOutput, SkillError> {
    context.set_rendered(&file.source);
    let host = ScriptHost::new(context, Capabilities::of(artifact), Digest::of(file.source.as_bytes()));
    let result = sandbox.execute(file, &host, context.cancel).await;
    let report = host.into_report();
    if let Some(error) = report.fatal {
        return Err(error);
    }
    match result {
        Ok(ScriptExit { code: 0 }) => {
            let text = context.streamed.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default();
            Ok(ArtifactOutput { text, skills_used: report.skills, ..ArtifactOutput::default() })
        }
        Ok(ScriptExit { code }) => Err(failed(artifact, ScriptError::Exited { code: Some(code) })),
        Err(error) => Err(failed(artifact, error)),
    }
}

fn failed(artifact: &Artifact, error: ScriptError) -> SkillError {
    let (traceback, line) = match &error {
        ScriptError::Unavailable(reason) => {
            return SkillError::Unavailable { artifact: artifact.name.clone(), kind: artifact.kind, reason: reason.clone() };
        }
        ScriptError::Cancelled => return SkillError::Cancelled,
        ScriptError::Syntax { line, .. } => (None, Some(*line)),
        ScriptError::BadResult { line, .. } => (None, *line),
        ScriptError::Exception(exception) => (Some(exception.traceback.clone()), exception.line),
        _ => (None, None),
    };
    let detail = TraceDetail { outcome: error.outcome(), traceback, line };
    SkillError::Script { artifact: artifact.name.clone(), error: Box::new(error), detail }
}

/// Python's exit code for how it ended: 1 after an uncaught exception.
fn exit_code(error: Option<&SkillError>) -> Option<i32> {
    match error {
        None => Some(0),
        Some(SkillError::Script { error, .. }) => match **error {
            ScriptError::Exited { code } => code,
            ScriptError::Exception(_) | ScriptError::Syntax { .. } | ScriptError::BadResult { .. } => Some(1),
            _ => None,
        },
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_values_are_the_input_again() {
        let input = ScriptInput { path: "scripts/a.py".to_owned(), args: vec![String::new(), "é".to_owned()], stdin: "in\0".to_owned() };
        assert_eq!(ScriptInput::from_params("scripts/a.py", &input.to_params()), Some(input.clone()));
        let plain = ScriptInput { path: "a.py".to_owned(), ..ScriptInput::default() };
        assert_eq!(ScriptInput::from_params("a.py", &plain.to_params()), Some(plain.clone()));
        assert_eq!(ScriptInput::from_params("b.py", &plain.to_params()), None, "values of a template");
        for other in [json!({}), json!({"argv": "a.py"}), json!({"argv": ["a.py", 1]}), json!({"argv": ["a.py"], "more": 1})] {
            assert_eq!(ScriptInput::from_params("a.py", other.as_object().unwrap()), None, "{other}");
        }
    }
}
