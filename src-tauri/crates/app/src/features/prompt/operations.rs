//! `prompt/*` and `skill/tokens`: what would be sent to a model, and what it costs in tokens.

use std::collections::HashMap;

use inklings_core::skill::{Artifact, Skill};
use inklings_core::{SkillPath, StorageError, variant};
use inklings_prompt::{PromptEngine, Variable, tokens, variables};
use inklings_rpc::{CallContext, Failure, operations};
use serde_json::Value;

use super::api::{RenderParams, Rendered, RenderedVariant};
use crate::app::App;

fn render(app: &App, cx: &CallContext, params: RenderParams) -> Result<Rendered, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let candidates = candidates(&skill, &params)?;
    let offered: Vec<_> = candidates.iter().map(|one| (one.variant.as_deref(), one.ordinal)).collect();
    let own = candidates.iter().position(|one| one.path.as_str() == params.path);
    let chosen = match (&params.model, own) {
        (None, Some(own)) => Some(own),
        (model, _) => {
            let family = model.as_deref().map(|model| family(app, model));
            variant::choose(&offered, family.as_deref())
        }
    };
    let values: HashMap<String, Value> = params.params.into_iter().collect();
    let mut asked: Vec<Variable> = Vec::new();
    let mut variants = Vec::with_capacity(candidates.len());
    for (index, one) in candidates.iter().enumerate() {
        variants.push(render_variant(&app.prompts, one, &values, chosen == Some(index)));
        for variable in app.prompts.variables(&one.text).unwrap_or_default() {
            if !asked.iter().any(|known| known.name == variable.name) {
                asked.push(variable);
            }
        }
    }
    for schema in candidates.iter().filter_map(|one| one.params.as_ref()) {
        variables::describe(&mut asked, schema);
    }
    Ok(Rendered { variables: asked, variants })
}

/// The family of a model as a run of it sees it; of one without a provider as far as its name tells.
fn family(app: &App, model: &str) -> String {
    model.parse().map_or_else(|_| variant::model_family(model), |model| app.models.family(&model))
}

struct Candidate {
    path: SkillPath,
    variant: Option<String>,
    ordinal: i64,
    text: String,
    params: Option<Value>,
}

/// The asked-for template with its sibling variants, the unsaved text in its place.
fn candidates(skill: &Skill, params: &RenderParams) -> Result<Vec<Candidate>, Failure> {
    let artifacts = &skill.package.artifacts;
    let asked = artifacts
        .iter()
        .find(|artifact| artifact.path.as_str() == params.path)
        .or_else(|| artifacts.iter().find(|artifact| artifact.name == params.path));
    let Some(asked) = asked else { return undeclared(skill, params).map(|one| vec![one]) };
    let siblings = artifacts.iter().filter(|one| one.name == asked.name && one.kind == asked.kind);
    Ok(siblings.map(|one| candidate(one, (one.path == asked.path).then_some(params.text.as_ref()).flatten())).collect())
}

fn candidate(artifact: &Artifact, text: Option<&String>) -> Candidate {
    Candidate {
        path: artifact.path.clone(),
        variant: artifact.variant.clone(),
        ordinal: artifact.ordinal,
        text: text.map_or_else(|| artifact.content.as_ref().to_owned(), Clone::clone),
        params: artifact.metadata.get("params").cloned(),
    }
}

/// A file that skill.json doesn't declare, or that isn't saved yet.
fn undeclared(skill: &Skill, params: &RenderParams) -> Result<Candidate, Failure> {
    let missing = || StorageError::NotFound { what: "artifact", name: params.path.clone() };
    let path = SkillPath::parse(&params.path).map_err(|_| missing())?;
    let stored = || skill.package.tree().get(&path).and_then(|entry| entry.text().map(str::to_owned));
    let text = params.text.clone().or_else(stored).ok_or_else(missing)?;
    Ok(Candidate { path, variant: None, ordinal: 0, text, params: None })
}

fn render_variant(prompts: &PromptEngine, one: &Candidate, values: &HashMap<String, Value>, selected: bool) -> RenderedVariant {
    let file = one.path.as_str();
    let missing = prompts.missing(&one.text, values).unwrap_or_default();
    let (text, error) = match prompts.render_str(&one.text, values) {
        Ok(text) => (Some(text), None),
        Err(error) => (None, Some(error.to_diagnostic(file))),
    };
    RenderedVariant {
        variant: one.variant.clone(),
        path: one.path.clone(),
        selected,
        tokens: text.as_deref().map(tokens::count),
        text,
        missing: missing.into_iter().map(|variable| variable.name).collect(),
        error,
    }
}

operations! { App;
    Render = "prompt/render", Read, blocking render(RenderParams) -> Rendered;
}
