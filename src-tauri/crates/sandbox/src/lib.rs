//! Python scripts in a WebAssembly sandbox: the adapter for [`inklings_core::sandbox`] on Wasmtime.
//!
//! The guest (`guest/`) is `CPython` with its standard library and a thin module `inklings`; a separate tool (`compiler/`) compiles it
//! to machine code, which is mapped here. Each run is a new instance without files, environment or network; its functions are
//! in [`abi`]. An epoch clock interrupts it every 5 ms to check CPU and wall time; memory, log and result are bounded.
//! Deliberately absent: what the functions do and who may call them ([`inklings_core::sandbox::HostFunctions`]), and
//! templates, which are rendered before.

pub mod abi;
mod built;
mod config;
mod engine;
mod guest;
mod outcome;
mod run;
mod stopwatch;
mod ticker;

use std::path::PathBuf;
use std::sync::OnceLock;

use async_trait::async_trait;
use inklings_core::CancellationToken;
use inklings_core::sandbox::{HostFunctions, Sandbox, Script, ScriptError, ScriptExit, ScriptFile, ScriptOutput};

pub use self::built::find_built;
use self::engine::Engine;
use self::guest::Invocation;
use self::outcome::Execution;

/// Maps its machine code on first use.
#[derive(Debug)]
pub struct PythonSandbox {
    code: Option<PathBuf>,
    engine: OnceLock<Result<Engine, String>>,
}

impl PythonSandbox {
    /// `code` is the shipped file `python.cwasm`; without it nothing runs, and `unavailable` says why.
    ///
    /// The file is executed without verification: it must be the app's own, never one of a workspace.
    #[must_use]
    pub fn new(code: Option<PathBuf>) -> Self {
        Self { code, engine: OnceLock::new() }
    }

    fn engine(&self) -> Result<&Engine, &str> {
        self.engine.get_or_init(|| Engine::load(self.code.as_deref())).as_ref().map_err(String::as_str)
    }

    async fn invoke(&self, invocation: Invocation, host: &dyn HostFunctions, cancel: &CancellationToken) -> Result<Execution, ScriptError> {
        let engine = self.engine().map_err(|why| ScriptError::Unavailable(why.to_owned()))?;
        run::run(engine, invocation, host, cancel).await
    }
}

#[async_trait]
impl Sandbox for PythonSandbox {
    fn unavailable(&self) -> Option<String> {
        self.engine().err().map(str::to_owned)
    }

    async fn run(&self, script: &Script, host: &dyn HostFunctions, cancel: &CancellationToken) -> Result<ScriptOutput, ScriptError> {
        self.invoke(script.into(), host, cancel).await?.output(&script.limits)
    }

    async fn execute(&self, file: &ScriptFile, host: &dyn HostFunctions, cancel: &CancellationToken) -> Result<ScriptExit, ScriptError> {
        self.invoke(file.into(), host, cancel).await?.exit(&file.limits)
    }
}
