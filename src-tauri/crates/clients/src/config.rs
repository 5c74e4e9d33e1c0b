//! The server's entry in the text of a configuration file, whatever its format.

use serde_json::Value;

use crate::entry::{SERVER_NAME, ServerEntry};
use crate::splice::split_bom;
use crate::{Client, Format, json, toml};

/// Why a text can't be changed. Messages have no text of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error("line {line}: {key} isn't a table of values")]
    NotATable { key: String, line: usize },
    #[error("line {line}: {key} appears twice")]
    Duplicate { key: String, line: usize },
    /// The syntax is valid, but our edit of it would change other values.
    #[error("{0} is written in a way that can't be changed automatically")]
    Unsupported(&'static str),
}

/// The entry under the server's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryState {
    None,
    /// Starts this product, perhaps in another way than now.
    Ours(ServerEntry),
    /// Starts something else, or isn't understood.
    Foreign,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) table: &'static str,
    pub(crate) typed: bool,
    pub(crate) comments: bool,
}

impl Client {
    pub(crate) const fn shape(&self) -> Shape {
        Shape { table: self.table, typed: self.typed, comments: !matches!(self.format, Format::Json) }
    }
}

pub fn state(client: &Client, text: &str) -> Result<EntryState, ConfigError> {
    let (_, body) = split_bom(text);
    match client.format {
        Format::Json | Format::Jsonc => json::state(body, client.shape()),
        Format::Toml => toml::state(body, client.table),
    }
}

/// The text with the entry. An entry of ours keeps what else the user set in it; a foreign one is replaced.
pub fn merged(client: &Client, text: &str, entry: &ServerEntry) -> Result<String, ConfigError> {
    let (bom, body) = split_bom(text);
    let new = match client.format {
        Format::Json | Format::Jsonc => json::merged(body, client.shape(), entry),
        Format::Toml => toml::merged(body, client.table, entry),
    }?;
    let is_there = matches!(state(client, &new), Ok(EntryState::Ours(found)) if found == *entry);
    if !is_there || others(client, &new) != others(client, body) {
        return Err(ConfigError::Unsupported(client.table));
    }
    Ok(format!("{bom}{new}"))
}

/// The text without the entry, whoever wrote it; `None` if it has none. `original` is the text before it got one, if that is known:
/// it tells whether the table of servers was there.
pub fn removed(client: &Client, text: &str, original: Option<&str>) -> Result<Option<String>, ConfigError> {
    let (bom, body) = split_bom(text);
    let new = match client.format {
        Format::Json | Format::Jsonc => json::removed(body, client.shape(), original.map(|text| split_bom(text).1)),
        Format::Toml => toml::removed(body, client.table),
    }?;
    let Some(new) = new else { return Ok(None) };
    if state(client, &new) != Ok(EntryState::None) || others(client, &new) != others(client, body) {
        return Err(ConfigError::Unsupported(client.table));
    }
    Ok(Some(format!("{bom}{new}")))
}

/// All values but the entry, and its table if that has nothing else.
pub fn others(client: &Client, text: &str) -> Result<Value, ConfigError> {
    let (_, body) = split_bom(text);
    let mut value = match client.format {
        Format::Json | Format::Jsonc => json::value(body, client.shape())?,
        Format::Toml => toml::value(body)?,
    };
    if let Some(root) = value.as_object_mut() {
        let servers = root.get_mut(client.table).and_then(Value::as_object_mut);
        let is_empty = servers.is_some_and(|servers| {
            servers.shift_remove(SERVER_NAME);
            servers.is_empty()
        });
        if is_empty {
            root.shift_remove(client.table);
        }
    }
    Ok(value)
}

/// Whether a text says nothing, not even in comments.
pub(crate) fn is_blank(text: &str) -> bool {
    let (_, body) = split_bom(text);
    let rest: String = body.chars().filter(|letter| !letter.is_whitespace()).collect();
    rest.is_empty() || rest == "{}"
}
