//! Builds the UI first, since the window embeds it, then all Rust programs in one selection.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::fingerprint::{self, Stamp};
use crate::paths::Paths;
use crate::process;
use crate::setup::{self, Purpose};
use crate::{embedding, notices, sidecar};

/// The programs of the product: the window, the command, and the launcher of the DSPy process.
pub(crate) const PROGRAMS: [&str; 3] = ["inklings-studio", "inklings", "inklings-confine"];

/// `cargo build` of every target.
pub(crate) fn rust(paths: &Paths) -> Command {
    let mut command = selected(paths, "build");
    command.arg("--all-targets").args(SYSTEM);
    command
}

/// [`rust`] with clippy as the compiler of our crates. `cargo clippy` would check all dependencies, which the build compiles anyway.
pub(crate) fn linted(paths: &Paths) -> Command {
    with_lints(rust(paths))
}

fn with_lints(mut command: Command) -> Command {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    command
}

/// `cargo build` of the programs that the Studio consists of. With a test among the targets cargo resolves the features of all
/// development dependencies, so that what is built here is built the same for the tests.
pub(crate) fn programs(paths: &Paths) -> Command {
    let mut command = selected(paths, "build");
    command.args(PROGRAMS.iter().flat_map(|program| ["--bin", program])).args(["--test", "xtask"]);
    command
}

/// The programs in release mode.
pub(crate) fn release(paths: &Paths) -> Command {
    let mut command = process::cargo(paths);
    command.args(["build", "--release", "--locked", "--package", "inklings-studio", "--package", "inklings-cli"]);
    command.args(["--package", "inklings-confine"]).args(process::FEATURES);
    command
}

/// A blank window to compare with, and a model server. Selected separately, so that the product's programs
/// are the same as packaged.
pub(crate) fn measuring(paths: &Paths) -> Command {
    let mut command = process::cargo(paths);
    command.args(["build", "--release", "--locked", "--package", "blank-window", "--package", "inklings-testkit"]);
    command
}

/// The criterion benchmarks.
pub(crate) fn benchmarks(paths: &Paths) -> Command {
    let mut command = selected(paths, "bench");
    command.args(["--bench", "budgets"]);
    command
}

/// The system tests, which cargo builds and runs by name only.
const SYSTEM: [&str; 2] = ["--test", "system"];

/// All tests but the system tests, as [`linted`] built them; benchmarks are run by `bench`. There are no doctests, and looking for them
/// in each crate takes as long as many tests do: `tests/it/sources.rs` refuses them.
pub(crate) fn tests(paths: &Paths, full: bool) -> Command {
    testing(paths, full, &["--tests"])
}

pub(crate) fn system_tests(paths: &Paths, full: bool) -> Command {
    testing(paths, full, &SYSTEM)
}

fn testing(paths: &Paths, full: bool, targets: &[&str]) -> Command {
    let mut command = with_lints(selected(paths, "test"));
    command.arg("--no-fail-fast").args(targets);
    if full {
        command.env("INKLINGS_FULL", "1");
    }
    command
}

fn selected(paths: &Paths, what: &str) -> Command {
    let mut command = process::cargo(paths);
    command.args([what, "--workspace"]).args(process::FEATURES);
    if std::env::var_os("CI").is_some() {
        command.arg("--locked");
    }
    command
}

/// The built UI and a stamp of its inputs.
pub(crate) struct Ui {
    stamp: Stamp,
    index: PathBuf,
}

impl Ui {
    pub(crate) fn of(paths: &Paths) -> Result<Self> {
        let ui = paths.ui();
        let hash = fingerprint::of(std::slice::from_ref(&ui), &[&fingerprint::GENERATED[..], &["tests"]].concat())?;
        Ok(Self { stamp: Stamp::new(ui.join("node_modules/.inklings-built"), hash), index: ui.join("dist/index.html") })
    }

    pub(crate) fn is_current(&self) -> bool {
        self.index.is_file() && self.stamp.is_current()
    }

    /// To be called before `npm run build`.
    pub(crate) fn begin(&self) {
        self.stamp.clear();
    }

    /// To be called after it succeeded.
    pub(crate) fn done(&self) -> Result<()> {
        self.stamp.set()
    }
}

/// Builds the UI unless its sources are unchanged since the last build.
pub(crate) fn ui(paths: &Paths) -> Result<()> {
    let ui = Ui::of(paths)?;
    if ui.is_current() {
        return Ok(());
    }
    ui.begin();
    process::check(process::npm(paths, &paths.ui()).args(["run", "--silent", "build"]), "the build of the UI")?;
    ui.done()
}

/// Generates the schema with the product, then the TypeScript types from it; `check` only compares.
pub(crate) fn schema(paths: &Paths, check: bool) -> Command {
    let mut command = Command::new(paths.built("inklings"));
    command.current_dir(&paths.root).args(["dev", "schema", "ui/src/lib/api/generated/schema.json"]);
    if check {
        command.arg("--check");
    }
    command
}

/// The guide's page of rules.
pub(crate) fn rules(paths: &Paths, check: bool) -> Command {
    let mut command = Command::new(paths.built("inklings"));
    command.current_dir(&paths.root).args(["dev", "rules", "ui/src/lib/features/help/guide/18-rules.md"]);
    if check {
        command.arg("--check");
    }
    command
}

/// The vectors of the built-in skills. A test fails when they are out of date.
fn vectors(paths: &Paths) -> Command {
    let mut command = Command::new(paths.built("inklings"));
    command.current_dir(&paths.root).args(["dev", "vectors", "src-tauri/crates/search/data/shipped-skills.vectors"]);
    command
}

/// See [`schema`].
pub(crate) fn types(paths: &Paths, check: bool) -> Command {
    let mut command = Command::new("node");
    command.current_dir(&paths.root).arg("tests/contract/generate.mjs");
    if check {
        command.arg("--check");
    }
    command
}

/// `cargo xtask generate`.
pub(crate) fn generate(paths: &Paths) -> Result<bool> {
    setup::ensure(paths, Purpose::Check)?;
    ui(paths)?;
    process::check(&mut rust(paths), "cargo build")?;
    process::check(&mut schema(paths, false), "inklings dev schema")?;
    process::check(&mut types(paths, false), "the TypeScript of the wire contract")?;
    process::check(&mut rules(paths, false), "inklings dev rules")?;
    embedding::ensure(paths)?;
    process::check(&mut vectors(paths), "inklings dev vectors")?;
    process::check(&mut sidecar::schema(paths, false), "inklings dev sidecar-schema")?;
    process::check(&mut sidecar::messages(paths, false)?, "the Python of the DSPy process's protocol")?;
    notices::page(paths, false)
}
