//! Maps the end of an instance to a result or a [`ScriptError`].

use inklings_core::sandbox::{SandboxLimits, ScriptError, ScriptException};
use serde::Deserialize;
use serde_json::Value;
use wasmtime::Trap;
use wasmtime_wasi::I32Exit;

/// What a run reported before its end.
#[derive(Debug, Default)]
pub(crate) struct ScriptResult {
    submitted: Option<Value>,
    problem: Option<Problem>,
    forced: Option<ScriptError>,
}

/// A failure as reported by the guest.
#[derive(Debug, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
enum Problem {
    Syntax { message: String, line: u32, column: u32 },
    Raised(ScriptException),
    BadResult { message: String, line: Option<u32> },
    Memory,
    Exited { code: i32 },
}

impl ScriptResult {
    /// None if there already is a result.
    pub(crate) fn submit(&mut self, value: Value) -> Option<()> {
        if self.submitted.is_some() {
            return None;
        }
        self.submitted = Some(value);
        Some(())
    }

    /// Sets the failure that the guest reports. An invalid report comes from a script that calls the import itself, and is ignored.
    pub(crate) fn report(&mut self, problem: Value) {
        self.problem = serde_json::from_value(problem).ok();
    }

    /// Sets the error with which the host ended the run.
    pub(crate) fn force(&mut self, outcome: ScriptError) {
        self.forced = Some(outcome);
    }
}

/// `refused`: whether the script exceeded its memory limit.
pub(crate) fn from_execution(
    executed: wasmtime::Result<()>,
    result: ScriptResult,
    refused: bool,
    limits: &SandboxLimits,
) -> Result<Value, ScriptError> {
    if let Some(outcome) = result.forced {
        return Err(outcome);
    }
    if let Err(error) = executed {
        return Err(stopped(&error, refused, limits));
    }
    match result.problem {
        None => result.submitted.ok_or(ScriptError::NoSubmit),
        Some(Problem::Syntax { message, line, column }) => Err(ScriptError::Syntax { message, line, column }),
        Some(Problem::Raised(exception)) => Err(ScriptError::Exception(Box::new(exception))),
        Some(Problem::BadResult { message, line }) => Err(ScriptError::BadResult { message, line }),
        Some(Problem::Memory) => Err(ScriptError::OutOfMemory { mib: limits.memory_mib }),
        Some(Problem::Exited { code }) => Err(ScriptError::Exited { code: Some(code) }),
    }
}

/// The error of an instance that trapped.
fn stopped(error: &wasmtime::Error, refused: bool, limits: &SandboxLimits) -> ScriptError {
    if let Some(Trap::StackOverflow) = error.downcast_ref() {
        return ScriptError::StackOverflow;
    }
    if let Some(I32Exit(code)) = error.downcast_ref() {
        // WASI reports other codes only as not 0.
        return ScriptError::Exited { code: (*code == 0).then_some(0) };
    }
    if refused {
        // The interpreter aborts if an essential allocation fails.
        return ScriptError::OutOfMemory { mib: limits.memory_mib };
    }
    tracing::debug!(cause = %error.root_cause(), "a script aborted its interpreter");
    ScriptError::Exited { code: None }
}
