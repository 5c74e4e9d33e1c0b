//! Installs npm packages when a lock file changes.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Purpose;
use crate::fingerprint::{self, Stamp};
use crate::paths::Paths;
use crate::process;

/// The folders with a lock file that `purpose` requires.
pub(crate) fn folders(paths: &Paths, purpose: Purpose) -> Vec<PathBuf> {
    let mut folders = vec![paths.ui()];
    if purpose >= Purpose::Check {
        folders.extend([paths.contract(), paths.mcp()]);
    }
    if purpose >= Purpose::Window {
        folders.push(paths.e2e());
    }
    folders
}

/// Whether `folder` was installed from its current lock file.
pub(crate) fn is_current(folder: &Path) -> Result<bool> {
    Ok(stamp(folder)?.is_current())
}

pub(crate) fn ensure(paths: &Paths, folder: &Path) -> Result<()> {
    let stamp = stamp(folder)?;
    if stamp.is_current() {
        return Ok(());
    }
    let shown = folder.strip_prefix(&paths.root).unwrap_or(folder).display().to_string();
    println!("installing npm packages in {shown}");
    stamp.clear();
    process::check(process::npm(paths, folder).args(["ci", "--prefer-offline", "--loglevel=error"]), &format!("npm ci in {shown}"))?;
    stamp.set()
}

/// In `node_modules`, so that it is removed with the packages.
fn stamp(folder: &Path) -> Result<Stamp> {
    let inputs = ["package.json", "package-lock.json", ".npmrc"].map(|name| folder.join(name));
    Ok(Stamp::new(folder.join("node_modules/.inklings-stamp"), fingerprint::of(&inputs, &[])?))
}
