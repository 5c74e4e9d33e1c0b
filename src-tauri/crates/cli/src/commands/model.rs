//! `inklings model`

use std::collections::BTreeMap;

use inklings_app::features::model::{
    DefaultParams, Discover, KeyParams, ListModels, LocalServers, ModelList, ModelSetup, Offered, ProviderParams, ProviderRef, PutProvider,
    RemoveProvider, SetDefault, SetKey, TestModel, TestParams,
};
use inklings_core::ModelRef;
use inklings_core::provider::{KeySource, KeyState, MAX_KEY_BYTES, Secret, TestReport};
use inklings_rpc::{Failure, NoParams};

use crate::args::ModelCommand;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: ModelCommand, out: &Out) -> Result<(), CliError> {
    match command {
        ModelCommand::Add { name, kind, base_url, models, prices, key_env, key, no_key, timeout } => {
            let source = match (key_env, key, no_key) {
                (Some(var), ..) => Some(KeySource::Env { var }),
                (None, true, _) => Some(KeySource::Stored),
                (None, false, true) => Some(KeySource::None),
                (None, false, false) => None,
            };
            let read = if key {
                // Two more bytes for the line end.
                let typed = read_text("-".as_ref(), MAX_KEY_BYTES + 2)?;
                Some(Secret::new(typed).into_key().map_err(Failure::from)?)
            } else {
                None
            };
            let setup = session.call::<ListModels>(NoParams {}).await?;
            // Options that are omitted keep their values.
            let known = setup.providers.into_iter().find(|known| known.name == name && known.kind == kind);
            let mut all = known.as_ref().map(|known| known.prices.clone()).unwrap_or_default();
            all.extend(prices);
            let params = ProviderParams {
                name: name.clone(),
                kind,
                base_url: base_url.or_else(|| known.as_ref().and_then(|known| known.base_url.clone())),
                key: source.or_else(|| known.as_ref().map(|known| known.key.clone())),
                models: if models.is_empty() { known.as_ref().map(|known| known.models.clone()).unwrap_or_default() } else { models },
                prices: all,
                timeout_seconds: timeout.or_else(|| known.as_ref().and_then(|known| known.timeout_seconds)),
            };
            session.call::<PutProvider>(params).await?;
            if read.is_some() {
                session.call::<SetKey>(KeyParams { name: name.clone(), key: read }).await?;
            }
            let setup = session.call::<ListModels>(NoParams {}).await?;
            out.result(&setup, |setup| format!("saved {name}\n{}", list(setup, &BTreeMap::new())))
        }
        ModelCommand::Default { model } => {
            let model = choose(session, &model).await?;
            session.call::<SetDefault>(DefaultParams { model: Some(model.clone()) }).await?;
            out.result(&model, |model| format!("default model: {model}"))
        }
        ModelCommand::List { offered } => {
            let setup = session.call::<ListModels>(NoParams {}).await?;
            let (mut all, mut failures) = (BTreeMap::new(), BTreeMap::new());
            for provider in setup.providers.iter().filter(|_| offered) {
                match session.call::<Offered>(ProviderRef { name: provider.name.clone() }).await {
                    Ok(ModelList { models, failure }) => {
                        if let Some(failure) = failure {
                            out.note(&format!("{}: its models can't be listed: {}", provider.name, failure.message));
                            failures.insert(provider.name.clone(), failure);
                        }
                        all.insert(provider.name.clone(), models);
                    }
                    Err(failure) => {
                        out.note(&format!("{}: {}", provider.name, failure.message));
                        failures.insert(provider.name.clone(), failure);
                    }
                }
            }
            if out.is_json() && offered {
                return out.result(&serde_json::json!({ "setup": setup, "offered": all, "failures": failures }), |_| String::new());
            }
            out.result(&setup, |setup| list(setup, &all))
        }
        ModelCommand::Discover => out.result(&session.call::<Discover>(NoParams {}).await?, format_servers),
        ModelCommand::Test { target } => {
            let target = if let Some(target) = target {
                target
            } else {
                let default = session.call::<ListModels>(NoParams {}).await?.default;
                default.ok_or_else(|| Failure::from(inklings_core::ModelError::NotConfigured))?.to_string()
            };
            let report = session.call::<TestModel>(TestParams { target }).await?;
            let ok = report.ok;
            out.result(&report, format_test)?;
            if ok { Ok(()) } else { Err(CliError::Findings) }
        }
        ModelCommand::Remove { name } => {
            session.call::<RemoveProvider>(ProviderRef { name: name.clone() }).await?;
            out.result(&name, |name| format!("removed {name}"))
        }
    }
}

async fn choose(session: &Session, text: &str) -> Result<ModelRef, CliError> {
    if let Ok(model) = text.parse() {
        return Ok(model);
    }
    let setup = session.call::<ListModels>(NoParams {}).await?;
    let provider = setup.providers.into_iter().find(|provider| provider.name == text);
    let provider = provider.ok_or_else(|| Failure::from(inklings_core::provider::ProviderError::Unknown { name: text.to_owned() }))?;
    let configured = provider.models.into_iter().next();
    let model = if configured.is_some() {
        configured
    } else {
        let ModelList { models, failure } = session.call::<Offered>(ProviderRef { name: provider.name.clone() }).await?;
        match (models.into_iter().next(), failure) {
            (None, Some(failure)) => return Err(failure.into()),
            (model, _) => model,
        }
    };
    let model = model.ok_or_else(|| Failure::invalid(format!("provider {text} has no models")).hint("specify PROVIDER/MODEL"))?;
    Ok(ModelRef { provider: provider.name, model })
}

fn list(setup: &ModelSetup, offered: &BTreeMap<String, Vec<String>>) -> String {
    if setup.providers.is_empty() {
        return "no model providers; run `inklings model add --help`".to_owned();
    }
    let rows = setup.providers.iter().map(|provider| {
        let key = match provider.key_state {
            KeyState::None => "no key needed",
            KeyState::Environment => "key in environment",
            KeyState::Stored => "key stored",
            KeyState::Missing => "key missing",
        };
        let models = offered.get(&provider.name).unwrap_or(&provider.models);
        vec![
            provider.name.clone(),
            provider.kind.as_str().to_owned(),
            provider.address.clone().unwrap_or_default(),
            key.to_owned(),
            models.join(" "),
        ]
    });
    let default = setup.default.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string);
    format!("{}\ndefault model: {default}", table(&rows.collect::<Vec<_>>()))
}

fn format_servers(found: &LocalServers) -> String {
    if found.servers.is_empty() {
        return "no local model servers found".to_owned();
    }
    let rows = found.servers.iter().map(|server| vec![server.kind.as_str().to_owned(), server.base_url.clone(), server.models.join(" ")]);
    table(&rows.collect::<Vec<_>>())
}

fn format_test(report: &TestReport) -> String {
    let model = report.model.as_ref().map_or_else(|| "no model".to_owned(), ToString::to_string);
    match (&report.error, &report.reply) {
        (Some(error), _) => format!("{model} failed after {} ms: {error}", report.milliseconds),
        (None, reply) => format!("{model} answered in {} ms: {}", report.milliseconds, reply.as_deref().unwrap_or_default()),
    }
}
