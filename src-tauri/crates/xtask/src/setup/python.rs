//! Python virtual environments, one per list of pinned packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::fingerprint::{self, Stamp};
use crate::paths::Paths;
use crate::process;

/// Major and minor.
pub(crate) type Version = (u32, u32);

/// The interpreter of an environment with exactly the packages of `requirements`, with verified hashes. `oldest` is the minimum
/// Python version of these packages.
pub(crate) fn environment(paths: &Paths, requirements: &Path, oldest: Version) -> Result<PathBuf> {
    let hash = fingerprint::of(&[requirements.to_owned()], &[])?;
    let folder = paths.cache.join("python").join(hash.get(..16).unwrap_or(&hash));
    let (python, stamp) = (folder.join("bin/python"), Stamp::new(folder.join(".inklings-stamp"), hash));
    if stamp.is_current() && python.exists() {
        return Ok(python);
    }
    println!("installing Python packages of {}", requirements.strip_prefix(&paths.root).unwrap_or(requirements).display());
    stamp.clear();
    let base = interpreter(oldest)?;
    process::check(Command::new(base).args(["-m", "venv", "--clear"]).arg(&folder), "making a Python environment")?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-r"]);
    process::check(install.arg(requirements), "pip install")?;
    stamp.set()?;
    Ok(python)
}

/// The folder of an environment's packages.
pub(crate) fn site_packages(python: &Path) -> Result<PathBuf> {
    let found = process::first_line(&python.to_string_lossy(), &["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]);
    found.map(PathBuf::from).with_context(|| format!("{} doesn't know where its packages are", python.display()))
}

/// The first Python of at least this version: on the PATH, of pyenv, or of uv.
fn interpreter(oldest: Version) -> Result<PathBuf> {
    let mut candidates: Vec<PathBuf> = ["python3.14", "python3.13", "python3.12", "python3"].map(PathBuf::from).to_vec();
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from).or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    let mut versions: Vec<_> = pyenv
        .and_then(|root| std::fs::read_dir(root.join("versions")).ok())
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path().join("bin/python3"))
        .collect();
    versions.sort();
    candidates.extend(versions.into_iter().rev());
    candidates.extend(process::first_line("uv", &["python", "find", ">=3.12"]).map(PathBuf::from));
    for candidate in candidates {
        let said = process::first_line(&candidate.to_string_lossy(), &["-c", "import sys; print(*sys.version_info[:2])"]);
        if said.as_deref().and_then(version).is_some_and(|found| found >= oldest) {
            return Ok(candidate);
        }
    }
    bail!("Python {}.{} or newer not found; run apt-get install python3, or pyenv install 3.13", oldest.0, oldest.1)
}

fn version(said: &str) -> Option<Version> {
    let (major, minor) = said.trim().split_once(' ').context("two numbers").ok()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let oldest = (3, 12);
        assert!(version("3 9").unwrap() < oldest && version("3 12").unwrap() >= oldest && version("4 0").unwrap() > oldest);
        assert_eq!(version("Python?"), None);
    }
}
