//! Parameters and results of `reference/*`.

use inklings_core::binding::{Binding, TargetKind};
use inklings_core::{BindingId, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a reference leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceForm {
    /// A page of the workspace.
    Page,
    /// A file of the workspace.
    File,
    /// A web page.
    Address,
}

/// A reference of a skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillReference {
    /// As it is stored.
    #[serde(flatten)]
    pub binding: Binding,
    /// What it leads to.
    pub form: ReferenceForm,
    /// The page's title, the file's name or the address's host.
    pub title: String,
    /// Why it leads nowhere now; null when it doesn't. Addresses aren't tried.
    pub problem: Option<String>,
}

/// The references of a skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillReferences {
    /// In their order.
    pub references: Vec<SkillReference>,
}

/// What to look for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceSearchParams {
    /// Words of a page, parts of a file's path, or a web address. Without any, the pages that were changed last and the first files.
    #[serde(default)]
    pub query: String,
    /// Most pages, and most files; 20 without it, at most 100.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// What can be attached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReferenceOffer {
    pub target_kind: TargetKind,
    /// What to attach.
    pub target_ref: String,
    /// What it leads to.
    pub form: ReferenceForm,
    /// The page's title, the file's name or the address's host.
    pub title: String,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReferenceOffers {
    /// An address that was typed, then pages, then files, each best first.
    pub offers: Vec<ReferenceOffer>,
    /// Whether the workspace has more files than are looked at.
    pub is_partial: bool,
}

/// What to attach to which skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttachParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// `entity` for a page, `document` for a file or a web address.
    pub target_kind: TargetKind,
    /// A page's slug, title or alias; a file's path in the workspace; an address with `https://` or `http://`.
    pub target_ref: String,
    /// Before the reference that has this position; at the end without one.
    #[serde(default)]
    pub position: Option<i64>,
    /// Attaches a page or file that isn't there, as when a removal is undone.
    #[serde(default)]
    pub allow_missing: bool,
}

/// Names a reference of a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceParams {
    /// Id, slug or title of the skill.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The reference.
    pub id: BindingId,
}
