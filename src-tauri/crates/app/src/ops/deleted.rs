//! `skill/deleted_files`, `skill/deleted_file`: what is in a deleted skill, before it is restored.

use inklings_core::{Scope, Skill, SkillFormat as _, SkillId, SkillPath, Slug, StorageError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::ops::history::RevisionFile;
use crate::ops::skill::{RestoreParams, deleted_skill};
use crate::wire::{FileEntry, file_entry};
use inklings_rpc::{CallContext, Failure, operations};

/// A deleted skill as it was.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedContent {
    /// Its id.
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its files, by path.
    pub entries: Vec<FileEntry>,
}

fn deleted_files(app: &App, cx: &CallContext, params: RestoreParams) -> Result<DeletedContent, Failure> {
    let deleted = deleted_skill(&app.catalog(cx)?, &params)?;
    let package = app.folder.read(&deleted.tree, deleted.slug.as_str(), None).map_err(Failure::diagnostics)?.package;
    let skill = Skill { head: deleted.head, package };
    Ok(DeletedContent {
        id: params.id,
        scope: params.scope,
        slug: deleted.slug,
        entries: deleted.tree.keys().filter_map(|path| file_entry(&skill, &deleted.tree, path, false)).collect(),
        name: skill.package.name,
        description: skill.package.description,
    })
}

/// Names a file of a deleted skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeletedFileParams {
    /// The skill's id.
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
    /// Path in the skill.
    pub path: SkillPath,
}

fn deleted_file(app: &App, cx: &CallContext, params: DeletedFileParams) -> Result<RevisionFile, Failure> {
    let deleted = deleted_skill(&app.catalog(cx)?, &RestoreParams { id: params.id, scope: params.scope })?;
    let missing = || StorageError::NotFound { what: "file", name: params.path.to_string() };
    Ok(RevisionFile::of(Some(deleted.tree.get(&params.path).ok_or_else(missing)?)))
}

operations! { App;
    ReadDeleted = "skill/deleted_files", Read, blocking deleted_files(RestoreParams) -> DeletedContent;
    ReadDeletedFile = "skill/deleted_file", Read, blocking deleted_file(DeletedFileParams) -> RevisionFile;
}
