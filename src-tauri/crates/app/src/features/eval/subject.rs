//! What a cell runs: the skill at a revision, or a model without it, with the checks of the case.

use std::fmt::Write as _;

use inklings_core::{Artifact, ArtifactKind, Package, Skill, SkillPath};
use inklings_evals::cases::{MESSAGE, Task};
use inklings_runtime::{Runner, SkillError};
use serde_json::{Map, Value};

/// A skill that is ready to run a case.
pub(super) struct Subject {
    pub(super) skill: Skill,
    /// The artifact to run; None for the skill's plan.
    pub(super) artifact: Option<SkillPath>,
    pub(super) input: Map<String, Value>,
}

impl Subject {
    /// The case with the skill. `family` is the model's.
    pub(super) fn with_skill(runner: &Runner, skill: &Skill, task: &Task, family: &str) -> Result<Self, SkillError> {
        let mut skill = skill.clone();
        let input = input(task, &skill.package);
        let main = task.message().map(|_| skill.package.main_path.as_str());
        let wanted = task.artifact.as_deref().or(main);
        let plan = runner.plan_for(&skill, wanted, &input, Some(family))?;
        let graded = plan.steps.iter().rev().find(|step| !step.context).ok_or(SkillError::NothingToRun)?;
        // A name stands for the variant that the planner chose.
        let artifact = wanted.map(|_| graded.path.clone());
        for path in std::iter::once(&graded.path).chain(&graded.fallback) {
            add_checks(&mut skill.package, path, task);
        }
        Ok(Self { skill, artifact, input })
    }

    /// The request alone: the model gets no instructions and no files.
    pub(super) fn without_skill(skill: &Skill, task: &Task) -> Self {
        let mut input = input(task, &skill.package);
        if task.message().is_none() {
            let mut message = String::new();
            for (name, value) in &input {
                // Writing to a String can't fail.
                let _ = match value {
                    Value::String(text) => writeln!(message, "{name}: {text}"),
                    other => writeln!(message, "{name}: {other}"),
                };
            }
            input = Map::from_iter([(MESSAGE.to_owned(), message.into())]);
        }
        let mut skill = skill.clone();
        let package = &mut skill.package;
        let path = package.main_path.clone();
        let id = package.main().or(package.artifacts.first()).map(|artifact| artifact.id);
        package.files.clear();
        package.artifacts = id.map_or_else(Vec::new, |id| vec![empty(id, path.clone())]);
        package.sources.frontmatter = None;
        add_checks(package, &path, task);
        Self { skill, artifact: Some(path), input }
    }
}

/// Instructions without a text.
fn empty(id: inklings_core::ArtifactId, path: SkillPath) -> Artifact {
    Artifact {
        id,
        path,
        kind: ArtifactKind::Description,
        name: "Without skill".to_owned(),
        ordinal: 0,
        content: String::new().into(),
        variant: None,
        metadata: Map::new(),
        state: None,
        executable: false,
    }
}

/// The values of a case. Its text files stand at the end of its message.
fn input(task: &Task, package: &Package) -> Map<String, Value> {
    let mut input = task.input.clone();
    if let Some(Value::String(message)) = input.get_mut(MESSAGE)
        && !task.files.is_empty()
    {
        let tree = package.tree();
        for path in &task.files {
            let file = SkillPath::parse(path).ok().and_then(|path| tree.get(&path));
            if let Some(text) = file.and_then(|file| file.editable_text()) {
                let _ = write!(message, "\n\n# File {path}\n\n{}", text.trim_end());
            }
        }
    }
    input
}

/// Adds the checks of a case to the assertions of a graded artifact.
fn add_checks(package: &mut Package, path: &SkillPath, task: &Task) {
    let Some(artifact) = package.artifacts.iter_mut().find(|one| one.path == *path) else { return };
    let own = artifact.metadata.get("assertions").and_then(Value::as_array).cloned().unwrap_or_default();
    artifact.metadata.insert("assertions".to_owned(), own.into_iter().chain(task.checks()).collect());
}
