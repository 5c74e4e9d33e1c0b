//! The entries of a file as cases.

use std::collections::HashSet;

use inklings_core::{Diagnostic, Digest};
use serde_json::{Map, Value};

use super::document::Document;
use super::{AssertionCheck, Case, CaseKind, CaseList, MESSAGE, Split, Task};

/// Keys of an object whose list has the cases.
pub(super) const LISTS: [&str; 4] = ["evals", "cases", "triggers", "queries"];
/// Keys that only a case has.
const CASE_KEYS: [&str; 3] = ["prompt", "query", "input"];

/// Where the cases of a file are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Layout {
    /// In a list, by its pointer.
    List(String),
    /// The file is a case.
    Single,
}

impl Layout {
    /// `None` if the value has no cases.
    pub(super) fn of(root: &Value) -> Option<Self> {
        match root {
            Value::Array(_) => Some(Self::List(String::new())),
            Value::Object(map) => match LISTS.iter().find(|key| map.get(**key).is_some_and(Value::is_array)) {
                Some(key) => Some(Self::List(format!("/{key}"))),
                None => CASE_KEYS.iter().any(|key| map.contains_key(*key)).then_some(Self::Single),
            },
            _ => None,
        }
    }

    /// The entries with their pointers.
    pub(super) fn entries<'v>(&self, root: &'v Value) -> Vec<(String, &'v Value)> {
        match self {
            Self::Single => vec![(String::new(), root)],
            Self::List(pointer) => {
                let items = root.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                items.iter().enumerate().map(|(index, item)| (format!("{pointer}/{index}"), item)).collect()
            }
        }
    }
}

pub(super) fn read(document: &Document<'_>, assertion: AssertionCheck, list: &mut CaseList) {
    let Some(layout) = Layout::of(&document.value) else {
        let finding = Diagnostic::warning("eval/shape", "the file has no cases")
            .hint("use a list of cases, or an object with the list \"evals\"")
            .pointer("");
        return list.diagnostics.push(document.locate(finding));
    };
    let mut keys = HashSet::new();
    for (pointer, value) in layout.entries(&document.value) {
        let mut entry = Entry { pointer: &pointer, assertion, findings: Vec::new() };
        let case = entry.case(value, document.path);
        let mut findings = entry.findings;
        if let Some(case) = case {
            if keys.insert(case.key.clone()) {
                list.cases.push(case);
            } else {
                let finding = Diagnostic::error("eval/duplicate", format!("the case {} occurs twice", case.key));
                findings.push(finding.hint("give each case its own \"id\"").pointer(pointer.clone()));
            }
        }
        list.diagnostics.extend(findings.into_iter().map(|finding| document.locate(finding)));
    }
}

/// The ID of an entry within its file: as written, else its name, else a hash of its input, so that reordering changes no ID.
pub(super) fn id_of(map: &Map<String, Value>) -> String {
    match (map.get("id"), map.get("name")) {
        (Some(Value::String(id)), _) | (None, Some(Value::String(id))) if !id.is_empty() => id.clone(),
        (Some(Value::Number(id)), _) => id.to_string(),
        _ => {
            let input: Vec<&Value> = ["prompt", "query", "input", "artifact"].iter().filter_map(|key| map.get(*key)).collect();
            Digest::of(serde_json::to_string(&input).unwrap_or_default().as_bytes()).short()
        }
    }
}

struct Entry<'a> {
    pointer: &'a str,
    assertion: AssertionCheck,
    findings: Vec<Diagnostic>,
}

impl Entry<'_> {
    fn case(&mut self, value: &Value, file: &str) -> Option<Case> {
        let Some(map) = value.as_object() else {
            self.error("", "a case must be an object".to_owned(), "use { \"prompt\": \"…\", \"assertions\": [] }");
            return None;
        };
        let key = format!("{file}#{}", id_of(map));
        let kind = if map.contains_key("should_trigger") { self.trigger(map)? } else { CaseKind::Task(self.task(map)?) };
        Some(Case {
            split: Split::of(&key),
            key,
            file: file.to_owned(),
            pointer: self.pointer.to_owned(),
            name: self.text(map, "name"),
            tags: self.texts(map, "tags"),
            kind,
        })
    }

    fn trigger(&mut self, map: &Map<String, Value>) -> Option<CaseKind> {
        let query = self.text(map, "query").or_else(|| self.text(map, "prompt")).filter(|query| !query.trim().is_empty());
        if query.is_none() {
            self.error("", "the case has no \"query\"".to_owned(), "add the request as \"query\"");
        }
        let should_trigger = map.get("should_trigger").and_then(Value::as_bool);
        if should_trigger.is_none() {
            self.error("/should_trigger", "\"should_trigger\" must be true or false".to_owned(), "use true or false");
        }
        Some(CaseKind::Trigger { query: query?, should_trigger: should_trigger? })
    }

    fn task(&mut self, map: &Map<String, Value>) -> Option<Task> {
        let mut input = match map.get("input") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(input)) => input.clone(),
            Some(Value::String(text)) => Map::from_iter([(MESSAGE.to_owned(), text.as_str().into())]),
            Some(_) => {
                self.error("/input", "\"input\" must be an object".to_owned(), "use { \"name\": value }");
                return None;
            }
        };
        if let Some(prompt) = self.text(map, "prompt").or_else(|| self.text(map, "query")) {
            input.insert(MESSAGE.to_owned(), prompt.into());
        }
        if input.is_empty() && !map.contains_key("input") {
            self.error("", "the case has no \"prompt\"".to_owned(), "add the request as \"prompt\", or values as \"input\"");
            return None;
        }
        let mut task = Task {
            artifact: self.text(map, "artifact"),
            input,
            expected_output: self.text(map, "expected_output").filter(|text| !text.trim().is_empty()),
            files: self.texts(map, "files"),
            ..Task::default()
        };
        for key in ["assertions", "expectations"] {
            self.checks(map, key, &mut task);
        }
        if task.checks().is_empty() {
            let finding = Diagnostic::warning("eval/unchecked", "nothing of the output is checked");
            self.findings.push(finding.hint("add \"assertions\" or \"expected_output\"").pointer(self.pointer));
        }
        Some(task)
    }

    fn checks(&mut self, map: &Map<String, Value>, key: &str, task: &mut Task) {
        let items = match map.get(key) {
            None | Some(Value::Null) => return,
            Some(Value::Array(items)) => items,
            Some(_) => return self.error(&format!("/{key}"), format!("\"{key}\" must be a list"), "use [ … ]"),
        };
        for (index, item) in items.iter().enumerate() {
            match item {
                Value::String(text) if !text.trim().is_empty() => task.criteria.push(text.clone()),
                Value::Object(_) => {
                    self.findings.extend((self.assertion)(item, &format!("{}/{key}/{index}", self.pointer)));
                    task.assertions.push(item.clone());
                }
                _ => {
                    let message = "an assertion must be a sentence or an object".to_owned();
                    self.error(&format!("/{key}/{index}"), message, "use \"…\" or { \"type\": \"contains\", \"value\": \"…\" }");
                }
            }
        }
    }

    fn text(&mut self, map: &Map<String, Value>, key: &str) -> Option<String> {
        match map.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) => {
                self.error(&format!("/{key}"), format!("\"{key}\" must be a string"), "put it in quotes");
                None
            }
        }
    }

    fn texts(&mut self, map: &Map<String, Value>, key: &str) -> Vec<String> {
        let list = match map.get(key) {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::Array(items)) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>(),
            Some(_) => None,
        };
        list.unwrap_or_else(|| {
            self.error(&format!("/{key}"), format!("\"{key}\" must be a list of strings"), "use [\"…\"]");
            Vec::new()
        })
    }

    fn error(&mut self, at: &str, message: String, hint: &str) {
        self.findings.push(Diagnostic::error("eval/entry", message).hint(hint).pointer(format!("{}{at}", self.pointer)));
    }
}
