//! `cargo xtask run`: the Studio, from whatever state the checkout is in.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::build;
use crate::paths::Paths;
use crate::process;
use crate::setup::{self, Purpose};
use crate::{sandbox, sidecar};

pub(crate) fn run(paths: &Paths, args: &[String]) -> Result<bool> {
    setup::ensure(paths, Purpose::Run)?;
    sandbox::ensure(paths)?;
    // It takes a newer Python than some systems have, and the app does without it.
    if let Err(error) = sidecar::ensure(paths) {
        println!("DSPy programs will run by their fallback: {error:#}");
    }
    build::ui(paths)?;
    process::check(&mut build::rust(paths), "cargo build")?;
    if env::var_os("DISPLAY").is_none() && env::var_os("WAYLAND_DISPLAY").is_none() {
        bail!("no display to open a window on: run it in a desktop session, or under `xvfb-run`");
    }
    // The Studio takes this process's place, so that signals and the exit code are its own.
    let error = Command::new(paths.built("inklings-studio")).args(args).current_dir(&paths.root).exec();
    Err(error).context("cannot start the Studio")
}
