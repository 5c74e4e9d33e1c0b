use std::collections::BTreeMap;

use inklings_core::{Scope, SkillId, SkillListCursor, SkillListItem, SkillPath, SkillSummary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::features::prompt::UnsavedText;

/// Which skills a list has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListView {
    /// What is visible: the workspace's skill hides the account's of the same name.
    #[default]
    Merged,
    /// Both scopes, with override marks.
    All,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Merged, or both scopes.
    #[serde(default)]
    pub view: ListView,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillList {
    /// By slug.
    pub skills: Vec<SkillSummary>,
}

/// Some skills by name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeSome {
    pub scope: Scope,
    pub ids: Vec<SkillId>,
}

/// Which skills: a page of all, or just some.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeParams {
    /// Where the page begins, as the page before said; at the first skill without it.
    #[serde(default)]
    pub from: Option<SkillListCursor>,
    /// Rows of the page; 500 unless said, at most 5,000.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Just these, as after a change; those that are gone are left out.
    #[serde(default)]
    pub only: Option<TreeSome>,
}

/// Skills as a tree shows them.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TreePage {
    /// The workspace's first, each scope by title. What is usual isn't sent.
    pub skills: Vec<SkillListItem>,
    /// Where the next page begins; null when this is the last.
    pub next: Option<SkillListCursor>,
    /// How many skills there are in all.
    pub total: u32,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Unsaved texts to count instead of the stored ones.
    #[serde(default)]
    pub edits: Vec<UnsavedText>,
}

/// Tokens of a skill by when they are paid. Counted with one encoding for all models: an estimate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TokenCost {
    /// In every turn: the skill's line in the index.
    pub per_turn: usize,
    /// When the skill is loaded: its instructions, further descriptions and approaches.
    pub on_load: usize,
    /// When they are asked for: all other texts.
    pub on_demand: usize,
    /// By file.
    pub files: BTreeMap<SkillPath, usize>,
    pub encoding: String,
}
