//! Maps the end of an instance to a result or a [`ScriptError`].

use inklings_core::sandbox::{SandboxLimits, ScriptError, ScriptException, ScriptExit, ScriptOutput};
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

/// An instance that ended, by itself or by a trap.
pub(crate) struct Execution {
    pub(crate) executed: wasmtime::Result<()>,
    pub(crate) result: ScriptResult,
    /// Whether the script exceeded its memory limit.
    pub(crate) refused: bool,
}

impl Execution {
    /// The result of a code template.
    pub(crate) fn output(self, limits: &SandboxLimits) -> Result<ScriptOutput, ScriptError> {
        let result = self.ended(limits)?;
        match result.problem {
            None => Ok(ScriptOutput { value: result.submitted.ok_or(ScriptError::NoSubmit)? }),
            Some(problem) => Err(problem.error(limits)),
        }
    }

    /// The exit of a script file, which reports a code before it ends its process at once.
    pub(crate) fn exit(self, limits: &SandboxLimits) -> Result<ScriptExit, ScriptError> {
        if let (None, Err(error), Some(Problem::Exited { code })) = (&self.result.forced, &self.executed, &self.result.problem)
            && error.downcast_ref::<I32Exit>().is_some()
        {
            return Ok(ScriptExit { code: *code });
        }
        match self.ended(limits) {
            Ok(ScriptResult { problem: None, .. }) | Err(ScriptError::Exited { code: Some(0) }) => Ok(ScriptExit { code: 0 }),
            Ok(ScriptResult { problem: Some(Problem::Exited { code }), .. }) => Ok(ScriptExit { code }),
            Ok(ScriptResult { problem: Some(problem), .. }) => Err(problem.error(limits)),
            Err(error) => Err(error),
        }
    }

    /// What an instance reported that wasn't stopped.
    fn ended(self, limits: &SandboxLimits) -> Result<ScriptResult, ScriptError> {
        if let Some(outcome) = self.result.forced {
            return Err(outcome);
        }
        if let Err(error) = self.executed {
            return Err(stopped(&error, self.refused, limits));
        }
        Ok(self.result)
    }
}

impl Problem {
    fn error(self, limits: &SandboxLimits) -> ScriptError {
        match self {
            Self::Syntax { message, line, column } => ScriptError::Syntax { message, line, column },
            Self::Raised(exception) => ScriptError::Exception(Box::new(exception)),
            Self::BadResult { message, line } => ScriptError::BadResult { message, line },
            Self::Memory => ScriptError::OutOfMemory { mib: limits.memory_mib },
            Self::Exited { code } => ScriptError::Exited { code: Some(code) },
        }
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
