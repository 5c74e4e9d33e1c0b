//! `settings/*`: the person's preferences.

use std::collections::BTreeMap;

use inklings_core::SandboxLimits;
use inklings_core::trace::{Retention, TRACE_RETENTION};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::app::App;
use crate::reach::SANDBOX_LIMITS;
use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

/// Bytes of one setting's JSON.
const VALUE_BYTES: usize = 256 * 1024;

/// All settings that were ever set.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Settings {
    /// By dotted key.
    pub values: BTreeMap<String, Value>,
}

fn get(app: &App, _: &CallContext, _: NoParams) -> Result<Settings, Failure> {
    Ok(Settings { values: app.user.settings()? })
}

/// A setting.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetParams {
    /// Dotted key of lower-case words, e.g. `ui.theme`.
    pub key: String,
    /// The value; null removes it.
    pub value: Value,
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
