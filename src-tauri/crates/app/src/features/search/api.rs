use inklings_core::{Scope, SkillId, Slug};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Params of `search/skills`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchSkillsParams {
    /// What a user asks for.
    pub message: String,
    /// Maximum number of skills, at most 50. [default: 5]
    #[serde(default)]
    pub limit: Option<usize>,
}

/// Why a skill isn't recommended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LeftOutReason {
    Disabled,
    Deprecated,
    Archived,
    /// A model wrote it, and it wasn't verified and didn't prove itself.
    Unproven,
    /// It must not be used with one that fits better.
    Conflict,
    /// The message asks for what `when_not_to_use` names.
    Avoided,
    /// Neither a word nor the meaning of the message shows that it fits.
    Weak,
    /// Others fit better.
    Rank,
}

/// A skill that fits a message, with the parts of its score.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillMatch {
    pub skill: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    pub description: String,
    pub score: f32,
    /// The name or trigger that the message contains. It outweighs everything else.
    pub exact: Option<String>,
    /// Similarity of the meanings, at most about 1. Null without the embedding model.
    pub similarity: Option<f32>,
    /// Share of the message's words that the skill has, weighted by their rarity.
    pub coverage: f32,
    /// Those words, as they are in the message.
    pub terms: Vec<String>,
    /// What was subtracted since its `when_not_to_use` fits.
    pub avoided: f32,
    /// What the score was multiplied by, for its lifecycle.
    pub quality: f32,
}

/// How far the background is with the vectors of a catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IndexingProgress {
    /// Skills whose vectors are there.
    pub done: usize,
    pub total: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SearchStatus {
    /// Null if nothing is computed. Until then, only the words of the other skills count.
    pub indexing: Option<IndexingProgress>,
    /// Why meanings can't be compared, so that only words count. Null if they can, as far as is known: the embedding model is loaded with
    /// the first search.
    pub words_only: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LeftOutSkill {
    #[serde(flatten)]
    pub found: SkillMatch,
    pub reason: LeftOutReason,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillSearchResult {
    /// Best first. Empty if no skill fits.
    pub skills: Vec<SkillMatch>,
    /// The best of the others.
    pub left_out: Vec<LeftOutSkill>,
    /// The words of the message that were looked up: all but those that say nothing about its topic.
    pub words: Vec<String>,
    /// Why meanings weren't compared, so that only words counted.
    pub words_only: Option<String>,
}
