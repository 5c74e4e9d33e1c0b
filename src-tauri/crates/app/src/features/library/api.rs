//! Parameters and results of `library/*`.

use inklings_core::manifest::{Badge, SkillManifestSummary};
use inklings_core::{Scope, SkillId, SkillSummary, Slug, Time};
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::library::{LibraryFacets, LibraryQuery};
use crate::wire::SkillRef;

/// Skills of one call.
pub(super) const MAX_SKILLS: usize = 1_000;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibraryParams {
    #[serde(default)]
    pub query: LibraryQuery,
    /// Number of skills to skip.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of skills. [default: all]
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A skill in the library.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LibraryRow {
    #[serde(flatten)]
    pub summary: SkillSummary,
    pub last_used_at: Option<Time>,
    /// Runs in the last 30 days, in the workspace and the account.
    pub runs: u32,
    /// Cost of these runs in USD. Null if no price is known.
    pub estimated_cost: Option<f64>,
    /// Number of model steps without a known price. If any, `estimated_cost` is a minimum.
    pub unpriced: u32,
    /// Declared in the manifest.
    pub badges: Vec<Badge>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LibraryPage {
    /// In the requested order.
    pub skills: Vec<LibraryRow>,
    /// Number of matching skills.
    pub total: usize,
    /// Only on the first page.
    pub facets: Option<LibraryFacets>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct LibraryKey {
    pub id: SkillId,
    pub scope: Scope,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LibraryKeys {
    /// In the requested order.
    pub keys: Vec<LibraryKey>,
}

/// Type-ahead in the list.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeekParams {
    #[serde(default)]
    pub query: LibraryQuery,
    /// Beginning of the title.
    pub prefix: String,
    /// Index to continue after. The search wraps around.
    #[serde(default)]
    pub after: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SeekResult {
    /// Null if no title matches.
    pub index: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LibraryStats {
    /// Visible skills.
    pub skills: usize,
    /// Enabled skills that are neither deprecated nor archived.
    pub active: usize,
    pub deprecated: usize,
    /// Runs in the last 30 days, including those of deleted skills.
    pub runs: u32,
    /// Cost of these runs in USD. Null if no price is known.
    pub estimated_cost: Option<f64>,
    /// Number of model steps without a known price. If any, `estimated_cost` is a minimum.
    pub unpriced: u32,
    /// Average freshness of the active skills, from 0.05 to 1. Null until one of them has run.
    pub freshness: Option<f64>,
}

/// How well a skill did, of all time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct SkillQuality {
    /// Runs, and answers in chats that loaded the skill.
    pub uses: u32,
    /// Uses that are known to have succeeded or failed: all runs, and the answers that the user judged.
    pub outcomes: u32,
    pub successes: u32,
    /// Share of successes. Null without outcomes.
    pub task_success_rate: Option<f32>,
    /// Answers that the user judged.
    pub judged: u32,
    /// Those that the user marked as good, or whose proposal was accepted.
    pub accepted: u32,
    /// Share of accepted answers. Null if none was judged.
    pub human_acceptance_rate: Option<f32>,
    /// From 0 to 1: rises with each success, falls with each failure.
    pub utility: f32,
}

/// What the page of a skill shows beside its detail.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LibraryCard {
    pub row: LibraryRow,
    pub quality: SkillQuality,
    /// Declared in the manifest.
    pub manifest: SkillManifestSummary,
    /// `local` is the user of this machine.
    pub created_by: Option<String>,
    pub deprecated_reason: Option<String>,
    /// When a person last promoted it.
    pub last_validated_at: Option<Time>,
    /// The session that the skill was learned in.
    pub source_session: Option<String>,
    /// The skill that it was duplicated from, if that still exists.
    pub parent: Option<SkillParent>,
}

/// The skill that another was duplicated from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillParent {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// Title.
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum BulkAction {
    Enable { on: bool },
    AddTag { tag: String },
    RemoveTag { tag: String },
    SetCategory { category: String },
    Delete {},
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyParams {
    /// At most 1,000.
    pub skills: Vec<SkillRef>,
    pub action: BulkAction,
}

/// The step that undoes the change of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum SkillUndo {
    Enable {
        on: bool,
    },
    /// Reverts a revision and keeps later changes to other files.
    Revision {
        /// The revision before the change.
        to: i64,
        /// The revision that the change made.
        from: i64,
    },
    Restore {},
}

/// A skill that was changed, or needed no change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedSkill {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// Title.
    pub name: String,
    /// Null if nothing was changed.
    pub undo: Option<SkillUndo>,
}

/// A skill that wasn't changed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RefusedSkill {
    /// As requested: ID, slug or title.
    pub skill: String,
    pub scope: Option<Scope>,
    /// Title, if the skill exists.
    pub name: Option<String>,
    pub failure: Failure,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BulkReport {
    /// In the requested order.
    pub done: Vec<ChangedSkill>,
    pub failed: Vec<RefusedSkill>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoStep {
    pub id: SkillId,
    pub scope: Scope,
    pub undo: SkillUndo,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoParams {
    /// At most 1,000.
    pub steps: Vec<UndoStep>,
}
