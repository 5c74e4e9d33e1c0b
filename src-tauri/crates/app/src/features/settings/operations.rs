use inklings_core::provider::MODEL_SETTINGS;
use inklings_rpc::{CallContext, Done, Failure, NoParams, Permission, operations};

use super::api::{SetParams, Settings};
use super::service;
use crate::app::App;

fn get(app: &App, _: &CallContext, _: NoParams) -> Result<Settings, Failure> {
    Ok(Settings { values: app.user.settings()? })
}

/// Begins the keys of what somebody types in the window, such as unsent messages.
const TYPED_SETTINGS: &str = "ui.typed-";

fn set(app: &App, cx: &CallContext, params: SetParams) -> Result<Done, Failure> {
    if params.key == MODEL_SETTINGS {
        // `model/put` refuses remote callers that would send a key elsewhere.
        cx.require(Permission::Local, "write model providers as a setting")?;
    }
    let value = if params.key.starts_with(TYPED_SETTINGS) { app.redactor.now().redact_value(&params.value) } else { params.value };
    service::set(app.user.as_ref(), &params.key, &value, &cx.origin)?;
    Ok(Done {})
}

operations! { App;
    GetSettings = "settings/get", Read, blocking get(NoParams) -> Settings;
    SetSetting = "settings/set", Admin["setting"], blocking set(SetParams) -> Done;
}
