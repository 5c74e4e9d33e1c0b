//! Freezes the DSPy process into a folder with its own Python in the target folder, where programs built there find it.
//!
//! Results are cached by the hash of sources and packages, for all checkouts. A second program that attempts everything that must
//! be blocked is frozen for tests and never ships.

use std::path::{Path, PathBuf};
use std::process::{self, Command};

use anyhow::{Context, Result};

use crate::fingerprint::{self, Stamp};
use crate::install;
use crate::paths::Paths;
use crate::process::check;
use crate::setup::python;

/// A program in its folder.
const NAME: &str = "inklings-dspy";
/// The same with another entry point: tests what is possible inside the process. Never packaged.
const INSIDE: &str = "inklings-dspy-inside";
/// The minimum Python version of its packages.
const PYTHON: python::Version = (3, 12);
/// The inputs of both; tests and other tools don't affect them.
const SOURCES: [&str; 5] = ["inklings-dspy.spec", "requirements-dev.txt", "src", "start.py", "tests/inside.py"];

/// Cache and destination.
struct SidecarPaths {
    /// In the cache, named by the hash of its inputs.
    kept: PathBuf,
    /// In the target folder.
    built: PathBuf,
}

impl SidecarPaths {
    fn of(paths: &Paths) -> Result<Self> {
        let sources: Vec<PathBuf> = SOURCES.iter().map(|name| top(paths).join(name)).collect();
        let hash = fingerprint::of(&sources, &fingerprint::GENERATED)?;
        let kept = paths.cache.join("sidecar").join(hash.get(..16).unwrap_or(&hash));
        Ok(Self { kept, built: paths.target().join("sidecar") })
    }

    /// Whether the target folder has what these sources make.
    fn is_current(&self) -> bool {
        self.stamp().is_current() && [NAME, INSIDE].iter().all(|name| self.built.join(name).join(name).is_file())
    }

    fn stamp(&self) -> Stamp {
        let name = self.kept.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Stamp::new(self.built.join(".inklings-stamp"), name)
    }

    /// Stores the number of files, since the cache may have lost some.
    fn complete(&self) -> Result<Stamp> {
        let mut files = 0;
        for folder in [NAME, INSIDE].map(|name| self.kept.join(name)).iter().filter(|folder| folder.is_dir()) {
            files += install::count(folder).with_context(|| format!("cannot list {}", folder.display()))?;
        }
        Ok(Stamp::new(self.kept.join("files"), files.to_string()))
    }
}

/// Whether everything is built.
pub(crate) fn is_current(paths: &Paths) -> Result<bool> {
    Ok(SidecarPaths::of(paths)?.is_current())
}

/// `cargo xtask sidecar`.
pub(crate) fn build(paths: &Paths) -> Result<bool> {
    crate::cache::prepare(paths)?;
    ensure(paths)?;
    println!("{}", built(paths).display());
    Ok(true)
}

/// The path of the program.
pub(crate) fn built(paths: &Paths) -> PathBuf {
    paths.target().join("sidecar").join(NAME).join(NAME)
}

/// Builds what is missing.
pub(crate) fn ensure(paths: &Paths) -> Result<()> {
    let built = SidecarPaths::of(paths)?;
    if built.is_current() {
        return Ok(());
    }
    if !built.complete()?.is_current() {
        make(paths, &built)?;
    }
    built.stamp().clear();
    for name in [NAME, INSIDE] {
        install::folder(&built.kept.join(name), &built.built.join(name))?;
    }
    built.stamp().set()
}

fn make(paths: &Paths, built: &SidecarPaths) -> Result<()> {
    println!("freezing the DSPy process");
    let work = install::empty_folder(built.kept.with_extension(process::id().to_string()))?;
    let mut freeze = tool(paths, "pyinstaller")?;
    freeze.args(["--noconfirm", "--log-level", "WARN", "--distpath"]).arg(work.join("dist")).arg("--workpath").arg(work.join("work"));
    // PyInstaller's own cache would be in the home folder.
    freeze.env("PYINSTALLER_CONFIG_DIR", work.join("config")).arg("inklings-dspy.spec");
    check(&mut freeze, "pyinstaller")?;
    install::empty_folder(built.kept.clone())?;
    for name in [NAME, INSIDE] {
        install::folder(&work.join("dist").join(name), &built.kept.join(name))?;
    }
    built.complete()?.set()?;
    std::fs::remove_dir_all(&work).with_context(|| format!("cannot remove {}", work.display()))
}

fn top(paths: &Paths) -> PathBuf {
    paths.root.join("sidecar")
}

/// The Python interpreter with the process's packages.
pub(crate) fn environment(paths: &Paths) -> Result<PathBuf> {
    python::environment(paths, &top(paths).join("requirements-dev.txt"), PYTHON)
}

/// A program of the process's packages, run in its folder.
fn tool(paths: &Paths, name: &str) -> Result<Command> {
    let mut command = Command::new(environment(paths)?.with_file_name(name));
    command.current_dir(top(paths)).env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(command)
}

/// Generates the protocol's schema with the product; `compare` only compares.
pub(crate) fn schema(paths: &Paths, compare: bool) -> Command {
    let mut command = Command::new(paths.built("inklings"));
    command.current_dir(&paths.root).args(["dev", "sidecar-schema", "sidecar/protocol.schema.json"]);
    if compare {
        command.arg("--check");
    }
    command
}

/// Generates the protocol's Python types from the schema; `compare` only compares.
pub(crate) fn messages(paths: &Paths, compare: bool) -> Result<Command> {
    let mut command = tool(paths, "python")?;
    command.arg(Path::new("tools/messages.py"));
    if compare {
        command.arg("--check");
    }
    Ok(command)
}

pub(crate) fn lint(paths: &Paths) -> Result<Command> {
    let mut command = tool(paths, "ruff")?;
    command.args(["check", "--no-cache", "--quiet", "."]);
    Ok(command)
}

pub(crate) fn format(paths: &Paths) -> Result<Command> {
    let mut command = tool(paths, "ruff")?;
    command.args(["format", "--no-cache", "--check", "--quiet", "."]);
    Ok(command)
}

pub(crate) fn types(paths: &Paths) -> Result<Command> {
    let python = environment(paths)?;
    let mut command = tool(paths, "basedpyright")?;
    command.arg("--pythonpath").arg(python);
    Ok(command)
}

pub(crate) fn tests(paths: &Paths) -> Result<Command> {
    let mut command = tool(paths, "python")?;
    command.args(["-m", "pytest", "--color=no"]);
    Ok(command)
}
