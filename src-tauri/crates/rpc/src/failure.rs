//! The one map from what went wrong to what a caller is told.
//!
//! A code exists only if a client acts on it. Messages are lower case and name what failed; hints say what to do.

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

/// What went wrong, as every door tells it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// What a client acts on.
    pub code: Code,
    /// What failed.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Facts that go with the code, e.g. `diagnostics`: an object.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub fields: Option<Value>,
    /// Id of the call, also in the log.
    #[serde(rename = "requestId")]
    pub request_id: String,
}

/// Codes of [`Failure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Code {
    /// The thing isn't there.
    NotFound,
    /// Parameters or content break a rule; `fields.diagnostics` says which.
    Invalid,
    /// The skill is locked; duplicate it to edit.
    Locked,
    /// Someone else changed the same path; `fields` has base, theirs and mine.
    RevisionConflict,
    /// A limit was crossed.
    Limit,
    /// The name is taken.
    Exists,
    /// Other skills depend on it; `fields.dependents` names them.
    HasDependents,
    /// The place can't be written.
    ReadOnly,
    /// The database was written by a newer version.
    NewerDatabase,
    /// The database is damaged or not ours.
    Corrupt,
    /// Another program is in the way; trying again may help.
    Busy,
    /// A file has unsaved typing that the change would meet; `fields.path` names it. Saving or discarding it helps.
    UnsavedDraft,
    /// The caller may not.
    Forbidden,
    /// There is no such operation.
    UnknownOperation,
    /// No model is set up, or its key is missing; settings help.
    NoModel,
    /// The model failed; trying again, or another one, may help.
    Model,
    /// The workspace isn't trusted yet; nothing from it runs before.
    NotTrusted,
    /// An assertion that must hold doesn't.
    Assertion,
    /// A script failed.
    Script,
    /// A DSPy program failed.
    Program,
    /// Someone stopped it.
    Cancelled,
    /// A part of the app that this needs isn't there.
    NotInstalled,
    /// The file system refused.
    Io,
    /// A fault of ours.
    Internal,
}

impl Code {
    /// Whether what went wrong is the machine's or the app's doing, so that its message repeats nothing that a person wrote.
    #[must_use]
    pub const fn is_of_the_machine(self) -> bool {
        matches!(self, Self::ReadOnly | Self::NewerDatabase | Self::Corrupt | Self::Busy | Self::NotInstalled | Self::Io | Self::Internal)
    }
}

impl Failure {
    /// A failure without a hint.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, fields: None, request_id: String::new() }
    }

    /// Says what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds facts.
    #[must_use]
    pub fn fields(mut self, fields: Value) -> Self {
        self.fields = Some(fields);
        self
    }

    /// Bad parameters.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::Invalid, message)
    }

    /// Content that breaks rules.
    #[must_use]
    pub fn diagnostics(findings: Vec<Diagnostic>) -> Self {
        StorageError::Invalid(findings).into()
    }

    /// A locked skill.
    #[must_use]
    pub fn locked(slug: &str) -> Self {
        Self::new(Code::Locked, format!("the skill {slug} is locked")).hint("duplicate it to edit a copy of your own")
    }

    /// A file of a skill has unsaved typing; `then` is what to do once that is saved or discarded.
    #[must_use]
    pub fn unsaved_draft(slug: &str, path: &SkillPath, then: &str) -> Self {
        Self::new(Code::UnsavedDraft, format!("{path} of {slug} has unsaved changes"))
            .hint(format!("save or discard them, then {then}"))
            .fields(json!({ "path": path }))
    }

    /// A write that met another; nothing of it is stored. A caller that keeps the refused texts says so in a hint of its own.
    #[must_use]
    pub fn conflict(conflict: &Conflict) -> Self {
        let text = |entry: &Option<TreeFile>| entry.as_ref().and_then(|entry| entry.text().map(str::to_owned));
        Self::new(Code::RevisionConflict, format!("{} was changed elsewhere since you opened it", conflict.path))
            .hint("look at what is there now, then make your change again")
            .fields(json!({
                "path": conflict.path,
                "revision": conflict.revision,
                "base": text(&conflict.base),
                "theirs": text(&conflict.theirs),
                "mine": text(&conflict.mine),
            }))
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        let message = error.to_string();
        let failure = |code| Self::new(code, message.clone());
        match error {
            StorageError::NotFound { what, .. } => failure(Code::NotFound).hint(match what {
                "skill" => "check the name: an id, a slug or a title; `skill list` shows them",
                "revision" => "`skill history` shows the revisions that are kept",
                "file" | "artifact" => "`skill show` lists the skill's files",
                _ => "check the spelling",
            }),
            StorageError::RevisionConflict { expected, actual, .. } => {
                failure(Code::RevisionConflict).hint("reload it and try again").fields(json!({ "expected": expected, "revision": actual }))
            }
            StorageError::Exists { what, .. } => failure(Code::Exists).hint(format!("choose another {what}")),
            StorageError::Limit { .. } => failure(Code::Limit).hint("make it smaller, or split the skill"),
            StorageError::Invalid(diagnostics) => {
                let hint = diagnostics.iter().find(|finding| finding.is_error()).and_then(|finding| finding.hint.clone());
                Self { hint, ..failure(Code::Invalid) }.fields(json!({ "diagnostics": diagnostics }))
            }
            StorageError::ReadOnly { .. } => failure(Code::ReadOnly).hint("check the permissions of the file and its folder"),
            StorageError::NewerDatabase { .. } => failure(Code::NewerDatabase).hint("update the app; the file was left untouched"),
            StorageError::Corrupt { .. } => failure(Code::Corrupt).hint("restore it from a backup"),
            StorageError::Foreign { .. } => {
                failure(Code::Corrupt).hint("the file was left untouched; move it away if the folder is to hold skills")
            }
            StorageError::Gone { .. } => failure(Code::NotFound).hint("put the folder back, or open another one; drafts are kept"),
            StorageError::InUse { .. } => failure(Code::Busy).hint("close the other program and try again"),
            StorageError::Busy { .. } => failure(Code::Busy).hint("try again in a moment"),
            StorageError::Cancelled { .. } => failure(Code::Cancelled).hint("nothing was changed"),
            StorageError::DiskFull { .. } => failure(Code::Io).hint("free some space and try again; nothing was changed"),
            StorageError::Failed { .. } => failure(Code::Io).hint("check the disk and the permissions; nothing was changed"),
        }
    }
}

impl From<TargetError> for Failure {
    fn from(error: TargetError) -> Self {
        let hint = match error {
            TargetError::Path(_) => "give a path relative to the workspace",
            TargetError::Address(_) => "give an address with http or https",
            TargetError::Credentials(_) => "remove them from the address",
            TargetError::Empty | TargetError::TooLong => "give a page, a path or an address",
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
            PagesError::Gone { .. } => failure(Code::NotFound).hint("put the folder back, or open another one"),
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
            SaveError::NoSuchFile(_) => {
                Self::new(Code::NotFound, message).hint("look at the skill's files again; it may have been renamed")
            }
            SaveError::PathTaken(_) => Self::new(Code::Exists, message).hint("choose another name; upper and lower case count as the same"),
            SaveError::Storage(error) => error.into(),
        }
    }
}

impl From<PackError> for Failure {
    fn from(error: PackError) -> Self {
        let message = error.to_string();
        match error {
            PackError::NotAllowed { .. } => {
                Self::new(Code::Forbidden, message).hint("choose one of those, or change interop.exportFormats in the manifest")
            }
            PackError::Manifest(_) => Self::invalid(message).hint("the problems of the skill say what is wrong with it"),
            PackError::Unfit(findings) => Self::diagnostics(findings),
        }
    }
}

impl From<DiskError> for Failure {
    fn from(error: DiskError) -> Self {
        let message = error.to_string();
        match error {
            DiskError::NotFound(_) => Self::new(Code::NotFound, message).hint("check the spelling of the path"),
            DiskError::NotAFolder(_) | DiskError::NotASkill(_) => Self::new(Code::Invalid, message).hint("give a folder that holds skills"),
            DiskError::TooLarge { .. } => Self::new(Code::Limit, message).hint("give the skills in smaller packages, or as folders"),
            DiskError::NoRights { .. } => Self::new(Code::ReadOnly, message).hint("check the permissions of the folder"),
            DiskError::Exists(_) => Self::new(Code::Exists, message).hint("choose another folder, or replace it"),
            DiskError::ForeignFolder(_) => Self::new(Code::Exists, message).hint("choose another folder, or move this one away"),
            DiskError::Io { .. } => Self::new(Code::Io, message).hint("check the disk and the permissions"),
        }
    }
}

impl From<DeclareError> for Failure {
    fn from(error: DeclareError) -> Self {
        let message = error.to_string();
        match error {
            DeclareError::NoSuchFile(_) | DeclareError::NoSuchArtifact(_) => {
                Self::new(Code::NotFound, message).hint("look at the skill's files again")
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
            ModelError::NotConfigured => failure(Code::NoModel).hint("set a model up in Settings, or with `inklings model add`"),
            ModelError::UnknownProvider { .. } => failure(Code::NoModel).hint("`inklings model list` shows what is set up"),
            ModelError::NoKey { .. } => failure(Code::NoModel).hint("enter the key in Settings, or set its environment variable"),
            ModelError::Unauthorized { .. } => failure(Code::NoModel).hint("check the key in Settings"),
            ModelError::RateLimited { retry_after, .. } => {
                let wait = retry_after.map_or("later".to_owned(), |wait| format!("in {} s", wait.as_secs().max(1)));
                failure(Code::Model).hint(format!("try again {wait}, or choose another model"))
            }
            ModelError::Refused { .. } => failure(Code::Model).hint("check the model's name and the length of what is sent"),
            ModelError::Unavailable { .. } => failure(Code::Model).hint("check the network and the provider's address, then try again"),
            ModelError::Cut { .. } | ModelError::Timeout { .. } => failure(Code::Model).hint("try again, or choose another model"),
            ModelError::Malformed { .. } => failure(Code::Model).hint("check that the provider's kind and address fit each other"),
            ModelError::OverBudget { .. } => failure(Code::Limit).hint("give the run a higher limit"),
            ModelError::Cancelled => failure(Code::Cancelled),
        }
    }
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        let message = error.to_string();
        match error {
            ProviderError::Unknown { .. } => Self::new(Code::NotFound, message).hint("`inklings model list` shows what is set up"),
            ProviderError::Invalid(problems) => {
                let list: Vec<_> = problems.iter().map(|one| json!({ "field": one.field(), "message": one.to_string() })).collect();
                Self::invalid(message).hint("correct the provider's settings").fields(json!({ "problems": list }))
            }
            ProviderError::BadKey => Self::invalid(message).hint("copy the key again, without the words around it"),
            ProviderError::Keys(_) => Self::new(Code::Io, message).hint("Settings says where keys are stored"),
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
            SkillError::NoArtifact(_) => failure(Code::NotFound).hint("`skill show` lists the skill's artifacts"),
            SkillError::NothingToRun => failure(Code::Invalid).hint("run a prompt, a script or a program; add one if there is none"),
            SkillError::Missing(all) => {
                let list: Vec<_> = all.iter().map(|one| json!({ "artifact": one.artifact, "variable": one.variable })).collect();
                failure(Code::Invalid).hint("give the values, e.g. with --param name=value").fields(json!({ "missing": list }))
            }
            SkillError::BadParameter { name, .. } => failure(Code::Invalid).hint("correct the value").fields(json!({ "parameter": name })),
            SkillError::UncheckedParameters(_) => failure(Code::Invalid).hint("give less, or simplify metadata.params in skill.json"),
            SkillError::Template(finding) => Self::diagnostics(vec![*finding]),
            SkillError::Assertions(findings) => Self::diagnostics(findings),
            SkillError::Model(error) => error.into(),
            SkillError::Declined { .. } => failure(Code::Model).hint("change the prompt, or choose another model"),
            SkillError::NotInstalled { kind } => {
                failure(Code::NotInstalled).hint("prompts of the skill can be run one by one").fields(json!({ "kind": kind }))
            }
            SkillError::Unavailable { kind, .. } => failure(Code::NotInstalled)
                .hint("run its prompts one by one, or name one as metadata.fallback_artifact in skill.json")
                .fields(json!({ "kind": kind })),
            SkillError::Assertion { artifact, description, explanation } => failure(Code::Assertion)
                .hint("the output is kept in the trace; change the prompt, or make the assertion soft")
                .fields(json!({ "artifact": artifact, "assertion": description, "explanation": explanation })),
            SkillError::Script { detail, error, .. } => {
                let hint = match *error {
                    ScriptError::NoSubmit => Some("end the script with inklings.submit(value)"),
                    ScriptError::Exception(_) | ScriptError::Syntax { .. } => Some("the trace has the traceback and the script's log"),
                    // The others say what to do.
                    _ => None,
                };
                Self { hint: hint.map(str::to_owned), ..failure(Code::Script) }
                    .fields(json!({ "outcome": detail.outcome, "line": detail.line, "traceback": detail.traceback }))
            }
            SkillError::Program { error, .. } => match error {
                ProgramError::Invalid(_) => failure(Code::Invalid).hint("correct the program's file, or the values that it is given"),
                ProgramError::Unavailable(_) | ProgramError::Broken(_) => failure(Code::NotInstalled)
                    .hint("Settings says how the DSPy process is; name a prompt as metadata.fallback_artifact")
                    .fields(json!({ "kind": ArtifactKind::DspyModule })),
                _ => failure(Code::Program).hint("the trace has every question and answer"),
            },
            SkillError::Budget { .. } => failure(Code::Limit).hint("give the run a higher limit"),
            SkillError::TooDeep { .. } => failure(Code::Limit).hint("two skills call each other; end the circle"),
            SkillError::NotTrusted => failure(Code::NotTrusted).hint("look at its skills, then trust the workspace"),
            SkillError::Cancelled => failure(Code::Cancelled),
            SkillError::NoHandler(_) | SkillError::Broken(_) => failure(Code::Internal),
            SkillError::Trace(error) => error.into(),
        }
    }
}
