use std::sync::Arc;

use inklings_core::Diagnostic;
use inklings_rpc::{CallContext, Failure, operations};
use inklings_runtime::script::compile;

use super::api::{CheckAllParams, CheckFileParams, CheckedFile, CheckedSkills, Findings, Fixes, FixesParams, ValidateParams, Validation};
use super::folders::validate;
use super::service::{self, FixFilter};
use crate::app::App;
use crate::wire::SkillRef;

async fn file(app: Arc<App>, cx: CallContext, params: CheckFileParams) -> Result<CheckedFile, Failure> {
    let CheckFileParams { skill, scope, path, text } = params;
    let check = app.blocking(move |app| {
        let skill = app.catalog(&cx)?.require(&skill, scope)?;
        let checked = service::check_text(&skill, app.folder.as_ref(), &path, &text);
        // Compiling costs a run of the sandbox, so a text with errors isn't compiled.
        let is_compiled = service::is_script(&skill, &path) && !checked.diagnostics.iter().any(Diagnostic::is_error);
        Ok((checked, is_compiled.then_some((path, text))))
    });
    let (mut checked, script) = check.await?;
    if let Some((path, text)) = script {
        checked.diagnostics.extend(compile(app.sandbox.as_ref(), &app.prompts, &path, &text).await);
    }
    Ok(checked)
}

fn skill(app: &App, cx: &CallContext, params: SkillRef) -> Result<Findings, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let diagnostics = app.checks.of_skill(app.folder.as_ref(), cx.workspace.as_deref(), &skill);
    Ok(Findings { diagnostics: diagnostics.to_vec() })
}

fn fixes(app: &App, cx: &CallContext, params: FixesParams) -> Result<Fixes, Failure> {
    let FixesParams { skill, scope, path, text, rule, line } = params;
    let skill = app.catalog(cx)?.require(&skill, scope)?;
    Ok(service::fixes(&skill, app.folder.as_ref(), &path, text, &FixFilter { rule, line }))
}

fn all(app: &App, cx: &CallContext, params: CheckAllParams) -> Result<CheckedSkills, Failure> {
    Ok(service::check_all(&app.catalog(cx)?, &app.checks, app.folder.as_ref(), cx.workspace.as_deref(), params)?)
}

fn folders(app: &App, cx: &CallContext, params: ValidateParams) -> Result<Validation, Failure> {
    Ok(validate(&params, app.folder.as_ref(), &cx.cancel, &cx.progress)?)
}

operations! { App;
    CheckFile = "check/file", ReadSkills, async file(CheckFileParams) -> CheckedFile;
    CheckSkill = "check/skill", ReadSkills, blocking skill(SkillRef) -> Findings;
    FindFixes = "check/fixes", ReadSkills, blocking fixes(FixesParams) -> Fixes;
    /// The problems of every skill, page by page. Unchanged skills come from a cache.
    CheckAll = "check/all", ReadSkills, blocking all(CheckAllParams) -> CheckedSkills;
    /// Validates skills on the disk without storing them.
    CheckFolders = "check/folders", Local, blocking folders(ValidateParams) -> Validation;
}
