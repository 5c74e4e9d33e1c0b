//! `skill/*`: the catalog and a skill as a whole.

use std::collections::{BTreeSet, HashMap, HashSet};

use inklings_core::SkillFormat as _;
use inklings_core::edit::{self, TreeEdit};
use inklings_core::name::fold;
use inklings_core::user::{self, DraftKey, DraftStamp};
use inklings_core::{
    ChangeSet, Diagnostic, Expected, Package, Scope, Skill, SkillCatalog, SkillId, SkillPath, SkillSummary, Slug, Source, StorageError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::app::App;
use crate::editing::forks_to_workspace;
use crate::ops::{after_write, draft_key, drafts_of, full, home, save, unlocked, written};
pub use crate::wire::EditResult;
use crate::wire::{SkillDetail, SkillRef, is_in_both_scopes, summary};
use inklings_rpc::{CallContext, Code, Failure, NoParams, operations};

/// Which skills a list has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListView {
    /// What is visible: the workspace's skill hides the account's of the same name.
    #[default]
    Merged,
    /// Both scopes, with override marks.
    All,
}

/// What to list.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Merged, or both scopes.
    #[serde(default)]
    pub view: ListView,
}

/// The catalog.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillList {
    /// By slug.
    pub skills: Vec<SkillSummary>,
}

fn list(app: &App, cx: &CallContext, params: ListParams) -> Result<SkillList, Failure> {
    let catalog = app.catalog(cx)?;
    let skills = match params.view {
        ListView::Merged => catalog.list_all()?,
        ListView::All => catalog.list_both()?,
    };
    Ok(SkillList { skills })
}

fn get(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    full(app, cx, &catalog, &skill)
}

/// A new skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Title; the slug is made from it.
    pub name: String,
    /// What it does and when to use it.
    #[serde(default)]
    pub description: Option<String>,
    /// Instructions in markdown.
    #[serde(default)]
    pub content: Option<String>,
    /// Where to put it; the workspace when one is open, else the account.
    #[serde(default)]
    pub scope: Option<Scope>,
}

fn create(app: &App, cx: &CallContext, params: CreateParams) -> Result<SkillDetail, Failure> {
    let catalog = app.catalog(cx)?;
    let name = params.name.trim().to_owned();
    if name.is_empty() {
        return Err(Failure::invalid("the name is empty").hint("give the skill a name"));
    }
    let description = params.description.filter(|text| !text.trim().is_empty());
    let description = description.unwrap_or_else(|| format!("What {name} does, and when to use it."));
    check_description(&description)?;
    let slug = Slug::of_name(&name);
    let mut package = Package::new(slug.clone(), name.clone(), description);
    app.folder.sync_sources_strictly(&mut package)?;
    // The body goes through the folder, so that one rule makes the description artifact out of it.
    let mut tree = package.tree();
    let body = params.content.unwrap_or_else(|| format!("\n# {name}\n\nSay step by step what to do.\n"));
    let front = package.sources.frontmatter.as_deref().unwrap_or_default();
    tree.insert(package.main_path.clone(), inklings_core::TreeFile::new(format!("{front}{body}").into_bytes()));
    let reading = app.folder.read(&tree, slug.as_str(), None).map_err(Failure::diagnostics)?;
    let scope = target_scope(cx, params.scope)?;
    let head = app.editor(cx)?.new_head(scope, Source::User);
    let skill = app.editor(cx)?.store_new(head, reading.package, "created")?;
    Ok(written(app, cx, &catalog, &skill))
}

fn check_description(description: &str) -> Result<(), Failure> {
    let (found, limit) = (description.chars().count(), inklings_core::limits::DESCRIPTION_CHARS);
    if found <= limit {
        return Ok(());
    }
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    Err(StorageError::Limit { what: "characters of the description".to_owned(), found: count(found), limit: count(limit) }.into())
}

/// The workspace when one is open, else the account, unless said.
pub(crate) fn target_scope(cx: &CallContext, scope: Option<Scope>) -> Result<Scope, Failure> {
    Ok(App::caller(cx).target_scope(scope)?)
}

/// One edit of a skill's folder. Renaming and removing are operations of their own: other files may name what goes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Change {
    /// Creates or replaces a text file.
    Write {
        /// Path.
        path: SkillPath,
        /// Content.
        text: String,
    },
    /// Sets the execute bit.
    Executable {
        /// Path.
        path: SkillPath,
        /// On or off.
        on: bool,
    },
}

impl From<Change> for TreeEdit {
    fn from(change: Change) -> Self {
        match change {
            Change::Write { path, text } => Self::Write(path, text.into_bytes().into()),
            Change::Executable { path, on } => Self::Executable(path, on),
        }
    }
}

/// Edits of a skill's folder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that the edits were made to.
    pub expected: i64,
    /// The edits, in order.
    pub changes: Vec<Change>,
    /// Why, for the history.
    #[serde(default)]
    pub why: Option<String>,
}

fn edit(app: &App, cx: &CallContext, params: EditParams) -> Result<EditResult, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    unlocked(&skill)?;
    let edits: Vec<TreeEdit> = params.changes.into_iter().map(Into::into).collect();
    let why = params.why.unwrap_or_else(|| describe(&edits));
    match save(app, cx, &catalog, &skill, (&edits, params.expected, &why)) {
        Ok(saved) => {
            after_write("discarding the drafts that it saved", discard_saved_drafts(app, cx, &skill, &edits));
            let found = checked(app, &saved.skill, &edits);
            let mut result = result(app, cx, &catalog, saved);
            result.diagnostics.extend(found.into_iter().filter(|one| !result.diagnostics.contains(one)).collect::<Vec<_>>());
            Ok(result)
        }
        Err(error) => {
            let is_conflict = matches!(error, edit::SaveError::Conflict(_));
            let failure = Failure::from(error);
            if !is_conflict {
                return Err(failure);
            }
            let kept = keep_refused(app, cx, &catalog, &skill, &edits, params.expected).unwrap_or_else(|other| {
                tracing::warn!(code = ?other.code, "a refused text can't be kept as a draft");
                false
            });
            let keep = if kept { "your text is kept as a draft" } else { "copy your text first, it isn't kept" };
            Err(failure.hint(format!("compare both and keep one, or merge them; {keep}")))
        }
    }
}

/// What the validator says of the texts that were written. They are saved all the same.
fn checked(app: &App, skill: &Skill, edits: &[TreeEdit]) -> Vec<Diagnostic> {
    let context = inklings_lint::Context { package: &skill.package, format: app.folder.as_ref() };
    let written = edits.iter().filter_map(|edit| match edit {
        TreeEdit::Write(path, bytes) => Some((path, std::str::from_utf8(bytes).ok()?)),
        _ => None,
    });
    written.flat_map(|(path, text)| inklings_lint::check_file(&context, path, text)).collect()
}

/// What was saved is no draft any more; what someone else typed into the same file stays.
fn discard_saved_drafts(app: &App, cx: &CallContext, skill: &Skill, edits: &[TreeEdit]) -> Result<(), Failure> {
    let is_saved = |draft: &user::Draft| {
        edits.iter().any(|edit| matches!(edit, TreeEdit::Write(path, bytes) if *path == draft.path && **bytes == *draft.content.as_bytes()))
    };
    let drafts = drafts_of(app, cx, skill)?.into_iter().filter(is_saved).map(|draft| DraftStamp {
        key: DraftKey { workspace: draft.workspace, skill: draft.skill, path: draft.path },
        updated_at: draft.updated_at,
    });
    Ok(app.user.discard_unchanged_drafts(&drafts.collect::<Vec<_>>())?)
}

/// A write that met another is not lost: its texts become drafts, unless there is other typing in the file already. Returns whether
/// every refused text is in a draft now.
fn keep_refused(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    edits: &[TreeEdit],
    expected: i64,
) -> Result<bool, Failure> {
    let typed = drafts_of(app, cx, skill)?;
    let mut all_kept = true;
    for edit in edits {
        let TreeEdit::Write(path, bytes) = edit else { continue };
        let Ok(text) = std::str::from_utf8(bytes) else {
            all_kept = false;
            continue;
        };
        if let Some(draft) = typed.iter().find(|draft| draft.path == *path) {
            all_kept &= draft.content == text;
            continue;
        }
        app.user.put_draft(&inklings_core::user::Draft {
            workspace: draft_key(cx, skill.head.scope),
            skill: skill.head.id,
            path: path.clone(),
            base_revision: expected,
            base_sha256: crate::ops::base_hash(catalog, skill, expected, path)?,
            content: text.to_owned(),
            updated_at: app.clock.now(),
        })?;
    }
    Ok(all_kept)
}

fn describe(edits: &[TreeEdit]) -> String {
    let one = |edit: &TreeEdit| match edit {
        TreeEdit::Write(path, _) => format!("edited {path}"),
        TreeEdit::Delete(path) => format!("deleted {path}"),
        TreeEdit::Executable(path, on) => format!("{path} {} executable", if *on { "is" } else { "is not" }),
    };
    let mut parts: Vec<String> = edits.iter().take(3).map(one).collect();
    if edits.len() > parts.len() {
        parts.push(format!("{} more", edits.len() - parts.len()));
    }
    parts.join(", ")
}

pub(crate) fn result(app: &App, cx: &CallContext, catalog: &SkillCatalog, saved: edit::Saved) -> EditResult {
    app.editor_of(cx, catalog.clone()).edit_result(saved)
}

/// Names a skill at a revision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that is meant to go; whatever is there without one.
    #[serde(default)]
    pub expected: Option<i64>,
}

/// A deleted skill: enough to undo it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Deleted {
    /// Its id.
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
    /// Its slug.
    pub slug: Slug,
    /// The revision that the deletion is.
    pub revision: i64,
}

fn delete(app: &App, cx: &CallContext, params: DeleteParams) -> Result<Deleted, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    Deletion::plan(app, cx, &catalog, vec![DeletedName::of(&skill)])?.check(&catalog, &skill)?;
    let (id, slug) = (skill.head.id, skill.package.slug.clone());
    let expected = Expected::Revision(params.expected.unwrap_or(skill.head.revision));
    let change = ChangeSet::between(Some(&skill), None, id, cx.actor.as_str(), "deleted");
    let revision = home(&catalog, &skill)?.commit(&change, expected)?;
    after_write("discarding its drafts", app.user.discard_draft(&draft_key(cx, skill.head.scope), id, None));
    Ok(Deleted { id, scope: skill.head.scope, slug, revision })
}

/// A skill that is to be deleted, as others name it.
pub(crate) struct DeletedName {
    scope: Scope,
    slug: Slug,
    /// Folded.
    title: String,
}

impl DeletedName {
    pub(crate) fn of(skill: &Skill) -> Self {
        Self { scope: skill.head.scope, slug: skill.package.slug.clone(), title: fold(&skill.package.name) }
    }
}

/// Skills that are to be deleted together: one of them may depend on another.
pub(crate) struct Deletion {
    /// Slugs of the skills that stay and depend on one that goes, by its scope and slug.
    dependents: HashMap<(Scope, Slug), BTreeSet<String>>,
}

impl Deletion {
    /// Looks for dependents, once in each database.
    pub(crate) fn plan(app: &App, cx: &CallContext, catalog: &SkillCatalog, skills: Vec<DeletedName>) -> Result<Self, Failure> {
        let (scopes, names): (Vec<_>, Vec<_>) = skills.into_iter().map(|one| (one.scope, (one.slug, one.title))).unzip();
        let mut dependents: HashMap<_, BTreeSet<_>> = HashMap::new();
        let mut note = |at: usize, slugs: &mut dyn Iterator<Item = String>| {
            dependents.entry((scopes[at], names[at].0.clone())).or_default().extend(slugs);
        };
        for scope in [Scope::Workspace, Scope::Account] {
            let Some(repository) = catalog.repository(scope) else { continue };
            let going: HashSet<&str> =
                names.iter().zip(&scopes).filter(|(_, of)| **of == scope).map(|((slug, _), _)| slug.as_str()).collect();
            for (at, slugs) in repository.dependents(&names)?.into_iter().enumerate() {
                note(at, &mut slugs.into_iter().filter(|slug| !going.contains(slug.as_str())));
            }
        }
        if scopes.contains(&Scope::Account) {
            let others = app.scopes.open_workspaces().into_iter().filter(|(path, _)| Some(path) != cx.workspace.as_ref());
            for (_, repository) in others {
                for (at, slugs) in repository.dependents(&names)?.into_iter().enumerate() {
                    if scopes[at] == Scope::Account {
                        note(at, &mut slugs.into_iter());
                    }
                }
            }
        }
        Ok(Self { dependents })
    }

    /// Refuses to delete what others that stay depend on, unless a skill of the same name remains in the other scope.
    pub(crate) fn check(&self, catalog: &SkillCatalog, skill: &Skill) -> Result<(), Failure> {
        let slug = &skill.package.slug;
        let dependents = match self.dependents.get(&(skill.head.scope, slug.clone())) {
            Some(dependents) if !dependents.is_empty() && !is_in_both_scopes(catalog, skill)? => dependents,
            _ => return Ok(()),
        };
        let names = dependents.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        Err(Failure::new(Code::HasDependents, format!("{slug} is needed by {names}"))
            .hint("remove it from their depends_on first")
            .fields(json!({ "dependents": dependents })))
    }
}

/// A deleted skill that can be brought back.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedEntry {
    /// Its id.
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// When it was deleted.
    pub deleted_at: inklings_core::Time,
    /// Who deleted it.
    pub actor: String,
}

/// Deleted skills.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedList {
    /// By scope, last deleted first.
    pub skills: Vec<DeletedEntry>,
}

fn deleted(app: &App, cx: &CallContext, _: NoParams) -> Result<DeletedList, Failure> {
    let catalog = app.catalog(cx)?;
    let mut skills = Vec::new();
    for scope in [Scope::Workspace, Scope::Account] {
        let Some(repository) = catalog.repository(scope) else { continue };
        let all = repository.list_deleted()?.into_iter();
        skills.extend(all.map(|one| DeletedEntry {
            id: one.id,
            scope,
            slug: one.slug,
            name: one.name,
            deleted_at: one.deleted_at,
            actor: one.actor,
        }));
    }
    Ok(DeletedList { skills })
}

/// Names a deleted skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreParams {
    /// Its id.
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
}

/// What history keeps of a deleted skill.
pub(crate) fn deleted_skill(catalog: &SkillCatalog, params: &RestoreParams) -> Result<inklings_core::DeletedSkill, Failure> {
    let missing = || StorageError::NotFound { what: "deleted skill", name: params.id.to_string() };
    Ok(catalog.holder(params.id, params.scope)?.deleted(params.id)?.ok_or_else(missing)?)
}

fn restore(app: &App, cx: &CallContext, params: RestoreParams) -> Result<SkillDetail, Failure> {
    let catalog = app.catalog(cx)?;
    let deleted = deleted_skill(&catalog, &params)?;
    let mut package = app.folder.read(&deleted.tree, deleted.slug.as_str(), None).map_err(Failure::diagnostics)?.package;
    for artifact in &mut package.artifacts {
        if let Some(id) = deleted.artifacts.get(&artifact.path) {
            artifact.id = *id;
        }
    }
    let title = package.name.clone();
    let mut number = 1;
    let skill = loop {
        match app.editor(cx)?.store_new(deleted.head.clone(), package.clone(), "restored") {
            // Someone has the title by now; the skill comes back under another.
            Err(StorageError::Exists { what: "title", .. }) => {
                package.name = if number == 1 { format!("{title} restored") } else { format!("{title} restored {number}") };
                number += 1;
                app.folder.sync_sources_strictly(&mut package)?;
            }
            stored => break stored?,
        }
    };
    Ok(written(app, cx, &catalog, &skill))
}

fn fork(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let catalog = app.catalog(cx)?;
    let parent = catalog.require(&params.skill, params.scope)?;
    copy(app, cx, &catalog, &parent, forks_to_workspace(App::caller(cx), &parent))
}

fn duplicate(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let catalog = app.catalog(cx)?;
    let parent = catalog.require(&params.skill, params.scope)?;
    copy(app, cx, &catalog, &parent, false)
}

/// Stores a copy.
fn copy(app: &App, cx: &CallContext, catalog: &SkillCatalog, parent: &Skill, overriding: bool) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let (copy, why) = editor.unsaved_copy(parent, overriding)?;
    let skill = editor.store_new(copy.head, copy.package, &why)?;
    Ok(written(app, cx, catalog, &skill))
}

/// Switches a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnableParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// On or off.
    pub enabled: bool,
}

fn enable(app: &App, cx: &CallContext, params: EnableParams) -> Result<SkillSummary, Failure> {
    let catalog = app.catalog(cx)?;
    let mut skill = catalog.require(&params.skill, params.scope)?;
    home(&catalog, &skill)?.set_enabled(skill.head.id, params.enabled, &cx.actor)?;
    skill.head.enabled = params.enabled;
    Ok(summary(&skill, after_write("looking for it in the other scope", is_in_both_scopes(&catalog, &skill))))
}

operations! { App;
    List = "skill/list", Read, blocking list(ListParams) -> SkillList;
    Get = "skill/get", Read, blocking get(SkillRef) -> SkillDetail;
    Create = "skill/create", Write["skill"], blocking create(CreateParams) -> SkillDetail;
    Edit = "skill/edit", Write["skill", "draft"], blocking edit(EditParams) -> EditResult;
    Delete = "skill/delete", Write["skill", "draft"], blocking delete(DeleteParams) -> Deleted;
    /// What can be restored.
    ListDeleted = "skill/deleted", Read, blocking deleted(NoParams) -> DeletedList;
    Restore = "skill/restore", Write["skill"], blocking restore(RestoreParams) -> SkillDetail;
    Fork = "skill/fork", Write["skill"], blocking fork(SkillRef) -> SkillDetail;
    Duplicate = "skill/duplicate", Write["skill"], blocking duplicate(SkillRef) -> SkillDetail;
    Enable = "skill/enable", Write["skill"], blocking enable(EnableParams) -> SkillSummary;
}
