use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompleteParams {
    /// A path, perhaps unfinished; `~` stands for the home folder.
    pub prefix: String,
    /// Name files that skills could be imported from, too.
    #[serde(default)]
    pub packages: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Completion {
    pub path: String,
    pub name: String,
    /// Whether it holds skills or an agents.db.
    pub skills: bool,
    pub file: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Completions {
    /// Folders by name, then files by name.
    pub entries: Vec<Completion>,
    /// The whole path of what was typed.
    pub path: String,
    /// Whether that can be taken as it is: a folder, or a file where files were asked for.
    pub complete: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookParams {
    /// Absolute.
    pub paths: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PathKind {
    /// A skill's folder, or the file that makes a folder one.
    Skill,
    /// A folder with skills in it.
    Skills,
    /// Another folder.
    Folder,
    /// Another file.
    File,
    /// Nothing, or nothing that can be read.
    Missing,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PathStatus {
    /// As it was asked for.
    pub path: String,
    pub kind: PathKind,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LookResult {
    /// In the order asked for.
    pub items: Vec<PathStatus>,
}
