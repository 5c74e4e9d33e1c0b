use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use inklings_core::edit::TreeEdit;
use inklings_core::{Scope, SkillPath};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Title. The slug is derived from it.
    pub name: String,
    /// What the skill does and when to use it.
    #[serde(default)]
    pub description: Option<String>,
    /// Instructions in Markdown.
    #[serde(default)]
    pub content: Option<String>,
    /// Target scope. [default: the workspace if one is open, else the account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// An edit of a skill's folder. Files are renamed and deleted by other operations, which update the references to them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Change {
    /// Creates or replaces a text file.
    Write { path: SkillPath, text: String },
    /// Creates or replaces a file of any content.
    Bytes { path: SkillPath, base64: String },
    /// Sets the execute bit.
    Executable { path: SkillPath, on: bool },
}

impl TryFrom<Change> for TreeEdit {
    type Error = Base64Error;

    fn try_from(change: Change) -> Result<Self, Base64Error> {
        Ok(match change {
            Change::Write { path, text } => Self::Write(path, text.into_bytes().into()),
            Change::Bytes { path, base64 } => match STANDARD.decode(base64) {
                Ok(bytes) => Self::Write(path, bytes.into()),
                Err(error) => return Err(Base64Error { path, error }),
            },
            Change::Executable { path, on } => Self::Executable(path, on),
        })
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the content of {path} isn't base64: {error}")]
pub struct Base64Error {
    path: SkillPath,
    error: base64::DecodeError,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that the edits are based on.
    pub expected: i64,
    /// Applied in order.
    pub changes: Vec<Change>,
    /// Description for the history.
    #[serde(default)]
    pub why: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnableParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub enabled: bool,
}
