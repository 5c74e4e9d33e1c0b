//! `cargo xtask package`: the Debian package, with both programs, the shipped data and the sandbox's machine code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use crate::paths::Paths;
use crate::process;
use crate::setup::{self, Purpose};
use crate::{build, sandbox};

/// Where the app looks for shipped data, beside its `bin`.
const DATA: &str = "/usr/lib/inklings-studio";

/// Builds the release and packs it. Prints where the package is.
pub(crate) fn run(paths: &Paths) -> Result<bool> {
    setup::ensure(paths, Purpose::Run)?;
    build::ui(paths)?;
    sandbox::ensure(paths)?;
    let mut release = process::cargo(paths);
    release.args(["build", "--release", "--package", "inklings-studio", "--package", "inklings-cli"]).args(build::FEATURES);
    process::check(&mut release, "the release build")?;
    let programs = paths.target().join("release");

    let mut files = Map::new();
    files.insert("/usr/bin/inklings".to_owned(), text(&programs.join("inklings")));
    files.insert(format!("{DATA}/seed"), text(&paths.root.join("seed")));
    files.insert(format!("{DATA}/sandbox/python.cwasm"), text(&sandbox::built(paths)));
    files.insert("/usr/share/doc/inklings-studio/copyright".to_owned(), text(&paths.root.join("LICENSE")));
    let config = json!({ "bundle": { "active": true, "linux": { "deb": { "files": files } } } });
    let mut bundle = Command::new(paths.ui().join("node_modules/.bin/tauri"));
    bundle.current_dir(paths.root.join("src-tauri")).env("CARGO_TARGET_DIR", paths.target());
    bundle.args(["bundle", "--ci", "--bundles", "deb", "--config", &config.to_string()]);
    process::check(&mut bundle, "packing")?;
    println!("{}", newest(&programs.join("bundle/deb"))?.display());
    Ok(true)
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
