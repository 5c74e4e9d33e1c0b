//! Syntax errors of a script, as Python's own compiler reports them.

use async_trait::async_trait;
use inklings_core::{CancellationToken, Diagnostic, HostError, HostFunctions, Sandbox, SandboxLimits, Script, SkillPath};
use inklings_prompt::PromptEngine;
use serde_json::{Map, Value};

/// Compiles `params['text']` and submits the syntax error, or None.
const COMPILE_SCRIPT: &str = "\
import inklings, warnings
warnings.simplefilter('ignore')
fault = None
try:
    compile(params['text'], 'script', 'exec', dont_inherit=True)
except SyntaxError as error:
    fault = {'message': error.msg, 'line': error.lineno or 1, 'column': error.offset or 1}
except ValueError as error:
    fault = {'message': str(error), 'line': 1, 'column': 1}
inklings.submit(fault)
";

/// Far more than compiling needs.
const COMPILE_LIMITS: SandboxLimits =
    SandboxLimits { cpu_seconds: 10, seconds: 20, memory_mib: 256, log_bytes: 1_024, result_bytes: 64 * 1024 };

#[derive(serde::Deserialize)]
struct Fault {
    message: String,
    line: usize,
    column: usize,
}

/// The first error of Python's compiler. None also if the text depends on values (see `stand_in`) or the sandbox fails: this
/// is a check while typing, and a run reports the error again.
pub async fn compile(sandbox: &dyn Sandbox, prompts: &PromptEngine, path: &SkillPath, text: &str) -> Option<Diagnostic> {
    let python = prompts.stand_in(text)?;
    let params = Map::from_iter([("text".to_owned(), Value::from(python.source()))]);
    let script = Script { name: "check".to_owned(), source: COMPILE_SCRIPT.to_owned(), params, limits: COMPILE_LIMITS };
    let output = sandbox.run(&script, &NoHost, &CancellationToken::new()).await.ok()?;
    let Fault { message, line, column } = serde_json::from_value(output.value).ok()?;
    Some(python.fault(text, message, line, column).to_diagnostic(path.as_str()))
}

/// No host functions.
struct NoHost;

#[async_trait]
impl HostFunctions for NoHost {
    async fn call(&self, name: &str, _: Value) -> Result<Value, HostError> {
        Err(HostError::Denied(format!("function {name:?} not available here")))
    }

    fn log(&self, _: &str) {}

    fn progress(&self, _: f64, _: &str) {}
}
