//! The one map from errors to failures.
//!
//! A code exists only if a client acts on it. Messages and hints begin in lower case and name neither commands nor parts of the window: a
//! step that front ends describe differently is a [`NextStep`].

use inklings_core::binding::TargetError;
use inklings_core::edit::{Conflict, SaveError};
use inklings_core::pages::PagesError;
use inklings_core::provider::ProviderError;
use inklings_core::{ArtifactKind, Diagnostic, ModelError, ProgramError, ScriptError, SkillPath, StorageError, TreeFile};
use inklings_folder::package::PackError;
use inklings_folder::{DeclareError, DiskError};
use inklings_runtime::SkillError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::next_step::NextStep;

/// The error of a call, for every front end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub code: Code,
    /// What happened, to what.
    pub message: String,
    /// The next step, in words that fit any front end.
    pub hint: Option<String>,
    /// Set if front ends describe the step in their own words instead of `hint`.
    #[serde(rename = "nextStep", default, skip_serializing_if = "Option::is_none")]
    pub next_step: Option<NextStep>,
    /// Details that depend on the code, such as `diagnostics`.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub fields: Option<Value>,
    /// ID of the call, as in the log.
    #[serde(rename = "requestId")]
    pub request_id: String,
}

/// Codes of [`Failure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Code {
    NotFound,
    /// Invalid parameters or content. `fields.diagnostics` has the problems.
    Invalid,
    /// The skill is locked. It can be duplicated and edited as a copy.
    Locked,
    /// The file was changed by someone else. `fields` has `base`, `theirs` and `ours`.
    RevisionConflict,
    Limit,
    /// The name is in use.
    Exists,
    /// Other skills depend on it. `fields.dependents` names them.
    HasDependents,
    /// The file or folder isn't writable.
    ReadOnly,
    /// The database was written by a newer version of the app.
    NewerDatabase,
    /// The database is damaged, or was written by another program.
    Corrupt,
    /// Another program uses it. Retryable.
    Busy,
    /// A file to change has unsaved text. `fields.path` names it. It must be saved or discarded first.
    UnsavedDraft,
    /// The caller lacks the permission.
    Forbidden,
    UnknownOperation,
    /// No model is set up, or its API key is missing or refused.
    NoModel,
    /// The model failed. Retryable, also with another model.
    Model,
    /// The workspace isn't trusted, so nothing in it may run.
    NotTrusted,
    /// A person must approve it first. `fields.gates` has the gates.
    ApprovalRequired,
    /// A hard assertion failed.
    Assertion,
    Script,
    Program,
    Cancelled,
    /// A required part of the app isn't installed or can't run.
    NotInstalled,
    /// The file system reported an error.
    Io,
    /// A bug.
    Internal,
}

impl Code {
    /// Whether the cause is the machine or the app, so that the message has no text of a user and may be logged.
    #[must_use]
    pub const fn is_of_the_machine(self) -> bool {
        matches!(self, Self::ReadOnly | Self::NewerDatabase | Self::Corrupt | Self::Busy | Self::NotInstalled | Self::Io | Self::Internal)
    }
}

impl Failure {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, next_step: None, fields: None, request_id: String::new() }
    }

    /// Replaces the hint and the next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self.next_step = None;
        self
    }

    /// Sets a step that front ends describe in their own words.
    #[must_use]
    pub fn next_step(mut self, step: NextStep) -> Self {
        self.hint = Some(step.hint().to_owned());
        self.next_step = Some(step);
        self
    }

    #[must_use]
    pub fn fields(mut self, fields: Value) -> Self {
        self.fields = Some(fields);
        self
    }

    /// The message and the hint in one text, for models.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}. {hint}", self.message),
            None => self.message.clone(),
        }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::Invalid, message)
    }

    #[must_use]
    pub fn diagnostics(findings: Vec<Diagnostic>) -> Self {
        StorageError::Invalid(findings).into()
    }

    #[must_use]
    pub fn locked(slug: &str) -> Self {
        Self::new(Code::Locked, format!("the skill {slug} is locked")).hint("duplicate it and edit the copy")
    }

    /// `then` is what to do once the unsaved text of the file is saved or discarded.
    #[must_use]
    pub fn unsaved_draft(slug: &str, path: &SkillPath, then: &str) -> Self {
        Self::new(Code::UnsavedDraft, format!("{path} of {slug} has unsaved changes"))
            .hint(format!("save or discard them, then {then}"))
            .fields(json!({ "path": path }))
    }

    /// A write that conflicts with another one and isn't stored. A caller that keeps the refused texts sets another hint.
    #[must_use]
    pub fn conflict(conflict: &Conflict) -> Self {
        let text = |entry: &Option<TreeFile>| entry.as_ref().and_then(|entry| entry.text().map(str::to_owned));
        Self::new(Code::RevisionConflict, format!("{} was changed elsewhere since you opened it", conflict.path))
            .hint("check the current text, then make your change again")
            .fields(json!({
                "path": conflict.path,
                "revision": conflict.revision,
                "base": text(&conflict.base),
                "theirs": text(&conflict.theirs),
                "ours": text(&conflict.ours),
            }))
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        let message = error.to_string();
        let failure = |code| Self::new(code, message.clone());
        match error {
            StorageError::NotFound { what, .. } => match what {
                "skill" => failure(Code::NotFound).next_step(NextStep::FindSkill),
                "revision" => failure(Code::NotFound).next_step(NextStep::FindRevision),
                "file" | "artifact" => failure(Code::NotFound).next_step(NextStep::FindFile),
                _ => failure(Code::NotFound).hint("check the spelling"),
            },
            StorageError::RevisionConflict { expected, actual, .. } => failure(Code::RevisionConflict)
                .hint("reload it, then try again")
                .fields(json!({ "expected": expected, "revision": actual })),
            StorageError::Exists { what: "token", .. } => failure(Code::Exists).hint("choose another name"),
            StorageError::Exists { what, .. } => failure(Code::Exists).hint(format!("choose another {what}")),
            StorageError::Refused { .. } => failure(Code::Forbidden).hint("ask someone who may change all skills"),
            StorageError::Limit { .. } => failure(Code::Limit).hint("make it smaller, or split the skill"),
            StorageError::Invalid(diagnostics) => {
                let hint = diagnostics.iter().find(|finding| finding.is_error()).and_then(|finding| finding.hint.clone());
                Self { hint, ..failure(Code::Invalid) }.fields(json!({ "diagnostics": diagnostics }))
            }
            StorageError::ReadOnly { .. } => failure(Code::ReadOnly).hint("check the permissions of the file and its folder"),
            StorageError::NewerDatabase { .. } => failure(Code::NewerDatabase).hint("update the app; the file wasn't changed"),
            StorageError::Corrupt { .. } => failure(Code::Corrupt).hint("restore it from a backup"),
            StorageError::Foreign { .. } => {
                failure(Code::Corrupt).hint("move the file out of the folder to keep skills there; it wasn't changed")
            }
            StorageError::NotABackup { .. } => failure(Code::Invalid).hint("choose a backup of this database"),
            StorageError::Removed { .. } => {
                failure(Code::NotFound).hint("restore the folder, or open another one; unsaved changes are kept")
            }
            StorageError::InUse { .. } => failure(Code::Busy).hint("close the other program, then try again"),
            StorageError::Busy { .. } => failure(Code::Busy).hint("try again in a moment"),
            StorageError::Cancelled { .. } => failure(Code::Cancelled).hint("nothing was changed"),
            StorageError::DiskFull { .. } => failure(Code::Io).hint("free some disk space, then try again; nothing was changed"),
            StorageError::Failed { .. } => failure(Code::Io).hint("check the disk and the permissions; nothing was changed"),
        }
    }
}

impl From<TargetError> for Failure {
    fn from(error: TargetError) -> Self {
        let hint = match error {
            TargetError::Path(_) => "use a path relative to the workspace",
            TargetError::Address(_) => "use an http or https address",
            TargetError::Credentials(_) => "remove them from the address",
            TargetError::Empty | TargetError::TooLong => "enter a page, a path or an address",
        };
        Self::invalid(error.to_string()).hint(hint)
    }
}

impl From<PagesError> for Failure {
    fn from(error: PagesError) -> Self {
        let message = error.to_string();
        let failure = |code| Self::new(code, message.clone());
        match error {
            PagesError::NotFound { .. } => failure(Code::NotFound).hint("search for a word of its title"),
            PagesError::Removed { .. } => failure(Code::NotFound).hint("restore the folder, or open another one"),
            PagesError::Io { .. } => failure(Code::Io).hint("check the permissions of the folder"),
            PagesError::Storage(error) => error.into(),
            PagesError::Cancelled => failure(Code::Cancelled),
        }
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        let message = error.to_string();
        match error {
            SaveError::Conflict(conflict) => Self::conflict(&conflict),
            SaveError::NoSuchFile(_) => Self::new(Code::NotFound, message).next_step(NextStep::FindFile),
            SaveError::PathExists(_) => {
                Self::new(Code::Exists, message).hint("choose another name; names that differ only in case are the same")
            }
            SaveError::Storage(error) => error.into(),
        }
    }
}

impl From<PackError> for Failure {
    fn from(error: PackError) -> Self {
        let message = error.to_string();
        match error {
            PackError::NotAllowed { .. } => {
                Self::new(Code::Forbidden, message).hint("choose an allowed format, or change interop.exportFormats in the manifest")
            }
            PackError::Manifest(_) => Self::invalid(message).hint("fix the problems of the skill's manifest"),
            PackError::Unfit(findings) => Self::diagnostics(findings),
        }
    }
}

impl From<DiskError> for Failure {
    fn from(error: DiskError) -> Self {
        let message = error.to_string();
        match error {
            DiskError::NotFound(_) => Self::new(Code::NotFound, message).hint("check the spelling of the path"),
            DiskError::NotAFolder(_) | DiskError::NotASkill(_) => Self::new(Code::Invalid, message).hint("choose a folder with skills"),
            DiskError::TooLarge { .. } => Self::new(Code::Limit, message).hint("split the package, or use folders"),
            DiskError::NoRights { .. } => Self::new(Code::ReadOnly, message).hint("check the permissions of the folder"),
            DiskError::Exists(_) => Self::new(Code::Exists, message).hint("choose another folder, or replace it"),
            DiskError::ForeignFolder(_) | DiskError::Occupied { .. } => {
                Self::new(Code::Exists, message).hint("choose another folder, or move it away")
            }
            DiskError::Io { .. } => Self::new(Code::Io, message).hint("check the disk and the permissions"),
        }
    }
}

impl From<DeclareError> for Failure {
    fn from(error: DeclareError) -> Self {
        let message = error.to_string();
        match error {
            DeclareError::NoSuchFile(_) | DeclareError::NoSuchArtifact(_) => {
                Self::new(Code::NotFound, message).next_step(NextStep::FindFile)
            }
            DeclareError::NameTaken(_) => Self::new(Code::Exists, message).hint("choose another name or variant"),
            DeclareError::NotText(_) | DeclareError::Variant(_) => Self::new(Code::Invalid, message).hint("choose another file or variant"),
        }
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let message = error.to_string();
        let failure = |code| Self::new(code, message.clone());
        match error {
            ModelError::NotConfigured => failure(Code::NoModel).next_step(NextStep::AddModel),
            ModelError::UnknownProvider { .. } => failure(Code::NoModel).next_step(NextStep::FindProvider),
            ModelError::NoKey { .. } | ModelError::Unauthorized { .. } => failure(Code::NoModel).next_step(NextStep::SetKey),
            ModelError::RateLimited { retry_after, .. } => {
                let wait = retry_after.map_or("later".to_owned(), |wait| format!("in {} s", wait.as_secs().max(1)));
                failure(Code::Model).hint(format!("try again {wait}, or choose another model"))
            }
            ModelError::Refused { .. } => failure(Code::Model).hint("check the model's name and the length of the input"),
            ModelError::Unavailable { .. } => failure(Code::Model).hint("check the network and the provider's address, then try again"),
            ModelError::Failed { .. } | ModelError::Cut { .. } | ModelError::Timeout { .. } => {
                failure(Code::Model).hint("try again, or choose another model")
            }
            ModelError::Malformed { .. } => failure(Code::Model).hint("check the kind and the address of the provider"),
            ModelError::OverBudget { .. } => failure(Code::Limit).next_step(NextStep::RaiseLimit),
            ModelError::Cancelled => failure(Code::Cancelled),
        }
    }
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        let message = error.to_string();
        match error {
            ProviderError::Unknown { .. } => Self::new(Code::NotFound, message).next_step(NextStep::FindProvider),
            ProviderError::Invalid(problems) => {
                let list: Vec<_> = problems.iter().map(|one| json!({ "field": one.field(), "message": one.to_string() })).collect();
                Self::invalid(message).hint("correct the settings of the provider").fields(json!({ "problems": list }))
            }
            ProviderError::BadKey => Self::invalid(message).hint("copy the key again, without the text around it"),
            ProviderError::Keys(_) => Self::new(Code::Io, message).next_step(NextStep::CheckKeyStore),
            ProviderError::Model(error) => error.into(),
            ProviderError::Storage(error) => error.into(),
        }
    }
}

impl From<SkillError> for Failure {
    fn from(error: SkillError) -> Self {
        let message = error.to_string();
        let failure = |code| Self::new(code, message.clone());
        match error {
            SkillError::NoArtifact(_) | SkillError::NoFile(_) => failure(Code::NotFound).next_step(NextStep::FindFile),
            SkillError::NotRunnable { .. } => {
                failure(Code::Invalid).hint("rewrite it in Python with the standard library, or run it in a terminal")
            }
            SkillError::NothingToRun => failure(Code::Invalid).hint("run a prompt, a script or a program, or add one"),
            SkillError::Missing(all) => {
                let list: Vec<_> = all.iter().map(|one| json!({ "artifact": one.artifact, "variable": one.variable })).collect();
                failure(Code::Invalid).next_step(NextStep::SetValues).fields(json!({ "missing": list }))
            }
            SkillError::BadParameter { name, .. } => failure(Code::Invalid).hint("correct the value").fields(json!({ "parameter": name })),
            SkillError::UncheckedParameters(_) => {
                failure(Code::Invalid).hint("use fewer values, or simplify metadata.params in skill.json")
            }
            SkillError::Template(finding) => Self::diagnostics(vec![*finding]),
            SkillError::Assertions(findings) => Self::diagnostics(findings),
            SkillError::Model(error) => error.into(),
            SkillError::Declined { .. } => failure(Code::Model).hint("change the prompt, or choose another model"),
            SkillError::NotInstalled { kind } => {
                failure(Code::NotInstalled).hint("run the skill's prompts one by one").fields(json!({ "kind": kind }))
            }
            SkillError::Unavailable { kind, .. } => failure(Code::NotInstalled)
                .hint("run its prompts one by one, or set metadata.fallback_artifact in skill.json")
                .fields(json!({ "kind": kind })),
            SkillError::Assertion { artifact, description, explanation } => failure(Code::Assertion)
                .hint("change the prompt, or make the assertion soft; the trace has the output")
                .fields(json!({ "artifact": artifact, "assertion": description, "explanation": explanation })),
            SkillError::Script { detail, error, .. } => {
                let hint = match *error {
                    ScriptError::NoSubmit => Some("end the script with inklings.submit(value)"),
                    ScriptError::Exception(_) | ScriptError::Syntax { .. } => Some("see the traceback and the log in the trace"),
                    // The other messages include the next step.
                    _ => None,
                };
                Self { hint: hint.map(str::to_owned), ..failure(Code::Script) }
                    .fields(json!({ "outcome": detail.outcome, "line": detail.line, "traceback": detail.traceback }))
            }
            SkillError::Program { error, .. } => match error {
                ProgramError::Invalid(_) => failure(Code::Invalid).hint("correct the program's file or its input values"),
                ProgramError::Unavailable(_) | ProgramError::Broken(_) => {
                    failure(Code::NotInstalled).next_step(NextStep::CheckDspy).fields(json!({ "kind": ArtifactKind::DspyModule }))
                }
                _ => failure(Code::Program).hint("see the model calls in the trace"),
            },
            SkillError::Budget { .. } => failure(Code::Limit).next_step(NextStep::RaiseLimit),
            SkillError::TooDeep { .. } => failure(Code::Limit).hint("check for skills that call each other"),
            SkillError::Archived(_) => failure(Code::Invalid).hint("reinstate it first"),
            SkillError::NotTrusted => failure(Code::NotTrusted).next_step(NextStep::TrustWorkspace),
            SkillError::NeedsApproval { skill, gates } => {
                failure(Code::ApprovalRequired).next_step(NextStep::ApproveGates).fields(json!({ "skill": skill, "gates": gates }))
            }
            SkillError::Cancelled => failure(Code::Cancelled),
            SkillError::NoHandler(_) | SkillError::Internal(_) => failure(Code::Internal),
            SkillError::Trace(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_taken_name_of_a_token_another_name_is_asked_for() {
        let failure = Failure::from(StorageError::Exists { what: "token", value: "ci".to_owned() });
        assert_eq!(failure.hint.as_deref(), Some("choose another name"));
    }
}
