//! What all runs share: the mapped machine code with its imports, the threads, and the ticker.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use tokio::runtime::{self, Runtime};
use wasmtime::component::{Component, InstancePre, Linker};

use crate::config::config;
use crate::guest::{self, Guest};
use crate::ticker::Ticker;

const REMEDY: &str = "reinstall the app (in a source tree, run `cargo xtask run`)";

/// Loaded once and shared by every run.
pub(crate) struct Engine {
    pub(crate) instance: InstancePre<Guest>,
    pub(crate) ticker: Ticker,
    pub(crate) threads: &'static Runtime,
}

impl Engine {
    /// Maps and links `code`.
    pub(crate) fn load(code: Option<&Path>) -> Result<Self, String> {
        let code = code.filter(|code| code.is_file()).ok_or_else(|| format!("python.cwasm not found; {REMEDY}"))?;
        let engine = wasmtime::Engine::new(&config()).map_err(|error| format!("not supported on this machine: {}", error.root_cause()))?;
        let component = map(&engine, code)
            .map_err(|error| format!("python.cwasm doesn't match this version of the app ({}); {REMEDY}", error.root_cause()))?;
        let mut linker = Linker::new(&engine);
        let instance = guest::link(&mut linker)
            .and_then(|()| linker.instantiate_pre(&component))
            .map_err(|error| format!("python.cwasm doesn't match this version of the app ({}); {REMEDY}", error.root_cause()))?;
        let ticker = Ticker::start(&engine).map_err(|error| format!("can't start a thread: {error}"))?;
        Ok(Self { instance, ticker, threads: threads()? })
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// Maps the file. Its pages are read on demand and shared by all processes.
#[expect(unsafe_code, reason = "precompiled machine code is mapped and executed without verification")]
fn map(engine: &wasmtime::Engine, code: &Path) -> wasmtime::Result<Component> {
    // SAFETY: our compiler tool made the file, and it is among the app's own resources, beside the program itself: whoever can
    // change it could change the program. Builds and installers replace it by renaming, they don't write into the mapped file.
    // Wasmtime refuses a file of another version, configuration or processor.
    unsafe { Component::deserialize_file(engine, code) }
}

/// The threads of scripts, separate from those of the app: one per CPU.
fn threads() -> Result<&'static Runtime, String> {
    static THREADS: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let runtime = THREADS.get_or_init(|| {
        let built = runtime::Builder::new_multi_thread().thread_name("sandbox").enable_time().build();
        built.map_err(|error| format!("can't start threads: {error}"))
    });
    runtime.as_ref().map_err(Clone::clone)
}
