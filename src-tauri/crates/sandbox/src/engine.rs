//! What all runs share: the mapped machine code, what it is linked with, the threads it runs on, and the beat.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use tokio::runtime::{self, Runtime};
use wasmtime::component::{Component, InstancePre, Linker};

use crate::config::config;
use crate::guest::{self, Guest};
use crate::ticker::Ticker;

/// What a person can do when the machine code is missing or of another version.
const REMEDY: &str = "install the app again (in a source tree, `cargo xtask run` makes it)";

/// Loaded once and shared by every run.
pub(crate) struct Engine {
    pub(crate) instance: InstancePre<Guest>,
    pub(crate) ticker: Ticker,
    pub(crate) threads: &'static Runtime,
}

impl Engine {
    /// Maps `code` and links it; an error is one sentence for a person.
    pub(crate) fn load(code: Option<&Path>) -> Result<Self, String> {
        let code = code.filter(|code| code.is_file()).ok_or_else(|| format!("its file python.cwasm is missing: {REMEDY}"))?;
        let engine = wasmtime::Engine::new(&config()).map_err(|error| format!("this machine can't run it: {}", error.root_cause()))?;
        let component =
            map(&engine, code).map_err(|error| format!("its file python.cwasm doesn't fit this app ({}): {REMEDY}", error.root_cause()))?;
        let mut linker = Linker::new(&engine);
        let instance = guest::link(&mut linker)
            .and_then(|()| linker.instantiate_pre(&component))
            .map_err(|error| format!("its file python.cwasm doesn't fit this app ({}): {REMEDY}", error.root_cause()))?;
        let ticker = Ticker::start(&engine).map_err(|error| format!("no thread can be started: {error}"))?;
        Ok(Self { instance, ticker, threads: threads()? })
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// Maps the file; its pages are read from disk when they are used, and shared by every process that maps it.
#[expect(unsafe_code, reason = "machine code is run as the file has it, which is what mapping it is for")]
fn map(engine: &wasmtime::Engine, code: &Path) -> wasmtime::Result<Component> {
    // SAFETY: the file was made by our compiler tool and lies among the app's own resources, beside the program itself: who can
    // change it could change the program. Builds and installers replace it by renaming, they don't write into the mapped file.
    // Wasmtime refuses a file of another version, configuration or processor.
    unsafe { Component::deserialize_file(engine, code) }
}

/// The threads that scripts compute on: as many as the machine has, apart from those that serve everything else.
fn threads() -> Result<&'static Runtime, String> {
    static THREADS: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let made = THREADS.get_or_init(|| {
        let made = runtime::Builder::new_multi_thread().thread_name("sandbox").enable_time().build();
        made.map_err(|error| format!("no threads can be started: {error}"))
    });
    made.as_ref().map_err(Clone::clone)
}
