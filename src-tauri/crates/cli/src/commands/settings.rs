//! `inklings settings`

use inklings_app::features::settings::{GetSettings, SetParams, SetSetting, Settings};
use inklings_rpc::{Code, Failure, NoParams};
use serde_json::Value;

use crate::args::SettingsCommand;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: SettingsCommand, out: &Out) -> Result<(), CliError> {
    match command {
        SettingsCommand::List => out.result(&session.call::<GetSettings>(NoParams {}).await?, list),
        SettingsCommand::Get { key } => {
            let value = session.call::<GetSettings>(NoParams {}).await?.values.remove(&key);
            let unset = || {
                Failure::new(Code::NotFound, format!("setting {key} isn't changed"))
                    .hint("run `inklings settings list` to list changed settings")
            };
            out.result(&value.ok_or_else(unset)?, Value::to_string)
        }
        SettingsCommand::Set { key, value } => {
            let value = serde_json::from_str(&value).unwrap_or_else(|_| Value::from(value));
            set(session, key, value, out).await
        }
        SettingsCommand::Reset { key } => set(session, key, Value::Null, out).await,
    }
}

async fn set(session: &Session, key: String, value: Value, out: &Out) -> Result<(), CliError> {
    let done = session.call::<SetSetting>(SetParams { key: key.clone(), value: value.clone() }).await?;
    out.result(&done, |_| if value.is_null() { format!("reset {key}") } else { format!("{key} = {value}") })
}

fn list(settings: &Settings) -> String {
    if settings.values.is_empty() {
        return "all settings have their defaults".to_owned();
    }
    table(&settings.values.iter().map(|(key, value)| vec![key.clone(), value.to_string()]).collect::<Vec<_>>())
}
