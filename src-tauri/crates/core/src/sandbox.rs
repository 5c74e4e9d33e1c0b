//! Scripts of `code_template` artifacts: what is run, under which limits, how it can end. The port of the Python sandbox.
//!
//! [`Sandbox`] runs a script; what the script may ask for outside is answered by [`HostFunctions`], where rights are checked: a
//! script can reach the raw import, so nothing in Python protects anything. Deliberately absent: pages, models and skills.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cancel::CancellationToken;
use crate::skill::text_enum;

/// What a script may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxLimits {
    /// Processor time in seconds; sleeping and waiting for answers take none of it.
    pub cpu_seconds: u32,
    /// Wall time in seconds without the time in which the script waits for answers from outside.
    pub seconds: u32,
    /// Memory in mebibytes.
    pub memory_mib: u32,
    /// Bytes of log that are kept; what comes after is dropped, and the log says so.
    pub log_bytes: u32,
    /// Bytes of a result as JSON.
    pub result_bytes: u32,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self { cpu_seconds: 60, seconds: 120, memory_mib: 256, log_bytes: 1024 * 1024, result_bytes: 8 * 1024 * 1024 }
    }
}

impl SandboxLimits {
    /// The same within bounds in which scripts can run and a machine can live.
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

/// A script that is ready to run: nothing of a template is left in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// Its name in tracebacks, e.g. `scripts/link-audit.py`.
    pub name: String,
    /// Python.
    pub source: String,
    /// Values: each is a global of its name where that is an identifier, and all are in `params`.
    pub params: Map<String, Value>,
    /// What it may use.
    pub limits: SandboxLimits,
}

/// What a script gave.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptOutput {
    /// What it submitted.
    pub value: Value,
}

/// An exception that nothing caught.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScriptException {
    /// Its class, e.g. `KeyError`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it says.
    pub message: String,
    /// The traceback as Python prints it, without frames that aren't the script's.
    pub traceback: String,
    /// The script's line, from 1, at which it was raised or which called what raised it.
    pub line: Option<u32>,
}

/// How a script can fail. After any of these the next one runs as if nothing had been.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// It is no Python.
    #[error("line {line}: {message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// From 1.
        line: u32,
        /// From 1, in characters.
        column: u32,
    },
    /// It raised.
    #[error("{}{}: {}", .0.line.map(|line| format!("line {line}: ")).unwrap_or_default(), .0.kind, .0.message)]
    Exception(Box<ScriptException>),
    /// It computed for too long.
    #[error("the script used more than {seconds} s of CPU time; do less, or raise the limit in the settings")]
    OutOfCpu {
        /// The limit.
        seconds: u32,
    },
    /// It took too long.
    #[error("the script took longer than {seconds} s; do less, or raise the limit in the settings")]
    OutOfTime {
        /// The limit.
        seconds: u32,
    },
    /// It wanted too much memory.
    #[error("the script wanted more than {mib} MiB of memory; keep less at a time, or raise the limit in the settings")]
    OutOfMemory {
        /// The limit.
        mib: u32,
    },
    /// Calls went too deep.
    #[error("the script's calls went too deep for its stack")]
    StackOverflow,
    /// It left without handing anything in, e.g. by `os._exit` or an abort.
    #[error("the script ended itself{}", .code.map(|code| format!(" with exit code {code}")).unwrap_or_default())]
    Exited {
        /// Its code, if it gave one.
        code: Option<i32>,
    },
    /// It came to its end without a result.
    #[error("the script ended without a result: call inklings.submit(value) once")]
    NoSubmit,
    /// The result is too large.
    #[error("the result has {bytes} bytes, more than the {limit} that are allowed; submit less, or raise the limit in the settings")]
    ResultTooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u32,
    },
    /// The value can't be handed over: it is no JSON.
    #[error("{}the result can't be handed in: {message}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    BadResult {
        /// What is no JSON, by its place in the value.
        message: String,
        /// The script's line, from 1, that handed it in.
        line: Option<u32>,
    },
    /// What answers its calls ended it ([`HostError::Fatal`]).
    #[error("{0}")]
    Ended(String),
    /// Someone stopped it.
    #[error("stopped")]
    Cancelled,
    /// The sandbox isn't there or doesn't work here.
    #[error("the Python sandbox can't run: {0}")]
    Unavailable(String),
}

text_enum! {
    /// What kind of end a failed script had, for traces and clients.
    ScriptOutcome {
        /// It is no Python.
        Syntax = "syntax",
        /// It raised.
        Exception = "exception",
        /// It computed for too long.
        #[serde(alias = "out-of-fuel")]
        OutOfCpu = "out-of-cpu",
        /// It took too long.
        OutOfTime = "out-of-time",
        /// It wanted too much memory.
        OutOfMemory = "out-of-memory",
        /// Calls went too deep.
        StackOverflow = "stack-overflow",
        /// It left without handing anything in.
        Exited = "exited",
        /// It came to its end without a result.
        NoSubmit = "no-submit",
        /// The result is too large.
        ResultTooLarge = "result-too-large",
        /// The result is no JSON.
        BadResult = "bad-result",
        /// What answers its calls ended it.
        Ended = "ended",
        /// Someone stopped it.
        Cancelled = "cancelled",
        /// The sandbox isn't there or doesn't work here.
        Unavailable = "unavailable",
    }
}

impl ScriptError {
    /// The kind of end.
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

/// Why a call from a script was not answered; it becomes a Python exception.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// The script may not do this (`PermissionError`).
    #[error("{0}")]
    Denied(String),
    /// There is no such thing (`LookupError`).
    #[error("{0}")]
    NotFound(String),
    /// The call makes no sense (`ValueError`).
    #[error("{0}")]
    BadCall(String),
    /// It failed (`inklings.HostError`, a `RuntimeError`).
    #[error("{0}")]
    Failed(String),
    /// The run must end: nothing can catch this.
    #[error("{0}")]
    Fatal(String),
}

/// What answers the calls of a script. Every call is checked here, whatever the script did to its Python.
#[async_trait]
pub trait HostFunctions: Send + Sync {
    /// Answers the function `name`; `arguments` is whatever the script sent.
    async fn call(&self, name: &str, arguments: Value) -> Result<Value, HostError>;

    /// Hears a text of the log, from `print` and `inklings.log`. Never more than the limit in all.
    fn log(&self, text: &str);

    /// Hears how far the script is: from 0 to 1, with what it is about.
    fn progress(&self, fraction: f64, text: &str);
}

/// Runs scripts where they can do no harm.
#[async_trait]
pub trait Sandbox: Send + Sync {
    /// Why nothing can run, if that is so.
    fn unavailable(&self) -> Option<String>;

    /// Runs a script to its end. Dropping the future stops it.
    async fn run(&self, script: &Script, host: &dyn HostFunctions, cancel: &CancellationToken) -> Result<ScriptOutput, ScriptError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_of_an_older_version_still_says_how_its_script_ended() {
        assert_eq!(serde_json::from_value::<ScriptOutcome>("out-of-fuel".into()).unwrap(), ScriptOutcome::OutOfCpu);
    }
}
