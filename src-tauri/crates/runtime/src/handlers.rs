//! One module per artifact kind. To add a kind: a module here and a line in [`all`].

mod approach;
mod code_template;
mod description;
mod dspy_module;
mod example;
mod prompt_template;

use std::collections::HashMap;
use std::sync::Arc;

use inklings_core::{Artifact, ProgramRunner, Sandbox};
use inklings_prompt::PromptEngine;
use serde_json::{Map, Value};

pub(crate) use self::dspy_module::failed as program_failed;
pub(crate) use self::prompt_template::request as prompt_request;
use crate::error::SkillError;
use crate::handler::ArtifactHandler;
use crate::plan::{OUTPUTS, output_name};

#[must_use]
pub fn all(sandbox: Arc<dyn Sandbox>, programs: Arc<dyn ProgramRunner>) -> Vec<Arc<dyn ArtifactHandler>> {
    vec![
        Arc::new(description::Description),
        Arc::new(prompt_template::PromptTemplate),
        Arc::new(code_template::CodeTemplate(sandbox)),
        Arc::new(dspy_module::DspyModule(programs)),
        Arc::new(approach::Approach),
        Arc::new(example::Example),
    ]
}

/// The required variables of a template for which its `params` schema has no default.
fn template_needs(artifact: &Artifact, prompts: &PromptEngine) -> Result<Vec<String>, SkillError> {
    let variables = prompts
        .variables(&artifact.content)
        .map_err(|error| SkillError::Template(Box::new(error.to_diagnostic(artifact.path.as_str()))))?;
    let needed = variables.into_iter().filter(|one| !one.optional && !has_default(artifact, &one.name));
    // `outputs.ask` needs that artifact; `outputs` alone needs none.
    Ok(needed
        .flat_map(|one| if one.name == OUTPUTS { one.fields.iter().map(|field| output_name(field)).collect() } else { vec![one.name] })
        .collect())
}

/// The properties of an artifact's `params` schema.
fn properties(artifact: &Artifact) -> Option<&Map<String, Value>> {
    artifact.metadata.get("params")?.get("properties")?.as_object()
}

fn has_default(artifact: &Artifact, name: &str) -> bool {
    properties(artifact).and_then(|all| all.get(name)).is_some_and(|one| one.get("default").is_some())
}

/// The values, completed with the defaults of the artifact's `params` schema.
fn with_defaults(artifact: &Artifact, values: &HashMap<String, Value>) -> HashMap<String, Value> {
    let mut all = values.clone();
    for (name, property) in properties(artifact).into_iter().flatten() {
        if let Some(default) = property.get("default") {
            all.entry(name.clone()).or_insert_with(|| default.clone());
        }
    }
    all
}
