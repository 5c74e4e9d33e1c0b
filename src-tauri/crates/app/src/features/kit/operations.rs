use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{ChangeKitParams, DeleteKitParams, Kit, KitList};
use super::service;
use crate::app::App;

fn list(app: &App, _: &CallContext, _: NoParams) -> Result<KitList, Failure> {
    Ok(service::list(app.user.as_ref())?)
}

fn change(app: &App, cx: &CallContext, params: ChangeKitParams) -> Result<Kit, Failure> {
    Ok(service::change(app.user.as_ref(), &cx.origin, &app.catalog(cx)?, &params)?)
}

fn delete(app: &App, cx: &CallContext, params: DeleteKitParams) -> Result<Done, Failure> {
    service::delete(app.user.as_ref(), &cx.origin, &params.name)?;
    Ok(Done {})
}

operations! { App;
    ListKits = "kit/list", ReadSkills, blocking list(NoParams) -> KitList;
    /// Adds skills to a kit, removes them, or renames the kit. Creates it if there is none.
    ChangeKit = "kit/change", Write["setting"], blocking change(ChangeKitParams) -> Kit;
    /// The skills stay.
    DeleteKit = "kit/delete", Write["setting"], blocking delete(DeleteKitParams) -> Done;
}
