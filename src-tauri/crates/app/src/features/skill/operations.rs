use inklings_core::change::RevisionFilter;
use inklings_core::edit::TreeEdit;
use inklings_core::{LifecycleAction, Scope, SkillSummary};
use inklings_rpc::{CallContext, Failure, NoParams, Permission, operations};

use super::{
    ArchiveParams, Base64Error, CreateParams, DeleteParams, DeletedContent, DeletedFileParams, DeletedList, Deletion, DeletionPlan,
    DeprecateParams, DescribeParams, EditParams, EnableParams, ExportParams, ExportReport, History, HistoryParams, ImportParams,
    ImportReport, ListParams, ListView, MergeParams, MergePreview, MergedSkill, MoveSkillParams, MovedSkill, PromoteParams, RelatedSkills,
    RestoreFilesParams, RestoreParams, RevertParams, RevisionParams, RollbackParams, SkillList, SkillLocations, TokenCost, TokenParams,
    TreePage, TreeParams,
};
use super::{catalog, deletion, duplication, editing, export, history, import, lifecycle, locations, merging, relations, values};
use crate::app::App;
use crate::editing::ensure_revision;
use crate::features::link::LinkFailure;
use crate::wire::{EditResult, RevisionFile, SkillDetail, SkillRef};

fn list(app: &App, cx: &CallContext, params: ListParams) -> Result<SkillList, Failure> {
    let catalog = app.catalog(cx)?;
    let skills = match params.view {
        ListView::Merged => catalog.list_all()?,
        ListView::All => catalog.list_both()?,
    };
    Ok(SkillList { skills })
}

fn tree(app: &App, cx: &CallContext, params: TreeParams) -> Result<TreePage, Failure> {
    Ok(catalog::service::tree(&app.catalog(cx)?, params)?)
}

fn get(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(editor.skill_detail(&skill)?)
}

fn tokens(app: &App, cx: &CallContext, params: TokenParams) -> Result<TokenCost, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(catalog::tokens::token_cost(&skill, params.edits, &app.folder))
}

fn create(app: &App, cx: &CallContext, params: CreateParams) -> Result<SkillDetail, Failure> {
    Ok(editing::service::create(&app.editor(cx)?, &params.name, params.description, params.content, params.scope)?)
}

fn edit(app: &App, cx: &CallContext, params: EditParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let edits: Result<Vec<TreeEdit>, Base64Error> = params.changes.into_iter().map(TryInto::try_into).collect();
    let edits = edits.map_err(|error| Failure::invalid(error.to_string()))?;
    Ok(editing::service::edit(&editor, &skill, &edits, params.expected, params.why)?)
}

fn enable(app: &App, cx: &CallContext, params: EnableParams) -> Result<SkillSummary, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(editing::service::enable(&editor, skill, params.enabled)?)
}

fn promote(app: &App, cx: &CallContext, params: PromoteParams) -> Result<SkillSummary, Failure> {
    let skill = SkillRef { skill: params.skill, scope: params.scope };
    with_lifecycle(app, cx, skill, params.expected, LifecycleAction::Promote, None)
}

fn deprecate(app: &App, cx: &CallContext, params: DeprecateParams) -> Result<SkillSummary, Failure> {
    let skill = SkillRef { skill: params.skill, scope: params.scope };
    with_lifecycle(app, cx, skill, params.expected, LifecycleAction::Deprecate, Some(&params.reason))
}

fn archive(app: &App, cx: &CallContext, params: ArchiveParams) -> Result<SkillSummary, Failure> {
    let skill = SkillRef { skill: params.skill, scope: params.scope };
    with_lifecycle(app, cx, skill, None, LifecycleAction::Archive, params.reason.as_deref())
}

fn reinstate(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillSummary, Failure> {
    with_lifecycle(app, cx, params, None, LifecycleAction::Reinstate, None)
}

fn with_lifecycle(
    app: &App,
    cx: &CallContext,
    named: SkillRef,
    expected: Option<i64>,
    action: LifecycleAction,
    reason: Option<&str>,
) -> Result<SkillSummary, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&named.skill, named.scope)?;
    let skill = lifecycle::service::change_revision(&editor, skill, expected, action, reason)?;
    Ok(lifecycle::service::changed_summary(&editor, &skill))
}

fn dependencies(app: &App, cx: &CallContext, params: SkillRef) -> Result<RelatedSkills, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    Ok(relations::service::dependencies_of(&catalog, skill)?)
}

fn dependents(app: &App, cx: &CallContext, params: SkillRef) -> Result<RelatedSkills, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    Ok(relations::service::dependents_of(&catalog, skill)?)
}

fn preview_merge(app: &App, cx: &CallContext, params: MergeParams) -> Result<MergePreview, Failure> {
    let editor = app.editor(cx)?;
    Ok(merging::service::plan(&editor, params.names())?.preview(&editor.catalog)?)
}

fn merge(app: &App, cx: &CallContext, params: MergeParams) -> Result<MergedSkill, Failure> {
    let editor = app.editor(cx)?;
    let planned = merging::service::plan(&editor, params.names())?;
    ensure_revision(&planned.target, params.expected)?;
    Ok(merging::service::merge(&editor, planned)?.result(&editor))
}

fn describe(app: &App, cx: &CallContext, params: DescribeParams) -> Result<EditResult, Failure> {
    let values = params.values.normalized()?;
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(values::service::describe(&editor, &skill, &values, params.expected)?)
}

fn revisions(app: &App, cx: &CallContext, params: HistoryParams) -> Result<History, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let repository = catalog.holder(skill.head.id, skill.head.scope)?;
    let filter = RevisionFilter { before: params.before, path: params.path };
    Ok(history::service::list(repository.as_ref(), &skill, &filter, params.limit)?)
}

fn revision(app: &App, cx: &CallContext, params: RevisionParams) -> Result<RevisionFile, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let repository = catalog.holder(skill.head.id, skill.head.scope)?;
    Ok(history::service::read(repository.as_ref(), &skill, params.number, &params.path)?)
}

fn rollback(app: &App, cx: &CallContext, params: RollbackParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let saved = history::service::roll_back(&editor, &skill, params.number, params.expected)?;
    Ok(editor.edit_result(saved))
}

fn restore_files(app: &App, cx: &CallContext, params: RestoreFilesParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let saved = history::service::restore_files(&editor, &skill, &params.paths, params.number, params.expected)?;
    Ok(editor.edit_result(saved))
}

fn revert(app: &App, cx: &CallContext, params: RevertParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let saved = history::service::revert(&editor, &skill, params.from, params.to)?;
    Ok(editor.edit_result(saved))
}

fn fork(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let parent = editor.catalog.require(&params.skill, params.scope)?;
    Ok(duplication::service::fork(&editor, &parent)?)
}

fn duplicate(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let parent = editor.catalog.require(&params.skill, params.scope)?;
    Ok(duplication::service::duplicate(&editor, &parent)?)
}

fn move_skill(app: &App, cx: &CallContext, params: MoveSkillParams) -> Result<MovedSkill, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    if !params.keep {
        editor.caller.ensure_may_change(&skill)?;
    }
    let linked = app.workspaces.linked_scope(cx.workspace.as_deref().filter(|_| skill.head.scope == Scope::Workspace))?;
    // What was changed in its folder moves, too.
    app.links.sync(&linked, skill.head.id).map_err(LinkFailure::from)?;
    let skill = editor.catalog.require(&skill.head.id.to_string(), Some(skill.head.scope))?;
    let references = app.references_if_available(cx, "references can't follow a moved skill");
    Ok(duplication::service::move_skill(&editor, references.as_deref(), &app.links, &linked, &skill, params.to, params.keep)?)
}

fn delete(app: &App, cx: &CallContext, params: DeleteParams) -> Result<Deletion, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let plan = DeletionPlan::new(&editor.catalog, &app.other_workspaces(cx), &[&skill])?;
    Ok(deletion::service::delete(&editor, &plan, &skill, params.expected.unwrap_or(skill.head.revision))?)
}

fn deleted(app: &App, cx: &CallContext, _: NoParams) -> Result<DeletedList, Failure> {
    Ok(deletion::service::list_deleted(&app.catalog(cx)?)?)
}

fn deleted_files(app: &App, cx: &CallContext, params: RestoreParams) -> Result<DeletedContent, Failure> {
    Ok(deletion::service::deleted_files(&app.catalog(cx)?, &app.folder, params.id, params.scope)?)
}

fn deleted_file(app: &App, cx: &CallContext, params: DeletedFileParams) -> Result<RevisionFile, Failure> {
    Ok(deletion::service::deleted_file(&app.catalog(cx)?, params.id, params.scope, &params.path)?)
}

fn restore(app: &App, cx: &CallContext, params: RestoreParams) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let skill = deletion::service::restore(&editor, params.id, params.scope)?;
    Ok(editor.written_detail(&skill))
}

fn find_locations(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillLocations, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let key = App::caller(cx).draft_key(skill.head.scope);
    let link = app.links.store().active_link(&key, skill.head.id)?;
    let linked = link.as_ref().map(|link| link.folder.as_path());
    Ok(locations::service::locations(&catalog, app.agent_folders(cx), &app.agent_copies, &skill, linked)?)
}

fn import_skills(app: &App, cx: &CallContext, params: ImportParams) -> Result<ImportReport, Failure> {
    if !(params.paths.is_empty() && params.repositories.is_empty()) {
        cx.require(Permission::Local, "import by path")?;
    }
    let editor = app.editor(cx)?;
    Ok(import::service::import(&editor, &params, &cx.cancel, &cx.progress)?)
}

fn export_skills(app: &App, cx: &CallContext, params: ExportParams) -> Result<ExportReport, Failure> {
    let catalog = app.catalog(cx)?;
    let references = app.references_if_available(cx, "references can't be counted");
    Ok(export::service::export(&catalog, &app.folder, references.as_deref(), &params, &cx.cancel, &cx.progress)?)
}

operations! { App;
    List = "skill/list", ReadSkills, blocking list(ListParams) -> SkillList;
    /// A page of the skill tree, or the given rows of it.
    Tree = "skill/tree", ReadSkills, blocking tree(TreeParams) -> TreePage;
    Get = "skill/get", ReadSkills, blocking get(SkillRef) -> SkillDetail;
    Tokens = "skill/tokens", ReadSkills, blocking tokens(TokenParams) -> TokenCost;
    Create = "skill/create", CreateSkills["skill"], blocking create(CreateParams) -> SkillDetail;
    Edit = "skill/edit", UpdateSkills["skill", "draft"], blocking edit(EditParams) -> EditResult;
    Enable = "skill/enable", UpdateSkills["skill"], blocking enable(EnableParams) -> SkillSummary;
    Promote = "skill/promote", UpdateSkills["skill"], blocking promote(PromoteParams) -> SkillSummary;
    Deprecate = "skill/deprecate", UpdateSkills["skill"], blocking deprecate(DeprecateParams) -> SkillSummary;
    Archive = "skill/archive", UpdateSkills["skill"], blocking archive(ArchiveParams) -> SkillSummary;
    /// Of a degraded, deprecated or archived skill.
    Reinstate = "skill/reinstate", UpdateSkills["skill"], blocking reinstate(SkillRef) -> SkillSummary;
    ListDependencies = "skill/dependencies", ReadSkills, blocking dependencies(SkillRef) -> RelatedSkills;
    ListDependents = "skill/dependents", ReadSkills, blocking dependents(SkillRef) -> RelatedSkills;
    PreviewMerge = "skill/merge_preview", ReadSkills, blocking preview_merge(MergeParams) -> MergePreview;
    Merge = "skill/merge", UpdateSkills["skill", "draft"], blocking merge(MergeParams) -> MergedSkill;
    Describe = "skill/describe", UpdateSkills["skill"], blocking describe(DescribeParams) -> EditResult;
    ListRevisions = "skill/history", ReadSkills, blocking revisions(HistoryParams) -> History;
    ReadRevision = "skill/revision", ReadSkills, blocking revision(RevisionParams) -> RevisionFile;
    Rollback = "skill/rollback", UpdateSkills["skill"], blocking rollback(RollbackParams) -> EditResult;
    RestoreFiles = "skill/restore_files", UpdateSkills["skill"], blocking restore_files(RestoreFilesParams) -> EditResult;
    /// Unlike a rollback, this keeps later changes to other files.
    Revert = "skill/revert", UpdateSkills["skill"], blocking revert(RevertParams) -> EditResult;
    Fork = "skill/fork", CreateSkills["skill"], blocking fork(SkillRef) -> SkillDetail;
    Duplicate = "skill/duplicate", CreateSkills["skill"], blocking duplicate(SkillRef) -> SkillDetail;
    MoveSkill = "skill/move", UpdateSkills["skill", "draft"], blocking move_skill(MoveSkillParams) -> MovedSkill;
    Delete = "skill/delete", DeleteSkills["skill", "draft"], blocking delete(DeleteParams) -> Deletion;
    /// The deleted skills that can be restored.
    ListDeleted = "skill/deleted", Read, blocking deleted(NoParams) -> DeletedList;
    ReadDeleted = "skill/deleted_files", Read, blocking deleted_files(RestoreParams) -> DeletedContent;
    ReadDeletedFile = "skill/deleted_file", Read, blocking deleted_file(DeletedFileParams) -> RevisionFile;
    Restore = "skill/restore", Write["skill"], blocking restore(RestoreParams) -> SkillDetail;
    FindLocations = "skill/locations", Read, blocking find_locations(SkillRef) -> SkillLocations;
    Import = "skill/import", CreateSkills["skill"], blocking import_skills(ImportParams) -> ImportReport;
    Export = "skill/export", Local["export"], blocking export_skills(ExportParams) -> ExportReport;
}
