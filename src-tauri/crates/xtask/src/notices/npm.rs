//! Packages that the UI is built from.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Component, Origin, spdx};
use crate::paths::Paths;

pub(super) fn components(paths: &Paths) -> Result<Vec<Component>> {
    let file = paths.ui().join("package-lock.json");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let lock: Value = serde_json::from_str(&text).with_context(|| format!("{} isn't JSON", file.display()))?;
    Ok(packages(&lock)
        .into_iter()
        .map(|(place, mut component)| {
            component.folder = Some(paths.ui().join(place));
            component
        })
        .collect())
}

/// Packages except development dependencies, by folder.
fn packages(lock: &Value) -> Vec<(String, Component)> {
    let entries = lock["packages"].as_object().into_iter().flatten();
    let shipped = entries.filter(|(place, entry)| !place.is_empty() && entry["dev"] != true && entry["devOptional"] != true);
    let component = |(place, entry): (&String, &Value)| {
        let name = place.rsplit_once("node_modules/")?.1;
        let text = |key: &str| entry[key].as_str().unwrap_or_default();
        Some((
            place.clone(),
            Component {
                origin: Origin::Npm,
                name: name.to_owned(),
                version: text("version").to_owned(),
                license: spdx(text("license").trim_matches(['(', ')'])),
                checksum: None,
                folder: None,
            },
        ))
    };
    shipped.filter_map(component).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn packages_for_development_are_left_out() {
        let lock = json!({ "packages": {
            "": { "name": "ui" },
            "node_modules/vite": { "version": "8.0.0", "license": "MIT", "dev": true },
            "node_modules/dompurify": { "version": "3.4.18", "license": "(MPL-2.0 OR Apache-2.0)" },
            "node_modules/a/node_modules/@scope/b": { "version": "1.0.0", "license": "ISC" },
        } });
        let found: Vec<_> = packages(&lock).into_iter().map(|(_, one)| (one.name, one.license)).collect();
        let expected = [("@scope/b", "ISC"), ("dompurify", "MPL-2.0 OR Apache-2.0")];
        assert_eq!(found.len(), 2);
        assert!(expected.iter().all(|(name, license)| found.contains(&((*name).to_owned(), (*license).to_owned()))), "{found:?}");
    }
}
