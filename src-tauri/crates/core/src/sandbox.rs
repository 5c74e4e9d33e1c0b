//! Scripts of skills, as templates or as they are: their limits, host functions and errors. The port to the Python sandbox.
//!
//! [`Sandbox`] runs a script; [`HostFunctions`] answers its calls and checks capabilities there, since a
//! script can bypass the Python side. Deliberately absent: pages, models and skills.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cancel::CancellationToken;
use crate::skill::text_enum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxLimits {
    /// CPU time in seconds, without sleeping and waiting for host calls.
    pub cpu_seconds: u32,
    /// Wall time in seconds, without waiting for host calls.
    pub seconds: u32,
    /// Memory in mebibytes.
    pub memory_mib: u32,
    /// Maximum size of the log in bytes. A longer log is truncated with a note.
    pub log_bytes: u32,
    /// Maximum size of the result as JSON, in bytes.
    pub result_bytes: u32,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self { cpu_seconds: 60, seconds: 120, memory_mib: 256, log_bytes: 1024 * 1024, result_bytes: 8 * 1024 * 1024 }
    }
}

impl SandboxLimits {
    /// The limits clamped to a usable range.
    #[must_use]
    pub fn sound(self) -> Self {
        Self {
            cpu_seconds: self.cpu_seconds.clamp(1, 24 * 60 * 60),
            seconds: self.seconds.clamp(1, 24 * 60 * 60),
            memory_mib: self.memory_mib.clamp(64, 4_000),
            log_bytes: self.log_bytes.clamp(1_024, 16 * 1024 * 1024),
            result_bytes: self.result_bytes.clamp(1_024, 64 * 1024 * 1024),
        }
    }
}

/// A rendered script.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// Name in tracebacks, e.g. `scripts/link-audit.py`.
    pub name: String,
    pub source: String,
    /// Values by name. All are in `params`; those whose name is an identifier are globals as well.
    pub params: Map<String, Value>,
    pub limits: SandboxLimits,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ScriptOutput {
    pub value: Value,
}

/// A file of a skill that runs as a program, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptFile {
    /// In the skill's folder. The first of `sys.argv`, and the name in tracebacks.
    pub path: String,
    pub source: String,
    /// The rest of `sys.argv`.
    pub args: Vec<String>,
    pub stdin: String,
    /// `result_bytes` bounds standard output, `log_bytes` standard error.
    pub limits: SandboxLimits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptExit {
    /// From 0 to 255.
    pub code: i32,
}

/// An uncaught exception.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScriptException {
    /// Class, e.g. `KeyError`.
    #[serde(rename = "type")]
    pub kind: String,
    pub message: String,
    /// As Python prints it, with frames of the script only.
    pub traceback: String,
    /// The innermost line of the script, from 1.
    pub line: Option<u32>,
}

/// None of these affects the next script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// Invalid Python.
    #[error("line {line}: {message}")]
    Syntax {
        message: String,
        /// From 1.
        line: u32,
        /// From 1, in characters.
        column: u32,
    },
    /// An uncaught exception.
    #[error("{}{}: {}", .0.line.map(|line| format!("line {line}: ")).unwrap_or_default(), .0.kind, .0.message)]
    Exception(Box<ScriptException>),
    #[error("the script exceeded its CPU time limit of {seconds} s. Reduce the work, or raise the limit in Settings.")]
    OutOfCpu { seconds: u32 },
    #[error("the script exceeded its time limit of {seconds} s. Reduce the work, or raise the limit in Settings.")]
    OutOfTime { seconds: u32 },
    #[error("the script exceeded its memory limit of {mib} MiB. Keep less data in memory, or raise the limit in Settings.")]
    OutOfMemory { mib: u32 },
    #[error("the script overflowed its stack")]
    StackOverflow,
    /// The script exited without a result, e.g. by `os._exit` or an abort.
    #[error("the script exited{}", .code.map(|code| format!(" with code {code}")).unwrap_or_default())]
    Exited {
        /// Exit code, if known.
        code: Option<i32>,
    },
    #[error("the script ended without a result: call inklings.submit(value) once")]
    NoSubmit,
    #[error("the result is too large: {bytes} bytes (maximum {limit}). Submit less, or raise the limit in Settings.")]
    ResultTooLarge { bytes: u64, limit: u32 },
    /// The submitted value isn't JSON.
    #[error("{}invalid result: {message}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    BadResult {
        /// Location and type of the value that isn't JSON.
        message: String,
        /// The line of the script that submitted it, from 1.
        line: Option<u32>,
    },
    /// A host function ended it ([`HostError::Fatal`]).
    #[error("{0}")]
    Ended(String),
    #[error("cancelled")]
    Cancelled,
    /// The sandbox isn't installed or doesn't work on this system.
    #[error("the Python sandbox is unavailable: {0}")]
    Unavailable(String),
}

text_enum! {
    ScriptOutcome {
        /// Invalid Python.
        Syntax = "syntax",
        /// An uncaught exception.
        Exception = "exception",
        #[serde(alias = "out-of-fuel")]
        OutOfCpu = "out-of-cpu",
        OutOfTime = "out-of-time",
        OutOfMemory = "out-of-memory",
        StackOverflow = "stack-overflow",
        /// The script exited without a result.
        Exited = "exited",
        NoSubmit = "no-submit",
        ResultTooLarge = "result-too-large",
        /// The result isn't JSON.
        BadResult = "bad-result",
        /// A host function ended it.
        Ended = "ended",
        Cancelled = "cancelled",
        /// The sandbox isn't installed or doesn't work on this system.
        Unavailable = "unavailable",
    }
}

impl ScriptError {
    #[must_use]
    pub const fn outcome(&self) -> ScriptOutcome {
        match self {
            Self::Syntax { .. } => ScriptOutcome::Syntax,
            Self::Exception(_) => ScriptOutcome::Exception,
            Self::OutOfCpu { .. } => ScriptOutcome::OutOfCpu,
            Self::OutOfTime { .. } => ScriptOutcome::OutOfTime,
            Self::OutOfMemory { .. } => ScriptOutcome::OutOfMemory,
            Self::StackOverflow => ScriptOutcome::StackOverflow,
            Self::Exited { .. } => ScriptOutcome::Exited,
            Self::NoSubmit => ScriptOutcome::NoSubmit,
            Self::ResultTooLarge { .. } => ScriptOutcome::ResultTooLarge,
            Self::BadResult { .. } => ScriptOutcome::BadResult,
            Self::Ended(_) => ScriptOutcome::Ended,
            Self::Cancelled => ScriptOutcome::Cancelled,
            Self::Unavailable(_) => ScriptOutcome::Unavailable,
        }
    }
}

/// Why a host call failed. Raised as a Python exception.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// The script lacks the capability (`PermissionError`).
    #[error("{0}")]
    Denied(String),
    /// `LookupError` in Python.
    #[error("{0}")]
    NotFound(String),
    /// The arguments are invalid (`ValueError`).
    #[error("{0}")]
    BadCall(String),
    /// It failed (`inklings.HostError`, a `RuntimeError`).
    #[error("{0}")]
    Failed(String),
    /// Ends the run. The script can't catch it.
    #[error("{0}")]
    Fatal(String),
}

/// Handles the calls of a script. Every call is checked here, since a script can modify its Python side.
#[async_trait]
pub trait HostFunctions: Send + Sync {
    /// Calls the function `name` with the arguments that the script sent, which are untrusted.
    async fn call(&self, name: &str, arguments: Value) -> Result<Value, HostError>;

    /// Receives a text of the log, from `print` and `inklings.log`. The limit is enforced by the caller. The log of a script file is
    /// its standard error.
    fn log(&self, text: &str);

    /// Receives a text of a script file's standard output. Code templates have none.
    fn output(&self, _text: &str) {}

    /// Log or output reached its limit; the rest is dropped.
    fn truncated(&self) {}

    /// Receives the progress of the script, from 0 to 1, with a label.
    fn progress(&self, fraction: f64, text: &str);
}

/// Runs scripts in isolation.
#[async_trait]
pub trait Sandbox: Send + Sync {
    /// Why scripts can't run. `None` if they can.
    fn unavailable(&self) -> Option<String>;

    /// Runs a script to its end. Dropping the future stops it.
    async fn run(&self, script: &Script, host: &dyn HostFunctions, cancel: &CancellationToken) -> Result<ScriptOutput, ScriptError>;

    /// Runs a file of a skill to its end. An uncaught exception is an error whose traceback was printed, another exit code isn't.
    /// Modules of the skill are read through `host`. Dropping the future stops it.
    async fn execute(&self, file: &ScriptFile, host: &dyn HostFunctions, cancel: &CancellationToken) -> Result<ScriptExit, ScriptError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_of_an_older_version_still_says_how_its_script_ended() {
        assert_eq!(serde_json::from_value::<ScriptOutcome>("out-of-fuel".into()).unwrap(), ScriptOutcome::OutOfCpu);
    }
}
