use std::collections::HashMap;

use inklings_core::model::{Message, Part, Request};
use inklings_core::provider::ProviderRegistry;
use inklings_core::skill::{Artifact, Skill};
use inklings_core::{ArtifactKind, SkillPath, StorageError, variant};
use inklings_prompt::{PromptEngine, Variable, tokens, variables};
use inklings_runtime::{Runner, request_tokens};
use serde_json::Value;

use super::api::{RenderParams, RenderedMessage, RenderedPrompt, RenderedVariant};

/// Renders prompts as a run would send them.
pub(super) struct PromptService<'a> {
    pub(super) engine: &'a PromptEngine,
    pub(super) runner: &'a Runner,
    /// Tells the family of a model, which decides the variant.
    pub(super) models: &'a dyn ProviderRegistry,
}

impl PromptService<'_> {
    pub(super) fn render(&self, skill: &Skill, params: RenderParams) -> Result<RenderedPrompt, StorageError> {
        let candidates = candidates(skill, &params)?;
        let selected = self.select(&candidates, &params);
        let values: HashMap<String, Value> = params.params.into_iter().collect();
        let mut all: Vec<Variable> = Vec::new();
        let mut variants = Vec::with_capacity(candidates.len());
        for (index, one) in candidates.iter().enumerate() {
            let request = self.request(skill, one, &values);
            variants.push(render_variant(self.engine, one, &values, request, selected == Some(index)));
            let is_script = one.artifact.as_ref().is_some_and(|artifact| artifact.kind == ArtifactKind::CodeTemplate);
            let read = if is_script { self.engine.script_params(&one.text) } else { Vec::new() };
            for variable in self.engine.variables(&one.text).unwrap_or_default().into_iter().chain(read) {
                if !all.iter().any(|known| known.name == variable.name) {
                    all.push(variable);
                }
            }
        }
        for schema in candidates.iter().filter_map(|one| one.params.as_ref()) {
            variables::describe(&mut all, schema);
        }
        Ok(RenderedPrompt { variables: all, variants })
    }

    /// What a run sends first; `None` for a script, and for a template that can't be rendered.
    fn request(&self, skill: &Skill, one: &Candidate, values: &HashMap<String, Value>) -> Option<Request> {
        let artifact = one.artifact.as_ref()?;
        self.runner.first_request(&skill.package, artifact, values, one.variant.as_deref()).ok().flatten()
    }

    /// The variant that a run with the requested model would send; without one, the requested file itself.
    fn select(&self, candidates: &[Candidate], params: &RenderParams) -> Option<usize> {
        let requested = candidates.iter().position(|one| one.path.as_str() == params.path);
        match (&params.model, requested) {
            (None, Some(requested)) => Some(requested),
            (model, _) => {
                let variants: Vec<_> = candidates.iter().map(|one| (one.variant.as_deref(), one.ordinal)).collect();
                let family = model.as_deref().map(|model| self.family(model));
                variant::choose(&variants, family.as_deref())
            }
        }
    }

    /// The family as a run sees it. For a model without a provider it is guessed from the name.
    fn family(&self, model: &str) -> String {
        model.parse().map_or_else(|_| variant::model_family(model), |model| self.models.family(&model))
    }
}

struct Candidate {
    /// With the unsaved text; `None` for a file that isn't declared.
    artifact: Option<Artifact>,
    path: SkillPath,
    variant: Option<String>,
    ordinal: i64,
    text: String,
    params: Option<Value>,
}

/// The requested template, with its unsaved text if there is one, and its sibling variants.
fn candidates(skill: &Skill, params: &RenderParams) -> Result<Vec<Candidate>, StorageError> {
    let artifacts = &skill.package.artifacts;
    let asked = artifacts
        .iter()
        .find(|artifact| artifact.path.as_str() == params.path)
        .or_else(|| artifacts.iter().find(|artifact| artifact.name == params.path));
    let Some(asked) = asked else { return undeclared(skill, params).map(|candidate| vec![candidate]) };
    let siblings = artifacts.iter().filter(|one| one.name == asked.name && one.kind == asked.kind);
    Ok(siblings.map(|one| candidate(one, (one.path == asked.path).then_some(params.text.as_ref()).flatten())).collect())
}

fn candidate(artifact: &Artifact, text: Option<&String>) -> Candidate {
    let mut current = artifact.clone();
    if let Some(text) = text {
        current.content = text.as_str().into();
    }
    Candidate {
        path: artifact.path.clone(),
        variant: artifact.variant.clone(),
        ordinal: artifact.ordinal,
        text: current.content.as_ref().to_owned(),
        artifact: Some(current),
        params: artifact.metadata.get("params").cloned(),
    }
}

/// A file that skill.json doesn't declare, or that isn't saved yet.
fn undeclared(skill: &Skill, params: &RenderParams) -> Result<Candidate, StorageError> {
    let missing = || StorageError::NotFound { what: "artifact", name: params.path.clone() };
    let path = SkillPath::parse(&params.path).map_err(|_| missing())?;
    let stored = || skill.package.tree().get(&path).and_then(|entry| entry.text().map(str::to_owned));
    let text = params.text.clone().or_else(stored).ok_or_else(missing)?;
    Ok(Candidate { artifact: None, path, variant: None, ordinal: 0, text, params: None })
}

fn render_variant(
    prompts: &PromptEngine,
    one: &Candidate,
    values: &HashMap<String, Value>,
    request: Option<Request>,
    selected: bool,
) -> RenderedVariant {
    let file = one.path.as_str();
    let missing = prompts.missing(&one.text, values).unwrap_or_default();
    let tokens = request.as_ref().map(request_tokens);
    let Request { system, messages, .. } = request.unwrap_or_default();
    let mut examples: Vec<_> = messages.into_iter().map(rendered_message).collect();
    let (text, error) = match examples.pop() {
        Some(prompt) => (Some(prompt.text), None),
        None => match prompts.render_str(&one.text, values) {
            Ok(text) => (Some(text), None),
            Err(error) => (None, Some(error.to_diagnostic(file))),
        },
    };
    RenderedVariant {
        variant: one.variant.clone(),
        path: one.path.clone(),
        selected,
        tokens: tokens.or_else(|| text.as_deref().map(tokens::count)),
        text,
        system,
        examples,
        missing: missing.into_iter().map(|variable| variable.name).collect(),
        error,
    }
}

/// Prompts and examples are texts.
fn rendered_message(message: Message) -> RenderedMessage {
    let texts: Vec<String> =
        message.parts.into_iter().filter_map(|part| if let Part::Text { text } = part { Some(text) } else { None }).collect();
    RenderedMessage { role: message.role, text: texts.join("\n") }
}
