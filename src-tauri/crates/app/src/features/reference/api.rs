use inklings_core::binding::{Binding, TargetKind};
use inklings_core::{BindingId, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillReference {
    #[serde(flatten)]
    pub binding: Binding,
    pub form: ReferenceForm,
    /// The page's title, the file's name or the address's host.
    pub title: String,
    /// Why the target can't be reached. Null if it can. Addresses aren't checked.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillReferences {
    /// In their order.
    pub references: Vec<SkillReference>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceSearchParams {
    /// Words of a page, parts of a file's path, or a web address. [default: the last changed pages and the first files]
    #[serde(default)]
    pub query: String,
    /// Maximum number of pages and of files, at most 100 each. [default: 20]
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A target that can be attached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReferenceOffer {
    pub target_kind: TargetKind,
    pub target_ref: String,
    pub form: ReferenceForm,
    /// The page's title, the file's name or the address's host.
    pub title: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReferenceOffers {
    /// Only the address if `query` is one. Otherwise pages, then files, each best first.
    pub offers: Vec<ReferenceOffer>,
    /// Whether the workspace has more files than were searched.
    pub is_partial: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttachParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// `entity` for a page, `document` for a file or a web address.
    pub target_kind: TargetKind,
    /// A page's slug, title or alias; a file's path in the workspace; an address with `https://` or `http://`.
    pub target_ref: String,
    /// Attach before the reference at this position. [default: at the end]
    #[serde(default)]
    pub position: Option<i64>,
    /// Attach the target even if it doesn't exist, to undo a removal.
    #[serde(default)]
    pub allow_missing: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceParams {
    /// ID, slug or title of the skill.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub id: BindingId,
}
