//! Inserting and deleting a table of TOML.

use std::ops::Range;

use serde_json::{Map, Value};
use toml_edit::{Document, Item, Table, TableLike, Value as Toml};

use crate::config::{ConfigError, EntryState};
use crate::entry::{SERVER_NAME, ServerEntry};
use crate::splice::{Splices, line_at, line_end, line_start, newline};

pub(crate) fn value(text: &str) -> Result<Value, ConfigError> {
    Ok(table_value(parse(text)?.as_table()))
}

pub(crate) fn state(text: &str, table: &str) -> Result<EntryState, ConfigError> {
    let document = parse(text)?;
    let Some(entry) = servers(text, &document, table)?.and_then(|servers| servers.get(SERVER_NAME)) else { return Ok(EntryState::None) };
    Ok(ours(entry).map_or(EntryState::Foreign, |(entry, ..)| EntryState::Ours(entry)))
}

pub(crate) fn merged(text: &str, table: &'static str, entry: &ServerEntry) -> Result<String, ConfigError> {
    let document = parse(text)?;
    let servers = servers(text, &document, table)?;
    match servers.and_then(|servers| servers.get(SERVER_NAME)).map(ours) {
        Some(Some((old, command, args))) => {
            let mut splices = Splices::default();
            if old.command != entry.command {
                splices.replace(command, quoted(&entry.command));
            }
            if old.args != entry.args {
                splices.replace(args, list(&entry.args));
            }
            Ok(splices.apply(text))
        }
        Some(None) => Ok(appended(&removed(text, table)?.unwrap_or_default(), table, entry)),
        None => Ok(appended(text, table, entry)),
    }
}

/// The text with a table at its end. It ends with a line break if the text did.
fn appended(text: &str, table: &str, entry: &ServerEntry) -> String {
    let newline = newline(text);
    let gap = match text {
        "" => String::new(),
        text if text.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    let end = if text.is_empty() || text.ends_with('\n') { newline } else { "" };
    let (command, args) = (quoted(&entry.command), list(&entry.args));
    format!("{text}{gap}[{table}.{SERVER_NAME}]{newline}command = {command}{newline}args = {args}{end}")
}

pub(crate) fn removed(text: &str, table: &'static str) -> Result<Option<String>, ConfigError> {
    let document = parse(text)?;
    let Some(servers) = servers(text, &document, table)? else { return Ok(None) };
    let mut blocks = Vec::new();
    match servers.get_key_value(SERVER_NAME) {
        None => return Ok(None),
        Some((_, Item::Table(entry))) => collect(text, entry, &mut blocks),
        // A pair of an inline table isn't on a line of its own.
        Some((key, Item::Value(value))) if document.get(table).is_some_and(Item::is_table) => {
            blocks.extend(key.span().zip(value.span()).map(|(key, value)| line_start(text, key.start)..line_end(text, value.end)));
        }
        Some(_) => return Err(ConfigError::Unsupported(table)),
    }
    let mut splices = Splices::default();
    let mut at_end = false;
    blocks.sort_by_key(|block| block.start);
    let at_start = blocks.first().is_some_and(|block| block.start == 0);
    for block in blocks {
        at_end = at_end || (block.end == text.len() && !text.ends_with('\n'));
        let before = &text[..block.start];
        let blank = ["\r\n\r\n", "\n\n"].iter().find(|end| before.ends_with(**end)).map_or(0, |end| end.len() / 2);
        splices.remove(block.start - blank..block.end);
    }
    let mut new = splices.apply(text);
    if at_start {
        let blank = new.len() - new.strip_prefix("\r\n").or_else(|| new.strip_prefix('\n')).unwrap_or(&new).len();
        new.drain(..blank);
    }
    if at_end {
        let kept = new.strip_suffix("\r\n").or_else(|| new.strip_suffix('\n')).unwrap_or(&new).len();
        new.truncate(kept);
    }
    Ok(Some(new))
}

/// The lines of a table and of the tables in it. Comments between its lines belong to it.
fn collect(text: &str, table: &Table, blocks: &mut Vec<Range<usize>>) {
    let lines = |range: Range<usize>| line_start(text, range.start)..line_end(text, range.end);
    let mut pairs = Vec::new();
    own_pairs(table, &mut pairs, blocks, text);
    match table.span().filter(|_| !table.is_implicit() && !table.is_dotted()) {
        Some(header) => {
            let header = lines(header);
            let end = pairs.into_iter().map(|pair| lines(pair).end).fold(header.end, usize::max);
            blocks.push(header.start..end);
        }
        None => blocks.extend(pairs.into_iter().map(lines)),
    }
}

/// The pairs below a header; tables with a header of their own become blocks.
fn own_pairs(table: &Table, pairs: &mut Vec<Range<usize>>, blocks: &mut Vec<Range<usize>>, text: &str) {
    for (key, item) in table.get_values_and_tables() {
        match item {
            Item::Table(inner) if inner.is_dotted() => own_pairs(inner, pairs, blocks, text),
            Item::Table(inner) => collect(text, inner, blocks),
            Item::ArrayOfTables(array) => array.iter().for_each(|inner| collect(text, inner, blocks)),
            Item::Value(value) => pairs.extend(key.zip(value.span()).map(|(key, value)| key.start..value.end)),
            Item::None => {}
        }
    }
}

trait Pairs {
    /// Each key's place, and its item.
    fn get_values_and_tables(&self) -> Vec<(Option<Range<usize>>, &Item)>;
}

impl Pairs for Table {
    fn get_values_and_tables(&self) -> Vec<(Option<Range<usize>>, &Item)> {
        self.iter().map(|(key, item)| (self.key(key).and_then(toml_edit::Key::span), item)).collect()
    }
}

fn parse(text: &str) -> Result<Document<&str>, ConfigError> {
    Document::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(text, span.start));
        ConfigError::Syntax { line, message: error.message().lines().next().unwrap_or("invalid TOML").to_owned() }
    })
}

fn servers<'a>(text: &str, document: &'a Document<&str>, table: &str) -> Result<Option<&'a dyn TableLike>, ConfigError> {
    let Some(item) = document.get(table) else { return Ok(None) };
    let line = item.span().map_or(1, |span| line_at(text, span.start));
    item.as_table_like().map(Some).ok_or_else(|| ConfigError::NotATable { key: table.to_owned(), line })
}

/// An entry that starts this product, and the ranges of its command and its arguments.
fn ours(item: &Item) -> Option<(ServerEntry, Range<usize>, Range<usize>)> {
    let entry = item.as_table_like()?;
    let (command, args) = (entry.get("command")?, entry.get("args")?);
    let strings = args.as_array()?.iter().map(|arg| arg.as_str().map(str::to_owned));
    let found = ServerEntry { command: command.as_str()?.to_owned(), args: strings.collect::<Option<_>>()? };
    let (command, args) = (command.span()?, args.span()?);
    (found.is_ours() && !entry.contains_key("url")).then_some((found, command, args))
}

fn quoted(text: &str) -> String {
    Toml::from(text).to_string()
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", "))
}

fn table_value(table: &dyn TableLike) -> Value {
    Value::Object(table.iter().map(|(key, item)| (key.to_owned(), item_value(item))).collect::<Map<_, _>>())
}

fn item_value(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(Toml::Array(array)) => Value::Array(array.iter().map(|one| item_value(&Item::Value(one.clone()))).collect()),
        Item::Value(Toml::InlineTable(table)) => table_value(table),
        Item::Value(Toml::String(text)) => Value::from(text.value().as_str()),
        // Numbers and dates as they are written.
        Item::Value(other) => Value::from(other.clone().decorated("", "").to_string()),
        Item::Table(table) => table_value(table),
        Item::ArrayOfTables(array) => Value::Array(array.iter().map(|one| table_value(one)).collect()),
    }
}
