//! The cases of a skill: of its manifest and of its files in `evals/`, as one list.
//!
//! Files have either of the two public shapes, an object with `evals` or a list, whose checks are `assertions` or `expectations`; a
//! file may also be a single case. [`CaseFile`] edits them in place.

mod document;
mod edit;
mod entry;
mod paste;
mod yaml;

use inklings_core::manifest::Evals;
use inklings_core::{Diagnostic, Digest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use document::Document;

pub use edit::{CaseEdit, CaseFile, EditError};
pub use paste::{PasteError, PastedCase, from_csv, from_json_lines};

/// Folder of the files with cases.
pub const FOLDER: &str = "evals/";
/// File of new cases.
pub const DEFAULT_FILE: &str = "evals/evals.json";
/// File of the manifest's cases.
pub const MANIFEST_FILE: &str = "skill.json";
/// Value of a case that SKILL.md answers.
pub const MESSAGE: &str = "message";
/// Share of the cases in the training split, in percent.
const TRAIN_PERCENT: u64 = 70;

/// The part of the cases that a case belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// For optimization.
    Train,
    /// For the decision about its result.
    Validation,
}

impl Split {
    /// Depends on nothing but the key, so that adding or removing cases moves no other case.
    #[must_use]
    pub fn of(key: &str) -> Self {
        let digest = Digest::of(key.as_bytes());
        let number = digest.bytes().iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        if number % 100 < TRAIN_PERCENT { Self::Train } else { Self::Validation }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// Identifies the case within its skill: `evals/evals.json#1`.
    pub key: String,
    /// Path in the skill.
    pub file: String,
    /// JSON pointer of its entry in the file.
    pub pointer: String,
    pub name: Option<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    pub split: Split,
    #[serde(flatten)]
    pub kind: CaseKind,
}

impl Case {
    /// What it is shown as.
    #[must_use]
    pub fn title(&self) -> &str {
        let text = match &self.kind {
            CaseKind::Trigger { query, .. } => Some(query.as_str()),
            CaseKind::Task(task) => task.message(),
        };
        self.name.as_deref().or(text).unwrap_or(&self.key)
    }

    #[must_use]
    pub fn task(&self) -> Option<&Task> {
        match &self.kind {
            CaseKind::Task(task) => Some(task),
            CaseKind::Trigger { .. } => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CaseKind {
    /// Whether a request makes the skill fire.
    Trigger { query: String, should_trigger: bool },
    /// Work whose output is graded.
    Task(Task),
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Name or path of the artifact to run. None with a message runs SKILL.md, else the skill's plan.
    #[serde(default)]
    pub artifact: Option<String>,
    /// Values by name. A prompt is the value `message`.
    #[serde(default)]
    pub input: Map<String, Value>,
    #[serde(default)]
    pub expected_output: Option<String>,
    /// What a judge looks for, in plain words.
    #[serde(default)]
    pub criteria: Vec<String>,
    /// As in `metadata.assertions` of an artifact.
    #[serde(default)]
    pub assertions: Vec<Value>,
    /// Paths of files in the skill that belong to the input.
    #[serde(default)]
    pub files: Vec<String>,
}

impl Task {
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.input.get(MESSAGE).and_then(Value::as_str)
    }

    /// Its assertions with one rubric for each criterion. Without any, the expected output is the rubric.
    #[must_use]
    pub fn checks(&self) -> Vec<Value> {
        let rubric = |text: &str| serde_json::json!({ "type": "llm-rubric", "value": text, "description": text });
        let mut checks: Vec<Value> = self.assertions.iter().cloned().chain(self.criteria.iter().map(|text| rubric(text))).collect();
        if checks.is_empty()
            && let Some(expected) = &self.expected_output
        {
            checks.push(rubric(&format!("The output is as described: {expected}")));
        }
        checks
    }
}

/// The cases of a skill, and what is wrong with its files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CaseList {
    pub cases: Vec<Case>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Whether cases are read from this file.
#[must_use]
pub fn is_case_file(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    path.starts_with(FOLDER) && matches!(extension.as_deref(), Some("json" | "yaml" | "yml"))
}

/// What is wrong with an assertion; pointers start with the given one. It is the validator's, which knows the types.
pub type AssertionCheck = fn(&Value, &str) -> Vec<Diagnostic>;

/// The cases of the manifest, then those of the files in the given order. What can't be read is reported and skipped.
#[must_use]
pub fn read<'a>(manifest: &Evals, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> CaseList {
    read_checked(manifest, files, |_, _| Vec::new())
}

/// Like [`read`], and reports what is wrong with assertions.
#[must_use]
pub fn read_checked<'a>(manifest: &Evals, files: impl IntoIterator<Item = (&'a str, &'a str)>, assertion: AssertionCheck) -> CaseList {
    let mut list = CaseList { cases: of_manifest(manifest), diagnostics: Vec::new() };
    for (path, text) in files {
        match Document::parse(path, text) {
            Ok(document) => entry::read(&document, assertion, &mut list),
            Err(finding) => list.diagnostics.push(*finding),
        }
    }
    list
}

/// What is wrong with a file of cases.
#[must_use]
pub fn check(path: &str, text: &str, assertion: AssertionCheck) -> Vec<Diagnostic> {
    read_checked(&Evals::default(), [(path, text)], assertion).diagnostics
}

fn of_manifest(manifest: &Evals) -> Vec<Case> {
    let case = |list: &str, index: usize, text: &str, kind: CaseKind| {
        let key = format!("{MANIFEST_FILE}#{list}-{}", Digest::of(text.as_bytes()).short());
        Case {
            split: Split::of(&key),
            key,
            file: MANIFEST_FILE.to_owned(),
            pointer: format!("/metadata/manifest/evals/{list}/{index}"),
            name: None,
            tags: Vec::new(),
            kind,
        }
    };
    let triggers = manifest
        .trigger_cases
        .iter()
        .enumerate()
        .map(|(index, query)| case("triggerCases", index, query, CaseKind::Trigger { query: query.clone(), should_trigger: true }));
    let scenarios = manifest.functional_scenarios.iter().enumerate().map(|(index, scenario)| {
        let criteria = if manifest.success_criteria.is_empty() {
            vec![format!("The output handles this situation well: {scenario}")]
        } else {
            manifest.success_criteria.clone()
        };
        let input = Map::from_iter([(MESSAGE.to_owned(), scenario.as_str().into())]);
        case("functionalScenarios", index, scenario, CaseKind::Task(Task { input, criteria, ..Task::default() }))
    });
    let mut cases: Vec<Case> = triggers.chain(scenarios).collect();
    let mut seen = std::collections::HashSet::new();
    cases.retain(|one| seen.insert(one.key.clone()));
    cases
}
