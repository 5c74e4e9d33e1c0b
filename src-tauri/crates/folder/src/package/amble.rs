//! The JSON form of Amble: slug, name, description, category, instructions and the manifest, nothing else.

use inklings_core::check::Diagnostic;
use inklings_core::kind::ArtifactKind;
use inklings_core::manifest;
use inklings_core::shape;
use inklings_core::skill::Package;
use inklings_core::tree::Tree;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::LazyLock;

use super::json::{JsonArtifact, JsonPackage, schema_of};
use super::{decode, encode};
use crate::prose;
use crate::read::OVERVIEW;

/// Keys without a value are written as null.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Amble {
    #[schemars(length(min = 1))]
    slug: String,
    #[schemars(length(min = 1))]
    name: String,
    description: Option<String>,
    category: Option<String>,
    instructions: String,
    manifest: Option<Value>,
    #[serde(flatten)]
    claims: Map<String, Value>,
}

/// Distinguishes this format from a JSON package.
pub(super) fn is_one(value: &Value) -> bool {
    value.get("instructions").is_some() && value.get("artifacts").is_none()
}

pub(super) fn read(value: &Value) -> Result<(Tree, Vec<Diagnostic>), Vec<Diagnostic>> {
    static SCHEMA: LazyLock<Value> = LazyLock::new(schema_of::<Amble>);
    let shape = shape::check(&SCHEMA, value, "package");
    if !shape.findings.is_empty() {
        return Err(shape.findings);
    }
    let amble = Amble::deserialize(value).map_err(|error| vec![decode::unreadable(&error)])?;
    let stated = amble.description.filter(|text| !text.trim().is_empty());
    let undescribed = stated.is_none();
    let Some(description) = stated.or_else(|| prose::first_paragraph(&amble.instructions)) else {
        let finding = Diagnostic::error("package/description", "missing description");
        return Err(vec![finding.pointer("").hint("add a description")]);
    };
    let json = JsonPackage {
        slug: Some(amble.slug),
        name: amble.name,
        description,
        category: amble.category,
        metadata: amble.manifest.map(|manifest| Map::from_iter([(manifest::KEY.to_owned(), manifest)])),
        artifacts: vec![overview(amble.instructions)],
        claims: amble.claims,
        ..JsonPackage::default()
    };
    let mut read = decode::tree(json);
    if undescribed && let Ok((_, findings)) = &mut read {
        let finding = Diagnostic::warning("package/description", "missing description; the first paragraph is used");
        findings.push(finding.pointer("/description").hint("describe what the skill does and when to use it"));
    }
    for finding in read.as_mut().map_or_else(|errors| errors, |(_, findings)| findings) {
        if let Some(pointer) = &mut finding.pointer {
            *pointer = pointer.replace("/artifacts/0", "/instructions").replace("/metadata", "");
        }
    }
    read
}

fn overview(content: String) -> JsonArtifact {
    JsonArtifact {
        id: None,
        kind: ArtifactKind::Description,
        name: OVERVIEW.to_owned(),
        ordinal: Some(0),
        path: Some(inklings_core::path::SKILL_MD.to_owned()),
        content,
        model_variant: None,
        state_blob: None,
        state_path: None,
        metadata: None,
        executable: None,
        claims: Map::new(),
    }
}

pub(super) fn write(package: &Package) -> String {
    encode::pretty(&Amble {
        slug: package.slug.to_string(),
        name: package.name.clone(),
        description: Some(package.description.clone()),
        category: Some(package.category.clone()),
        instructions: package.main().map(|main| main.content.to_string()).unwrap_or_default(),
        manifest: package.metadata.get(manifest::KEY).cloned(),
        claims: Map::new(),
    })
}
