use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{SetNotesParams, UserNotes};
use super::service;
use crate::app::App;

fn get(app: &App, cx: &CallContext, _: NoParams) -> Result<UserNotes, Failure> {
    Ok(service::all(app.agents.as_ref(), cx.workspace.as_deref())?)
}

fn set(app: &App, cx: &CallContext, params: SetNotesParams) -> Result<UserNotes, Failure> {
    service::put(app.agents.as_ref(), &service::key(cx.workspace.as_deref(), params.scope)?, &params.text)?;
    Ok(service::all(app.agents.as_ref(), cx.workspace.as_deref())?)
}

operations! { App;
    GetNotes = "note/get", Read, blocking get(NoParams) -> UserNotes;
    SetNotes = "note/set", Write["note"], blocking set(SetNotesParams) -> UserNotes;
}
