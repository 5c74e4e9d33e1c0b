//! What a bare machine lacks: system packages, tools, npm packages. What is there already is not done again.

pub(crate) mod apt;
pub(crate) mod npm;
pub(crate) mod python;
pub(crate) mod tools;

use anyhow::Result;

use crate::cache;
use crate::paths::Paths;

/// What the set-up is for; each purpose includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Building and opening the Studio.
    Run,
    /// Everything but the real window.
    Check,
    /// The real window too.
    Window,
    /// The package in a bare system too.
    Package,
}

/// Installs what is missing, or fails with one line that names it and the command that installs it.
pub(crate) fn ensure(paths: &Paths, purpose: Purpose) -> Result<()> {
    cache::prepare(paths)?;
    tools::ensure(purpose)?;
    apt::ensure(purpose)?;
    for folder in npm::folders(paths, purpose) {
        npm::ensure(paths, &folder)?;
    }
    Ok(())
}
