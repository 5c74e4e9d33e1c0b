//! Builds the Python sandbox: the guest becomes a component, a separate tool compiles that to machine code, and the
//! result is put in the target folder, where programs built there find it.
//!
//! Results are cached by the hash of the sources, for all checkouts. Files are replaced by renaming, since a
//! running app has the old one mapped.

use std::fs;
use std::path::PathBuf;
use std::process::{self, Command};

use anyhow::{Context, Result};

use crate::fingerprint;
use crate::install;
use crate::paths::Paths;
use crate::process::{cargo, check};
use crate::setup::python;

const FILE: &str = "python.cwasm";

/// Sources and destination.
struct SandboxPaths {
    guest: PathBuf,
    compiler: PathBuf,
    /// In the cache, named by the hash of its inputs.
    kept: PathBuf,
    /// In the target folder.
    built: PathBuf,
}

impl SandboxPaths {
    fn of(paths: &Paths) -> Result<Self> {
        let top = paths.root.join("src-tauri/crates/sandbox");
        let (guest, compiler) = (top.join("guest"), compiler(paths));
        // The compiler's lock file determines the versions of everything that generates machine code.
        let hash = fingerprint::of(&[guest.clone(), compiler.clone(), top.join("src/config.rs")], &["__pycache__", "target"])?;
        let kept = paths.cache.join("sandbox").join(hash.get(..16).unwrap_or(&hash));
        Ok(Self { guest, compiler, kept, built: paths.target().join("sandbox") })
    }

    /// Whether the target folder has what these sources make: the same file as the cache, or a copy that says so.
    fn is_current(&self) -> bool {
        self.stamp().is_current() && self.built.join(FILE).is_file()
    }

    fn stamp(&self) -> fingerprint::Stamp {
        let name = self.kept.file_name().unwrap_or_default().to_string_lossy().into_owned();
        fingerprint::Stamp::new(self.built.join(".inklings-stamp"), name)
    }
}

/// Whether everything is built.
pub(crate) fn is_current(paths: &Paths) -> Result<bool> {
    Ok(SandboxPaths::of(paths)?.is_current())
}

/// `cargo xtask sandbox`.
pub(crate) fn build(paths: &Paths) -> Result<bool> {
    crate::cache::prepare(paths)?;
    ensure(paths)?;
    println!("{}", built(paths).display());
    Ok(true)
}

/// The path of the machine code.
pub(crate) fn built(paths: &Paths) -> PathBuf {
    paths.target().join("sandbox").join(FILE)
}

/// The compiler's folder, which is outside the workspace.
pub(crate) fn compiler(paths: &Paths) -> PathBuf {
    paths.root.join("src-tauri/crates/sandbox/compiler")
}

/// The pinned packages that build the guest.
pub(crate) fn requirements(paths: &Paths) -> PathBuf {
    paths.root.join("src-tauri/crates/sandbox/guest/requirements.txt")
}

/// The Python interpreter with the guest's packages.
pub(crate) fn environment(paths: &Paths) -> Result<PathBuf> {
    python::environment(paths, &requirements(paths), (3, 10))
}

/// Builds what is missing.
pub(crate) fn ensure(paths: &Paths) -> Result<()> {
    let built = SandboxPaths::of(paths)?;
    if built.is_current() {
        return Ok(());
    }
    if !built.kept.join(FILE).is_file() {
        make(paths, &built)?;
    }
    built.stamp().clear();
    install::file(&built.kept.join(FILE), &built.built.join(FILE))?;
    built.stamp().set()
}

fn make(paths: &Paths, built: &SandboxPaths) -> Result<()> {
    println!("building the Python sandbox");
    let python = environment(paths)?;
    let target = paths.target().join("sandbox-compiler");
    let mut compile = cargo(paths);
    compile.env("CARGO_TARGET_DIR", &target).args(["build", "--quiet", "--release", "--locked", "--manifest-path"]);
    check(compile.arg(built.compiler.join("Cargo.toml")), "cargo build of the sandbox's compiler")?;

    let work = install::empty_folder(built.kept.with_extension(process::id().to_string()))?;
    // Otherwise the tool would include the packages of its own environment.
    let nothing = work.join("nothing/lib/python3/site-packages");
    fs::create_dir_all(&nothing).with_context(|| format!("cannot make {}", nothing.display()))?;
    let (wasm, code) = (work.join("python.wasm"), work.join(FILE));
    let mut componentize = Command::new(python.with_file_name("componentize-py"));
    componentize.env("VIRTUAL_ENV", work.join("nothing")).arg("--quiet");
    componentize.arg("--wit-path").arg(built.guest.join("wit")).args(["--world", "script", "componentize", "--python-path"]);
    componentize.arg(built.guest.join("app")).args(["app", "--output"]).arg(&wasm);
    check(&mut componentize, "componentize-py")?;
    check(Command::new(target.join("release/inklings-sandbox-compiler")).args([&wasm, &code]), "the sandbox's compiler")?;
    install::file(&code, &built.kept.join(FILE))?;
    fs::remove_dir_all(&work).with_context(|| format!("cannot remove {}", work.display()))
}
