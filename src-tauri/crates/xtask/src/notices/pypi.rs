//! Python packages in the DSPy process and in the sandbox's guest, and those that the embedding model comes in.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{Component, Origin, spdx};
use crate::paths::Paths;
use crate::setup::python::site_packages;
use crate::{embedding, sandbox, sidecar};

/// Packages without a license expression.
const UNSTATED: [(&str, &str); 2] =
    [("componentize-py", "Apache-2.0 WITH LLVM-exception"), (STARTER, "GPL-2.0-or-later WITH Bootloader-exception")];
/// The only development dependency that is shipped: its boot loader.
const STARTER: &str = "pyinstaller";

pub(super) fn components(paths: &Paths) -> Result<Vec<Component>> {
    let mut found = Vec::new();
    let sidecar = paths.root.join("sidecar");
    let site = site_packages(&sidecar::environment(paths)?)?;
    let mut pinned = pins(&read(&sidecar.join("requirements.txt"))?);
    pinned.extend(pins(&read(&sidecar.join("requirements-dev.txt"))?).into_iter().filter(|(name, _)| name == STARTER));
    for pin in pinned {
        found.push(component(&site, pin)?);
    }
    let site = site_packages(&sandbox::environment(paths)?)?;
    for pin in pins(&read(&sandbox::requirements(paths))?) {
        found.push(component(&site, pin)?);
    }
    let site = site_packages(&embedding::environment(paths)?)?;
    for pin in pins(&read(&embedding::requirements(paths))?) {
        found.push(component(&site, pin)?);
    }
    Ok(found)
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Names and versions of the packages for this system.
fn pins(requirements: &str) -> Vec<(String, String)> {
    let pin = |line: &str| {
        let (pin, rest) = line.split_once([' ', ';']).unwrap_or((line, ""));
        let (name, version) = pin.split_once("==")?;
        (!rest.contains("win32")).then(|| (name.to_owned(), version.to_owned()))
    };
    requirements.lines().filter(|line| !line.starts_with([' ', '#'])).filter_map(pin).collect()
}

fn component(site: &Path, (name, version): (String, String)) -> Result<Component> {
    let folder = site.join(format!("{}-{version}.dist-info", name.replace('-', "_")));
    let unstated = UNSTATED.iter().find(|(unstated, _)| *unstated == name).map(|(_, license)| (*license).to_owned());
    let license = unstated.map_or_else(|| Ok(license(&read(&folder.join("METADATA"))?)), anyhow::Ok)?;
    if license.is_empty() {
        bail!("{name} {version} states no license");
    }
    Ok(Component { origin: Origin::Pypi, name, version, license: spdx(&license), checksum: None, folder: Some(folder) })
}

/// The expression, or the first line of the former license field.
fn license(metadata: &str) -> String {
    let head = metadata.split("\n\n").next().unwrap_or_default();
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    field("License-Expression:").or_else(|| field("License:")).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read_without_hashes_comments_and_other_systems() {
        let text = "# a comment==1\ndspy==3.4.1 \\\n    --hash=sha256:00\ncolorama==0.4.6 ; sys_platform == 'win32' \\\nPyYAML==6.0.3\n";
        assert_eq!(pins(text), [("dspy", "3.4.1"), ("PyYAML", "6.0.3")].map(|(name, version)| (name.to_owned(), version.to_owned())));
    }

    #[test]
    fn the_expression_wins_over_the_older_field() {
        assert_eq!(license("Name: a\nLicense: BSD\nLicense-Expression: BSD-3-Clause\n\nLicense: no"), "BSD-3-Clause");
        assert_eq!(license("Name: a\nLicense: MIT License\n\n"), "MIT License");
        assert_eq!(license("Name: a\n\nLicense: MIT"), "");
    }
}
