//! Crates in the three programs, with the features that cargo resolves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{Component, Origin, spdx};
use crate::paths::Paths;
use crate::process;

const PLATFORM: &str = "x86_64-unknown-linux-gnu";

pub(super) fn components(paths: &Paths) -> Result<Vec<Component>> {
    let mut tree = process::cargo(paths);
    tree.args(["tree", "--locked", "--target", PLATFORM, "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}\t{l}"]);
    tree.args(process::FEATURES).args(["--package", "inklings-studio", "--package", "inklings-cli", "--package", "inklings-confine"]);
    let listing = output(tree, "cargo tree")?;
    let mut metadata = process::cargo(paths);
    metadata.args(["metadata", "--format-version", "1", "--locked", "--filter-platform", PLATFORM]);
    let metadata: Value = serde_json::from_str(&output(metadata, "cargo metadata")?).context("cargo metadata printed no JSON")?;
    let folders = folders(&metadata);
    let checksums = checksums(&std::fs::read_to_string(paths.root.join("Cargo.lock")).context("cannot read Cargo.lock")?);
    let components = crates(&listing).into_iter().map(|(name, version, license)| {
        let key = (name.clone(), version.clone());
        Component {
            origin: Origin::Cargo,
            folder: folders.get(&key).cloned(),
            checksum: checksums.get(&key).cloned(),
            name,
            version,
            license,
        }
    });
    Ok(components.collect())
}

pub(super) fn output(mut command: Command, what: &str) -> Result<String> {
    let output = command.env("CARGO_TERM_COLOR", "never").output().with_context(|| format!("cannot start {what}"))?;
    if !output.status.success() {
        bail!("{what} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{what} printed no text"))
}

/// Name, version and license of each line except our own crates, which show their folder.
fn crates(listing: &str) -> Vec<(String, String, String)> {
    let crate_of = |line: &str| {
        let (package, license) = line.split_once('\t')?;
        if package.contains('(') && !package.ends_with("(proc-macro)") {
            return None;
        }
        let (name, version) = package.split_once(" v")?;
        let license = license.trim_end_matches(" (*)");
        Some((name.to_owned(), version.split(' ').next()?.to_owned(), spdx(license)))
    };
    listing.lines().filter_map(crate_of).collect()
}

fn folders(metadata: &Value) -> BTreeMap<(String, String), PathBuf> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let folder = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        Some(((package["name"].as_str()?.to_owned(), package["version"].as_str()?.to_owned()), manifest.parent()?.to_owned()))
    };
    packages.filter_map(folder).collect()
}

/// The checksums of `Cargo.lock` by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let value = |entry: &str, key: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
        Some(line.trim_matches('"').to_owned())
    };
    let entries = lock.split("[[package]]").skip(1);
    entries.filter_map(|entry| Some(((value(entry, "name")?, value(entry, "version")?), value(entry, "checksum")?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_crates_are_left_out_and_repeated_ones_read_alike() {
        let listing = "inklings-studio v0.1.0 (/src/src-tauri)\tMIT\nserde v1.0.2\tMIT OR Apache-2.0\nserde v1.0.2\tMIT OR Apache-2.0 (*)\n\nzip v9.4.0+x\tMIT/X11\n";
        let expected = [("serde", "1.0.2", "MIT OR Apache-2.0"), ("serde", "1.0.2", "MIT OR Apache-2.0"), ("zip", "9.4.0+x", "MIT OR X11")];
        assert_eq!(crates(listing), expected.map(|(name, version, license)| (name.to_owned(), version.to_owned(), license.to_owned())));
    }

    #[test]
    fn checksums_are_read_from_the_lock_file() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"x\"\nchecksum = \"abc\"\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";
        assert_eq!(checksums(lock), BTreeMap::from([(("a".to_owned(), "1.0.0".to_owned()), "abc".to_owned())]));
    }
}
