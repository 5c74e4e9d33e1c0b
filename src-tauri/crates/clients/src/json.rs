//! Inserting and deleting a property of JSON, with or without comments.

use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp, Value as Ast};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Value, json};

use crate::config::{ConfigError, EntryState, Shape};
use crate::entry::{SERVER_NAME, ServerEntry};
use crate::splice::{Splices, line_at, line_start, newline};

/// Without a value in the text, an empty object.
pub(crate) fn value(text: &str, shape: Shape) -> Result<Value, ConfigError> {
    Ok(parse(text, shape)?.map_or_else(|| json!({}), Value::from))
}

pub(crate) fn state(text: &str, shape: Shape) -> Result<EntryState, ConfigError> {
    let root = parse(text, shape)?;
    let found = Found::of(text, root.as_ref(), shape)?;
    let Some(entry) = found.entry else { return Ok(EntryState::None) };
    Ok(ours(&entry.value).map_or(EntryState::Foreign, |(entry, ..)| EntryState::Ours(entry)))
}

pub(crate) fn merged(text: &str, shape: Shape, entry: &ServerEntry) -> Result<String, ConfigError> {
    let root = parse(text, shape)?;
    let found = Found::of(text, root.as_ref(), shape)?;
    let style = Style::of(text, found.root);
    let mut splices = Splices::default();
    let Some(root) = found.root else {
        let servers = format!("{}: {}", quoted(shape.table), style.servers(entry, shape, &style.unit));
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { style.newline };
        let before = if text.trim().is_empty() { "" } else { text };
        return Ok(format!("{before}{gap}{{{0}{1}{servers}{0}}}{0}", style.newline, style.unit));
    };
    match (found.servers, found.entry) {
        (_, Some(present)) => match ours(&present.value) {
            Some((old, command, args)) => {
                if old.command != entry.command {
                    splices.replace(command, quoted(&entry.command));
                }
                if old.args != entry.args {
                    splices.replace(args, style.list(&entry.args));
                }
            }
            None => splices.replace(range(&present.value), style.entry(entry, shape, &indent_of(text, present))),
        },
        (Some(servers), None) => {
            let indent = indent_in(text, servers, &style.unit.repeat(2));
            style.insert(
                text,
                servers,
                &format!("{}:{}{}", quoted(SERVER_NAME), style.space, style.entry(entry, shape, &indent)),
                &mut splices,
            );
        }
        (None, None) => {
            let indent = indent_in(text, root, &style.unit);
            let servers = format!("{}:{}{}", quoted(shape.table), style.space, style.servers(entry, shape, &indent));
            style.insert(text, root, &servers, &mut splices);
        }
    }
    Ok(splices.apply(text))
}

pub(crate) fn removed(text: &str, shape: Shape, original: Option<&str>) -> Result<Option<String>, ConfigError> {
    let root = parse(text, shape)?;
    let found = Found::of(text, root.as_ref(), shape)?;
    let (Some(root), Some(servers), Some(_)) = (found.root, found.servers, found.entry) else { return Ok(None) };
    let mut splices = Splices::default();
    remove(text, servers, SERVER_NAME, &mut splices);
    let new = splices.apply(text);
    let had_table = original.is_some_and(|original| parse(original, shape).is_ok_and(|value| has_table(value.as_ref(), shape)));
    if servers.properties.len() > 1 || had_table {
        return Ok(Some(new));
    }
    // A table with comments stays.
    let shown = value(&new, shape)?;
    let is_bare = shown[shape.table] == json!({}) && inner_is_blank(&new, shape)?;
    if !is_bare {
        return Ok(Some(new));
    }
    let mut splices = Splices::default();
    remove(text, root, shape.table, &mut splices);
    let new = splices.apply(text);
    match original {
        Some(original) if parse(original, shape).is_ok_and(|value| value.is_none()) => Ok(Some(without_root(&new, shape)?)),
        _ => Ok(Some(new)),
    }
}

/// The text without an empty object that is all of it, but for comments.
fn without_root(text: &str, shape: Shape) -> Result<String, ConfigError> {
    let root = parse(text, shape)?;
    let Some(Ast::Object(root)) = root.as_ref().filter(|root| root.as_object().is_some_and(|root| root.properties.is_empty())) else {
        return Ok(text.to_owned());
    };
    let after = text[root.end()..].strip_prefix("\r\n").or_else(|| text[root.end()..].strip_prefix('\n'));
    Ok(format!("{}{}", &text[..root.start()], after.unwrap_or(&text[root.end()..])))
}

fn has_table(value: Option<&Ast<'_>>, shape: Shape) -> bool {
    value.and_then(Ast::as_object).is_some_and(|root| root.properties.iter().any(|prop| prop.name.as_str() == shape.table))
}

fn inner_is_blank(text: &str, shape: Shape) -> Result<bool, ConfigError> {
    let root = parse(text, shape)?;
    let found = Found::of(text, root.as_ref(), shape)?;
    Ok(found.servers.is_some_and(|servers| text[servers.start() + 1..servers.end() - 1].trim().is_empty()))
}

fn parse(text: &str, shape: Shape) -> Result<Option<Ast<'_>>, ConfigError> {
    let options = ParseOptions {
        allow_comments: shape.comments,
        allow_trailing_commas: shape.comments,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let message = error.kind().to_string();
        let mut letters = message.chars();
        let message = letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default();
        ConfigError::Syntax { line: error.line_display(), message }
    })?;
    Ok(parsed.value)
}

/// The parts of a configuration file.
struct Found<'a> {
    root: Option<&'a Object<'a>>,
    servers: Option<&'a Object<'a>>,
    entry: Option<&'a ObjectProp<'a>>,
}

impl<'a> Found<'a> {
    fn of(text: &str, root: Option<&'a Ast<'a>>, shape: Shape) -> Result<Self, ConfigError> {
        let table = |value: &'a Ast<'a>, key: &str| {
            let line = line_at(text, value.start());
            value.as_object().ok_or_else(|| ConfigError::NotATable { key: key.to_owned(), line })
        };
        let root = root.map(|root| table(root, "the file")).transpose()?;
        let servers = root.map(|root| only(text, root, shape.table)).transpose()?.flatten();
        let servers = servers.map(|prop| table(&prop.value, shape.table)).transpose()?;
        let entry = servers.map(|servers| only(text, servers, SERVER_NAME)).transpose()?.flatten();
        Ok(Self { root, servers, entry })
    }
}

/// The property of a name. Programs disagree on which of two is meant.
fn only<'a>(text: &str, object: &'a Object<'a>, key: &str) -> Result<Option<&'a ObjectProp<'a>>, ConfigError> {
    let mut props = object.properties.iter().filter(|prop| prop.name.as_str() == key);
    let first = props.next();
    match props.next() {
        Some(second) => Err(ConfigError::Duplicate { key: key.to_owned(), line: line_at(text, second.start()) }),
        None => Ok(first),
    }
}

/// An entry that starts this product, and the ranges of its command and its arguments.
fn ours(value: &Ast<'_>) -> Option<(ServerEntry, Range<usize>, Range<usize>)> {
    let object = value.as_object()?;
    let get = |key: &str| {
        let mut props = object.properties.iter().filter(|prop| prop.name.as_str() == key);
        props.next().filter(|_| props.next().is_none()).map(|prop| &prop.value)
    };
    let is_stdio = get("type").is_none_or(|kind| kind.as_string_lit().is_some_and(|kind| kind.value == "stdio"));
    let (command, args) = (get("command")?, get("args")?);
    let strings = args.as_array()?.elements.iter().map(|arg| arg.as_string_lit().map(|arg| arg.value.to_string()));
    let entry = ServerEntry { command: command.as_string_lit()?.value.to_string(), args: strings.collect::<Option<_>>()? };
    (is_stdio && entry.is_ours()).then(|| (entry, range(command), range(args)))
}

fn range(value: &Ast<'_>) -> Range<usize> {
    value.start()..value.end()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The spaces before a property that begins a line.
fn indent_of(text: &str, prop: &ObjectProp<'_>) -> String {
    let before = &text[line_start(text, prop.start())..prop.start()];
    if before.trim().is_empty() { before.to_owned() } else { String::new() }
}

fn is_multiline(text: &str, object: &Object<'_>) -> bool {
    let inner_end = object.properties.first().map_or(object.range.end, |first| first.range.start);
    text[object.start()..inner_end].contains('\n')
}

/// Indentation of the properties of an object.
fn indent_in(text: &str, object: &Object<'_>, otherwise: &str) -> String {
    match object.properties.last() {
        Some(last) if is_multiline(text, object) => indent_of(text, last),
        Some(_) => String::new(),
        None => otherwise.to_owned(),
    }
}

/// How the text is laid out.
struct Style {
    newline: &'static str,
    /// One level of indentation.
    unit: String,
    multiline: bool,
    /// Between a key and its value.
    space: &'static str,
}

impl Style {
    fn of(text: &str, root: Option<&Object<'_>>) -> Self {
        let first = root.and_then(|root| root.properties.first());
        let multiline = first.is_none() || root.is_some_and(|root| is_multiline(text, root));
        let unit = first.map(|first| indent_of(text, first)).filter(|unit| multiline && !unit.is_empty());
        let is_compact = first.is_some_and(|first| !multiline && !text[first.name.end()..first.value.start()].contains(' '));
        Self { newline: newline(text), unit: unit.unwrap_or_else(|| "  ".to_owned()), multiline, space: if is_compact { "" } else { " " } }
    }

    fn list(&self, items: &[String]) -> String {
        format!("[{}]", items.iter().map(String::as_str).map(quoted).collect::<Vec<_>>().join(&format!(",{}", self.space)))
    }

    fn object(&self, properties: &[(&str, String)], indent: &str) -> String {
        let lines = properties.iter().map(|(key, value)| format!("{}:{}{value}", quoted(key), self.space));
        if !self.multiline {
            return format!("{{{}}}", lines.collect::<Vec<_>>().join(&format!(",{}", self.space)));
        }
        let break_in = format!("{}{indent}{}", self.newline, self.unit);
        format!("{{{break_in}{}{}{indent}}}", lines.collect::<Vec<_>>().join(&format!(",{break_in}")), self.newline)
    }

    fn entry(&self, entry: &ServerEntry, shape: Shape, indent: &str) -> String {
        let mut properties = Vec::new();
        if shape.typed {
            properties.push(("type", quoted("stdio")));
        }
        properties.extend([("command", quoted(&entry.command)), ("args", self.list(&entry.args))]);
        self.object(&properties, indent)
    }

    fn servers(&self, entry: &ServerEntry, shape: Shape, indent: &str) -> String {
        let inner = if self.multiline { format!("{indent}{}", self.unit) } else { String::new() };
        self.object(&[(SERVER_NAME, self.entry(entry, shape, &inner))], indent)
    }

    /// Adds a property after the last one.
    fn insert(&self, text: &str, object: &Object<'_>, property: &str, splices: &mut Splices) {
        let Some(last) = object.properties.last() else {
            // After the comments in it.
            let inner = &text[object.start() + 1..object.end() - 1];
            let at = object.start() + 1 + inner.trim_end().len();
            let rest = &text[at..object.end() - 1];
            if !self.multiline && !rest.contains('\n') {
                return splices.insert(at, property);
            }
            let outer = indent_of_line(text, object.start());
            let end = if rest.contains('\n') { String::new() } else { format!("{}{outer}", self.newline) };
            return splices.insert(at, format!("{0}{outer}{1}{property}{end}", self.newline, self.unit));
        };
        let comma = comma_after(text, last.end());
        let after = comma.map_or(last.end(), |comma| comma + 1);
        let end = if comma.is_some() { "," } else { "" };
        if is_multiline(text, object) {
            if comma.is_none() {
                splices.insert(last.end(), ",");
            }
            let at = end_of_line_comments(text, after);
            return splices.insert(at, format!("{}{}{property}{end}", self.newline, indent_of(text, last)));
        }
        let start = if comma.is_some() { self.space.to_owned() } else { format!(",{}", self.space) };
        splices.insert(after, format!("{start}{property}{end}"));
    }
}

fn indent_of_line(text: &str, at: usize) -> String {
    text[line_start(text, at)..].chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect()
}

/// Deletes a property, its comma and the line break before it.
fn remove(text: &str, object: &Object<'_>, key: &str, splices: &mut Splices) {
    let Some(index) = object.properties.iter().position(|prop| prop.name.as_str() == key) else { return };
    let prop = &object.properties[index];
    let before = text[..prop.start()].trim_end_matches([' ', '\t']);
    let line = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n'));
    let start = line.unwrap_or(before).len();
    let comma = comma_after(text, prop.end());
    let mut end = comma.map_or(prop.end(), |comma| comma + 1);
    let is_last = index + 1 == object.properties.len();
    if is_last && comma.is_none() {
        let previous = index.checked_sub(1).and_then(|previous| object.properties.get(previous));
        if let Some(comma) = previous.and_then(|previous| comma_after(text, previous.end())) {
            splices.remove(comma..comma + 1);
        }
    }
    if line.is_none() && !is_last {
        end += text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
    }
    if object.properties.len() == 1 && text[object.start() + 1..start].trim().is_empty() && text[end..object.end() - 1].trim().is_empty() {
        return splices.remove(object.start() + 1..object.end() - 1);
    }
    let start = if line.is_none() && !is_last { prop.start() } else { start };
    splices.remove(start..end);
}

/// The next comma, over spaces and comments.
fn comma_after(text: &str, at: usize) -> Option<usize> {
    let mut at = at;
    loop {
        let rest = text.get(at..)?;
        let token = rest.trim_start();
        at += rest.len() - token.len();
        if token.starts_with(',') {
            return Some(at);
        }
        at += comment_len(token)?;
    }
}

fn comment_len(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.strip_prefix("/*").map(|comment| comment.find("*/").map_or(text.len(), |end| end + 4))
}

/// The end of the comments that follow on the same line.
fn end_of_line_comments(text: &str, at: usize) -> usize {
    let mut end = at;
    let mut at = at;
    while let Some(rest) = text.get(at..) {
        let token = rest.trim_start_matches([' ', '\t']);
        let Some(len) = comment_len(token) else { break };
        if token[..len].contains('\n') {
            break;
        }
        at += rest.len() - token.len() + len;
        // A line comment ends before its line end, whatever that is.
        end = at - usize::from(text[..at].ends_with('\r'));
    }
    end
}
