//! Validates parameters against an artifact's `params` schema.

use inklings_core::Artifact;
use inklings_lint::json_schema::JsonSchema;
use serde_json::{Map, Value};

use crate::error::SkillError;
use crate::plan::OUTPUTS;

/// Refuses parameters that violate the artifact's `params` schema. `required` is left to the plan, since an earlier artifact may
/// provide the value, and so is `additionalProperties`, since other artifacts have parameters, too.
pub(crate) fn check(artifact: &Artifact, params: &Map<String, Value>) -> Result<(), SkillError> {
    if params.contains_key(OUTPUTS) {
        let detail = "the name is reserved for outputs of earlier artifacts".to_owned();
        return Err(SkillError::BadParameter { name: OUTPUTS.to_owned(), detail });
    }
    let Some(Value::Object(mut schema)) = artifact.metadata.get("params").cloned() else {
        return Ok(());
    };
    schema.remove("required");
    schema.remove("additionalProperties");
    // The validator reports an invalid schema.
    let Ok(schema) = JsonSchema::compile(&Value::Object(schema)) else {
        return Ok(());
    };
    let faults = schema.faults(&Value::Object(params.clone()), 1).map_err(|error| SkillError::UncheckedParameters(error.to_string()))?;
    let Some(fault) = faults.first() else {
        return Ok(());
    };
    let mut steps = fault.path.trim_start_matches('/').splitn(2, '/');
    let name = steps.next().unwrap_or_default().to_owned();
    let detail = steps.next().map_or_else(|| fault.message.clone(), |inside| format!("{} at {inside}", fault.message));
    Err(SkillError::BadParameter { name, detail })
}
