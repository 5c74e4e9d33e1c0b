//! `cargo xtask package`: the Debian package, with the programs, the shipped data, the sandbox's machine code and the DSPy process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use crate::paths::Paths;
use crate::process;
use crate::setup::{self, Purpose};
use crate::{build, sandbox, sidecar};

/// Where the app looks for shipped data, beside its `bin`.
const DATA: &str = "/usr/lib/inklings-studio";

/// What the package is for.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Builds the release and packs it. Prints where the package is.
pub(crate) fn run(paths: &Paths) -> Result<bool> {
    setup::ensure(paths, Purpose::Run)?;
    build::ui(paths)?;
    sandbox::ensure(paths)?;
    sidecar::ensure(paths)?;
    let mut release = process::cargo(paths);
    release
        .args(["build", "--release", "--package", "inklings-studio", "--package", "inklings-cli", "--package", "inklings-confine"])
        .args(build::FEATURES);
    process::check(&mut release, "the release build")?;
    let programs = paths.target().join("release");

    let mut files = Map::new();
    files.insert("/usr/bin/inklings".to_owned(), text(&programs.join("inklings")));
    files.insert(format!("{DATA}/seed"), text(&paths.root.join("seed")));
    files.insert(format!("{DATA}/sandbox/python.cwasm"), text(&sandbox::built(paths)));
    files.insert(format!("{DATA}/sidecar/inklings-dspy"), folder(&sidecar::built(paths)));
    files.insert("/usr/share/doc/inklings-studio/copyright".to_owned(), text(&paths.root.join("LICENSE")));
    let launcher = external(paths, &programs.join("inklings-confine"))?;
    let config = json!({ "bundle": { "active": true, "externalBin": [launcher], "linux": { "deb": { "files": files } } } });
    let mut bundle = Command::new(paths.ui().join("node_modules/.bin/tauri"));
    bundle.current_dir(paths.root.join("src-tauri")).env("CARGO_TARGET_DIR", paths.target());
    bundle.args(["bundle", "--ci", "--bundles", "deb", "--config", &config.to_string()]);
    process::check(&mut bundle, "packing")?;
    println!("{}", newest(&programs.join("bundle/deb"))?.display());
    Ok(true)
}

/// A program that goes beside the app's own. The bundler wants its file named after the platform, and takes that off again.
fn external(paths: &Paths, program: &Path) -> Result<Value> {
    let name = program.file_name().unwrap_or_default();
    let folder = paths.target().join("release/external");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut named = name.to_os_string();
    named.push(format!("-{PLATFORM}"));
    let to = folder.join(named);
    fs::copy(program, &to).with_context(|| format!("cannot write {}", to.display()))?;
    Ok(text(&folder.join(name)))
}

/// The folder of a program, with all that belongs to it.
fn folder(program: &Path) -> Value {
    text(program.parent().unwrap_or(program))
}

fn text(path: &Path) -> Value {
    Value::from(path.display().to_string())
}

fn newest(folder: &Path) -> Result<PathBuf> {
    let packages =
        fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?.filter_map(Result::ok).map(|entry| entry.path());
    let packages = packages.filter(|path| path.extension().is_some_and(|extension| extension == "deb"));
    let newest = packages.max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
    let Some(newest) = newest else { bail!("{} has no package", folder.display()) };
    Ok(newest)
}
