use inklings_rpc::{CallContext, Failure, NoParams, operations};
use inklings_targets::targets;

use super::api::TargetList;
use super::service;
use crate::app::App;

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<TargetList, Failure> {
    let targets = targets(app.places.as_ref(), cx.workspace.as_deref());
    let on_progress = |done, total| cx.watch.tell(done, Some(total));
    Ok(service::list(&app.editor(cx)?, targets, cx.watch.cancel(), &on_progress)?)
}

operations! { App;
    /// Looks into the folders where other agents keep skills, and changes nothing. `skill/import` takes what is wanted.
    ListTargets = "target/list", Read, blocking list(NoParams) -> TargetList;
}
