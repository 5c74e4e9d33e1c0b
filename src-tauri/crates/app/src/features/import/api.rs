use inklings_core::{Scope, SkillId, SkillPath};
use inklings_git::RepositorySource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::features::skill::ImportedText;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportFileParams {
    /// Path of the imported skill, as in the import report.
    pub path: String,
    /// The stored skill.
    pub skill: SkillId,
    pub scope: Scope,
    /// The revision that both versions are based on, if known.
    #[serde(default)]
    pub base: Option<i64>,
    pub file: SkillPath,
    /// The texts of the import, if the path is of one of them.
    #[serde(default)]
    pub texts: Vec<ImportedText>,
}

/// Params of `import/fetch`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FetchParams {
    /// URL of a git repository, address of a folder in its web pages, or `owner/name` of GitHub.
    pub address: String,
    /// Branch or tag. [default: the one in the address, or the repository's default branch]
    #[serde(default)]
    pub branch: Option<String>,
    /// Folder in the repository. [default: the one in the address, or the whole repository]
    #[serde(default)]
    pub folder: Option<String>,
}

/// Where a skill was imported from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportSource {
    pub skill: SkillId,
    pub scope: Scope,
    /// Null if it wasn't a repository.
    pub repository: Option<RepositorySource>,
    /// For people: the path of a folder, a file or a package, or the URL of the repository with the folder in it.
    pub name: String,
}
