//! What an artifact says about its parameters, held against what is given.

use inklings_core::Artifact;
use serde_json::{Map, Value};

use crate::error::SkillError;
use crate::plan::OUTPUTS;

/// Refuses parameters that don't fit the artifact's `params` schema. What the schema requires and nobody gives is the plan's
/// business: it may come from an earlier artifact. Parameters of other artifacts are none of the schema's.
pub(crate) fn check(artifact: &Artifact, params: &Map<String, Value>) -> Result<(), SkillError> {
    if params.contains_key(OUTPUTS) {
        let detail = "the name stands for what earlier artifacts gave".to_owned();
        return Err(SkillError::BadParameter { name: OUTPUTS.to_owned(), detail });
    }
    let Some(Value::Object(mut schema)) = artifact.metadata.get("params").cloned() else {
        return Ok(());
    };
    schema.remove("required");
    schema.remove("additionalProperties");
    // A schema that can't be used says nothing; the editor has said so.
    let Ok(validator) = inklings_lint::assertion::compile_schema(&Value::Object(schema)) else {
        return Ok(());
    };
    let given = Value::Object(params.clone());
    let Some(error) = validator.iter_errors(&given).next() else {
        return Ok(());
    };
    let place = error.instance_path().to_string();
    let mut steps = place.trim_start_matches('/').splitn(2, '/');
    let name = steps.next().unwrap_or_default().to_owned();
    let detail = steps.next().map_or_else(|| error.to_string(), |inside| format!("{error} at {inside}"));
    Err(SkillError::BadParameter { name, detail })
}
