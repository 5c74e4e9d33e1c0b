use inklings_core::{Digest, Scope, SkillPath, Slug};
use inklings_folder::package::ExternalSafeSkill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ListResourcesParams {
    /// Slug of the last skill of the previous page. [default: the first page]
    pub after: Option<String>,
    /// Maximum number of skills, at most 500. [default: 100]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExposedSkills {
    /// By slug.
    pub skills: Vec<ExposedSkill>,
    /// `after` of the next page. Null on the last one.
    pub next: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExposedSkill {
    pub slug: Slug,
    pub title: String,
    pub description: String,
    pub scope: Scope,
    pub revision: i64,
    /// All fields of the frontmatter as written. Null if it doesn't name the skill by its slug.
    pub frontmatter: Option<Map<String, Value>>,
    /// By path.
    pub files: Vec<ExposedFile>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExposedFile {
    pub path: SkillPath,
    /// SHA-256 of the bytes.
    pub digest: Digest,
    pub bytes: u64,
    /// By the extension of the path. Null if that says nothing.
    pub media_type: Option<String>,
}

/// A page of skills as they may be shown to anyone.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExternalSkills {
    /// By slug.
    pub skills: Vec<ExternalSafeSkill>,
    /// `after` of the next page. Null on the last one.
    pub next: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResourceRef {
    pub slug: Slug,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadResourceParams {
    pub slug: Slug,
    pub path: SkillPath,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExposedContent {
    pub file: ExposedFile,
    /// Null for binary files.
    pub text: Option<String>,
    /// Null for texts.
    pub base64: Option<String>,
}
