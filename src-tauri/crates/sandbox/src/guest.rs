//! One run's instance: its limits, and the two imports that are its only way out.

mod calls;
mod memory;

use inklings_core::sandbox::{Script, ScriptError, ScriptOutput};
use tokio::sync::mpsc::Sender;
use wasmtime::component::{InstancePre, Linker, ResourceTable};
use wasmtime::{Store, UpdateDeadline};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

pub(crate) use self::calls::{Calls, Request};
use self::memory::Memory;
use crate::engine::Engine;
use crate::outcome::{self, Ending};
use crate::stopwatch::Stopwatch;
use crate::ticker::Hold;

/// What belongs to one run on the host's side.
pub(crate) struct Guest {
    wasi: WasiCtx,
    table: ResourceTable,
    memory: Memory,
    calls: Calls,
    ending: Ending,
    /// Stands while the script waits for an answer.
    stopwatch: Stopwatch,
    hold: Hold,
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// Everything that the component may import. WASI is there because the C library wants it; a run's is empty.
pub(crate) fn link(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_async(linker)?;
    calls::link(linker)
}

/// An instance that is ready to run a script.
pub(crate) struct Run {
    store: Store<Guest>,
    instance: InstancePre<Guest>,
}

impl Run {
    /// Nothing is computed yet. The stopwatch is `watch`; what the script asks for goes to `requests`.
    pub(crate) fn new(engine: &Engine, script: &Script, stopwatch: Stopwatch, requests: Sender<Request>) -> Self {
        let limits = &script.limits;
        let guest = Guest {
            wasi: nothing(),
            table: ResourceTable::new(),
            memory: Memory::new(limits.memory_mib),
            calls: Calls::new(limits, requests),
            ending: Ending::default(),
            stopwatch,
            hold: engine.ticker.hold(),
        };
        let memory = guest.memory.limit();
        let mut store = Store::new(engine.instance.engine(), guest);
        store.limiter(|guest| &mut guest.memory);
        // A call's name and arguments are looked at where they are; each is at most the whole memory.
        store.set_hostcall_fuel(memory.saturating_mul(2));
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|guest| {
            let stopwatch = guest.data().stopwatch.clone();
            let turn = async move {
                // Other scripts' turns aren't this one's time.
                stopwatch.pause();
                tokio::task::yield_now().await;
                stopwatch.resume();
            };
            Ok(UpdateDeadline::YieldCustom(1, Box::pin(turn)))
        });
        Self { store, instance: engine.instance.clone() }
    }

    /// Runs the script to its end.
    pub(crate) async fn finish(mut self, script: &Script) -> Result<ScriptOutput, ScriptError> {
        self.store.data_mut().hold.take();
        let executed = self.execute(script).await;
        let guest = self.store.into_data();
        let value = outcome::of(executed, guest.ending, guest.memory.refused(), &script.limits)?;
        Ok(ScriptOutput { value })
    }

    async fn execute(&mut self, script: &Script) -> wasmtime::Result<()> {
        let params = serde_json::to_vec(&script.params)?;
        let instance = match self.instance.instantiate_async(&mut self.store).await {
            Ok(instance) => instance,
            Err(error) => {
                let guest = self.store.data_mut();
                if !guest.memory.refused() {
                    // Nothing of the script has run: this process has no address space left for its memory or its stack.
                    guest.ending.force(ScriptError::Unavailable(format!("its memory can't be reserved ({})", error.root_cause())));
                }
                return Err(error);
            }
        };
        let run = instance.get_typed_func::<(&str, &str, &[u8]), ()>(&mut self.store, "run")?;
        run.call_async(&mut self.store, (&script.name, &script.source, &params)).await
    }
}

/// A world without files, environment, arguments, standard streams and network. Its clocks and its randomness are real.
fn nothing() -> WasiCtx {
    WasiCtxBuilder::new().allow_tcp(false).allow_udp(false).allow_ip_name_lookup(false).build()
}
