//! Operations: name, rights, effect, shapes and the call itself, behind one dispatcher.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::{Code, Failure};
use crate::ops;

/// What a call does to the data that views show, by tag; a client drops what it cached under the tags of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    Reads,
    /// Changes what these tags name.
    Writes(&'static [&'static str]),
}

/// One thing that the product can do.
pub trait Operation: 'static {
    /// `family/verb`.
    const NAME: &'static str;
    /// What the caller must be allowed to do.
    const NEEDS: Permission;
    /// What it does to the data.
    const EFFECT: Effect;
    /// Parameters.
    type Params: DeserializeOwned + JsonSchema + Send + 'static;
    /// Result.
    type Output: Serialize + JsonSchema + Send + 'static;
    /// The call.
    fn call(app: Arc<App>, cx: CallContext, params: Self::Params) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// An operation that blocks (databases, files): runs on a thread for that.
pub trait Blocking: 'static {
    /// `family/verb`.
    const NAME: &'static str;
    /// What the caller must be allowed to do.
    const NEEDS: Permission;
    /// What it does to the data.
    const EFFECT: Effect;
    /// Parameters.
    type Params: DeserializeOwned + JsonSchema + Send + 'static;
    /// Result.
    type Output: Serialize + JsonSchema + Send + 'static;
    /// The call.
    fn run(app: &App, cx: &CallContext, params: Self::Params) -> Result<Self::Output, Failure>;
}

impl<T: Blocking> Operation for T {
    const NAME: &'static str = T::NAME;
    const NEEDS: Permission = T::NEEDS;
    const EFFECT: Effect = T::EFFECT;
    type Params = T::Params;
    type Output = T::Output;

    async fn call(app: Arc<App>, cx: CallContext, params: Self::Params) -> Result<Self::Output, Failure> {
        tokio::task::spawn_blocking(move || T::run(&app, &cx, params))
            .await
            .unwrap_or_else(|error| Err(Failure::new(Code::Internal, format!("{} stopped unexpectedly: {error}", T::NAME))))
    }
}

type Reply = Pin<Box<dyn Future<Output = Result<Value, Failure>> + Send>>;

/// A row of the table.
pub struct Entry {
    /// `family/verb`.
    pub name: &'static str,
    /// What the caller must be allowed to do.
    pub needs: Permission,
    /// What it does to the data.
    pub effect: Effect,
    /// Schema of the parameters.
    pub params: fn(&mut SchemaGenerator) -> Schema,
    /// Schema of the result.
    pub output: fn(&mut SchemaGenerator) -> Schema,
    invoke: fn(Arc<App>, CallContext, Value) -> Reply,
}

impl Entry {
    /// The row of an operation.
    #[must_use]
    pub const fn of<T: Operation>() -> Self {
        Self {
            name: T::NAME,
            needs: T::NEEDS,
            effect: T::EFFECT,
            params: |generator| generator.subschema_for::<T::Params>(),
            output: |generator| generator.subschema_for::<T::Output>(),
            invoke: |app, cx, params| {
                Box::pin(async move {
                    let params = serde_json::from_value(params)
                        .map_err(|error| Failure::invalid(format!("the parameters of {} don't fit: {error}", T::NAME)))?;
                    let output = T::call(app, cx, params).await?;
                    serde_json::to_value(output).map_err(|error| Failure::new(Code::Internal, format!("{}: {error}", T::NAME)))
                })
            },
        }
    }
}

/// Every operation, by family.
pub fn operations() -> impl Iterator<Item = &'static Entry> {
    [
        ops::status::TABLE,
        ops::workspace::TABLE,
        ops::skill::TABLE,
        ops::file::TABLE,
        ops::bytes::TABLE,
        ops::find::TABLE,
        ops::history::TABLE,
        ops::artifact::TABLE,
    ]
    .into_iter()
    .chain([
        ops::draft::TABLE,
        ops::prompt::TABLE,
        ops::check::TABLE,
        ops::input::TABLE,
        ops::import::TABLE,
        ops::export::TABLE,
        ops::validate::TABLE,
        ops::settings::TABLE,
    ])
    .chain([ops::run::TABLE, ops::trace::TABLE, ops::model::TABLE, ops::page::TABLE, ops::script::TABLE])
    .chain([ops::program::TABLE, ops::optimize::TABLE, ops::proposal::TABLE, ops::text::TABLE, ops::target::TABLE])
    .chain([ops::symbol::TABLE, ops::rename::TABLE])
    .chain([ops::compare::TABLE, ops::place::TABLE])
    .chain([ops::log::TABLE, ops::diagnostics::TABLE])
    .chain([ops::tree::TABLE, ops::structure::TABLE, ops::carry::TABLE])
    .chain([ops::deleted::TABLE, ops::db::TABLE])
    .chain([ops::library::TABLE, ops::bulk::TABLE, ops::describe::TABLE, ops::reference::TABLE])
    .flatten()
}

fn authorise(cx: &CallContext, name: &str, needs: Permission) -> Result<(), Failure> {
    if cx.role.may(needs) {
        return Ok(());
    }
    Err(Failure::new(Code::Forbidden, format!("{name} needs the right to {}", needs.as_str())))
}

/// Calls an operation by name: finds it, checks rights, parses, calls, logs. Every failure carries the call's id.
pub async fn dispatch(app: Arc<App>, cx: CallContext, name: &str, params: Value) -> Result<Value, Failure> {
    let run = async {
        let entry = operations()
            .find(|entry| entry.name == name)
            .ok_or_else(|| Failure::new(Code::UnknownOperation, format!("there is no operation {name:?}")))?;
        authorise(&cx, name, entry.needs)?;
        (entry.invoke)(app, cx, params).await
    };
    identified(name, run.await)
}

/// Calls an operation by type, through the same guard: for doors in Rust.
pub async fn call<T: Operation>(app: &Arc<App>, cx: CallContext, params: T::Params) -> Result<T::Output, Failure> {
    let run = async {
        authorise(&cx, T::NAME, T::NEEDS)?;
        T::call(app.clone(), cx, params).await
    };
    identified(T::NAME, run.await)
}

fn identified<T>(name: &str, result: Result<T, Failure>) -> Result<T, Failure> {
    result.map_err(|mut failure| {
        if failure.request_id.is_empty() {
            failure.request_id = uuid::Uuid::new_v4().to_string();
        }
        // What the machine did is for the log; what a person wrote, and what models said about it, isn't.
        let said = if failure.code.is_of_the_machine() { failure.message.as_str() } else { "" };
        if failure.code == Code::Internal {
            tracing::error!(operation = name, request = failure.request_id, said, "failed");
        } else {
            tracing::info!(operation = name, code = ?failure.code, request = failure.request_id, said, "refused");
        }
        failure
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_well_formed() {
        let mut seen = BTreeSet::new();
        for entry in operations() {
            assert!(seen.insert(entry.name), "{} is there twice", entry.name);
            let mut parts = entry.name.split('/');
            let plain = |part: Option<&str>| {
                part.is_some_and(|part| !part.is_empty() && part.chars().all(|ch| ch.is_ascii_lowercase() || ch == '_'))
            };
            assert!(plain(parts.next()) && plain(parts.next()) && parts.next().is_none(), "{}", entry.name);
        }
    }

    #[test]
    fn every_write_names_its_tags_and_is_not_for_viewers() {
        for entry in operations() {
            match entry.effect {
                Effect::Writes(tags) => {
                    assert!(!tags.is_empty(), "{}", entry.name);
                    assert!(!crate::Role::Viewer.may(entry.needs), "{} would let a viewer write", entry.name);
                }
                Effect::Reads => assert_eq!(entry.needs, Permission::Read, "{}", entry.name),
            }
        }
    }
}
