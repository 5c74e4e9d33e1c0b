use std::path::Path;

use inklings_folder::deploy::DeployLock;
use inklings_rpc::{CallContext, Failure, NoParams, operations};
use inklings_targets::targets;

use super::api::TargetList;
use super::deploy::deployer::Deployer;
use super::deploy::{CopyFileParams, DeployParams, DeployReport, DeployedCopy, PullParams, PullReport, RemoveCopiesParams, TargetStatus};
use super::service;
use crate::app::App;
use crate::wire::MergeVersions;

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<TargetList, Failure> {
    let targets = targets(app.agent_dirs.as_ref(), cx.workspace.as_deref());
    Ok(service::list(&app.editor(cx)?, targets, &cx.cancel, &cx.progress)?)
}

fn deployer<'a>(app: &'a App, cx: &'a CallContext) -> Result<Deployer<'a>, Failure> {
    let targets = targets(app.agent_dirs.as_ref(), cx.workspace.as_deref());
    Ok(Deployer { editor: app.editor(cx)?, links: &app.links, workspaces: app.workspaces.as_ref(), targets, lock_path: &app.deploy_lock })
}

fn status(app: &App, cx: &CallContext, _: NoParams) -> Result<TargetStatus, Failure> {
    Ok(deployer(app, cx)?.status()?)
}

fn deploy(app: &App, cx: &CallContext, params: DeployParams) -> Result<DeployReport, Failure> {
    Ok(deployer(app, cx)?.deploy(&params, &cx.cancel, &cx.progress)?)
}

fn file(app: &App, cx: &CallContext, params: CopyFileParams) -> Result<MergeVersions, Failure> {
    Ok(deployer(app, cx)?.file(&params)?)
}

fn pull(app: &App, cx: &CallContext, params: PullParams) -> Result<PullReport, Failure> {
    Ok(deployer(app, cx)?.pull(&params)?)
}

fn remove(app: &App, cx: &CallContext, params: RemoveCopiesParams) -> Result<DeployReport, Failure> {
    Ok(deployer(app, cx)?.remove(&params)?)
}

/// Writes the copies again that follow their skill, after skills changed. `workspace` is where they changed.
pub fn redeploy_watched(app: &App, workspace: Option<&Path>) -> Result<Vec<DeployedCopy>, Failure> {
    if !DeployLock::read(&app.deploy_lock)?.entries().iter().any(|entry| entry.watch) {
        return Ok(Vec::new());
    }
    let cx = CallContext::local(workspace.map(Path::to_path_buf), app.origin.clone());
    let params = DeployParams { watched: true, ..DeployParams::default() };
    Ok(deployer(app, &cx)?.deploy(&params, &cx.cancel, &cx.progress)?.copies)
}

operations! { App;
    /// Lists the folders in which other agents have skills. Changes nothing; `skill/import` imports from them.
    ListTargets = "target/list", Read, blocking list(NoParams) -> TargetList;
    /// Lists the folders of agents and the copies deployed to them, compared with the skills.
    GetTargetStatus = "target/status", Local, blocking status(NoParams) -> TargetStatus;
    /// Copies skills to the folders of agents. Copies that were edited, and what wasn't deployed from here, stay.
    DeploySkills = "target/deploy", Local["skill"], blocking deploy(DeployParams) -> DeployReport;
    /// A file of an edited copy, in three versions.
    ReadCopyFile = "target/file", Local, blocking file(CopyFileParams) -> MergeVersions;
    /// Merges the edits of a deployed copy into its skill.
    PullCopy = "target/pull", Local["skill"], blocking pull(PullParams) -> PullReport;
    /// Removes deployed copies that nobody edited.
    RemoveCopies = "target/remove", Local["skill"], blocking remove(RemoveCopiesParams) -> DeployReport;
}
