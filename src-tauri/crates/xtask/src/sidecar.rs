//! The DSPy process: frozen into a folder with its own Python, which lies in the target folder, where programs built there find it.
//!
//! It is made once for the same sources and packages and kept in the cache, whatever checkout asks.

use std::path::{Path, PathBuf};
use std::process::{self, Command};

use anyhow::{Context, Result};

use crate::fingerprint::{self, Stamp};
use crate::install;
use crate::paths::Paths;
use crate::process::check;
use crate::setup::python;

/// What is made: a folder, and the program in it.
const NAME: &str = "inklings-dspy";
/// The same with another beginning: for tests of what can be done from inside, never packaged.
const INSIDE: &str = "inklings-dspy-inside";
/// What its packages run on.
const PYTHON: python::Version = (3, 12);
/// What both are made from; other tests and tools don't change them.
const SOURCES: [&str; 5] = ["inklings-dspy.spec", "requirements-dev.txt", "src", "start.py", "tests/inside.py"];

/// Where it is kept and where it goes.
struct SidecarPaths {
    /// In the cache, named after everything that it is made from.
    kept: PathBuf,
    /// In the target folder.
    built: PathBuf,
}

impl SidecarPaths {
    fn of(paths: &Paths) -> Result<Self> {
        let sources: Vec<PathBuf> = SOURCES.iter().map(|name| top(paths).join(name)).collect();
        let hash = fingerprint::of(&sources, &["__pycache__"])?;
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

    /// Says how many files the kept folders had when they were made: the cache may have lost some since.
    fn complete(&self) -> Result<Stamp> {
        let mut files = 0;
        for folder in [NAME, INSIDE].map(|name| self.kept.join(name)).iter().filter(|folder| folder.is_dir()) {
            files += install::count(folder).with_context(|| format!("cannot list {}", folder.display()))?;
        }
        Ok(Stamp::new(self.kept.join("files"), files.to_string()))
    }
}

/// Whether there is nothing to make.
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

/// Where the program lies, in the folder that belongs to it.
pub(crate) fn built(paths: &Paths) -> PathBuf {
    paths.target().join("sidecar").join(NAME).join(NAME)
}

/// Makes what is missing.
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
    let work = install::tidy(built.kept.with_extension(process::id().to_string()))?;
    let mut freeze = tool(paths, "pyinstaller")?;
    freeze.args(["--noconfirm", "--log-level", "WARN", "--distpath"]).arg(work.join("dist")).arg("--workpath").arg(work.join("work"));
    // Its own cache would lie in the home folder.
    freeze.env("PYINSTALLER_CONFIG_DIR", work.join("config")).arg("inklings-dspy.spec");
    check(&mut freeze, "pyinstaller")?;
    install::tidy(built.kept.clone())?;
    for name in [NAME, INSIDE] {
        install::folder(&work.join("dist").join(name), &built.kept.join(name))?;
    }
    built.complete()?.set()?;
    std::fs::remove_dir_all(&work).with_context(|| format!("cannot remove {}", work.display()))
}

fn top(paths: &Paths) -> PathBuf {
    paths.root.join("sidecar")
}

/// The Python that has the process's packages.
pub(crate) fn environment(paths: &Paths) -> Result<PathBuf> {
    python::environment(paths, &top(paths).join("requirements-dev.txt"), PYTHON)
}

/// A program of the process's packages, in its folder.
fn tool(paths: &Paths, name: &str) -> Result<Command> {
    let mut command = Command::new(environment(paths)?.with_file_name(name));
    command.current_dir(top(paths)).env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(command)
}

/// The protocol's schema, written by the product; `compare` only compares.
pub(crate) fn schema(paths: &Paths, compare: bool) -> Command {
    let mut command = Command::new(paths.built("inklings"));
    command.current_dir(&paths.root).args(["dev", "sidecar-schema", "sidecar/protocol.schema.json"]);
    if compare {
        command.arg("--check");
    }
    command
}

/// The protocol's Python types, written from its schema; `compare` only compares.
pub(crate) fn messages(paths: &Paths, compare: bool) -> Result<Command> {
    let mut command = tool(paths, "python")?;
    command.arg(Path::new("tools/messages.py"));
    if compare {
        command.arg("--check");
    }
    Ok(command)
}

/// The linter.
pub(crate) fn lint(paths: &Paths) -> Result<Command> {
    let mut command = tool(paths, "ruff")?;
    command.args(["check", "--no-cache", "--quiet", "."]);
    Ok(command)
}

/// The formatter, which only compares.
pub(crate) fn format(paths: &Paths) -> Result<Command> {
    let mut command = tool(paths, "ruff")?;
    command.args(["format", "--no-cache", "--check", "--quiet", "."]);
    Ok(command)
}

/// The type checker.
pub(crate) fn types(paths: &Paths) -> Result<Command> {
    let python = environment(paths)?;
    let mut command = tool(paths, "basedpyright")?;
    command.arg("--pythonpath").arg(python);
    Ok(command)
}

/// The tests, against the sources.
pub(crate) fn tests(paths: &Paths) -> Result<Command> {
    let mut command = tool(paths, "python")?;
    command.args(["-m", "pytest", "--color=no"]);
    Ok(command)
}
