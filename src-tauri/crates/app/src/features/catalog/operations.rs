use inklings_rpc::{CallContext, Code, Failure, operations};

use super::api::{
    CreateRecordParams, DependencyGraph, ExportSharedParams, ListRecordsParams, LoadSharedParams, MaintainParams, Maintenance, PackParams,
    PackedSkill, SkillHealth, SkillRecordDetail, SkillRecords, SkillTree, UpdateRecordParams,
};
use super::{health, service, shared_folder, tree};
use crate::app::App;
use crate::features::skill::{ExportReport, ImportReport, export, import};
use crate::wire::SkillRef;

fn list(app: &App, cx: &CallContext, mut params: ListRecordsParams) -> Result<SkillRecords, Failure> {
    if !cx.role.may_change_all_skills() {
        if params.enabled == Some(false) {
            return Err(Failure::new(Code::Forbidden, "only those who may change all skills can list disabled ones"));
        }
        params.enabled = Some(true);
    }
    Ok(service::list(&app.catalog(cx)?, &app.lists, cx.workspace.as_deref(), &params)?)
}

fn get(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillRecordDetail, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(service::detail(&editor, &skill)?)
}

fn create(app: &App, cx: &CallContext, params: CreateRecordParams) -> Result<SkillRecordDetail, Failure> {
    let editor = app.editor(cx)?;
    let skill = service::create(&editor, params)?;
    Ok(service::detail(&editor, &skill)?)
}

fn update(app: &App, cx: &CallContext, params: UpdateRecordParams) -> Result<SkillRecordDetail, Failure> {
    let editor = app.editor(cx)?;
    let skill = service::update(&editor, params)?;
    Ok(service::detail(&editor, &skill)?)
}

fn list_files(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillTree, Failure> {
    Ok(tree::tree(&app.catalog(cx)?.require(&params.skill, params.scope)?))
}

fn dependencies(app: &App, cx: &CallContext, params: SkillRef) -> Result<DependencyGraph, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    Ok(service::graph(&catalog, skill)?)
}

fn check_health(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillHealth, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(health::health(&editor, &skill)?)
}

fn maintain(app: &App, cx: &CallContext, params: MaintainParams) -> Result<Maintenance, Failure> {
    Ok(health::maintain(&app.editor(cx)?, params.dry_run)?)
}

fn pack(app: &App, cx: &CallContext, params: PackParams) -> Result<PackedSkill, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(service::packed(&skill, params.format)?)
}

fn load_shared(app: &App, cx: &CallContext, params: LoadSharedParams) -> Result<ImportReport, Failure> {
    let import_params = shared_folder::import_params(cx.require_workspace()?, &params)?;
    Ok(import::import(&app.editor(cx)?, &import_params, &cx.cancel, &cx.progress)?)
}

fn export_shared(app: &App, cx: &CallContext, params: ExportSharedParams) -> Result<ExportReport, Failure> {
    let catalog = app.catalog(cx)?;
    let export_params = shared_folder::export_params(&catalog, cx.require_workspace()?, params)?;
    let references = app.references_if_available(cx, "references can't be counted");
    Ok(export::export(&catalog, &app.folder, references.as_deref(), &export_params, &cx.cancel, &cx.progress)?)
}

operations! { App;
    ListRecords = "catalog/list", ReadSkills, blocking list(ListRecordsParams) -> SkillRecords;
    GetRecord = "catalog/get", ReadSkills, blocking get(SkillRef) -> SkillRecordDetail;
    CreateRecord = "catalog/create", CreateSkills["skill"], blocking create(CreateRecordParams) -> SkillRecordDetail;
    UpdateRecord = "catalog/update", UpdateSkills["skill", "draft"], blocking update(UpdateRecordParams) -> SkillRecordDetail;
    ListFiles = "catalog/tree", ReadSkills, blocking list_files(SkillRef) -> SkillTree;
    GetDependencies = "catalog/dependencies", ReadSkills, blocking dependencies(SkillRef) -> DependencyGraph;
    CheckHealth = "catalog/health", ReadSkills, blocking check_health(SkillRef) -> SkillHealth;
    /// Degrades, deprecates and reinstates skills that a model wrote, by their health.
    Maintain = "catalog/maintain", Write["skill"], blocking maintain(MaintainParams) -> Maintenance;
    /// A skill as one file.
    PackSkill = "catalog/pack", Read, blocking pack(PackParams) -> PackedSkill;
    /// Imports the skills in `.cortex/skills` of the workspace.
    LoadShared = "catalog/load_shared", CreateSkills["skill"], blocking load_shared(LoadSharedParams) -> ImportReport;
    /// Exports skills as folders into `.cortex/skills` of the workspace.
    ExportShared = "catalog/export_shared", Write["export"], blocking export_shared(ExportSharedParams) -> ExportReport;
}
