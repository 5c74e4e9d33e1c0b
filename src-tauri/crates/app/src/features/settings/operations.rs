use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{SetParams, Settings};
use super::service;
use crate::app::App;

fn get(app: &App, _: &CallContext, _: NoParams) -> Result<Settings, Failure> {
    Ok(Settings { values: app.user.settings()? })
}

fn set(app: &App, cx: &CallContext, params: SetParams) -> Result<Done, Failure> {
    service::set(app.user.as_ref(), &params.key, &params.value, &cx.origin)?;
    Ok(Done {})
}

operations! { App;
    GetSettings = "settings/get", Read, blocking get(NoParams) -> Settings;
    SetSetting = "settings/set", Admin["setting"], blocking set(SetParams) -> Done;
}
