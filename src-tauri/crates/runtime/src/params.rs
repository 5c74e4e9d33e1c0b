//! What an artifact says about its parameters, held against what is given.

use inklings_core::Artifact;
use inklings_lint::json_schema::JsonSchema;
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
