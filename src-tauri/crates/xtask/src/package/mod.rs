//! `cargo xtask package`: the Debian package, with the programs, the shipped data, the sandbox's machine code, the embedding model and the DSPy
//! process, and its bill of materials beside it. `--check` installs it in a minimal system, runs a script, a DSPy module and the window there, and
//! removes it again. Its sizes are rows of `tests/bench/budgets.json`.

mod check;
mod depends;
mod files;
mod root;
mod screen;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::notices::{self, sbom};
use crate::paths::Paths;
use crate::process;
use crate::setup::{self, Purpose};
use crate::{build, embedding, parts, sandbox, sidecar};

/// The shipped data.
const DATA: &str = "/usr/lib/inklings-studio";

const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Read by `core::failpoint` in test builds only.
const FAILPOINT: &str = "INKLINGS_FAILPOINT";

#[derive(Args)]
pub(crate) struct Options {
    /// Install the package in a minimal system and test it there (requires root or sudo, and network)
    #[arg(long)]
    check: bool,
    /// Check this package instead of building one
    #[arg(long, value_name = "FILE", requires = "check")]
    package: Option<PathBuf>,
}

/// Builds and packages the release. Returns the path of the package.
pub(crate) fn run(paths: &Paths, options: &Options) -> Result<bool> {
    setup::ensure(paths, Purpose::Package)?;
    if let Some(package) = &options.package {
        return check::run(paths, package);
    }
    build::ui(paths)?;
    parts::ensure(paths)?;
    process::check(&mut build::release(paths), "the release build")?;
    let package = pack(paths)?;
    println!("{}", package.display());
    if options.check { check::run(paths, &package) } else { Ok(true) }
}

/// Packages the built programs.
fn pack(paths: &Paths) -> Result<PathBuf> {
    let programs = paths.target().join("release");
    build::PROGRAMS.iter().try_for_each(|program| refuse_failpoints(&programs.join(program)))?;
    let frozen = sidecar::built(paths).parent().context("the DSPy process has no folder")?.to_owned();
    notices::check_libraries(&frozen)?;
    let components = notices::components(paths)?;

    let staged = crate::install::empty_folder(programs.join("package"))?;
    let copyright = staged.join("copyright");
    write(&copyright, &notices::copyright(paths, &components)?)?;
    let mut files = Map::new();
    files.insert("/usr/bin/inklings".to_owned(), text(&programs.join("inklings")));
    files.insert(format!("{DATA}/seed"), text(&paths.root.join("seed")));
    files.insert(format!("{DATA}/sandbox/python.cwasm"), text(&sandbox::built(paths)));
    for (name, file) in embedding::built(paths) {
        files.insert(format!("{DATA}/embedding/{name}"), text(&file));
    }
    files.insert(format!("{DATA}/sidecar/inklings-dspy"), text(&frozen));
    files.insert("/usr/share/doc/inklings-studio/copyright".to_owned(), text(&copyright));
    files.extend(files::made(&programs.join("inklings"), &staged)?);

    let launcher = external(&programs.join("inklings-confine"), &staged)?;
    let depends = depends::depends(&build::PROGRAMS.map(|program| programs.join(program)), &frozen, &staged)?;
    let config =
        json!({ "bundle": { "active": true, "externalBin": [launcher], "linux": { "deb": { "files": files, "depends": depends } } } });
    let mut bundle = Command::new(paths.ui().join("node_modules/.bin/tauri"));
    bundle.current_dir(paths.root.join("src-tauri")).env("CARGO_TARGET_DIR", paths.target());
    bundle.args(["bundle", "--ci", "--bundles", "deb", "--config", &config.to_string()]);
    process::check(&mut bundle, "packing")?;

    let package = newest(&programs.join("bundle/deb"))?;
    let materials = package.with_extension("deb.cdx.json");
    write(&materials, &format!("{:#}\n", sbom::document(&package, env!("CARGO_PKG_VERSION"), &components)?))?;
    println!("{}", materials.display());
    Ok(package)
}

/// Refuses a program with failpoints, which tests use to interrupt changes.
fn refuse_failpoints(program: &Path) -> Result<()> {
    let code = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    if code.windows(FAILPOINT.len()).any(|part| part == FAILPOINT.as_bytes()) {
        bail!("{} was built with debug assertions: build it with --release", program.display());
    }
    Ok(())
}

/// A program beside the main one. The bundler expects the target triple in its name, and removes it.
fn external(program: &Path, staged: &Path) -> Result<Value> {
    let name = program.file_name().unwrap_or_default();
    let mut named = name.to_os_string();
    named.push(format!("-{PLATFORM}"));
    let to = staged.join(named);
    fs::copy(program, &to).with_context(|| format!("cannot write {}", to.display()))?;
    Ok(text(&staged.join(name)))
}

fn text(path: &Path) -> Value {
    Value::from(path.display().to_string())
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn newest(folder: &Path) -> Result<PathBuf> {
    let packages =
        fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?.filter_map(Result::ok).map(|entry| entry.path());
    let packages = packages.filter(|path| path.extension().is_some_and(|extension| extension == "deb"));
    let newest = packages.max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
    let Some(newest) = newest else { bail!("{} has no package", folder.display()) };
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_can_be_let_die_is_not_packed() {
        assert!(include_str!("../../../core/src/failpoint.rs").contains(FAILPOINT));
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("inklings");
        for (code, packed) in [(&b"\x7fELF\0INKLINGS_HOME\0"[..], true), (b"\x7fELF\0INKLINGS_FAILPOINT\0", false)] {
            fs::write(&program, code).unwrap();
            assert_eq!(refuse_failpoints(&program).is_ok(), packed);
        }
    }

    #[test]
    fn what_is_packed_has_no_debug_assertions() {
        assert!(!include_str!("../../../../../Cargo.toml").contains("debug-assertions"));
    }
}
