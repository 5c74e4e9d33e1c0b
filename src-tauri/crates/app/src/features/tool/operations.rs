use std::sync::Arc;

use inklings_core::chat::{ChatMessage, ChatStep, MessageContent};
use inklings_core::pages::Page;
use inklings_core::{MessageId, ProposalId, Scope, Skill, SkillCatalog, StorageError};
use inklings_rpc::{CallContext, Code, Failure, Permission, Role, operations};
use inklings_runtime::exec::ScriptInput;
use inklings_runtime::{Limits, RunReport};

use super::api::{
    CreateSkillCall, DeleteSkillCall, DeletedSkill, DisableSkillCall, EditNotesCall, EditedNotes, EnableSkillCall, EnabledSkill,
    ExecuteScriptCall, ExecuteScriptResult, GetPageCall, ListSkillsCall, ListedSkills, ProposeSkillCall, ProposedSkill, ReadSkillCall,
    ReadSkillResult, RunSkillCall, RunSkillResult, SearchWorkspaceCall, UpdateSkillCall, ViewArtifactCall, ViewArtifactResult,
    WrittenSkill,
};
use super::known_skills::{KnownSkills, ensure_usable};
use super::loading::{self, LoadInstructionsCall, LoadSkillCall, LoadedInstructions, LoadedSkill, SkillReadCall, SkillReadResult};
use super::service;
use super::writing::{self, SkillWriteCall, SkillWriteResult};
use crate::app::App;
use crate::composing::compose;
use crate::features::note;
use crate::features::page::PageHits;
use crate::features::run::gates::ApprovedGates;
use crate::features::run::service::{EndedRun, NewRun};
use crate::features::skill::{DeletionPlan, delete_skill as delete_stored, enable};

const DEFAULT_HITS: usize = 10;
const MAX_HITS: usize = 50;

fn create_skill(app: &App, cx: &CallContext, call: CreateSkillCall) -> Result<WrittenSkill, Failure> {
    let editor = app.editor(cx)?;
    let skill = service::create(&editor, service::plan_create(&editor, &call)?)?;
    Ok(service::written(&editor, &skill, None))
}

fn update_skill(app: &App, cx: &CallContext, call: UpdateSkillCall) -> Result<WrittenSkill, Failure> {
    let editor = app.editor(cx)?;
    let skill = known_skills(app, cx)?.require(&editor.catalog, &call.name, call.scope)?;
    let (skill, from) = service::update(&editor, service::plan_update(&editor, skill, &call)?)?;
    Ok(service::written(&editor, &skill, Some(from)))
}

async fn propose_skill(app: Arc<App>, cx: CallContext, call: ProposeSkillCall) -> Result<ProposedSkill, Failure> {
    let composed = compose(&app, &cx, move |_, composer| composer.compose(service::draft(call.clone()))).await?;
    Ok(service::proposed(&composed.composition, &composed.checked, composed.verdict))
}

fn delete_skill(app: &App, cx: &CallContext, call: DeleteSkillCall) -> Result<DeletedSkill, Failure> {
    let editor = app.editor(cx)?;
    let skill = known_skills(app, cx)?.require(&editor.catalog, &call.name, call.scope)?;
    let plan = DeletionPlan::new(&editor.catalog, &app.other_workspaces(cx), &[&skill])?;
    delete_stored(&editor, &plan, &skill, skill.head.revision)?;
    Ok(DeletedSkill { deleted: true, change: service::tool_change(&skill, Some(skill.head.revision), None) })
}

fn list_skills(app: &App, cx: &CallContext, call: ListSkillsCall) -> Result<ListedSkills, Failure> {
    if call.include_disabled && cx.role.is_limited_to_own_skills() {
        return Err(Failure::new(Code::Forbidden, "only those who may change all skills can list disabled ones"));
    }
    if call.include_disabled {
        cx.require(Permission::UpdateSkills, "list disabled skills")?;
    }
    let skills = known_skills(app, cx)?.list(&app.catalog(cx)?, call.scope)?;
    Ok(ListedSkills { skills: service::list(skills, &call) })
}

fn read_skill(app: &App, cx: &CallContext, call: ReadSkillCall) -> Result<ReadSkillResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = known_skills(app, cx)?.require(&editor.catalog, &call.name, call.scope)?;
    let read = service::read(&editor, &skill)?;
    record_load(&editor.catalog, cx, &skill);
    Ok(read)
}

fn load_skill(app: &App, cx: &CallContext, call: LoadSkillCall) -> Result<LoadedSkill, Failure> {
    let editor = app.editor(cx)?;
    let skill = usable(app, cx, &editor.catalog, &call.name, call.scope)?;
    let loaded = loading::service::load(&editor, &skill)?;
    record_use(&editor.catalog, cx, &skill);
    Ok(loaded)
}

fn load_instructions(app: &App, cx: &CallContext, call: LoadInstructionsCall) -> Result<LoadedInstructions, Failure> {
    let editor = app.editor(cx)?;
    let skill = usable(app, cx, &editor.catalog, &call.slug, call.scope)?;
    let loaded = loading::service::instructions(&editor, &skill)?;
    record_use(&editor.catalog, cx, &skill);
    Ok(loaded)
}

/// The skill that a model asks to use.
fn usable(app: &App, cx: &CallContext, catalog: &SkillCatalog, name: &str, scope: Option<Scope>) -> Result<Skill, Failure> {
    let known = known_skills(app, cx)?;
    let skill = known.require(catalog, name, scope)?;
    if known.is_author(&skill) {
        service::ensure_runnable(&skill)?;
    } else {
        ensure_usable(catalog, &skill, user_message(app, cx)?.as_ref())?;
    }
    Ok(skill)
}

pub(crate) fn known_skills<'a>(app: &App, cx: &'a CallContext) -> Result<KnownSkills<'a>, Failure> {
    if matches!(cx.role, Role::Remote(_)) {
        return Ok(KnownSkills::Exposed { actor: &cx.actor, in_any_state: cx.role.may_change_all_skills() });
    }
    let session = cx.answer.map(|answer| app.chats.chat(answer.session)).transpose()?.flatten();
    let Some(session) = session else { return Ok(KnownSkills::All) };
    let Some(name) = session.agent else { return Ok(KnownSkills::All) };
    let assigned = match app.agents.agent(&name)? {
        Some(agent) if !agent.profile.only => return Ok(KnownSkills::All),
        Some(agent) => agent.skills,
        // It was deleted since the answer began.
        None => Vec::new(),
    };
    let mut slugs: Vec<String> = assigned.into_iter().map(|skill| skill.slug).collect();
    for ChatMessage { content, steps, .. } in app.chats.chat_messages(session.id)? {
        slugs.extend(content.skill);
        slugs.extend(steps.iter().filter_map(created_skill));
    }
    Ok(KnownSkills::Assigned(slugs))
}

/// Slug of the skill that a tool created.
fn created_skill(step: &ChatStep) -> Option<String> {
    let ChatStep::Tool { step, .. } = step else { return None };
    step.change.as_ref().filter(|change| change.from.is_none()).map(|change| change.slug.to_string())
}

/// What the user wrote to a model that calls in an answer.
fn user_message(app: &App, cx: &CallContext) -> Result<Option<MessageContent>, StorageError> {
    let Some(answer) = cx.answer else { return Ok(None) };
    let messages = app.chats.chat_messages(answer.session)?;
    let asked = messages.iter().find(|message| message.id == answer.message).and_then(|message| message.parent);
    Ok(messages.into_iter().find(|message| Some(message.id) == asked).map(|message| message.content))
}

fn skill_read(app: &App, cx: &CallContext, call: SkillReadCall) -> Result<SkillReadResult, Failure> {
    Ok(loading::service::read(&app.editor(cx)?, &known_skills(app, cx)?, &call)?)
}

fn skill_write(app: &App, cx: &CallContext, call: SkillWriteCall) -> Result<SkillWriteResult, Failure> {
    let editor = app.editor(cx)?;
    let planned = writing::service::plan(&editor, &known_skills(app, cx)?, &call)?;
    Ok(planned.make(&editor, &app.other_workspaces(cx))?)
}

/// Counts a skill as used: by the answer of a chat once, outside of chats by each call.
fn record_use(catalog: &SkillCatalog, cx: &CallContext, skill: &Skill) {
    record_load_by(catalog, cx.answer.map(|answer| answer.message), skill);
}

/// Counts a skill as used by the answer of a chat.
fn record_load(catalog: &SkillCatalog, cx: &CallContext, skill: &Skill) {
    if let Some(answer) = cx.answer {
        record_load_by(catalog, Some(answer.message), skill);
    }
}

/// Failing to do so doesn't fail the call.
fn record_load_by(catalog: &SkillCatalog, answer: Option<MessageId>, skill: &Skill) {
    let head = &skill.head;
    let recorded = catalog.holder(head.id, head.scope).and_then(|holder| holder.record_load(head.id, answer));
    if let Err(error) = recorded {
        tracing::warn!(%error, "a use could not be recorded");
    }
}

fn enable_skill(app: &App, cx: &CallContext, call: EnableSkillCall) -> Result<EnabledSkill, Failure> {
    set_enabled(app, cx, &call.name, call.scope, true)
}

fn disable_skill(app: &App, cx: &CallContext, call: DisableSkillCall) -> Result<EnabledSkill, Failure> {
    set_enabled(app, cx, &call.name, call.scope, false)
}

fn set_enabled(app: &App, cx: &CallContext, name: &str, scope: Option<Scope>, enabled: bool) -> Result<EnabledSkill, Failure> {
    let editor = app.editor(cx)?;
    let skill = known_skills(app, cx)?.require(&editor.catalog, name, scope)?;
    let summary = enable(&editor, skill, enabled)?;
    Ok(EnabledSkill { name: summary.slug.to_string(), enabled })
}

/// The skill that a model asks to run.
async fn runnable(app: &Arc<App>, cx: &CallContext, name: String, scope: Option<Scope>) -> Result<Skill, Failure> {
    let context = cx.clone();
    let find = move |app: &App| -> Result<Skill, Failure> {
        let catalog = app.catalog(&context)?;
        // In a chat, the user was asked.
        if context.answer.is_none() {
            return usable(app, &context, &catalog, &name, scope);
        }
        let skill = known_skills(app, &context)?.require(&catalog, &name, scope)?;
        service::ensure_runnable(&skill)?;
        Ok(skill)
    };
    app.blocking(find).await
}

async fn run_skill(app: Arc<App>, cx: CallContext, call: RunSkillCall) -> Result<RunSkillResult, Failure> {
    let skill = runnable(&app, &cx, call.name, call.scope).await?;
    let new = NewRun {
        run: None,
        revision: None,
        artifact: call.artifact,
        script: None,
        params: call.params,
        model: call.model,
        limits: Limits::default(),
        replay_of: None,
        // In a chat, the user was asked, with the gates in the preview.
        approved: if cx.role == Role::Assistant { ApprovedGates::BeforeRun } else { ApprovedGates::default() },
        session: cx.answer.map(|answer| answer.session),
    };
    let (report, waits) = released(app.run_skill(cx, skill.head.id.to_string(), Some(skill.head.scope), new).await?);
    let (text, value) = report.output.map_or((None, None), |output| (Some(output.text), output.value));
    Ok(RunSkillResult {
        run: report.run,
        status: report.status,
        text,
        value,
        error: report.error.map(|error| error.to_string()),
        warning: waits.or_else(|| service::warning(&skill)),
    })
}

/// What a model learns of a run, and why its output is missing. A draft is for the person who decides about it.
fn released(ended: EndedRun) -> (RunReport, Option<String>) {
    let Some(gates) = ended.undecided_gates() else {
        let why = "the output is withheld: the skill has gates, and the run failed";
        return (ended.report, ended.withheld.then(|| why.to_owned()));
    };
    (ended.without_output().report, Some(format!("the output waits for the user's approval under Runs: {gates}")))
}

async fn execute_plugin_script(app: Arc<App>, cx: CallContext, call: ExecuteScriptCall) -> Result<ExecuteScriptResult, Failure> {
    let skill = runnable(&app, &cx, call.skill, call.scope).await?;
    let (path, _) = service::script(&skill, &call.path)?;
    let input = ScriptInput { path: path.to_string(), args: call.args, stdin: call.stdin };
    let limits = Limits { seconds: call.timeout_s, ..Limits::default() };
    let new = NewRun::of_script(input, limits, cx.answer.map(|answer| answer.session));
    let (report, waits) = released(app.run_skill(cx, skill.head.id.to_string(), Some(skill.head.scope), new).await?);
    let executed = service::executed(report, &skill);
    Ok(ExecuteScriptResult { warning: waits.or(executed.warning), ..executed })
}

fn view_skill_artifact(app: &App, cx: &CallContext, call: ViewArtifactCall) -> Result<ViewArtifactResult, Failure> {
    if let (Ok(id), Some(answer)) = (call.skill.parse::<ProposalId>(), cx.answer) {
        let editor = app.editor(cx)?;
        let proposals = app.composer(&editor, cx).of_session(answer.session)?;
        if let Some(proposal) = proposals.iter().find(|one| one.id() == id) {
            return Ok(service::view_tree(&proposal.tree()?, |_| None, &call)?);
        }
    }
    let catalog = app.catalog(cx)?;
    let skill = known_skills(app, cx)?.require(&catalog, &call.skill, call.scope)?;
    let viewed = service::view(&skill, &call)?;
    record_load(&catalog, cx, &skill);
    Ok(viewed)
}

fn workspace_search(app: &App, cx: &CallContext, call: SearchWorkspaceCall) -> Result<PageHits, Failure> {
    let pages = app.workspaces.pages(cx.require_workspace()?)?;
    Ok(PageHits { hits: pages.search(&call.query, call.limit.unwrap_or(DEFAULT_HITS).min(MAX_HITS))? })
}

fn get_page(app: &App, cx: &CallContext, call: GetPageCall) -> Result<Page, Failure> {
    Ok(app.workspaces.pages(cx.require_workspace()?)?.page(&call.slug)?)
}

fn edit_system_prompt(app: &App, cx: &CallContext, call: EditNotesCall) -> Result<EditedNotes, Failure> {
    let scope = call.scope.unwrap_or(Scope::Account);
    cx.require_scope(scope)?;
    let workspace = note::key(cx.workspace.as_deref(), scope)?;
    let text = note::edit(app.agents.as_ref(), &workspace, |before| service::edited_notes(before, &call))?;
    Ok(EditedNotes { scope, text })
}

operations! { App;
    CreateSkill = "tool/create_skill", CreateSkills["skill"], blocking create_skill(CreateSkillCall) -> WrittenSkill;
    UpdateSkill = "tool/update_skill", UpdateSkills["skill", "draft"], blocking update_skill(UpdateSkillCall) -> WrittenSkill;
    ProposeSkill = "tool/propose_skill", CreateSkills["proposal"], async propose_skill(ProposeSkillCall) -> ProposedSkill;
    DeleteSkill = "tool/delete_skill", DeleteSkills["skill", "draft"], blocking delete_skill(DeleteSkillCall) -> DeletedSkill;
    ListSkills = "tool/list_skills", ReadSkills, blocking list_skills(ListSkillsCall) -> ListedSkills;
    ReadSkill = "tool/read_skill", ReadSkills, blocking read_skill(ReadSkillCall) -> ReadSkillResult;
    EnableSkill = "tool/enable_skill", UpdateSkills["skill"], blocking enable_skill(EnableSkillCall) -> EnabledSkill;
    DisableSkill = "tool/disable_skill", UpdateSkills["skill"], blocking disable_skill(DisableSkillCall) -> EnabledSkill;
    RunSkill = "tool/run_skill", RunSkills["run"], async run_skill(RunSkillCall) -> RunSkillResult;
    ExecutePluginScript = "tool/execute_plugin_script", RunSkills["run"], async execute_plugin_script(ExecuteScriptCall) -> ExecuteScriptResult;
    ViewSkillArtifact = "tool/view_skill_artifact", ReadSkills, blocking view_skill_artifact(ViewArtifactCall) -> ViewArtifactResult;
    WorkspaceSearch = "tool/workspace_search", RunSkills, blocking workspace_search(SearchWorkspaceCall) -> PageHits;
    GetPage = "tool/get_page", RunSkills, blocking get_page(GetPageCall) -> Page;
    LoadSkill = "tool/load_skill", ReadSkills, blocking load_skill(LoadSkillCall) -> LoadedSkill;
    /// `loadSkill`
    LoadInstructions = "tool/load_instructions", ReadSkills, blocking load_instructions(LoadInstructionsCall) -> LoadedInstructions;
    SkillRead = "tool/skill_read", ReadSkills, blocking skill_read(SkillReadCall) -> SkillReadResult;
    SkillWrite = "tool/skill_write", UpdateSkills["skill", "draft"], blocking skill_write(SkillWriteCall) -> SkillWriteResult;
    EditSystemPrompt = "tool/edit_system_prompt", Write["note"], blocking edit_system_prompt(EditNotesCall) -> EditedNotes;
}
