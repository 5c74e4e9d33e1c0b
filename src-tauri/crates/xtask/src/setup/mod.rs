//! Installs missing system packages, tools and npm packages.

pub(crate) mod apt;
pub(crate) mod npm;
pub(crate) mod python;
pub(crate) mod tools;

use anyhow::Result;

use crate::cache;
use crate::paths::Paths;

/// The purpose of the setup. Each one includes the previous ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Building and opening the app.
    Run,
    /// Everything but window tests.
    Check,
    /// Window tests.
    Window,
    /// Benchmarks.
    Bench,
    /// Tests of the package.
    Package,
}

/// Installs what is missing, or fails with one line that names it and the command to install it.
pub(crate) fn ensure(paths: &Paths, purpose: Purpose) -> Result<()> {
    cache::prepare(paths)?;
    tools::ensure(purpose)?;
    apt::ensure(purpose)?;
    for folder in npm::folders(paths, purpose) {
        npm::ensure(paths, &folder)?;
    }
    Ok(())
}
