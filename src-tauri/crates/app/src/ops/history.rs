//! `skill/history`, `skill/revision`, `skill/rollback`, `skill/restore_files`: the past of a skill.

use inklings_core::change::RevisionFilter;
use inklings_core::edit::TreeEdit;
use inklings_core::{RevisionInfo, Scope, SkillPath, Tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::ops::skill::{EditResult, result};
use crate::ops::{edits, home, save, unlocked};
pub use crate::wire::RevisionFile;
use inklings_rpc::{CallContext, Failure, operations};

/// Revisions of a part, unless asked otherwise, and at most.
const USUAL: usize = 50;
const MOST: usize = 500;

/// Which part of a history is wanted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Only revisions that changed this file.
    #[serde(default)]
    pub path: Option<SkillPath>,
    /// Only revisions before this one.
    #[serde(default)]
    pub before: Option<i64>,
    /// Most revisions; 50 without it, at most 500.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// Part of a skill's history.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct History {
    /// Newest first.
    pub revisions: Vec<RevisionInfo>,
    /// What the next part comes before; null at the end. A part may be empty and still have one.
    pub next: Option<i64>,
}

fn history(app: &App, cx: &CallContext, params: HistoryParams) -> Result<History, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let filter = RevisionFilter { before: params.before, path: params.path };
    let limit = params.limit.unwrap_or(USUAL).clamp(1, MOST);
    let page = home(&catalog, &skill)?.revisions(skill.head.id, &filter, limit)?;
    Ok(History { revisions: page.revisions, next: page.next })
}

/// A file at a revision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisionParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision.
    pub number: i64,
    /// The file.
    pub path: SkillPath,
}

fn revision(app: &App, cx: &CallContext, params: RevisionParams) -> Result<RevisionFile, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let entry = home(&catalog, &skill)?.revision_file(skill.head.id, params.number, &params.path)?;
    Ok(RevisionFile::of(entry.as_ref()))
}

/// Back to a revision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RollbackParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision to go back to.
    pub number: i64,
    /// The present revision, if the caller wants to be sure.
    #[serde(default)]
    pub expected: Option<i64>,
}

fn rollback(app: &App, cx: &CallContext, params: RollbackParams) -> Result<EditResult, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    unlocked(&skill)?;
    let repository = home(&catalog, &skill)?;
    let wanted = repository.revision_tree(skill.head.id, params.number)?;
    let edits = edits(&skill.package.tree(), &wanted);
    let expected = params.expected.unwrap_or(skill.head.revision);
    let why = format!("rolled back to revision {}", params.number);
    let saved = save(app, cx, &catalog, &skill, (&edits, expected, &why))?;
    Ok(result(app, cx, &catalog, saved))
}

/// Files to put back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreFilesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that has them as they are to be.
    pub number: i64,
    /// The files.
    pub paths: Vec<SkillPath>,
    /// The present revision, if the caller wants to be sure.
    #[serde(default)]
    pub expected: Option<i64>,
}

fn restore_files(app: &App, cx: &CallContext, params: RestoreFilesParams) -> Result<EditResult, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    unlocked(&skill)?;
    let past = home(&catalog, &skill)?.revision_tree(skill.head.id, params.number)?;
    let edits = put_back(&skill.package.tree(), &past, &params)?;
    let expected = params.expected.unwrap_or(skill.head.revision);
    let names = params.paths.iter().map(SkillPath::as_str).collect::<Vec<_>>().join(", ");
    let why = format!("restored {names} from revision {}", params.number);
    let saved = save(app, cx, &catalog, &skill, (&edits, expected, &why))?;
    Ok(result(app, cx, &catalog, saved))
}

fn put_back(now: &Tree, past: &Tree, params: &RestoreFilesParams) -> Result<Vec<TreeEdit>, Failure> {
    let mut wanted = now.clone();
    for path in &params.paths {
        match past.get(path) {
            Some(entry) => wanted.insert(path.clone(), entry.clone()),
            None if now.contains_key(path) => wanted.remove(path),
            None => {
                let what = format!("there is no {path} at revision {}, and none now", params.number);
                return Err(Failure::invalid(what).hint("`skill history` shows which files each revision changed"));
            }
        };
    }
    Ok(edits(now, &wanted))
}

operations! { App;
    ListRevisions = "skill/history", Read, blocking history(HistoryParams) -> History;
    ReadRevision = "skill/revision", Read, blocking revision(RevisionParams) -> RevisionFile;
    Rollback = "skill/rollback", Write["skill"], blocking rollback(RollbackParams) -> EditResult;
    RestoreFiles = "skill/restore_files", Write["skill"], blocking restore_files(RestoreFilesParams) -> EditResult;
}
