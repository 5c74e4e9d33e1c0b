//! What an artifact says about its parameters, held against what is given.

use inklings_core::Artifact;
use serde_json::{Map, Value};

use crate::error::SkillError;

/// Refuses parameters that don't fit the artifact's `params` schema. What the schema requires and nobody gives is the plan's
/// business: it may come from an earlier artifact.
pub(crate) fn check(artifact: &Artifact, params: &Map<String, Value>) -> Result<(), SkillError> {
    let Some(properties) = artifact.metadata.get("params").and_then(|schema| schema.get("properties")).and_then(Value::as_object) else {
        return Ok(());
    };
    for (name, schema) in properties {
        let Some(value) = params.get(name) else { continue };
        // A schema that can't be used says nothing; the editor has said so.
        let Ok(validator) = inklings_lint::assertion::compile_schema(schema) else { continue };
        if let Some(error) = validator.iter_errors(value).next() {
            let place = error.instance_path().to_string();
            let detail = if place.is_empty() { error.to_string() } else { format!("{error} at {place}") };
            return Err(SkillError::BadParameter { name: name.clone(), detail });
        }
    }
    Ok(())
}
