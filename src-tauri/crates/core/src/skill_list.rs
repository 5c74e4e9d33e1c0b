//! The compact form of a skill that lists of thousands are made of, page by page or by ids.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::SkillCatalog;
use crate::id::SkillId;
use crate::kind::ArtifactKind;
use crate::name::{Slug, fold};
use crate::ports::StorageError;
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
    /// `None` for the person's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Locked skills can only be duplicated.
    #[serde(default, skip_serializing_if = "is_false")]
    pub locked: bool,
    /// A workspace skill that hides an account skill of the same slug.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shadows: bool,
    /// An account skill that the workspace hides.
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

/// Where a page of the list begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillListCursor {
    pub scope: Scope,
    /// The folded title before the page; `None` begins the scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A page of one scope, ordered by folded title.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeListPage {
    /// Without `shadows`, `shadowed` and `collides_with`.
    pub rows: Vec<SkillListItem>,
    /// The folded title after which the next page begins; `None` on the last page.
    pub next: Option<String>,
}

/// A page over both scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillListPage {
    pub rows: Vec<SkillListItem>,
    /// `None` on the last page.
    pub next: Option<SkillListCursor>,
}

/// What a scope has under a slug and a title.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameMatch {
    pub same_slug: bool,
    /// Slug of the skill with the same title and another slug.
    pub same_title: Option<Slug>,
}

impl SkillCatalog {
    /// A page of all skills of both scopes: the workspace's first, each scope by title.
    pub fn list_page(&self, from: Option<SkillListCursor>, limit: usize) -> Result<SkillListPage, StorageError> {
        let mut cursor = from.unwrap_or(SkillListCursor { scope: Scope::Workspace, after: None });
        let mut rows: Vec<SkillListItem> = Vec::new();
        loop {
            let remaining = limit.saturating_sub(rows.len());
            if remaining == 0 {
                return Ok(SkillListPage { rows, next: Some(cursor) });
            }
            if let Some(repository) = self.repository(cursor.scope) {
                let mut page = repository.list_page(cursor.after.as_deref(), remaining)?;
                self.mark_name_matches(cursor.scope, &mut page.rows)?;
                rows.append(&mut page.rows);
                if page.next.is_some() {
                    cursor.after = page.next;
                    continue;
                }
            }
            match cursor.scope {
                Scope::Workspace => cursor = SkillListCursor { scope: Scope::Account, after: None },
                Scope::Account => return Ok(SkillListPage { rows, next: None }),
            }
        }
    }

    /// Some skills of one scope; ids that don't exist are skipped.
    pub fn list_items(&self, scope: Scope, ids: &[SkillId]) -> Result<Vec<SkillListItem>, StorageError> {
        let Some(repository) = self.repository(scope) else { return Ok(Vec::new()) };
        let mut rows = repository.list_items(ids)?;
        self.mark_name_matches(scope, &mut rows)?;
        Ok(rows)
    }

    /// How many skills there are in both scopes.
    pub fn count(&self) -> Result<u32, StorageError> {
        let scopes = [Scope::Workspace, Scope::Account].into_iter().filter_map(|scope| self.repository(scope));
        scopes.map(|repository| repository.count_skills()).sum()
    }

    /// Sets the same marks as [`crate::catalog::merge`] gives, without reading all of the other scope.
    fn mark_name_matches(&self, scope: Scope, rows: &mut [SkillListItem]) -> Result<(), StorageError> {
        let (Some(own), Some(other)) = (self.repository(scope), self.repository(scope.other())) else { return Ok(()) };
        let names: Vec<(Slug, String)> = rows.iter().map(|row| (row.slug.clone(), fold(&row.name))).collect();
        for (row, found) in rows.iter_mut().zip(other.name_matches(&names)?) {
            row.shadows = found.same_slug && scope == Scope::Workspace;
            row.shadowed = found.same_slug && scope == Scope::Account;
            let Some(slug) = found.same_title.filter(|_| !row.shadowed) else { continue };
            // An account's skill that this workspace hides doesn't show its title.
            let hidden = scope == Scope::Workspace && own.has_slug(&slug)?;
            if !hidden {
                row.collides_with = Some(slug);
            }
        }
        Ok(())
    }
}
