//! Where things are: the checkout, its parts, and the cache outside it.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The folders every task works with.
pub(crate) struct Paths {
    /// Top of the checkout.
    pub(crate) root: PathBuf,
    /// `${INKLINGS_CACHE:-~/.cache/inklings}`: what can be made again, shared by every checkout.
    pub(crate) cache: PathBuf,
}

impl Paths {
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).context("xtask lies outside a checkout")?;
        if !root.join("Cargo.toml").is_file() {
            bail!("{} holds no Cargo.toml: the checkout moved, build xtask again", root.display());
        }
        let cache = match env::var_os("INKLINGS_CACHE").filter(|value| !value.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => env::home_dir().context("no home folder: set INKLINGS_CACHE")?.join(".cache/inklings"),
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

    pub(crate) fn target(&self) -> PathBuf {
        self.cache.join("target")
    }

    /// A program that `cargo build` left in the shared target folder.
    pub(crate) fn built(&self, program: &str) -> PathBuf {
        self.target().join("debug").join(program)
    }

    /// A program as it is measured: optimised.
    pub(crate) fn measured(&self, program: &str) -> PathBuf {
        self.target().join("release").join(program)
    }

    /// Full output of each stage, beside xtask's own build.
    pub(crate) fn logs(&self) -> PathBuf {
        self.root.join("target/xtask")
    }
}
