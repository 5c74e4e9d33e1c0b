use inklings_rpc::{CallContext, Done, Failure, operations};

use super::api::{DeleteInputParams, InputList, SaveInputParams};
use super::service::Inputs;
use crate::app::App;
use crate::wire::FileRef;

fn inputs<'a>(app: &'a App, cx: &'a CallContext) -> Result<Inputs<'a>, Failure> {
    Ok(Inputs {
        catalog: app.catalog(cx)?,
        runner: &app.runner,
        user: app.user.as_ref(),
        clock: app.clock.as_ref(),
        caller: App::caller(cx),
    })
}

fn list(app: &App, cx: &CallContext, params: FileRef) -> Result<InputList, Failure> {
    Ok(inputs(app, cx)?.list(&params)?)
}

fn save(app: &App, cx: &CallContext, params: SaveInputParams) -> Result<Done, Failure> {
    let file = FileRef { skill: params.skill, scope: params.scope, path: params.path };
    inputs(app, cx)?.save(&file, &params.name, params.params)?;
    Ok(Done {})
}

fn delete(app: &App, cx: &CallContext, params: DeleteInputParams) -> Result<Done, Failure> {
    let file = FileRef { skill: params.skill, scope: params.scope, path: params.path };
    inputs(app, cx)?.delete(&file, &params.name)?;
    Ok(Done {})
}

operations! { App;
    ListInputs = "input/list", Read, blocking list(FileRef) -> InputList;
    SaveInput = "input/save", Write["input"], blocking save(SaveInputParams) -> Done;
    DeleteInput = "input/delete", Write["input"], blocking delete(DeleteInputParams) -> Done;
}
