//! Paths of the checkout and of the cache outside it.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

pub(crate) struct Paths {
    /// Root of the checkout.
    pub(crate) root: PathBuf,
    /// `${INKLINGS_CACHE:-~/.cache/inklings}`: data that can be rebuilt, shared by all checkouts.
    pub(crate) cache: PathBuf,
}

impl Paths {
    pub(crate) fn find() -> Result<Self> {
        // Set by `cargo run`; what was set at build time may be another checkout's.
        let manifest = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.ancestors().nth(3).context("xtask isn't in a checkout")?;
        if !root.join("Cargo.toml").is_file() {
            bail!("no Cargo.toml in {}; start it with cargo xtask", root.display());
        }
        let cache = match env::var_os("INKLINGS_CACHE").filter(|value| !value.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => env::home_dir().context("no home folder; set INKLINGS_CACHE")?.join(".cache/inklings"),
        };
        Ok(Self { root: root.to_owned(), cache })
    }

    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    pub(crate) fn e2e(&self) -> PathBuf {
        self.root.join("tests/e2e")
    }

    pub(crate) fn contract(&self) -> PathBuf {
        self.root.join("tests/contract")
    }

    pub(crate) fn mcp(&self) -> PathBuf {
        self.root.join("tests/mcp")
    }

    pub(crate) fn target(&self) -> PathBuf {
        self.cache.join("target")
    }

    /// A program that `cargo build` left in the shared target folder.
    pub(crate) fn built(&self, program: &str) -> PathBuf {
        self.target().join("debug").join(program)
    }

    /// The path of a program in release mode.
    pub(crate) fn measured(&self, program: &str) -> PathBuf {
        self.target().join("release").join(program)
    }

    /// Full output of each stage, beside xtask's own build.
    pub(crate) fn logs(&self) -> PathBuf {
        self.root.join("target/xtask")
    }
}
