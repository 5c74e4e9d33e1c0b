//! One module per table family. Each knows its SQL and its rows; nothing else does.

mod access;
mod actions;
mod agents;
pub(crate) mod artifacts;
pub(crate) mod bindings;
mod chats;
pub(crate) mod checkpoints;
pub(crate) mod drafts;
mod evals;
pub(crate) mod files;
pub(crate) mod inputs;
pub(crate) mod invocations;
pub(crate) mod ledger;
pub(crate) mod library;
mod links;
mod marketplace;
pub(crate) mod proposals;
pub(crate) mod relations;
pub(crate) mod revisions;
pub(crate) mod seeds;
pub(crate) mod settings;
pub(crate) mod skill_list;
pub(crate) mod skills;
pub(crate) mod traces;
pub(crate) mod workspaces;

use std::str::FromStr;

use inklings_core::SkillPath;
use inklings_sqlite::Fault;
use rusqlite::Row;
use serde::de::DeserializeOwned;

use crate::blob::broken;

/// A column with the text form of a type.
pub(crate) fn parse<T: FromStr<Err: std::fmt::Display>>(row: &Row<'_>, column: &str) -> Result<T, Fault> {
    row.get_ref(column)?.as_str().map_err(|error| broken(&error))?.parse().map_err(|error: T::Err| broken(&error))
}

/// A nullable column with the text form of a type.
pub(crate) fn parse_optional<T: FromStr<Err: std::fmt::Display>>(row: &Row<'_>, column: &str) -> Result<Option<T>, Fault> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| text.parse().map_err(|error: T::Err| broken(&error))).transpose()
}

pub(crate) fn json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> Result<T, Fault> {
    serde_json::from_str(row.get_ref(column)?.as_str().map_err(|error| broken(&error))?).map_err(|error| broken(&error))
}

/// The case-folded path, or `None` if it equals the path, to save space.
pub(crate) fn distinct_key(path: &SkillPath) -> Option<String> {
    Some(path.folded()).filter(|key| key != path.as_str())
}

pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| broken(&error))
}
