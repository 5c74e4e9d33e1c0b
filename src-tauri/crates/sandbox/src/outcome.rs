//! From how an instance ended to what a person is told.

use inklings_core::sandbox::{SandboxLimits, ScriptError, ScriptException};
use serde::Deserialize;
use serde_json::Value;
use wasmtime::Trap;
use wasmtime_wasi::I32Exit;

/// What a run left behind besides the way it ended.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    submitted: Option<Value>,
    problem: Option<Problem>,
    forced: Option<ScriptError>,
}

/// How the guest says that a script failed.
#[derive(Debug, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
enum Problem {
    Syntax { message: String, line: u32, column: u32 },
    Raised(ScriptException),
    BadResult { message: String, line: Option<u32> },
    Memory,
    Exited { code: i32 },
}

impl Ending {
    /// Takes the result, unless there is one.
    pub(crate) fn submit(&mut self, value: Value) -> Option<()> {
        if self.submitted.is_some() {
            return None;
        }
        self.submitted = Some(value);
        Some(())
    }

    /// Hears from the guest how the script failed. Nonsense is the script's own doing: it reached for what isn't its.
    pub(crate) fn tell(&mut self, problem: Value) {
        self.problem = serde_json::from_value(problem).ok();
    }

    /// What the host ended the run with.
    pub(crate) fn force(&mut self, outcome: ScriptError) {
        self.forced = Some(outcome);
    }
}

/// The result, or why there is none. `refused` says whether memory was.
pub(crate) fn of(executed: wasmtime::Result<()>, ending: Ending, refused: bool, limits: &SandboxLimits) -> Result<Value, ScriptError> {
    if let Some(outcome) = ending.forced {
        return Err(outcome);
    }
    if let Err(error) = executed {
        return Err(stopped(&error, refused, limits));
    }
    match ending.problem {
        None => ending.submitted.ok_or(ScriptError::NoSubmit),
        Some(Problem::Syntax { message, line, column }) => Err(ScriptError::Syntax { message, line, column }),
        Some(Problem::Raised(exception)) => Err(ScriptError::Exception(Box::new(exception))),
        Some(Problem::BadResult { message, line }) => Err(ScriptError::BadResult { message, line }),
        Some(Problem::Memory) => Err(ScriptError::OutOfMemory { mib: limits.memory_mib }),
        Some(Problem::Exited { code }) => Err(ScriptError::Exited { code: Some(code) }),
    }
}

/// An instance that came to no end of its own.
fn stopped(error: &wasmtime::Error, refused: bool, limits: &SandboxLimits) -> ScriptError {
    if let Some(Trap::StackOverflow) = error.downcast_ref() {
        return ScriptError::StackOverflow;
    }
    if let Some(I32Exit(code)) = error.downcast_ref() {
        // Of other codes only that they weren't 0 gets through.
        return ScriptError::Exited { code: (*code == 0).then_some(0) };
    }
    if refused {
        // An interpreter that gets no memory where it can't do without aborts.
        return ScriptError::OutOfMemory { mib: limits.memory_mib };
    }
    tracing::debug!(cause = %error.root_cause(), "a script ended its interpreter");
    ScriptError::Exited { code: None }
}
