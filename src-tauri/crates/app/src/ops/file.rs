//! `file/*`: one file of a skill.

use inklings_core::StorageError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::features::draft::wire_draft;
use crate::ops::drafts_of;
use crate::wire::{Draft, FileEntry, FileRef, file_entry};
use inklings_rpc::{CallContext, Failure, operations};

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

fn read(app: &App, cx: &CallContext, params: FileRef) -> Result<FileContent, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let tree = skill.package.tree();
    let draft = drafts_of(app, cx, &skill)?.into_iter().find(|draft| draft.path == params.path);
    let missing = || StorageError::NotFound { what: "file", name: params.path.to_string() };
    let entry = file_entry(&skill, &tree, &params.path, draft.is_some()).ok_or_else(missing)?;
    let text = tree.get(&params.path).and_then(|entry| entry.text()).filter(|_| entry.text).map(str::to_owned);
    Ok(FileContent { entry, revision: skill.head.revision, text, draft: draft.map(wire_draft) })
}

operations! { App;
    Read = "file/read", Read, blocking read(FileRef) -> FileContent;
}
