use inklings_core::skill::Skill;
use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Artifact, ArtifactKind, Clock, SkillCatalog, SkillPath, StorageError, UserData};
use inklings_runtime::Runner;
use serde_json::{Map, Value};

use super::api::{InputEntry, InputList, MAX_NAME_CHARS};
use super::error::InputError;
use crate::editing::Caller;
use crate::wire::FileRef;

/// The saved inputs of a workspace, which often quote its pages, and the examples in skills.
pub(super) struct Inputs<'a> {
    pub(super) catalog: SkillCatalog,
    pub(super) runner: &'a Runner,
    pub(super) user: &'a dyn UserData,
    pub(super) clock: &'a dyn Clock,
    pub(super) caller: Caller<'a>,
}

impl Inputs<'_> {
    pub(super) fn list(&self, file: &FileRef) -> Result<InputList, StorageError> {
        let skill = self.skill(file)?;
        let workspace = self.caller.workspace_key();
        let saved = self.user.inputs(InputKey { workspace: &workspace, slug: &skill.package.slug, path: &file.path })?;
        let entry = |input: SavedInput| InputEntry { name: input.name, params: input.params, updated_at: input.updated_at, example: None };
        let mut inputs: Vec<InputEntry> = saved.into_iter().map(entry).collect();
        let examples = self.examples(&skill, &file.path);
        inputs.extend(examples.into_iter().filter(|example| inputs.iter().all(|saved| saved.name != example.name)).collect::<Vec<_>>());
        Ok(InputList { inputs })
    }

    pub(super) fn save(&self, file: &FileRef, name: &str, params: Map<String, Value>) -> Result<(), InputError> {
        if name.chars().count() > MAX_NAME_CHARS {
            return Err(InputError::NameTooLong);
        }
        let skill = self.skill(file)?;
        let input = SavedInput { name: name.trim().to_owned(), params, updated_at: self.clock.now() };
        let workspace = self.caller.workspace_key();
        let key = InputKey { workspace: &workspace, slug: &skill.package.slug, path: &file.path };
        Ok(self.user.put_input(key, &input, self.caller.origin)?)
    }

    pub(super) fn delete(&self, file: &FileRef, name: &str) -> Result<(), StorageError> {
        let skill = self.skill(file)?;
        let workspace = self.caller.workspace_key();
        let key = InputKey { workspace: &workspace, slug: &skill.package.slug, path: &file.path };
        self.user.delete_input(key, name, self.caller.origin)?;
        Ok(())
    }

    fn skill(&self, file: &FileRef) -> Result<Skill, StorageError> {
        self.catalog.require(&file.skill, file.scope)
    }

    /// The examples without which the artifact (or the skill, for its SKILL.md) lacks values, and with which it lacks none.
    fn examples(&self, skill: &Skill, path: &SkillPath) -> Vec<InputEntry> {
        let artifact = (!path.is_skill_md()).then_some(path.as_str());
        let lacks =
            |params: &Map<String, Value>| self.runner.plan(skill, artifact, params, None).is_ok_and(|plan| !plan.missing.is_empty());
        if !lacks(&Map::new()) {
            return Vec::new();
        }
        let example = |artifact: &Artifact| {
            let params = input_of(artifact)?;
            let name = artifact.name.clone();
            (!lacks(&params)).then(|| InputEntry { name, params, updated_at: skill.head.updated_at, example: Some(artifact.path.clone()) })
        };
        let mut examples: Vec<_> = skill.package.artifacts.iter().filter_map(example).collect();
        examples.sort_by(|one, other| one.name.cmp(&other.name));
        examples
    }
}

/// The `input` of an example, whose file is `{"input": {...}, "output": ...}`.
fn input_of(artifact: &Artifact) -> Option<Map<String, Value>> {
    if artifact.kind != ArtifactKind::Example {
        return None;
    }
    match serde_json::from_str::<Map<String, Value>>(&artifact.content).ok()?.remove("input")? {
        Value::Object(input) => Some(input),
        _ => None,
    }
}
