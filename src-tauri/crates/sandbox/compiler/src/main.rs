//! `inklings-sandbox-compiler <python.wasm> <python.cwasm>`: compiles the guest to machine code that the app maps.
//!
//! Naming the target disables the detection of CPU features, so that the code runs on every processor of the architecture.

#[path = "../../src/config.rs"]
mod config;

use std::env;
use std::fs;

use anyhow::{Context, Result, bail};
use wasmtime::Engine;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else { bail!("usage: inklings-sandbox-compiler <python.wasm> <python.cwasm>") };
    let wasm = fs::read(input).with_context(|| format!("can't read {input}"))?;
    let mut config = config::config();
    config.target(&format!("{}-unknown-linux-gnu", env::consts::ARCH)).map_err(anyhow::Error::msg)?;
    let engine = Engine::new(&config).map_err(anyhow::Error::msg)?;
    let code = engine.precompile_component(&wasm).map_err(anyhow::Error::msg)?;
    fs::write(output, code).with_context(|| format!("can't write {output}"))
}
