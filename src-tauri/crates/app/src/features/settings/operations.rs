//! `settings/*`: the person's preferences.

use inklings_core::SandboxLimits;
use inklings_core::trace::{Retention, TRACE_RETENTION};
use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};
use serde_json::{Value, json};

use super::api::{SetParams, Settings};
use crate::app::App;
use crate::features::run::resources::SANDBOX_LIMITS;

/// Bytes of one setting's JSON.
const VALUE_BYTES: usize = 256 * 1024;

fn get(app: &App, _: &CallContext, _: NoParams) -> Result<Settings, Failure> {
    Ok(Settings { values: app.user.settings()? })
}

fn set(app: &App, cx: &CallContext, params: SetParams) -> Result<Done, Failure> {
    let plain = |ch: char| ch.is_ascii_lowercase() || ch.is_ascii_digit() || matches!(ch, '.' | '_' | '-');
    if params.key.is_empty() || params.key.len() > 120 || !params.key.chars().all(plain) {
        return Err(Failure::invalid(format!("{:?} is no setting", params.key)).hint("keys are dotted lower-case words, e.g. ui.theme"));
    }
    if params.value.to_string().len() > VALUE_BYTES {
        return Err(Failure::invalid(format!("the value of {} is larger than {VALUE_BYTES} bytes", params.key)));
    }
    check_value(&params.key, &params.value)?;
    app.user.put_setting(&params.key, &params.value, &cx.origin)?;
    Ok(Done {})
}

/// Refuses a value that couldn't be used: where it is read, it would silently count as the default.
fn check_value(key: &str, value: &Value) -> Result<(), Failure> {
    let read = match key {
        _ if value.is_null() => return Ok(()),
        SANDBOX_LIMITS => serde_json::from_value::<SandboxLimits>(value.clone()).map(drop),
        TRACE_RETENTION => serde_json::from_value::<Retention>(value.clone()).map(drop),
        _ => return Ok(()),
    };
    read.map_err(|error| {
        let default = if key == SANDBOX_LIMITS { json!(SandboxLimits::default()) } else { json!(Retention::default()) };
        Failure::invalid(format!("{key} can't have this value: {error}")).hint(format!("its default is {default}"))
    })
}

operations! { App;
    GetSettings = "settings/get", Read, blocking get(NoParams) -> Settings;
    SetSetting = "settings/set", Admin["setting"], blocking set(SetParams) -> Done;
}
