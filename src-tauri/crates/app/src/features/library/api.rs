//! Parameters and results of `library/*`.

use inklings_core::manifest::{Badge, SkillManifestSummary};
use inklings_core::{Scope, SkillId, SkillSummary, Slug, Time};
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::library::{LibraryFacets, LibraryQuery};
use crate::wire::SkillRef;

/// A page of the list.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibraryParams {
    /// Which skills, in which order.
    #[serde(default)]
    pub query: LibraryQuery,
    /// Skills to pass over.
    #[serde(default)]
    pub offset: usize,
    /// Most skills; all without it.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A skill on the shelf.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LibraryRow {
    /// What all lists show.
    #[serde(flatten)]
    pub summary: SkillSummary,
    /// When it ran last.
    pub last_used_at: Option<Time>,
    /// Runs of the last 30 days, here and in the account.
    pub runs: u32,
    /// What they cost in USD; null when nothing of it is known.
    pub estimated_cost: Option<f64>,
    /// Executions of theirs that asked a model whose price isn't known: the cost is at least what is said.
    pub unpriced: u32,
    /// What its manifest declares.
    pub badges: Vec<Badge>,
}

/// A page of skills.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LibraryPage {
    /// In the order asked for.
    pub skills: Vec<LibraryRow>,
    /// Skills that fit.
    pub total: usize,
    /// What further choices would leave; with the first page only.
    pub facets: Option<LibraryFacets>,
}

/// Names a skill by what never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct LibraryKey {
    pub id: SkillId,
    pub scope: Scope,
}

/// The skills of a part of the list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LibraryKeys {
    /// In the order asked for.
    pub keys: Vec<LibraryKey>,
}

/// What is looked for by typing its beginning.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeekParams {
    /// Which skills, in which order.
    #[serde(default)]
    pub query: LibraryQuery,
    /// How the title begins.
    pub prefix: String,
    /// The place to go on from; it comes last.
    #[serde(default)]
    pub after: Option<usize>,
}

/// A place in the list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Sought {
    /// Null when no title begins so.
    pub index: Option<usize>,
}

/// The library in numbers, as it is seen from here.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LibraryStats {
    /// Skills that are visible.
    pub skills: usize,
    /// Of those, the ones that are on and neither deprecated nor archived.
    pub active: usize,
    /// Of those, the ones that are deprecated.
    pub deprecated: usize,
    /// Runs of the last 30 days, also of skills that are gone.
    pub runs: u32,
    /// What they cost in USD; null when nothing of it is known.
    pub estimated_cost: Option<f64>,
    /// Executions that asked a model whose price isn't known: the cost is at least what is said.
    pub unpriced: u32,
    /// How fresh the active skills are on average, from 0.05 to 1; null until one of them ran.
    pub freshness: Option<f64>,
}

/// What belongs to a skill's place in a database and its manifest: what a page about it shows beside its detail.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LibraryCard {
    pub row: LibraryRow,
    /// What its manifest declares.
    pub manifest: SkillManifestSummary,
    /// Who created it: `local` is the person at this machine.
    pub created_by: Option<String>,
    /// Why it was deprecated.
    pub deprecated_reason: Option<String>,
    /// The session that it was learned in.
    pub source_session: Option<String>,
    /// The skill that it was duplicated from, if that is still there.
    pub parent: Option<SkillParent>,
}

/// The skill that another was duplicated from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillParent {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// Its title.
    pub name: String,
}

/// What is done to each skill.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum BulkAction {
    /// Switches it on or off.
    Enable {
        /// On or off.
        on: bool,
    },
    AddTag {
        tag: String,
    },
    /// Takes a tag away.
    RemoveTag {
        tag: String,
    },
    /// Puts it into a category.
    SetCategory {
        category: String,
    },
    Delete {},
}

/// A change to many skills.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyParams {
    /// The skills, at most 1,000.
    pub skills: Vec<SkillRef>,
    /// What is done to each.
    pub action: BulkAction,
}

/// The step that takes a change of one skill back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum TakeBack {
    /// Switching it.
    Enable {
        /// On or off.
        on: bool,
    },
    /// Taking a revision back; what was changed since to other files stays.
    Revision {
        /// The revision to go back to.
        to: i64,
        /// The revision that the change made.
        from: i64,
    },
    /// Bringing it back.
    Restore {},
}

/// A skill that was changed, or was so already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Applied {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// What takes it back; null when nothing was changed here.
    pub undo: Option<TakeBack>,
}

/// A skill that was left as it is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Refused {
    /// How it was asked for.
    pub skill: String,
    /// Where it was looked for.
    pub scope: Option<Scope>,
    /// Its title, if there is one.
    pub name: Option<String>,
    /// Why.
    pub failure: Failure,
}

/// What became of each skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BulkReport {
    /// Done, or so already, in the order asked for.
    pub done: Vec<Applied>,
    /// Left as they are.
    pub failed: Vec<Refused>,
}

/// A change of one skill that is taken back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoStep {
    pub id: SkillId,
    pub scope: Scope,
    /// How.
    pub undo: TakeBack,
}

/// Changes that are taken back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoParams {
    /// The steps, at most 1,000.
    pub steps: Vec<UndoStep>,
}
