//! The instance of one run: its limits and its imports, `call`, `log` and `output`.

mod calls;
mod memory;

use inklings_core::sandbox::{SandboxLimits, Script, ScriptError, ScriptFile};
use serde_json::json;
use tokio::sync::mpsc::Sender;
use wasmtime::component::{InstancePre, Linker, ResourceTable};
use wasmtime::{Store, UpdateDeadline};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

pub(crate) use self::calls::{Calls, Request};
use self::memory::Memory;
use crate::outcome::{Execution, ScriptResult};
use crate::stopwatch::Stopwatch;
use crate::ticker::Hold;

/// The host's state of one run.
pub(crate) struct Guest {
    wasi: WasiCtx,
    table: ResourceTable,
    memory: Memory,
    calls: Calls,
    result: ScriptResult,
    /// Paused while the script waits for an answer.
    stopwatch: Stopwatch,
    hold: Hold,
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// A call of one of the component's exports.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    export: &'static str,
    /// Of the script, in tracebacks.
    name: String,
    source: String,
    /// JSON.
    input: Vec<u8>,
    pub(crate) limits: SandboxLimits,
}

impl From<&Script> for Invocation {
    fn from(script: &Script) -> Self {
        Self {
            export: "run",
            name: script.name.clone(),
            source: script.source.clone(),
            input: json!(script.params).to_string().into_bytes(),
            limits: script.limits,
        }
    }
}

impl From<&ScriptFile> for Invocation {
    fn from(file: &ScriptFile) -> Self {
        Self {
            export: "execute",
            name: file.path.clone(),
            source: file.source.clone(),
            input: json!({ "args": file.args, "stdin": file.stdin }).to_string().into_bytes(),
            limits: file.limits,
        }
    }
}

/// The component's imports. The C library requires WASI, which is empty in a run.
pub(crate) fn link(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_async(linker)?;
    calls::link(linker)
}

pub(crate) struct Run {
    store: Store<Guest>,
    instance: InstancePre<Guest>,
    invocation: Invocation,
}

impl Run {
    /// Doesn't start the script. Its calls are sent to `requests`.
    pub(crate) fn new(
        instance: InstancePre<Guest>,
        hold: Hold,
        invocation: Invocation,
        stopwatch: Stopwatch,
        requests: Sender<Request>,
    ) -> Self {
        let limits = &invocation.limits;
        let guest = Guest {
            wasi: empty_wasi(),
            table: ResourceTable::new(),
            memory: Memory::new(limits.memory_mib),
            calls: Calls::new(limits, requests),
            result: ScriptResult::default(),
            stopwatch,
            hold,
        };
        let memory = guest.memory.limit();
        let mut store = Store::new(instance.engine(), guest);
        store.limiter(|guest| &mut guest.memory);
        // Name and arguments of a call are read in place; each is at most the whole memory.
        store.set_hostcall_fuel(memory.saturating_mul(2));
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|guest| {
            let stopwatch = guest.data().stopwatch.clone();
            let yielded = async move {
                // Time of other scripts doesn't count.
                stopwatch.pause();
                tokio::task::yield_now().await;
                stopwatch.resume();
            };
            Ok(UpdateDeadline::YieldCustom(1, Box::pin(yielded)))
        });
        Self { store, instance, invocation }
    }

    pub(crate) async fn finish(mut self) -> Execution {
        self.store.data_mut().hold.take();
        let executed = self.execute().await;
        let guest = self.store.into_data();
        Execution { executed, refused: guest.memory.refused(), result: guest.result }
    }

    async fn execute(&mut self) -> wasmtime::Result<()> {
        let instance = match self.instance.instantiate_async(&mut self.store).await {
            Ok(instance) => instance,
            Err(error) => {
                let guest = self.store.data_mut();
                if !guest.memory.refused() {
                    // The script hasn't started: the process has no address space left for its memory or stack.
                    guest.result.force(ScriptError::Unavailable(format!("can't reserve memory ({})", error.root_cause())));
                }
                return Err(error);
            }
        };
        let Invocation { export, name, source, input, .. } = &self.invocation;
        let run = instance.get_typed_func::<(&str, &str, &[u8]), ()>(&mut self.store, export)?;
        run.call_async(&mut self.store, (name, source, input)).await
    }
}

/// Without files, environment, arguments, standard streams and network. Clocks and randomness are real.
fn empty_wasi() -> WasiCtx {
    WasiCtxBuilder::new().allow_tcp(false).allow_udp(false).allow_ip_name_lookup(false).build()
}
