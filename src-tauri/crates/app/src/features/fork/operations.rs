use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{ForkUpdate, OutdatedForks, UpdateForkParams};
use super::service;
use crate::app::App;

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<OutdatedForks, Failure> {
    Ok(OutdatedForks { forks: service::outdated(&app.catalog(cx)?, &app.folder, app.proposals.as_ref())? })
}

fn update(app: &App, cx: &CallContext, params: UpdateForkParams) -> Result<ForkUpdate, Failure> {
    Ok(service::update(&app.editor(cx)?, app.proposals.as_ref(), &params)?)
}

operations! { App;
    /// Copies of skills, such as edited ones of installed skills, whose original was updated since.
    ListOutdatedForks = "fork/list", Read, blocking list(NoParams) -> OutdatedForks;
    /// Merges the changes of the original into a copy by lines. Where both changed the same lines, a proposal has both, to be decided by a
    /// person; everything else is stored as a revision.
    UpdateFork = "fork/update", Write["skill", "proposal"], blocking update(UpdateForkParams) -> ForkUpdate;
}
