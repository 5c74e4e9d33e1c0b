//! `draft/*`: typing that is not saved yet. Drafts survive crashes, refused writes and removed folders.

use inklings_core::user::{self, DraftMove, DraftStamp};
use inklings_core::{Scope, SkillPath, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::ops::{after_write, base_hash, draft_key, drafts_of};
use crate::wire::{Draft, DraftMark, FileRef, SkillRef};
use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

/// What was typed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveDraftParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The file, which need not exist yet.
    pub path: SkillPath,
    /// The revision that the typing began on.
    pub base_revision: i64,
    /// The text.
    pub text: String,
}

/// A kept draft.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DraftSaved {
    /// When it was kept.
    pub updated_at: Time,
}

fn save(app: &App, cx: &CallContext, params: SaveDraftParams) -> Result<DraftSaved, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let updated_at = app.clock.now();
    app.user.put_draft(&inklings_core::user::Draft {
        workspace: draft_key(cx, skill.head.scope),
        skill: skill.head.id,
        base_sha256: base_hash(&catalog, &skill, params.base_revision, &params.path)?,
        path: params.path,
        base_revision: params.base_revision,
        content: params.text,
        updated_at,
    })?;
    Ok(DraftSaved { updated_at })
}

/// Drafts that follow their files to other names, or to another skill. Files and drafts may be in two databases: from
/// [`begin`](Self::begin) to [`end`](Self::end) a draft is there under both names, so that a kill in between loses none.
pub(crate) struct DraftMigration<'a> {
    app: &'a App,
    moves: Vec<DraftMove>,
    copies: Vec<DraftStamp>,
}

impl<'a> DraftMigration<'a> {
    /// Before the files go.
    pub(crate) fn begin(app: &'a App, moves: Vec<DraftMove>) -> Result<Self, Failure> {
        let copies = app.user.copy_drafts(&moves)?;
        Ok(Self { app, moves, copies })
    }

    /// Once they are gone. What was typed in between stays, under whichever name it was typed.
    pub(crate) fn end(self) {
        after_write("moving drafts along with their files", self.app.user.move_drafts(&self.moves));
    }

    /// When they stay.
    pub(crate) fn undo(self) {
        if let Err(error) = self.app.user.discard_unchanged_drafts(&self.copies) {
            tracing::warn!(%error, "drafts stay under two names");
        }
    }
}

/// Where the account and the open workspace have drafts.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DraftList {
    /// Newest first.
    pub drafts: Vec<DraftMark>,
}

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<DraftList, Failure> {
    let mut drafts = app.user.draft_marks("")?;
    if cx.workspace.is_some() {
        drafts.append(&mut app.user.draft_marks(&cx.workspace_key())?);
    }
    drafts.sort_by_key(|draft| std::cmp::Reverse(draft.updated_at));
    Ok(DraftList { drafts: drafts.into_iter().map(wire_mark).collect() })
}

/// A mark as it travels.
fn wire_mark(draft: user::DraftMark) -> DraftMark {
    DraftMark { skill_id: draft.skill, scope: scope_of(&draft.workspace), path: draft.path, updated_at: draft.updated_at }
}

fn scope_of(workspace: &str) -> Scope {
    if workspace.is_empty() { Scope::Account } else { Scope::Workspace }
}

/// The drafts of a skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillDrafts {
    /// Newest first.
    pub drafts: Vec<Draft>,
}

fn get(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDrafts, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(SkillDrafts { drafts: drafts_of(app, cx, &skill)?.into_iter().map(wire_draft).collect() })
}

/// A stored draft as it travels.
pub(crate) fn wire_draft(draft: inklings_core::user::Draft) -> Draft {
    Draft {
        skill_id: draft.skill,
        scope: scope_of(&draft.workspace),
        path: draft.path,
        base_revision: draft.base_revision,
        base_sha256: draft.base_sha256,
        text: draft.content,
        updated_at: draft.updated_at,
    }
}

fn discard(app: &App, cx: &CallContext, params: FileRef) -> Result<Done, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    app.user.discard_draft(&draft_key(cx, skill.head.scope), skill.head.id, Some(&params.path))?;
    Ok(Done {})
}

operations! { App;
    SaveDraft = "draft/save", Write["draft"], blocking save(SaveDraftParams) -> DraftSaved;
    ListDrafts = "draft/list", Read, blocking list(NoParams) -> DraftList;
    GetDrafts = "draft/get", Read, blocking get(SkillRef) -> SkillDrafts;
    DiscardDraft = "draft/discard", Write["draft"], blocking discard(FileRef) -> Done;
}
