//! `file/*`: one file of a skill.

use inklings_core::StorageError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry};
use crate::ops::draft::wire_draft;
use crate::ops::drafts_of;
use crate::wire::{Draft, FileEntry, FileRef, file_entry};

/// A file's content.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileContent {
    /// What it is.
    pub entry: FileEntry,
    /// The skill's revision that the content is of.
    pub revision: i64,
    /// The text; null for binary content.
    pub text: Option<String>,
    /// Unsaved typing.
    pub draft: Option<Draft>,
}

/// `file/read`
pub struct Read;

impl Blocking for Read {
    const NAME: &'static str = "file/read";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = FileRef;
    type Output = FileContent;

    fn run(app: &App, cx: &CallContext, params: FileRef) -> Result<FileContent, Failure> {
        let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
        let tree = skill.package.tree();
        let draft = drafts_of(app, cx, &skill)?.into_iter().find(|draft| draft.path == params.path);
        let missing = || StorageError::NotFound { what: "file", name: params.path.to_string() };
        let entry = file_entry(&skill, &tree, &params.path, draft.is_some()).ok_or_else(missing)?;
        let text = tree.get(&params.path).and_then(|entry| entry.text()).filter(|_| entry.text).map(str::to_owned);
        Ok(FileContent { entry, revision: skill.head.revision, text, draft: draft.map(wire_draft) })
    }
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<Read>()];
