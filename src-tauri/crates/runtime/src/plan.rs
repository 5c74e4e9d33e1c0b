//! The plan of a run: what is read, what is executed in which order, and whether every value that is needed has a source.

use std::collections::{BTreeSet, HashMap};

use inklings_core::{Artifact, ArtifactKind, Package, SkillPath, slugify, variant};
use inklings_prompt::PromptEngine;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::SkillError;
use crate::handler::{ArtifactDispatcher, OutputSpec};

/// One artifact's place in a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Step {
    /// The artifact's name.
    pub name: String,
    /// Its file: of the variant that is chosen for the model.
    pub path: SkillPath,
    /// Its kind.
    pub kind: ArtifactKind,
    /// Whether it only accompanies prompts.
    pub context: bool,
    /// The values that it can't do without.
    pub needs: Vec<String>,
    /// The file that runs in its place if it can't run.
    pub fallback: Option<SkillPath>,
    /// Why it can't run at the moment, so that its fallback will.
    pub unavailable: Option<String>,
}

/// An artifact that the plan does without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedArtifact {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// What a run will do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Plan {
    /// Steps, in order; what accompanies prompts comes first.
    pub steps: Vec<Step>,
    /// What it does without.
    pub left_out: Vec<SkippedArtifact>,
    /// Values that nothing gives; a run is refused until there are none.
    pub missing: Vec<MissingInput>,
}

/// A value without a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MissingInput {
    /// Name of the artifact that needs it.
    pub artifact: String,
    /// Name of the value.
    pub variable: String,
}

impl Plan {
    /// Refuses a plan that can't be carried out.
    pub fn ready(&self) -> Result<(), SkillError> {
        if !self.missing.is_empty() {
            return Err(SkillError::Missing(self.missing.clone()));
        }
        if self.steps.iter().all(|step| step.context) {
            return Err(SkillError::NothingToRun);
        }
        // What can't run is found out before anything is paid for.
        match self.steps.iter().find_map(|step| Some((step, step.unavailable.clone().filter(|_| step.fallback.is_none())?))) {
            Some((step, reason)) => Err(SkillError::Unavailable { artifact: step.name.clone(), kind: step.kind, reason }),
            None => Ok(()),
        }
    }
}

/// What a plan is made from.
#[derive(Debug, Clone, Copy)]
pub struct PlanRequest<'a> {
    /// The skill.
    pub package: &'a Package,
    /// Run this artifact alone, given by path or name; the whole skill without it.
    pub artifact: Option<&'a str>,
    /// Values that are given.
    pub params: &'a Map<String, Value>,
    /// The model's family, by which variants are chosen.
    pub family: Option<&'a str>,
}

/// Makes a plan.
pub fn plan(request: PlanRequest<'_>, dispatcher: &ArtifactDispatcher, prompts: &PromptEngine) -> Result<Plan, SkillError> {
    let planner = Planner { package: request.package, params: request.params, family: request.family, dispatcher, prompts };
    let mut steps = planner.context()?;
    let (wanted, mut left_out, free) = planner.wanted(request.artifact)?;
    let (ordered, missing) = if free { planner.arrange(wanted, &mut left_out) } else { planner.in_order(wanted) };
    steps.extend(ordered);
    Ok(Plan { steps, left_out, missing })
}

struct Planner<'a> {
    package: &'a Package,
    params: &'a Map<String, Value>,
    family: Option<&'a str>,
    dispatcher: &'a ArtifactDispatcher,
    prompts: &'a PromptEngine,
}

/// An executable step with what it adds.
#[derive(Clone)]
struct Candidate {
    step: Step,
    outputs: OutputSpec,
}

/// What is known to have a value at some point of a plan.
struct Known {
    names: BTreeSet<String>,
    /// Something before it may have given any name.
    anything: bool,
}

impl Known {
    fn has(&self, name: &str) -> bool {
        self.names.contains(name) || (self.anything && !name.starts_with(OUTPUTS_OF))
    }

    fn lacks<'a>(&self, step: &'a Step) -> Vec<&'a str> {
        step.needs.iter().map(String::as_str).filter(|name| !self.has(name)).collect()
    }

    fn add(&mut self, candidate: &Candidate) {
        self.names.insert(output_name(&slugify(&candidate.step.name, "artifact")));
        match &candidate.outputs {
            OutputSpec::Nothing => {}
            OutputSpec::Names(names) => self.names.extend(names.iter().cloned()),
            OutputSpec::Unknown => self.anything = true,
        }
    }
}

impl Planner<'_> {
    /// What accompanies prompts: descriptions first, then approaches, then examples, by ordinal.
    fn context(&self) -> Result<Vec<Step>, SkillError> {
        let mut all = Vec::new();
        for kind in ArtifactKind::ALL.into_iter().filter(|kind| kind.is_context()) {
            for artifact in self.groups().into_iter().filter(|artifact| artifact.kind == kind) {
                all.push(self.candidate(artifact)?.step);
            }
        }
        Ok(all)
    }

    /// One artifact of each name: the variant for the model. By ordinal, then path.
    fn groups(&self) -> Vec<&Artifact> {
        let mut names: Vec<(&str, ArtifactKind)> = Vec::new();
        for artifact in &self.package.artifacts {
            if !names.contains(&(artifact.name.as_str(), artifact.kind)) {
                names.push((&artifact.name, artifact.kind));
            }
        }
        names.into_iter().filter_map(|(name, kind)| self.variant(name, kind)).collect()
    }

    fn variant(&self, name: &str, kind: ArtifactKind) -> Option<&Artifact> {
        let all: Vec<_> = self.package.artifacts.iter().filter(|one| one.name == name && one.kind == kind).collect();
        let offered: Vec<_> = all.iter().map(|one| (one.variant.as_deref(), one.ordinal)).collect();
        variant::choose(&offered, self.family).and_then(|index| all.get(index).copied())
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

    /// The prompt that an artifact names as its fallback, in the variant for the model.
    fn fallback(&self, artifact: &Artifact) -> Option<&Artifact> {
        let name = artifact.metadata.get("fallback_artifact")?.as_str()?;
        self.variant(name, ArtifactKind::PromptTemplate)
    }

    /// What is to be executed, and whether its order may be changed: the order that a person wrote may not.
    fn wanted(&self, only: Option<&str>) -> Result<(Vec<Candidate>, Vec<SkippedArtifact>, bool), SkillError> {
        if let Some(only) = only {
            let exact = self.package.artifacts.iter().find(|one| one.path.as_str() == only);
            let found = exact.or_else(|| self.groups().into_iter().find(|one| one.name == only));
            let artifact = found.ok_or_else(|| SkillError::NoArtifact(only.to_owned()))?;
            let candidate = self.candidate(artifact)?;
            return Ok((if candidate.step.context { Vec::new() } else { vec![candidate] }, Vec::new(), false));
        }
        let groups: Vec<_> = self.groups().into_iter().map(|one| self.candidate(one)).collect::<Result<_, _>>()?;
        let executable: Vec<_> = groups.into_iter().filter(|one| !one.step.context).collect();
        if let Some(run) = &self.package.run {
            return self.written(run, executable);
        }
        let stands_in: BTreeSet<&str> = self
            .package
            .artifacts
            .iter()
            .filter(|one| one.kind == ArtifactKind::DspyModule)
            .filter_map(|one| one.metadata.get("fallback_artifact")?.as_str())
            .collect();
        let is_fallback = |one: &Candidate| one.step.kind == ArtifactKind::PromptTemplate && stands_in.contains(one.step.name.as_str());
        let (out, wanted): (Vec<_>, Vec<_>) = executable.into_iter().partition(is_fallback);
        let reason = "it only runs in place of a program that can't";
        let left_out = out.into_iter().map(|one| SkippedArtifact { name: one.step.name, reason: reason.to_owned() }).collect();
        Ok((wanted, left_out, true))
    }

    /// The artifacts that `run` names, in its order.
    fn written(&self, run: &[String], executable: Vec<Candidate>) -> Result<(Vec<Candidate>, Vec<SkippedArtifact>, bool), SkillError> {
        let mut wanted = Vec::new();
        for name in run {
            let known = self.package.artifacts.iter().find(|one| one.name == *name || one.path.as_str() == name);
            let known = known.ok_or_else(|| SkillError::NoArtifact(name.clone()))?;
            let is_it = |one: &&Candidate| one.step.name == known.name && one.step.kind == known.kind;
            wanted.extend(executable.iter().find(is_it).cloned());
        }
        let left = executable.into_iter().filter(|one| !wanted.iter().any(|known: &Candidate| known.step.path == one.step.path));
        let reason = "run in skill.json doesn't name it";
        let left_out = left.map(|one| SkippedArtifact { name: one.step.name, reason: reason.to_owned() }).collect();
        Ok((wanted, left_out, false))
    }

    fn given(&self) -> Known {
        Known { names: self.params.keys().cloned().collect(), anything: false }
    }

    /// By ordinal, but an artifact waits for the one that gives what it needs.
    fn arrange(&self, mut wanted: Vec<Candidate>, left_out: &mut Vec<SkippedArtifact>) -> (Vec<Step>, Vec<MissingInput>) {
        self.drop_needless(&mut wanted, left_out);
        let (mut known, mut steps) = (self.given(), Vec::new());
        while let Some(next) = wanted.iter().position(|one| known.lacks(&one.step).is_empty()) {
            let candidate = wanted.remove(next);
            known.add(&candidate);
            steps.push(candidate.step);
        }
        let gaps = wanted.iter().flat_map(|one| gaps(&one.step, &known)).collect();
        steps.extend(wanted.into_iter().map(|one| one.step));
        (steps, gaps)
    }

    /// In the written order; what is needed must have been given before.
    fn in_order(&self, wanted: Vec<Candidate>) -> (Vec<Step>, Vec<MissingInput>) {
        let (mut known, mut steps, mut missing) = (self.given(), Vec::new(), Vec::new());
        for candidate in wanted {
            missing.extend(gaps(&candidate.step, &known));
            known.add(&candidate);
            steps.push(candidate.step);
        }
        (steps, missing)
    }

    /// Leaves out a producer of which those after it take nothing that isn't given: its result would push what is given aside. So
    /// a skill that collects claims and then judges them can be given the claims. Whose result nobody takes, or what is there to
    /// improve on something earlier, stays.
    fn drop_needless(&self, wanted: &mut Vec<Candidate>, left_out: &mut Vec<SkippedArtifact>) {
        let mut index = 0;
        while index < wanted.len() {
            if self.is_needless(wanted, index) {
                let name = wanted.remove(index).step.name;
                left_out.push(SkippedArtifact { name, reason: "what it would collect is given".to_owned() });
            } else {
                index += 1;
            }
        }
    }

    fn is_needless(&self, wanted: &[Candidate], index: usize) -> bool {
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

fn gaps(step: &Step, known: &Known) -> Vec<MissingInput> {
    known.lacks(step).into_iter().map(|name| MissingInput { artifact: step.name.clone(), variable: name.to_owned() }).collect()
}

/// The value that holds what each artifact gave.
pub(crate) const OUTPUTS: &str = "outputs";
const OUTPUTS_OF: &str = "outputs.";

/// How a need for one artifact's output is written. Templates write `outputs.check_prompt`, since a hyphen means minus there.
pub(crate) fn output_name(artifact: &str) -> String {
    format!("{OUTPUTS_OF}{}", artifact.replace('-', "_"))
}

/// Takes an execution's result into the values of those after it: an object's keys by name, the whole as `outputs.<artifact>`.
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
