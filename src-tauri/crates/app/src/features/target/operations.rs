use inklings_rpc::{CallContext, Failure, NoParams, operations};
use inklings_targets::targets;

use super::api::TargetList;
use super::service;
use crate::app::App;

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<TargetList, Failure> {
    let targets = targets(app.agent_dirs.as_ref(), cx.workspace.as_deref());
    Ok(service::list(&app.editor(cx)?, targets, &cx.cancel, &cx.progress)?)
}

operations! { App;
    /// Lists the folders in which other agents have skills. Changes nothing; `skill/import` imports from them.
    ListTargets = "target/list", Read, blocking list(NoParams) -> TargetList;
}
