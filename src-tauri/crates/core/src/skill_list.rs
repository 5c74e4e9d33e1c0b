//! The compact form of a skill for lists of thousands of skills, read by page or by ids.
//!
//! Pages are in the order of folded titles and come from one table; whether a skill is overridden is looked up in the other scope. After a
//! change event only the changed skills are read, and those of the same name in the other scope.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::SkillId;
use crate::kind::ArtifactKind;
use crate::name::Slug;
use crate::skill::{Lifecycle, Scope, Source};

/// A skill in the tree. Default values are not serialized, since a list has thousands of items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillListItem {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    pub revision: i64,
    pub lifecycle: Lifecycle,
    pub enabled: bool,
    /// `None` for skills of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Locked skills can only be duplicated.
    #[serde(default, skip_serializing_if = "is_false")]
    pub locked: bool,
    /// Whether this workspace skill overrides an account skill of the same slug.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shadows: bool,
    /// Whether the workspace overrides this account skill.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shadowed: bool,
    /// Slug of another visible skill with the same title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collides_with: Option<Slug>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// In display order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<ArtifactKind>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_false(value: &bool) -> bool {
    !*value
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillListCursor {
    pub scope: Scope,
    /// The folded title before the page; `None` for the first page of the scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A page of one scope, ordered by folded title.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeListPage {
    /// Without `shadows`, `shadowed` and `collides_with`.
    pub rows: Vec<SkillListItem>,
    /// The folded title before the next page; `None` on the last page.
    pub next: Option<String>,
}

/// A page over both scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillListPage {
    pub rows: Vec<SkillListItem>,
    /// `None` on the last page.
    pub next: Option<SkillListCursor>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameMatch {
    pub same_slug: bool,
    /// Slug of the skill with the same title and another slug.
    pub same_title: Option<Slug>,
}
