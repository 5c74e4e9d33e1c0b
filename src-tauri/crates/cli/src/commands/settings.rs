//! `inklings settings`

use inklings_app::features::settings::{GetSettings, SetParams, SetSetting, Settings};
use inklings_rpc::{Code, Failure, NoParams};
use serde_json::Value;

use crate::Ended;
use crate::args::SettingsCommand;
use crate::commands::Session;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: SettingsCommand, out: &Out) -> Result<(), Ended> {
    match command {
        SettingsCommand::List => out.result(&session.call::<GetSettings>(NoParams {}).await?, list),
        SettingsCommand::Get { key } => {
            let value = session.call::<GetSettings>(NoParams {}).await?.values.remove(&key);
            let unset = || {
                Failure::new(Code::NotFound, format!("{key} has its default value")).hint("list the others with: inklings settings list")
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

async fn set(session: &Session, key: String, value: Value, out: &Out) -> Result<(), Ended> {
    let done = session.call::<SetSetting>(SetParams { key: key.clone(), value: value.clone() }).await?;
    out.result(&done, |_| if value.is_null() { format!("{key} has its default value") } else { format!("{key} = {value}") })
}

fn list(settings: &Settings) -> String {
    if settings.values.is_empty() {
        return "every setting has its default value".to_owned();
    }
    table(&settings.values.iter().map(|(key, value)| vec![key.clone(), value.to_string()]).collect::<Vec<_>>())
}
