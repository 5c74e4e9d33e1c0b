//! The plan of a run, computed without I/O: its steps in order, skipped artifacts, and missing values.
//!
//! `outputs.<artifact>` in a template is a need like any other: its step waits for that artifact, which must exist. A run with a
//! missing value is refused before anything executes. An artifact whose outputs are all given as values is skipped.

use std::collections::{BTreeSet, HashMap};

use inklings_core::{Artifact, ArtifactKind, Package, SkillPath, slugify, variant};
use inklings_prompt::PromptEngine;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{MissingInput, SkillError};
use crate::handler::{ArtifactDispatcher, OutputSpec};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Step {
    pub name: String,
    /// The file of the variant for the model.
    pub path: SkillPath,
    pub kind: ArtifactKind,
    /// Whether it only accompanies prompts (description, approach, example).
    pub context: bool,
    /// Required values.
    pub needs: Vec<String>,
    /// The prompt that runs if this artifact can't.
    pub fallback: Option<SkillPath>,
    /// Why it can't run now; its fallback runs instead.
    pub unavailable: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedArtifact {
    pub name: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Plan {
    /// Context artifacts come first.
    pub steps: Vec<Step>,
    /// Skipped artifacts.
    pub skipped: Vec<SkippedArtifact>,
    /// Values without a source. A run is refused until there are none.
    pub missing: Vec<MissingInput>,
}

impl Plan {
    /// An error if the plan can't be executed.
    pub fn ready(&self) -> Result<(), SkillError> {
        if !self.missing.is_empty() {
            return Err(SkillError::Missing(self.missing.clone()));
        }
        if self.steps.iter().all(|step| step.context) {
            return Err(SkillError::NothingToRun);
        }
        // Refused here, before any_name is paid for.
        match self.steps.iter().find_map(|step| Some((step, step.unavailable.clone().filter(|_| step.fallback.is_none())?))) {
            Some((step, reason)) => Err(SkillError::Unavailable { artifact: step.name.clone(), kind: step.kind, reason }),
            None => Ok(()),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct PlanRequest<'a> {
    pub package: &'a Package,
    /// Path or name of the only artifact to run; None plans the whole skill.
    pub artifact: Option<&'a str>,
    pub params: &'a Map<String, Value>,
    /// The model's family, which selects variants.
    pub family: Option<&'a str>,
}

/// The steps are in the order of `run` in skill.json, else by ordinal; context artifacts come first.
pub fn plan(request: PlanRequest<'_>, dispatcher: &ArtifactDispatcher, prompts: &PromptEngine) -> Result<Plan, SkillError> {
    let planner = Planner { package: request.package, params: request.params, family: request.family, dispatcher, prompts };
    if let Some(step) = planner.instructions(request.artifact) {
        let (steps, missing) = planner.keep_order(vec![step]);
        return Ok(Plan { steps, skipped: Vec::new(), missing });
    }
    let context = context_artifacts(request.package, request.family);
    let mut steps = context.into_iter().map(|artifact| Ok(planner.candidate(artifact)?.step)).collect::<Result<Vec<_>, SkillError>>()?;
    let (selected, mut skipped, reorder) = planner.select(request.artifact)?;
    let (ordered, missing) = if reorder { planner.sort_by_needs(selected, &mut skipped) } else { planner.keep_order(selected) };
    steps.extend(ordered);
    Ok(Plan { steps, skipped, missing })
}

struct Planner<'a> {
    package: &'a Package,
    params: &'a Map<String, Value>,
    family: Option<&'a str>,
    dispatcher: &'a ArtifactDispatcher,
    prompts: &'a PromptEngine,
}

#[derive(Clone)]
struct Candidate {
    step: Step,
    outputs: OutputSpec,
}

/// The values that exist at some point of a plan.
struct AvailableValues {
    names: BTreeSet<String>,
    /// An earlier step may have set any name.
    any_name: bool,
}

impl AvailableValues {
    fn has(&self, name: &str) -> bool {
        self.names.contains(name) || (self.any_name && !name.starts_with(OUTPUTS_OF))
    }

    fn lacks<'a>(&self, step: &'a Step) -> Vec<&'a str> {
        step.needs.iter().map(String::as_str).filter(|name| !self.has(name)).collect()
    }

    fn add(&mut self, candidate: &Candidate) {
        self.names.insert(output_name(&slugify(&candidate.step.name, "artifact")));
        match &candidate.outputs {
            OutputSpec::Nothing => {}
            OutputSpec::Names(names) => self.names.extend(names.iter().cloned()),
            OutputSpec::Unknown => self.any_name = true,
        }
    }
}

impl Planner<'_> {
    /// The only step of a run of SKILL.md itself, or of a skill that has nothing else to run: a message is answered with its instructions.
    fn instructions(&self, only: Option<&str>) -> Option<Candidate> {
        let main = self.package.artifacts.iter().find(|one| one.path == self.package.main_path)?;
        let is_asked = match only {
            Some(only) => main.path.as_str() == only || main.name == only,
            None => self.package.artifacts.iter().all(|one| one.kind.is_context()),
        };
        let step = Step {
            name: main.name.clone(),
            path: main.path.clone(),
            kind: main.kind,
            context: false,
            needs: vec![MESSAGE.to_owned()],
            fallback: None,
            unavailable: None,
        };
        is_asked.then_some(Candidate { step, outputs: OutputSpec::Nothing })
    }

    fn candidate(&self, artifact: &Artifact) -> Result<Candidate, SkillError> {
        let handler = self.dispatcher.handler(artifact.kind)?;
        let unavailable = handler.unavailable();
        let fallback = self.fallback(artifact);
        let mut needs = handler.needs(artifact, self.prompts)?;
        if let (Some(_), Some(fallback)) = (&unavailable, fallback) {
            needs = self.dispatcher.handler(fallback.kind)?.needs(fallback, self.prompts)?;
        }
        let step = Step {
            name: artifact.name.clone(),
            path: artifact.path.clone(),
            kind: artifact.kind,
            context: artifact.kind.is_context(),
            needs,
            fallback: fallback.map(|artifact| artifact.path.clone()),
            unavailable,
        };
        Ok(Candidate { step, outputs: handler.outputs(artifact) })
    }

    /// The fallback prompt of an artifact, in the variant for the model.
    fn fallback(&self, artifact: &Artifact) -> Option<&Artifact> {
        let name = artifact.metadata.get("fallback_artifact")?.as_str()?;
        chosen_variant(self.package, self.family, name, ArtifactKind::PromptTemplate)
    }

    /// The steps to execute, the skipped artifacts, and whether the steps may be reordered. The order of `run` in skill.json is kept.
    fn select(&self, only: Option<&str>) -> Result<(Vec<Candidate>, Vec<SkippedArtifact>, bool), SkillError> {
        if let Some(only) = only {
            let exact = self.package.artifacts.iter().find(|one| one.path.as_str() == only);
            let found = exact.or_else(|| groups(self.package, self.family).into_iter().find(|one| one.name == only));
            let artifact = found.ok_or_else(|| SkillError::NoArtifact(only.to_owned()))?;
            let candidate = self.candidate(artifact)?;
            return Ok((if candidate.step.context { Vec::new() } else { vec![candidate] }, Vec::new(), false));
        }
        let groups: Vec<_> = groups(self.package, self.family).into_iter().map(|one| self.candidate(one)).collect::<Result<_, _>>()?;
        let executable: Vec<_> = groups.into_iter().filter(|one| !one.step.context).collect();
        if let Some(run) = &self.package.run {
            return self.select_by_run(run, executable);
        }
        let fallbacks: BTreeSet<&str> = self
            .package
            .artifacts
            .iter()
            .filter(|one| one.kind == ArtifactKind::DspyModule)
            .filter_map(|one| one.metadata.get("fallback_artifact")?.as_str())
            .collect();
        let is_fallback = |one: &Candidate| one.step.kind == ArtifactKind::PromptTemplate && fallbacks.contains(one.step.name.as_str());
        let (skipped, selected): (Vec<_>, Vec<_>) = executable.into_iter().partition(is_fallback);
        let reason = "only runs as the fallback of a program";
        let skipped = skipped.into_iter().map(|one| SkippedArtifact { name: one.step.name, reason: reason.to_owned() }).collect();
        Ok((selected, skipped, true))
    }

    /// The artifacts that `run` in skill.json lists, in its order.
    fn select_by_run(
        &self,
        run: &[String],
        executable: Vec<Candidate>,
    ) -> Result<(Vec<Candidate>, Vec<SkippedArtifact>, bool), SkillError> {
        let mut selected = Vec::new();
        for name in run {
            let known = self.package.artifacts.iter().find(|one| one.name == *name || one.path.as_str() == name);
            let known = known.ok_or_else(|| SkillError::NoArtifact(name.clone()))?;
            let is_it = |one: &&Candidate| one.step.name == known.name && one.step.kind == known.kind;
            selected.extend(executable.iter().find(is_it).cloned());
        }
        let skipped = executable.into_iter().filter(|one| !selected.iter().any(|known: &Candidate| known.step.path == one.step.path));
        let reason = "not listed in run of skill.json";
        let skipped = skipped.map(|one| SkippedArtifact { name: one.step.name, reason: reason.to_owned() }).collect();
        Ok((selected, skipped, false))
    }

    fn given(&self) -> AvailableValues {
        AvailableValues { names: self.params.keys().cloned().collect(), any_name: false }
    }

    /// By ordinal, but each step comes after those that provide what it needs.
    fn sort_by_needs(&self, mut wanted: Vec<Candidate>, skipped: &mut Vec<SkippedArtifact>) -> (Vec<Step>, Vec<MissingInput>) {
        self.skip_redundant(&mut wanted, skipped);
        let (mut known, mut steps) = (self.given(), Vec::new());
        while let Some(next) = wanted.iter().position(|one| known.lacks(&one.step).is_empty()) {
            let candidate = wanted.remove(next);
            known.add(&candidate);
            steps.push(candidate.step);
        }
        let missing = wanted.iter().flat_map(|one| missing_inputs(&one.step, &known)).collect();
        steps.extend(wanted.into_iter().map(|one| one.step));
        (steps, missing)
    }

    fn keep_order(&self, wanted: Vec<Candidate>) -> (Vec<Step>, Vec<MissingInput>) {
        let (mut known, mut steps, mut missing) = (self.given(), Vec::new(), Vec::new());
        for candidate in wanted {
            missing.extend(missing_inputs(&candidate.step, &known));
            known.add(&candidate);
            steps.push(candidate.step);
        }
        (steps, missing)
    }

    /// Skips a step if later steps take only values from it that are given as parameters: its result would replace them. So
    /// a skill that collects claims and then judges them can be run with given claims. A step whose outputs no later step takes, or
    /// that replaces a value an earlier step needs, is kept.
    fn skip_redundant(&self, wanted: &mut Vec<Candidate>, skipped: &mut Vec<SkippedArtifact>) {
        let mut index = 0;
        while index < wanted.len() {
            if self.is_redundant(wanted, index) {
                let name = wanted.remove(index).step.name;
                skipped.push(SkippedArtifact { name, reason: "its outputs are given as parameters".to_owned() });
            } else {
                index += 1;
            }
        }
    }

    fn is_redundant(&self, wanted: &[Candidate], index: usize) -> bool {
        let (before, rest) = wanted.split_at(index);
        let Some((Candidate { step, outputs: OutputSpec::Names(names) }, after)) = rest.split_first() else {
            return false;
        };
        let own = output_name(&slugify(&step.name, "artifact"));
        let gives = |name: &&String| names.contains(name) || **name == own;
        let earlier = before.iter().flat_map(|one| &one.step.needs).any(|name| gives(&name));
        let mut later = after.iter().flat_map(|one| &one.step.needs).filter(gives).peekable();
        !earlier && later.peek().is_some() && later.all(|name| self.params.contains_key(name))
    }
}

fn missing_inputs(step: &Step, known: &AvailableValues) -> Vec<MissingInput> {
    known.lacks(step).into_iter().map(|name| MissingInput { artifact: step.name.clone(), variable: name.to_owned() }).collect()
}

/// What accompanies prompts: descriptions, approaches, examples; each by ordinal.
pub(crate) fn context_artifacts<'a>(package: &'a Package, family: Option<&str>) -> Vec<&'a Artifact> {
    let all = groups(package, family);
    let kinds = ArtifactKind::ALL.into_iter().filter(|kind| kind.is_context());
    kinds.flat_map(|kind| all.iter().copied().filter(move |artifact| artifact.kind == kind)).collect()
}

/// The variant for the model of each name. By ordinal, then path.
fn groups<'a>(package: &'a Package, family: Option<&str>) -> Vec<&'a Artifact> {
    let mut names: Vec<(&str, ArtifactKind)> = Vec::new();
    for artifact in &package.artifacts {
        if !names.contains(&(artifact.name.as_str(), artifact.kind)) {
            names.push((&artifact.name, artifact.kind));
        }
    }
    names.into_iter().filter_map(|(name, kind)| chosen_variant(package, family, name, kind)).collect()
}

fn chosen_variant<'a>(package: &'a Package, family: Option<&str>, name: &str, kind: ArtifactKind) -> Option<&'a Artifact> {
    let all: Vec<_> = package.artifacts.iter().filter(|one| one.name == name && one.kind == kind).collect();
    let offered: Vec<_> = all.iter().map(|one| (one.variant.as_deref(), one.ordinal)).collect();
    variant::choose(&offered, family).and_then(|index| all.get(index).copied())
}

/// The value that a run of SKILL.md itself answers.
pub const MESSAGE: &str = "message";

/// The value that holds the output of each artifact.
pub(crate) const OUTPUTS: &str = "outputs";
const OUTPUTS_OF: &str = "outputs.";

/// The name of one artifact's output. Hyphens become underscores, since templates would read them as minus: `outputs.check_prompt`.
pub(crate) fn output_name(artifact: &str) -> String {
    format!("{OUTPUTS_OF}{}", artifact.replace('-', "_"))
}

/// Adds a step's result to the values of later steps: an object's keys by name, the whole as `outputs.<artifact>`.
pub(crate) fn merge(values: &mut HashMap<String, Value>, artifact: &str, text: &str, value: Option<&Value>) {
    if let Some(Value::Object(fields)) = value {
        values.extend(fields.iter().filter(|(name, _)| *name != OUTPUTS).map(|(name, value)| (name.clone(), value.clone())));
    }
    let whole = value.cloned().unwrap_or_else(|| Value::from(text));
    let outputs = values.entry(OUTPUTS.to_owned()).or_insert_with(|| Value::Object(Map::new()));
    if let Some(outputs) = outputs.as_object_mut() {
        let slug = slugify(artifact, "artifact");
        outputs.insert(slug.replace('-', "_"), whole.clone());
        outputs.insert(slug, whole);
    }
}
