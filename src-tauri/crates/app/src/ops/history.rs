//! `skill/history`, `skill/revision`, `skill/rollback`: the past of a skill.

use inklings_core::{Digest, RevisionInfo, Scope, SkillPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry};
use crate::ops::skill::{EditResult, result};
use crate::ops::{edits, home, save, unlocked};
use crate::wire::SkillRef;

/// A skill's history.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct History {
    /// Newest first.
    pub revisions: Vec<RevisionInfo>,
}

/// `skill/history`
pub struct ListRevisions;

impl Blocking for ListRevisions {
    const NAME: &'static str = "skill/history";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = SkillRef;
    type Output = History;

    fn run(app: &App, cx: &CallContext, params: SkillRef) -> Result<History, Failure> {
        let catalog = app.catalog(cx)?;
        let skill = catalog.require(&params.skill, params.scope)?;
        Ok(History { revisions: home(&catalog, &skill)?.revisions(skill.head.id)? })
    }
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

/// A file's content at a revision.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RevisionFile {
    /// The text; null for binary content or a file that wasn't there.
    pub text: Option<String>,
    /// Content hash; null if it wasn't there.
    pub sha256: Option<Digest>,
}

/// `skill/revision`
pub struct ReadRevision;

impl Blocking for ReadRevision {
    const NAME: &'static str = "skill/revision";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = RevisionParams;
    type Output = RevisionFile;

    fn run(app: &App, cx: &CallContext, params: RevisionParams) -> Result<RevisionFile, Failure> {
        let catalog = app.catalog(cx)?;
        let skill = catalog.require(&params.skill, params.scope)?;
        let entry = home(&catalog, &skill)?.revision_file(skill.head.id, params.number, &params.path)?;
        let text = entry.as_ref().and_then(|entry| entry.text()).filter(|text| !text.contains('\0')).map(str::to_owned);
        Ok(RevisionFile { text, sha256: entry.map(|entry| entry.digest()) })
    }
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

/// `skill/rollback`
pub struct Rollback;

impl Blocking for Rollback {
    const NAME: &'static str = "skill/rollback";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["skill"]);
    type Params = RollbackParams;
    type Output = EditResult;

    /// Going back is itself a new revision; nothing is lost.
    fn run(app: &App, cx: &CallContext, params: RollbackParams) -> Result<EditResult, Failure> {
        let catalog = app.catalog(cx)?;
        let skill = catalog.require(&params.skill, params.scope)?;
        unlocked(&skill)?;
        let repository = home(&catalog, &skill)?;
        let wanted = repository.revision_tree(skill.head.id, params.number)?;
        let edits = edits(&skill.package.tree(), &wanted);
        let expected = params.expected.unwrap_or(skill.head.revision);
        let why = format!("rolled back to revision {}", params.number);
        let saved = save(app, cx, &catalog, &skill, (&edits, expected, &why))?;
        result(app, cx, &catalog, saved)
    }
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<ListRevisions>(), Entry::of::<ReadRevision>(), Entry::of::<Rollback>()];
