//! The bill of materials beside the package, in `CycloneDX`.

use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{Component, Origin};

pub(crate) fn document(package: &Path, version: &str, components: &[Component]) -> Result<Value> {
    let digest = format!("{:x}", Sha256::digest(std::fs::read(package)?));
    let list: Vec<Value> = components.iter().map(entry).collect();
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": {
            "type": "application",
            "bom-ref": "inklings-studio",
            "name": "inklings-studio",
            "version": version,
            "licenses": [{ "license": { "id": "MIT" } }],
            "purl": format!("pkg:deb/inklings-studio@{version}?arch=amd64"),
            "hashes": [{ "alg": "SHA-256", "content": digest }],
        } },
        "components": list,
    }))
}

fn entry(component: &Component) -> Value {
    let mut entry = Map::new();
    entry.insert("type".into(), "library".into());
    entry.insert("name".into(), component.name.clone().into());
    if !component.version.is_empty() {
        entry.insert("version".into(), component.version.clone().into());
    }
    entry.insert("licenses".into(), json!([{ "expression": component.license }]));
    if let Some(checksum) = &component.checksum {
        entry.insert("hashes".into(), json!([{ "alg": "SHA-256", "content": checksum }]));
    }
    let purl = purl(component);
    entry.insert("bom-ref".into(), purl.clone().unwrap_or_else(|| format!("native:{}", component.name)).into());
    if let Some(purl) = purl {
        entry.insert("purl".into(), purl.into());
    }
    Value::Object(entry)
}

/// The package URL. None for libraries of the build machine.
fn purl(component: &Component) -> Option<String> {
    let Component { name, version, .. } = component;
    match component.origin {
        Origin::Cargo => Some(format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))),
        Origin::Npm => Some(format!("pkg:npm/{}@{version}", name.replace('@', "%40"))),
        Origin::Pypi => Some(format!("pkg:pypi/{}@{version}", name.to_lowercase().replace('_', "-"))),
        Origin::Native => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn components_have_package_urls_and_references_of_their_own() {
        let component = |origin, name: &str, version: &str| Component {
            origin,
            name: name.into(),
            version: version.into(),
            license: "MIT".into(),
            checksum: (origin == Origin::Cargo).then(|| "ab".into()),
            folder: None,
        };
        let all = [
            component(Origin::Cargo, "zstd-sys", "2.1.2+zstd.1.5.7"),
            component(Origin::Npm, "@codemirror/view", "6.0.0"),
            component(Origin::Pypi, "json-repair", "0.64.5"),
            component(Origin::Native, "SQLite", ""),
        ];
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("a.deb");
        std::fs::write(&package, "deb").unwrap();
        let document = document(&package, "0.1.0", &all).unwrap();
        let list = document["components"].as_array().unwrap();
        let purls: Vec<_> = list.iter().filter_map(|one| one["purl"].as_str()).collect();
        assert_eq!(purls, ["pkg:cargo/zstd-sys@2.1.2%2Bzstd.1.5.7", "pkg:npm/%40codemirror/view@6.0.0", "pkg:pypi/json-repair@0.64.5"]);
        assert_eq!(list.iter().map(|one| one["bom-ref"].as_str().unwrap()).collect::<BTreeSet<_>>().len(), 4);
        assert_eq!(list[0]["hashes"][0]["content"], "ab");
        assert!(list[3].get("version").is_none());
    }
}
