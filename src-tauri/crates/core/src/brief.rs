//! The compact projection: what a tree needs of each of many skills, page by page or for a few of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::SkillCatalog;
use crate::id::SkillId;
use crate::kind::ArtifactKind;
use crate::name::{Slug, fold};
use crate::ports::StorageError;
use crate::skill::{Lifecycle, Scope, Source};

/// A skill as a tree shows it. What is usual isn't sent: there are thousands of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillBrief {
    /// Id.
    pub id: SkillId,
    /// The database it lives in.
    pub scope: Scope,
    /// Key.
    pub slug: Slug,
    /// Title.
    pub name: String,
    /// Number of the present revision.
    pub revision: i64,
    /// Where it stands.
    pub lifecycle: Lifecycle,
    /// Whether it takes part in retrieval.
    pub enabled: bool,
    /// By which door it came; absent for the person's own.
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
    /// Tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Kinds of its artifacts, in display order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<ArtifactKind>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Where a page begins: in a scope, behind a title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BriefPlace {
    /// The scope.
    pub scope: Scope,
    /// The folded title that comes before; none for the scope's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Some skills of one scope, by folded title.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BriefRows {
    /// The rows, without marks.
    pub rows: Vec<SkillBrief>,
    /// The folded title behind which the next page begins, if there is one.
    pub next: Option<String>,
}

/// Some skills of both scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefPage {
    /// The rows with their marks.
    pub rows: Vec<SkillBrief>,
    /// Where the next page begins, if there is one.
    pub next: Option<BriefPlace>,
}

/// What another scope has under the same names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Twin {
    /// A skill of the same slug.
    pub same_slug: bool,
    /// The skill with the same title under another slug.
    pub same_title: Option<Slug>,
}

impl SkillCatalog {
    /// A page of all skills of both scopes: the workspace's first, each scope by title.
    pub fn brief_page(&self, from: Option<BriefPlace>, limit: usize) -> Result<BriefPage, StorageError> {
        let mut place = from.unwrap_or(BriefPlace { scope: Scope::Workspace, after: None });
        let mut rows: Vec<SkillBrief> = Vec::new();
        loop {
            let left = limit.saturating_sub(rows.len());
            if left == 0 {
                return Ok(BriefPage { rows, next: Some(place) });
            }
            if let Some(repository) = self.repository(place.scope) {
                let mut page = repository.brief_page(place.after.as_deref(), left)?;
                self.mark(place.scope, &mut page.rows)?;
                rows.append(&mut page.rows);
                if page.next.is_some() {
                    place.after = page.next;
                    continue;
                }
            }
            match place.scope {
                Scope::Workspace => place = BriefPlace { scope: Scope::Account, after: None },
                Scope::Account => return Ok(BriefPage { rows, next: None }),
            }
        }
    }

    /// Some skills of one scope; what isn't there is left out.
    pub fn briefs(&self, scope: Scope, ids: &[SkillId]) -> Result<Vec<SkillBrief>, StorageError> {
        let Some(repository) = self.repository(scope) else { return Ok(Vec::new()) };
        let mut rows = repository.briefs(ids)?;
        self.mark(scope, &mut rows)?;
        Ok(rows)
    }

    /// How many skills there are in both scopes.
    pub fn count(&self) -> Result<u32, StorageError> {
        let scopes = [Scope::Workspace, Scope::Account].into_iter().filter_map(|scope| self.repository(scope));
        scopes.map(|repository| repository.count_skills()).sum()
    }

    /// The same marks as [`crate::catalog::merge`] gives, without reading all of the other scope.
    fn mark(&self, scope: Scope, rows: &mut [SkillBrief]) -> Result<(), StorageError> {
        let (Some(own), Some(other)) = (self.repository(scope), self.repository(scope.other())) else { return Ok(()) };
        let names: Vec<(Slug, String)> = rows.iter().map(|row| (row.slug.clone(), fold(&row.name))).collect();
        for (row, twin) in rows.iter_mut().zip(other.twins(&names)?) {
            row.shadows = twin.same_slug && scope == Scope::Workspace;
            row.shadowed = twin.same_slug && scope == Scope::Account;
            let Some(slug) = twin.same_title.filter(|_| !row.shadowed) else { continue };
            // An account's skill that this workspace hides doesn't show its title.
            let hidden = scope == Scope::Workspace && own.has_slug(&slug)?;
            if !hidden {
                row.collides_with = Some(slug);
            }
        }
        Ok(())
    }
}
