//! `cargo xtask run`: builds and opens the app, after installing what is missing.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::build::{self, Ui};
use crate::paths::Paths;
use crate::process;
use crate::setup::{self, Purpose};
use crate::{embedding, sandbox, sidecar};

pub(crate) fn run(paths: &Paths, args: &[String]) -> Result<bool> {
    check_display(env::var_os)?;
    let plan = Plan::of(paths)?;
    if let Some(text) = plan.announcement() {
        println!("{text}");
    }
    setup::ensure(paths, Purpose::Run)?;
    // Independent of the app's own build.
    let (resources, app) = thread::scope(|scope| {
        let resources = scope.spawn(|| resources(paths));
        let app = app(paths);
        (process::join(resources), app)
    });
    app?;
    resources?;
    // Replaces this process, so that signals and the exit code are those of the app.
    let error = Command::new(paths.built("inklings-studio")).args(args).current_dir(&paths.root).exec();
    Err(error).context("can't start the app")
}

/// Fails early if no window can be opened.
fn check_display(variable: impl Fn(&'static str) -> Option<OsString>) -> Result<()> {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") {
        return Ok(());
    }
    bail!(
        "no display; run it in a desktop session, or with `xvfb-run --auto-servernum cargo xtask run` after `apt-get install -y xvfb xauth`"
    )
}

/// The UI, then the programs that embed it or run beside it.
fn app(paths: &Paths) -> Result<()> {
    timed("user interface", Ui::of(paths)?.is_current(), || build::ui(paths))?;
    process::check(&mut build::programs(paths), "cargo build")
}

/// Resources that the app loads from beside its program.
fn resources(paths: &Paths) -> Result<()> {
    timed("Python sandbox", sandbox::is_current(paths)?, || sandbox::ensure(paths))?;
    // Without it, skills are found by words only.
    if let Err(error) = timed("embedding model", embedding::is_current(paths)?, || embedding::ensure(paths)) {
        println!("skills will be found by words only: {error:#}");
    }
    // It requires a newer Python than some systems have, and is optional.
    if let Err(error) = timed("DSPy process", sidecar::is_current(paths)?, || sidecar::ensure(paths)) {
        println!("DSPy modules will run their fallback: {error:#}");
    }
    Ok(())
}

/// Runs a step and prints its duration, unless there was nothing to do.
fn timed(name: &str, is_current: bool, step: impl FnOnce() -> Result<()>) -> Result<()> {
    if is_current {
        return step();
    }
    let started = Instant::now();
    step()?;
    println!("-- {name}: done in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// A pending step.
struct Step {
    name: &'static str,
    /// Minutes on two idle cores.
    minutes: u64,
    /// Runs in parallel with the app's build.
    beside: bool,
}

/// The pending steps before the app can open.
struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    fn of(paths: &Paths) -> Result<Self> {
        let system = setup::apt::missing(Purpose::Run).is_ok_and(|missing| missing.is_empty());
        let packages = setup::npm::folders(paths, Purpose::Run);
        let packages =
            packages.iter().map(|folder| setup::npm::is_current(folder)).collect::<Result<Vec<bool>>>()?.into_iter().all(|current| current);
        let steps = [
            (system, Step { name: "system packages", minutes: 2, beside: false }),
            (packages, Step { name: "npm packages", minutes: 1, beside: false }),
            (Ui::of(paths)?.is_current(), Step { name: "user interface", minutes: 1, beside: false }),
            (sandbox::is_current(paths)?, Step { name: "Python sandbox", minutes: 3, beside: true }),
            (embedding::is_current(paths)?, Step { name: "embedding model", minutes: 1, beside: true }),
            (sidecar::is_current(paths)?, Step { name: "DSPy process", minutes: 1, beside: true }),
            // Only cargo knows whether a built program is current; updating one takes a minute or two.
            (paths.built("inklings-studio").is_file(), Step { name: "app", minutes: 8, beside: false }),
        ];
        Ok(Self { steps: steps.into_iter().filter(|(done, _)| !done).map(|(_, step)| step).collect() })
    }

    /// The steps with their durations; None if there are none.
    fn announcement(&self) -> Option<String> {
        if self.steps.is_empty() {
            return None;
        }
        let minutes: u64 = self.steps.iter().map(|step| step.minutes).sum();
        let lines = self.steps.iter().map(|step| {
            let beside = if step.beside { ", in parallel with the build" } else { "" };
            format!("\n  {:16} about {} min{beside}", step.name, step.minutes)
        });
        Some(format!(
            "Before the app opens, this takes about {minutes} min on 2 cores (seconds at the next start):{}",
            lines.collect::<String>()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_kind_of_display_will_do_and_an_empty_name_is_none() {
        let with = |set: &'static str, value: &'static str| check_display(move |name| (name == set).then(|| value.into()));
        assert!(with("DISPLAY", ":0").is_ok());
        assert!(with("WAYLAND_DISPLAY", "wayland-0").is_ok());
        assert!(with("DISPLAY", "").is_err());
        assert!(with("HOME", "/root").is_err());
    }

    #[test]
    fn what_is_to_be_done_is_announced_with_its_time() {
        let step = |name, minutes, beside| Step { name, minutes, beside };
        let plan = Plan { steps: vec![step("Python sandbox", 3, true), step("app", 8, false)] };
        let text = plan.announcement().unwrap();
        assert_eq!(
            text,
            "Before the app opens, this takes about 11 min on 2 cores (seconds at the next start):\n  \
             Python sandbox   about 3 min, in parallel with the build\n  \
             app              about 8 min"
        );
        assert_eq!(Plan { steps: Vec::new() }.announcement(), None);
    }
}
