//! `inklings-sandbox-compiler <python.wasm> <python.cwasm>`: machine code that the app maps as it is.
//!
//! For every processor of the architecture, not for the one that this runs on: naming the target turns detection off.

#[path = "../../src/config.rs"]
mod config;

use std::env;
use std::fs;

use anyhow::{Context, Result, bail};
use wasmtime::Engine;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else { bail!("usage: inklings-sandbox-compiler <python.wasm> <python.cwasm>") };
    let wasm = fs::read(input).with_context(|| format!("cannot read {input}"))?;
    let mut config = config::config();
    config.target(&format!("{}-unknown-linux-gnu", env::consts::ARCH)).map_err(anyhow::Error::msg)?;
    let engine = Engine::new(&config).map_err(anyhow::Error::msg)?;
    let code = engine.precompile_component(&wasm).map_err(anyhow::Error::msg)?;
    fs::write(output, code).with_context(|| format!("cannot write {output}"))
}
