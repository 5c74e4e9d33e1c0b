//! Third-party components: their licenses and license texts.
//!
//! The list is read from the lock files, so it is the same on every machine. It is rendered as a page of the guide (compared in each
//! test run), the package's copyright file and its bill of materials.

mod copyright;
mod native;
mod npm;
mod page;
mod pypi;
mod rust;
pub(crate) mod sbom;

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

pub(crate) use self::copyright::copyright;
pub(crate) use self::native::check_libraries;
use crate::paths::Paths;

const PAGE: &str = "ui/src/lib/features/help/guide/20-third-party.md";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    Cargo,
    Npm,
    Pypi,
    /// Part of a package of another origin, or from the build machine.
    Native,
}

/// A library with its license as stated by its authors.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) origin: Origin,
    pub(crate) name: String,
    /// Empty if it is that of the build machine.
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) license: String,
    /// SHA-256 or SHA-512 in hexadecimal, of the archive in the lock file.
    pub(crate) checksum: Option<String>,
    /// The folder with its license texts, if it exists on this machine.
    folder: Option<PathBuf>,
}

/// All shipped components, sorted by origin, name and version.
pub(crate) fn components(paths: &Paths) -> Result<Vec<Component>> {
    let mut all = rust::components(paths)?;
    all.extend(npm::components(paths)?);
    all.extend(pypi::components(paths)?);
    all.extend(native::components(paths));
    all.sort_by(by_name);
    all.dedup_by(|one, other| by_name(one, other) == Ordering::Equal);
    if let Some(silent) = all.iter().find(|one| one.license.is_empty()) {
        bail!("{} {} states no license: add it to the table in notices/native.rs or replace the library", silent.name, silent.version);
    }
    Ok(all)
}

fn by_name(one: &Component, other: &Component) -> Ordering {
    let key = |one: &Component| (one.origin, one.name.to_lowercase(), one.version.clone());
    key(one).cmp(&key(other))
}

/// Writes the guide's page, or only compares it. Returns whether it was current.
pub(crate) fn page(paths: &Paths, check: bool) -> Result<bool> {
    let file = paths.root.join(PAGE);
    let text = page::page(&components(paths)?);
    if fs::read_to_string(&file).is_ok_and(|held| held == text) {
        return Ok(true);
    }
    if check {
        println!("{PAGE} is out of date; run `cargo xtask generate` and commit it");
        return Ok(false);
    }
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(true)
}

/// License files in a package's folder, sorted by path.
fn license_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let named = ["license", "licence", "copying", "notice", "unlicense", "copyright"].iter().any(|word| name.starts_with(word));
        if path.is_dir() && (name == "licenses" || name == "license") {
            found.extend(all_files(&path));
        } else if named && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).flat_map(|path| if path.is_dir() { all_files(&path) } else { vec![path] }).collect()
}

/// An SPDX expression from the license fields of cargo, npm and Python packages.
fn spdx(stated: &str) -> String {
    let stated = stated.trim();
    match stated {
        "MIT License" => "MIT".to_owned(),
        "Apache 2.0" | "Apache License 2.0" | "Apache Software License" => "Apache-2.0".to_owned(),
        _ => stated.split('/').map(str::trim).collect::<Vec<_>>().join(" OR "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_are_expressions_whatever_the_package_wrote() {
        assert_eq!(spdx("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(spdx("Apache-2.0 / MIT"), "Apache-2.0 OR MIT");
        assert_eq!(spdx("Apache 2.0"), "Apache-2.0");
        assert_eq!(spdx("Apache-2.0 WITH LLVM-exception OR MIT"), "Apache-2.0 WITH LLVM-exception OR MIT");
    }

    #[test]
    fn license_files_are_found_however_they_are_named() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["LICENSE-MIT", "NOTICE", "README.md", "src/LICENSE", "licenses/sub/AUTHORS"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        let found: Vec<_> =
            license_files(folder.path()).iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect();
        assert_eq!(found, ["LICENSE-MIT", "NOTICE", "licenses/sub/AUTHORS"]);
    }
}
