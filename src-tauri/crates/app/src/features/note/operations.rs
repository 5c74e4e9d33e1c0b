use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{SetNotesParams, UserNotes};
use super::service;
use crate::app::App;

fn get(app: &App, cx: &CallContext, _: NoParams) -> Result<UserNotes, Failure> {
    visible_notes(app, cx)
}

fn set(app: &App, cx: &CallContext, params: SetNotesParams) -> Result<UserNotes, Failure> {
    cx.require_scope(params.scope)?;
    service::put(app.agents.as_ref(), &service::key(cx.workspace.as_deref(), params.scope)?, &params.text)?;
    visible_notes(app, cx)
}

fn visible_notes(app: &App, cx: &CallContext) -> Result<UserNotes, Failure> {
    let mut notes = service::all(app.agents.as_ref(), cx.workspace.as_deref())?;
    if cx.role.is_limited_to_workspace() {
        notes.account.clear();
    }
    Ok(notes)
}

operations! { App;
    GetNotes = "note/get", Read, blocking get(NoParams) -> UserNotes;
    SetNotes = "note/set", Write["note"], blocking set(SetNotesParams) -> UserNotes;
}
