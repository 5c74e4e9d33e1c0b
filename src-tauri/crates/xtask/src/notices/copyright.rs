//! The package's copyright file: our license, the license of each component, and each license text once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};

use super::{Component, license_files};
use crate::paths::Paths;

/// The paragraphs about our own files, in Debian's machine-readable format.
const HEAD: &str = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
    Upstream-Name: Inklings Skill Studio\n\
    Comment: The programs contain the libraries that are listed below, each under its own license.\n\n\
    Files: *\n\
    Copyright: 2026 Inklings contributors\n\
    License: MIT\n";

/// The whole file.
pub(crate) fn copyright(paths: &Paths, components: &[Component]) -> Result<String> {
    let license = fs::read_to_string(paths.root.join("LICENSE")).context("cannot read LICENSE")?;
    let texts = components.iter().flat_map(|component| {
        let files = component.folder.as_deref().map(license_files).unwrap_or_default();
        // Files that aren't text are ignored.
        files.into_iter().filter_map(|file| Some((label(component), fs::read_to_string(file).ok()?)))
    });
    Ok(compose(&license, components, texts))
}

fn compose(license: &str, components: &[Component], texts: impl Iterator<Item = (String, String)>) -> String {
    let mut whole = HEAD.to_owned();
    for line in license.lines() {
        let line = if line.trim().is_empty() { "." } else { line };
        // Writing to a string cannot fail.
        let _ = writeln!(whole, " {line}");
    }
    whole.push_str("\n\nThird-party software\n====================\n\n");
    for component in components {
        let _ = writeln!(whole, "{}: {}", label(component), component.license);
    }
    whole.push_str("\n\nLicense texts\n=============\n");
    for (text, owners) in unique(texts) {
        let _ = write!(whole, "\n----\n{}\n\n{}\n", owners.join(", "), text.trim_end());
    }
    whole
}

fn label(component: &Component) -> String {
    format!("{} {}", component.name, component.version).trim().to_owned()
}

/// Texts that differ only in whitespace are merged. Each has the components that use it, in the order of the first.
fn unique(texts: impl Iterator<Item = (String, String)>) -> Vec<(String, Vec<String>)> {
    let mut places = BTreeMap::new();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (owner, text) in texts {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.is_empty() {
            continue;
        }
        let at = *places.entry(words).or_insert_with(|| {
            found.push((text, Vec::new()));
            found.len() - 1
        });
        if !found[at].1.contains(&owner) {
            found[at].1.push(owner);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::Origin;
    use super::*;

    #[test]
    fn every_component_is_listed_and_each_text_stands_once() {
        let component = |name: &str| Component {
            origin: Origin::Cargo,
            name: name.into(),
            version: "1.0".into(),
            license: "MIT".into(),
            checksum: None,
            folder: None,
        };
        let texts = [("a 1.0", "The  license\nof all"), ("b 1.0", "The license of all\n"), ("b 1.0", "A notice")];
        let texts = texts.into_iter().map(|(owner, text)| (owner.to_owned(), text.to_owned()));
        let whole = compose("MIT License\n\nwords\n", &[component("a"), component("b")], texts);
        assert!(whole.contains("License: MIT\n MIT License\n .\n words\n"), "{whole}");
        assert!(whole.contains("a 1.0: MIT\nb 1.0: MIT\n"), "{whole}");
        assert!(whole.contains("----\na 1.0, b 1.0\n\nThe  license\nof all\n"), "{whole}");
        assert_eq!(whole.matches("license\nof all").count() + whole.matches("license of all").count(), 1);
    }
}
