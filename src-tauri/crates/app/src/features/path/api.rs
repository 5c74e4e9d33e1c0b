use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompleteParams {
    /// The typed path. `~` is the home folder.
    pub prefix: String,
    /// Include files that skills can be imported from.
    #[serde(default)]
    pub packages: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Completion {
    pub path: String,
    pub name: String,
    /// Whether it contains skills or an agents.db.
    pub skills: bool,
    pub file: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Completions {
    /// Folders by name, then files by name.
    pub entries: Vec<Completion>,
    /// Absolute path of `prefix`.
    pub path: String,
    /// Whether `path` can be chosen: a folder, or a file if files are included.
    pub complete: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathStatusParams {
    /// Absolute.
    pub paths: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PathKind {
    /// A skill's folder, or its `SKILL.md`.
    Skill,
    /// A folder with skills in it.
    Skills,
    /// Another folder.
    Folder,
    /// Another file.
    File,
    /// Not found, or not readable.
    Missing,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PathStatus {
    /// As requested.
    pub path: String,
    pub kind: PathKind,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PathStatusList {
    /// In the order of the request.
    pub items: Vec<PathStatus>,
}
