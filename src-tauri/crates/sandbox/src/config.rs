//! The Wasmtime configuration, shared by the compiler tool (which includes this file) and the
//! host. Machine code of another configuration is refused when it is loaded.

use wasmtime::Config;

/// Bytes of stack for WebAssembly. Below this a deep recursion in C ends the run instead of raising Python's `RecursionError`.
const WASM_STACK_BYTES: usize = 64 << 20;
/// Bytes of the whole stack of a run; the rest is for the host's own functions.
const ASYNC_STACK_BYTES: usize = WASM_STACK_BYTES + (2 << 20);

/// The configuration of every engine.
pub(crate) fn config() -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        .epoch_interruption(true)
        .max_wasm_stack(WASM_STACK_BYTES)
        .async_stack_size(ASYNC_STACK_BYTES)
        .memory_init_cow(true)
        // The whole address space of a memory is reserved, so its base needn't be read again after every call.
        .memory_may_move(false)
        // The interpreter calls through tables all the time; filled at the start, a call needn't look whether its entry is there.
        .table_lazy_init(false);
    config
}
