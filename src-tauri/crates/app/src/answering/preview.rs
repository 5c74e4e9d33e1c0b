//! What a tool is about to do, for the user who permits it.

use inklings_core::chat::{FileChange, ToolPreview};
use inklings_core::manifest::{GateMoment, required_gates};
use inklings_core::{Scope, Skill};
use inklings_rpc::{CallContext, Effect, Failure};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::app::App;
use crate::features::note;
use crate::features::tool::operations::known_skills;
use crate::features::tool::{
    CreateSkillCall, DeleteSkillCall, DisableSkillCall, EditNotesCall, EnableSkillCall, ExecuteScriptCall, RunSkillCall, UpdateSkillCall,
    operation, plan_write, service,
};

const PROPOSE_SKILL: &str = "propose_skill";
const SKILL_WRITE: &str = "skill_write";

/// `None` for tools that only read. Fails as the call would, as far as that is known.
pub(super) fn preview(app: &App, cx: &CallContext, tool: &str, arguments: &Value) -> Result<Option<ToolPreview>, Failure> {
    let Some(operation) = operation(tool) else {
        return Err(Failure::invalid(format!("there is no tool {tool:?}")));
    };
    // A proposal changes no skill.
    if operation.effect == Effect::Reads || tool == PROPOSE_SKILL {
        return Ok(None);
    }
    if tool == SKILL_WRITE {
        return Ok(plan_write(&app.editor(cx)?, &known_skills(app, cx)?, &parsed(tool, arguments)?)?.preview());
    }
    let find = |name: &str, scope: Option<Scope>| -> Result<Skill, Failure> {
        Ok(known_skills(app, cx)?.require(&app.catalog(cx)?, name, scope)?)
    };
    let on_skill = |name: &str, scope: Option<Scope>, verb: &str| -> Result<ToolPreview, Failure> {
        Ok(service::skill_preview(&find(name, scope)?, verb))
    };
    Ok(Some(match tool {
        "create_skill" => service::plan_create(&app.editor(cx)?, &parsed::<CreateSkillCall>(tool, arguments)?)?.preview(),
        "update_skill" => {
            let call: UpdateSkillCall = parsed(tool, arguments)?;
            service::plan_update(&app.editor(cx)?, find(&call.name, call.scope)?, &call)?.preview()
        }
        "delete_skill" => {
            let call: DeleteSkillCall = parsed(tool, arguments)?;
            on_skill(&call.name, call.scope, "Delete")?
        }
        "enable_skill" => {
            let call: EnableSkillCall = parsed(tool, arguments)?;
            on_skill(&call.name, call.scope, "Enable")?
        }
        "disable_skill" => {
            let call: DisableSkillCall = parsed(tool, arguments)?;
            on_skill(&call.name, call.scope, "Disable")?
        }
        "run_skill" => {
            let call: RunSkillCall = parsed(tool, arguments)?;
            let skill = find(&call.name, call.scope)?;
            service::ensure_runnable(&skill)?;
            let mut preview = service::skill_preview(&skill, "Run");
            preview.gates = gates_before_run(&skill);
            if !call.params.is_empty() {
                let values = serde_json::to_string_pretty(&call.params).unwrap_or_default();
                preview.files = vec![FileChange { path: "Values".to_owned(), before: None, after: Some(values) }];
            }
            preview
        }
        "execute_plugin_script" => {
            let call: ExecuteScriptCall = parsed(tool, arguments)?;
            let skill = find(&call.skill, call.scope)?;
            service::ensure_runnable(&skill)?;
            ToolPreview { gates: gates_before_run(&skill), ..service::script_preview(&skill, &call)? }
        }
        "edit_system_prompt" => {
            let call: EditNotesCall = parsed(tool, arguments)?;
            let scope = call.scope.unwrap_or(Scope::Account);
            let before = app.agents.notes(&note::key(cx.workspace.as_deref(), scope)?)?;
            let after = service::edited_notes(&before, &call)?;
            note::check(&after)?;
            service::notes_preview(scope, &before, after)
        }
        // A tool without a preview of its own is shown by its name.
        other => ToolPreview { summary: format!("Call {other}"), ..ToolPreview::default() },
    }))
}

fn gates_before_run(skill: &Skill) -> Vec<String> {
    required_gates(&skill.package.metadata, GateMoment::BeforeRun).into_iter().map(|gate| gate.label).collect()
}

fn parsed<T: DeserializeOwned>(tool: &str, arguments: &Value) -> Result<T, Failure> {
    serde_json::from_value(arguments.clone()).map_err(|error| Failure::invalid(format!("the arguments of {tool} are invalid: {error}")))
}
