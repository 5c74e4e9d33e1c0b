use inklings_core::edit::TreeEdit;
use inklings_core::{Scope, SkillPath};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Title; the slug is made from it.
    pub name: String,
    /// What it does and when to use it.
    #[serde(default)]
    pub description: Option<String>,
    /// Instructions in markdown.
    #[serde(default)]
    pub content: Option<String>,
    /// Where to put it; the workspace when one is open, else the account.
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// One edit of a skill's folder. Renaming and removing are operations of their own: other files may name what goes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Change {
    /// Creates or replaces a text file.
    Write { path: SkillPath, text: String },
    /// Sets the execute bit.
    Executable { path: SkillPath, on: bool },
}

impl From<Change> for TreeEdit {
    fn from(change: Change) -> Self {
        match change {
            Change::Write { path, text } => Self::Write(path, text.into_bytes().into()),
            Change::Executable { path, on } => Self::Executable(path, on),
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that the edits were made to.
    pub expected: i64,
    /// The edits, in order.
    pub changes: Vec<Change>,
    /// Why, for the history.
    #[serde(default)]
    pub why: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnableParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    pub enabled: bool,
}
