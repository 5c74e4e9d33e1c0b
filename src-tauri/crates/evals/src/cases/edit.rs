//! Edits of a case file in place. What isn't edited keeps its bytes. Each edit is read back: one that would change anything else is
//! refused.

use std::collections::HashSet;

use inklings_folder::json_text::{input, options, without_bom};
use inklings_folder::yaml::MAX_BYTES;
use jsonc_parser::CollectOptions;
use jsonc_parser::ast::Value as Ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value, json};

use super::document::{Document, is_yaml};
use super::entry::{LISTS, Layout};
use super::yaml::edit as yaml_edit;
use super::{CaseKind, MESSAGE, PastedCase, Task};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    #[error("{path} can't be read: {message}")]
    Unreadable { path: String, message: String },
    #[error("{0} has no list of cases")]
    NoList(String),
    #[error("{path} has no case at {pointer:?}")]
    NotFound { path: String, pointer: String },
    #[error("{path} would have {bytes} bytes, more than the {max} that YAML may have")]
    TooLarge { path: String, bytes: usize, max: usize },
    /// The text is written in a way that can't be changed without changing other parts.
    #[error("{0} can't be edited in place")]
    NotEditable(String),
}

#[derive(Debug, Clone, PartialEq)]
pub enum CaseEdit {
    /// Adds entries at the end; see [`entries`](CaseFile::entries).
    Add(Vec<Map<String, Value>>),
    /// Inserts a copy with another ID after the case.
    Duplicate {
        pointer: String,
    },
    Remove {
        pointer: String,
    },
    /// Sets a key of a case, or removes it.
    Set {
        pointer: String,
        key: String,
        value: Option<Value>,
    },
}

/// A file with cases, or one that is to be created.
#[derive(Debug, Clone, Copy)]
pub struct CaseFile<'a> {
    pub path: &'a str,
    /// None if it doesn't exist.
    pub text: Option<&'a str>,
}

/// An edit of a value: the same as it is made in the text.
pub(super) enum ValueEdit<'a> {
    Insert { list: &'a str, index: usize, entries: &'a [Map<String, Value>] },
    Remove { list: &'a str, index: usize },
    Set { entry: &'a str, key: &'a str, value: Option<&'a Value> },
}

impl CaseFile<'_> {
    /// The new text; `None` if nothing is left, so that the file is to be deleted.
    pub fn edit(&self, edit: &CaseEdit) -> Result<Option<String>, EditError> {
        let Some(text) = self.text else {
            let CaseEdit::Add(entries) = edit else { return Err(EditError::NoList(self.path.to_owned())) };
            return Ok(Some(self.new_file(entries)));
        };
        let unreadable = |message| EditError::Unreadable { path: self.path.to_owned(), message };
        let document = Document::parse(self.path, text).map_err(|finding| unreadable(finding.message))?;
        let layout = Layout::of(&document.value).ok_or_else(|| EditError::NoList(self.path.to_owned()))?;
        let entries = layout.entries(&document.value);
        let position = |pointer: &str| {
            let missing = || EditError::NotFound { path: self.path.to_owned(), pointer: pointer.to_owned() };
            entries.iter().position(|(one, _)| one == pointer).ok_or_else(missing)
        };
        let list = match &layout {
            Layout::List(list) => Some(list.as_str()),
            Layout::Single => None,
        };
        let no_list = || EditError::NoList(self.path.to_owned());
        let text = match edit {
            CaseEdit::Add(new) => {
                self.made(&document, &ValueEdit::Insert { list: list.ok_or_else(no_list)?, index: entries.len(), entries: new })?
            }
            CaseEdit::Duplicate { pointer } => {
                let index = position(pointer)?;
                let mut entry = entries[index].1.as_object().cloned().ok_or_else(no_list)?;
                entry.insert("id".to_owned(), Ids::of(&entries).next());
                self.made(&document, &ValueEdit::Insert { list: list.ok_or_else(no_list)?, index: index + 1, entries: &[entry] })?
            }
            CaseEdit::Remove { pointer } => {
                let index = position(pointer)?;
                let Some(list) = list else { return Ok(None) };
                self.made(&document, &ValueEdit::Remove { list, index })?
            }
            CaseEdit::Set { pointer, key, value } => {
                position(pointer)?;
                self.made(&document, &ValueEdit::Set { entry: pointer, key, value: value.as_ref() })?
            }
        };
        Ok(Some(text))
    }

    /// Cases as entries of this file, in the shape that its other entries have.
    #[must_use]
    pub fn entries(&self, cases: &[PastedCase]) -> Vec<Map<String, Value>> {
        let document = self.text.and_then(|text| Document::parse(self.path, text).ok());
        let value = document.map_or(Value::Null, |document| document.value);
        let present = Layout::of(&value).map(|layout| layout.entries(&value)).unwrap_or_default();
        let expectations = present.iter().any(|(_, entry)| entry.get("expectations").is_some());
        let mut ids = Ids::of(&present);
        cases.iter().map(|case| new_entry(case, &mut ids, expectations)).collect()
    }

    fn new_file(&self, entries: &[Map<String, Value>]) -> String {
        if is_yaml(self.path) {
            return format!("{}:\n{}", LISTS[0], yaml_edit::block_items(entries, "  ", "\n"));
        }
        let text = serde_json::to_string_pretty(&json!({ LISTS[0]: entries })).unwrap_or_default();
        format!("{text}\n")
    }

    fn made(&self, document: &Document<'_>, edit: &ValueEdit<'_>) -> Result<String, EditError> {
        let refused = || EditError::NotEditable(self.path.to_owned());
        let mut expected = document.value.clone();
        apply(&mut expected, edit).ok_or_else(refused)?;
        let (body, bom_len) = without_bom(document.text);
        let edited = match &document.yaml {
            Some(root) => yaml_edit::apply(root, body, edit),
            None => json_edit(body, edit),
        };
        let text = format!("{}{}", &document.text[..bom_len], edited.ok_or_else(refused)?);
        if document.yaml.is_some() && text.len() > MAX_BYTES {
            return Err(EditError::TooLarge { path: self.path.to_owned(), bytes: text.len(), max: MAX_BYTES });
        }
        let read = Document::parse(self.path, &text).map_err(|_| refused())?;
        if read.value == expected { Ok(text) } else { Err(refused()) }
    }
}

fn new_entry(PastedCase { name, tags, kind }: &PastedCase, ids: &mut Ids, expectations: bool) -> Map<String, Value> {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| drop(map.insert(key.to_owned(), value));
    match kind {
        CaseKind::Trigger { query, should_trigger } => {
            put("query", query.as_str().into());
            put("should_trigger", (*should_trigger).into());
        }
        CaseKind::Task(task) => {
            put("id", ids.next());
            put_task(&mut put, task, expectations);
        }
    }
    if let Some(name) = name {
        put("name", name.as_str().into());
    }
    if !tags.is_empty() {
        put("tags", tags.clone().into());
    }
    map
}

fn put_task(put: &mut impl FnMut(&str, Value), task: &Task, expectations: bool) {
    let mut input = task.input.clone();
    match input.remove(MESSAGE) {
        Some(Value::String(message)) => put("prompt", message.into()),
        Some(other) => drop(input.insert(MESSAGE.to_owned(), other)),
        None => {}
    }
    if let Some(artifact) = &task.artifact {
        put("artifact", artifact.as_str().into());
    }
    if !input.is_empty() || task.message().is_none() {
        put("input", Value::Object(input));
    }
    if let Some(expected) = &task.expected_output {
        put("expected_output", expected.as_str().into());
    }
    if !task.files.is_empty() {
        put("files", task.files.clone().into());
    }
    let criteria = task.criteria.iter().map(|text| Value::from(text.as_str()));
    if expectations {
        put("expectations", criteria.collect());
        if !task.assertions.is_empty() {
            put("assertions", task.assertions.clone().into());
        }
    } else {
        put("assertions", criteria.chain(task.assertions.iter().cloned()).collect());
    }
}

/// New IDs of a list: one more than the highest number, or a new word among words.
enum Ids {
    Numbers { highest: u64 },
    Words { taken: HashSet<String>, next: usize },
}

impl Ids {
    fn of(entries: &[(String, &Value)]) -> Self {
        let ids: Vec<&Value> = entries.iter().filter_map(|(_, entry)| entry.get("id")).collect();
        let highest = ids.iter().filter_map(|id| id.as_u64()).max();
        if highest.is_some() || ids.is_empty() {
            return Self::Numbers { highest: highest.unwrap_or(0) };
        }
        Self::Words { taken: ids.iter().filter_map(|id| id.as_str()).map(str::to_owned).collect(), next: entries.len() + 1 }
    }

    fn next(&mut self) -> Value {
        match self {
            Self::Numbers { highest } => {
                *highest += 1;
                (*highest).into()
            }
            Self::Words { taken, next } => loop {
                let id = format!("case-{next}");
                *next += 1;
                if !taken.contains(&id) {
                    return id.into();
                }
            },
        }
    }
}

/// The edit of the value. `None` if it doesn't fit.
fn apply(root: &mut Value, edit: &ValueEdit<'_>) -> Option<()> {
    match edit {
        ValueEdit::Insert { list, index, entries } => {
            let items = root.pointer_mut(list)?.as_array_mut()?;
            items.splice(*index..*index, entries.iter().cloned().map(Value::Object));
        }
        ValueEdit::Remove { list, index } => drop(root.pointer_mut(list)?.as_array_mut()?.remove(*index)),
        ValueEdit::Set { entry, key, value } => {
            let map = root.pointer_mut(entry)?.as_object_mut()?;
            match value {
                Some(value) => drop(map.insert((*key).to_owned(), (*value).clone())),
                None => drop(map.shift_remove(*key)),
            }
        }
    }
    Some(())
}

fn json_edit(body: &str, edit: &ValueEdit<'_>) -> Option<String> {
    let root = CstRootNode::parse(body, &options()).ok()?;
    match edit {
        ValueEdit::Insert { list, index, entries } => {
            let list = array(&root, list)?;
            for (position, entry) in (*index..).zip(*entries) {
                list.insert(position, CstInputValue::Object(entry.iter().map(|(key, value)| (key.clone(), input(value))).collect()));
            }
        }
        ValueEdit::Remove { list, index } => array(&root, list)?.elements().get(*index)?.clone().remove(),
        ValueEdit::Set { entry, key, value } => {
            let object = object(&root, entry)?;
            match (object.get(key), value) {
                (Some(property), Some(value)) => property.set_value(input(value)),
                (Some(property), None) => property.remove(),
                (None, Some(value)) if !object.to_string().contains('\n') => return append_in_line(body, entry, key, value),
                (None, Some(value)) => drop(object.append(key, input(value))),
                (None, None) => {}
            }
        }
    }
    Some(root.to_string())
}

/// Adds a property to an object on one line, which stays on one line.
fn append_in_line(body: &str, entry: &str, key: &str, value: &Value) -> Option<String> {
    let parsed = jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &options()).ok()?.value?;
    let object = entry.split('/').skip(1).try_fold(&parsed, |value, part| match value {
        Ast::Array(array) => array.elements.get(part.parse::<usize>().ok()?),
        Ast::Object(object) => object.get(part).map(|property| &property.value),
        _ => None,
    });
    let object = object?.as_object()?;
    let (at, comma) = object.properties.last().map_or((object.start() + 1, ""), |last| (last.end(), ", "));
    let mut text = body.to_owned();
    text.insert_str(at, &format!("{comma}{}: {value}", Value::from(key)));
    Some(text)
}

fn array(root: &CstRootNode, list: &str) -> Option<CstArray> {
    match list.strip_prefix('/') {
        Some(key) => root.object_value()?.get(key)?.value()?.as_array(),
        None => root.array_value(),
    }
}

fn object(root: &CstRootNode, entry: &str) -> Option<CstObject> {
    let Some((list, index)) = entry.rsplit_once('/') else { return root.object_value() };
    let element: CstNode = array(root, list)?.elements().get(index.parse::<usize>().ok()?)?.clone();
    element.as_object()
}
