use std::collections::BTreeMap;

use inklings_core::{Scope, SkillId, SkillListCursor, SkillListItem, SkillPath, SkillSummary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::UnsavedText;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListView {
    /// Visible skills: the workspace's hides the account's of the same name.
    #[default]
    Merged,
    /// The skills of both scopes.
    All,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    #[serde(default)]
    pub view: ListView,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillList {
    /// By slug.
    pub skills: Vec<SkillSummary>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeRows {
    pub scope: Scope,
    pub ids: Vec<SkillId>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeParams {
    /// `next` of the previous page. [default: the first page]
    #[serde(default)]
    pub from: Option<SkillListCursor>,
    /// Maximum number of rows, at most 5,000. [default: 500]
    #[serde(default)]
    pub limit: Option<u32>,
    /// Return only these rows, without the deleted ones.
    #[serde(default)]
    pub only: Option<TreeRows>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TreePage {
    /// The workspace's first, each scope by title. Default values are omitted.
    pub skills: Vec<SkillListItem>,
    /// Null on the last page.
    pub next: Option<SkillListCursor>,
    /// Number of all skills.
    pub total: u32,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Unsaved texts to count instead of the saved ones.
    #[serde(default)]
    pub edits: Vec<UnsavedText>,
}

/// Estimated tokens of a skill, counted with one encoding for all models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TokenCost {
    /// Sent in every turn: the skill's line in the index.
    pub per_turn: usize,
    /// Sent when the skill is loaded: instructions, descriptions and approaches.
    pub on_load: usize,
    /// Sent when requested: all other texts.
    pub on_demand: usize,
    /// Tokens by file.
    pub files: BTreeMap<SkillPath, usize>,
    pub encoding: String,
}
