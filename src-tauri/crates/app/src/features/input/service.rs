use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Clock, SkillCatalog, Slug, StorageError, UserData};
use serde_json::{Map, Value};

use super::api::{InputEntry, InputList, MAX_NAME_CHARS};
use super::error::InputError;
use crate::editing::Caller;
use crate::wire::FileRef;

/// The saved inputs of a workspace, which often quote its pages.
pub(super) struct Inputs<'a> {
    pub(super) catalog: SkillCatalog,
    pub(super) user: &'a dyn UserData,
    pub(super) clock: &'a dyn Clock,
    pub(super) caller: Caller<'a>,
}

impl Inputs<'_> {
    pub(super) fn list(&self, file: &FileRef) -> Result<InputList, StorageError> {
        let (workspace, slug) = self.owner(file)?;
        let inputs = self.user.inputs(InputKey { workspace: &workspace, slug: &slug, path: &file.path })?;
        let entry = |input: SavedInput| InputEntry { name: input.name, params: input.params, updated_at: input.updated_at };
        Ok(InputList { inputs: inputs.into_iter().map(entry).collect() })
    }

    pub(super) fn save(&self, file: &FileRef, name: &str, params: Map<String, Value>) -> Result<(), InputError> {
        if name.chars().count() > MAX_NAME_CHARS {
            return Err(InputError::NameTooLong);
        }
        let (workspace, slug) = self.owner(file)?;
        let input = SavedInput { name: name.trim().to_owned(), params, updated_at: self.clock.now() };
        Ok(self.user.put_input(InputKey { workspace: &workspace, slug: &slug, path: &file.path }, &input, self.caller.origin)?)
    }

    pub(super) fn delete(&self, file: &FileRef, name: &str) -> Result<(), StorageError> {
        let (workspace, slug) = self.owner(file)?;
        self.user.delete_input(InputKey { workspace: &workspace, slug: &slug, path: &file.path }, name, self.caller.origin)?;
        Ok(())
    }

    fn owner(&self, file: &FileRef) -> Result<(String, Slug), StorageError> {
        let skill = self.catalog.require(&file.skill, file.scope)?;
        Ok((self.caller.workspace_key(), skill.package.slug))
    }
}
