//! The merged catalog: both scopes as one list, the workspace winning by slug.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::id::{MessageId, SkillId};
use crate::name::{Slug, fold, lookup_key};
use crate::ports::{SkillFacts, SkillStorageRepository};
use crate::reliability::{Judgement, UsageSignals};
use crate::skill::{Head, Origin, Scope, Skill, SkillSummary};
use crate::skill_list::{SkillListCursor, SkillListItem, SkillListPage};
use crate::storage_error::StorageError;

#[derive(Clone)]
pub struct SkillCatalog {
    account: Arc<dyn SkillStorageRepository>,
    workspace: Option<Arc<dyn SkillStorageRepository>>,
}

impl SkillCatalog {
    /// A catalog over the account, and a workspace if one is open.
    #[must_use]
    pub fn new(account: Arc<dyn SkillStorageRepository>, workspace: Option<Arc<dyn SkillStorageRepository>>) -> Self {
        Self { account, workspace }
    }

    /// The repository of a scope; `None` for the workspace scope without a workspace.
    #[must_use]
    pub fn repository(&self, scope: Scope) -> Option<&Arc<dyn SkillStorageRepository>> {
        match scope {
            Scope::Account => Some(&self.account),
            Scope::Workspace => self.workspace.as_ref(),
        }
    }

    /// The visible skills: metadata only, by slug.
    pub fn list_all(&self) -> Result<Vec<SkillSummary>, StorageError> {
        let mut all = self.list_both()?;
        all.retain(|summary| !summary.shadowed);
        Ok(all)
    }

    /// The visible skills that agents are offered: enabled, neither deprecated nor archived, and proven if a model wrote them.
    pub fn list_offered(&self) -> Result<Vec<SkillSummary>, StorageError> {
        let mut offered = self.list_all()?;
        self.retain_offered(&mut offered)?;
        Ok(offered)
    }

    /// Removes the skills that agents aren't offered.
    pub fn retain_offered(&self, skills: &mut Vec<SkillSummary>) -> Result<(), StorageError> {
        let usage = self.usage()?;
        skills.retain(|skill| {
            let signals = usage.get(&(skill.scope, skill.id)).copied().unwrap_or_default();
            skill.is_current() && signals.is_reliable(skill.origin, skill.lifecycle, skill.trust_tier)
        });
        Ok(())
    }

    /// The visible skill with a slug, if it is one of [`Self::list_offered`]. Reads no other.
    pub fn find_offered(&self, slug: &Slug) -> Result<Option<Skill>, StorageError> {
        let Some(Head { id, scope, .. }) = self.find_offered_values(slug)?.map(|skill| skill.head) else { return Ok(None) };
        self.holder(id, scope)?.get_skill(id)
    }

    /// The same without artifacts, files and relations.
    pub fn find_offered_values(&self, slug: &Slug) -> Result<Option<Skill>, StorageError> {
        let found = self.find_by(slug.as_str(), None, |repository| repository.get_values_by_name(slug.as_str()))?;
        let Some(skill) = found.filter(|skill| skill.package.slug == *slug) else { return Ok(None) };
        let head = &skill.head;
        if !(head.enabled && head.lifecycle.is_current()) {
            return Ok(None);
        }
        // What people wrote is reliable whatever its use.
        let signals = if head.origin == Origin::Llm { self.usage_of(head)? } else { UsageSignals::default() };
        Ok(signals.is_reliable(head.origin, head.lifecycle, head.trust_tier).then_some(skill))
    }

    /// Changes whenever [`Self::list_all`] does.
    pub fn version(&self) -> Result<(i64, Option<i64>), StorageError> {
        Ok((self.account.version()?, self.workspace.as_ref().map(|repository| repository.version()).transpose()?))
    }

    /// See [`SkillStorageRepository::judge_loads`]; an answer may load skills of both scopes.
    pub fn judge_loads(&self, answer: MessageId, judgement: Judgement) -> Result<(), StorageError> {
        self.scopes(None).try_for_each(|repository| repository.judge_loads(answer, judgement))
    }

    /// Of the skills of both scopes that were used.
    pub fn usage(&self) -> Result<HashMap<(Scope, SkillId), UsageSignals>, StorageError> {
        let mut all = HashMap::new();
        for repository in self.scopes(None) {
            all.extend(repository.usage()?.into_iter().map(|one| ((repository.scope(), one.id), one.signals)));
        }
        Ok(all)
    }

    /// Those of one skill. Reads no other.
    pub fn usage_of(&self, head: &Head) -> Result<UsageSignals, StorageError> {
        Ok(self.holder(head.id, head.scope)?.usage_of(head.id)?.unwrap_or_default())
    }

    /// Details that the summaries of a page don't have. Deleted skills are skipped.
    pub fn facts(&self, page: &[SkillSummary]) -> Result<HashMap<(Scope, SkillId), SkillFacts>, StorageError> {
        let mut all = HashMap::with_capacity(page.len());
        for repository in self.scopes(None) {
            let scope = repository.scope();
            let ids: Vec<SkillId> = page.iter().filter(|skill| skill.scope == scope).map(|skill| skill.id).collect();
            if !ids.is_empty() {
                all.extend(repository.skill_facts(&ids)?.into_iter().map(|one| ((scope, one.id), one)));
            }
        }
        Ok(all)
    }

    /// The skills of both scopes with their override flags, by slug, the workspace's first.
    pub fn list_both(&self) -> Result<Vec<SkillSummary>, StorageError> {
        let workspace = self.workspace.as_ref().map(|repository| repository.list_skills()).transpose()?.unwrap_or_default();
        Ok(merge(workspace, self.account.list_skills()?))
    }

    /// The visible skill with an ID, slug or title, or that of one scope. A match of the ID or slug in either scope precedes one of
    /// the title, so that a workspace can't replace a skill of the account by using its name as a title.
    pub fn find(&self, name: &str, scope: Option<Scope>) -> Result<Option<Skill>, StorageError> {
        self.find_by(name, scope, |repository| repository.get_skill_by_name(name))
    }

    fn find_by(
        &self,
        name: &str,
        scope: Option<Scope>,
        get: impl Fn(&dyn SkillStorageRepository) -> Result<Option<Skill>, StorageError>,
    ) -> Result<Option<Skill>, StorageError> {
        let mut best: Option<(usize, Skill)> = None;
        for repository in self.scopes(scope) {
            let Some(skill) = get(repository.as_ref())? else { continue };
            let rank = match_rank(name, &skill);
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, skill));
            }
        }
        Ok(best.map(|(_, skill)| skill))
    }

    /// [`Self::find`], or the error that there is none.
    pub fn require(&self, name: &str, scope: Option<Scope>) -> Result<Skill, StorageError> {
        self.find(name, scope)?.ok_or_else(|| StorageError::NotFound { what: "skill", name: name.to_owned() })
    }

    /// The skill with an id in either scope, the workspace's first.
    pub fn find_by_id(&self, id: SkillId) -> Result<Option<Skill>, StorageError> {
        for repository in self.scopes(None) {
            if let Some(skill) = repository.get_skill(id)? {
                return Ok(Some(skill));
            }
        }
        Ok(None)
    }

    /// The repository of a scope, or the error that the skill in it doesn't exist.
    pub fn holder(&self, id: SkillId, scope: Scope) -> Result<&Arc<dyn SkillStorageRepository>, StorageError> {
        self.repository(scope).ok_or_else(|| StorageError::NotFound { what: "skill", name: id.to_string() })
    }

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

    /// Unknown IDs are skipped.
    pub fn list_items(&self, scope: Scope, ids: &[SkillId]) -> Result<Vec<SkillListItem>, StorageError> {
        let Some(repository) = self.repository(scope) else { return Ok(Vec::new()) };
        let mut rows = repository.list_items(ids)?;
        self.mark_name_matches(scope, &mut rows)?;
        Ok(rows)
    }

    pub fn count(&self) -> Result<u32, StorageError> {
        let scopes = [Scope::Workspace, Scope::Account].into_iter().filter_map(|scope| self.repository(scope));
        scopes.map(|repository| repository.count_skills()).sum()
    }

    /// Sets the same flags as [`merge`] without reading all skills of the other scope.
    fn mark_name_matches(&self, scope: Scope, rows: &mut [SkillListItem]) -> Result<(), StorageError> {
        let (Some(own), Some(other)) = (self.repository(scope), self.repository(scope.other())) else { return Ok(()) };
        let names: Vec<(Slug, String)> = rows.iter().map(|row| (row.slug.clone(), fold(&row.name))).collect();
        for (row, found) in rows.iter_mut().zip(other.name_matches(&names)?) {
            row.shadows = found.same_slug && scope == Scope::Workspace;
            row.shadowed = found.same_slug && scope == Scope::Account;
            let Some(slug) = found.same_title.filter(|_| !row.shadowed) else { continue };
            // A skill of the account that the workspace overrides isn't visible.
            let hidden = scope == Scope::Workspace && own.has_slug(&slug)?;
            if !hidden {
                row.collides_with = Some(slug);
            }
        }
        Ok(())
    }

    fn scopes(&self, scope: Option<Scope>) -> impl Iterator<Item = &Arc<dyn SkillStorageRepository>> {
        let wanted = move |candidate: Scope| scope.is_none_or(|scope| scope == candidate);
        self.workspace
            .as_ref()
            .filter(move |_| wanted(Scope::Workspace))
            .into_iter()
            .chain(Some(&self.account).filter(move |_| wanted(Scope::Account)))
    }
}

/// Rank of a match: 0 by ID, 1 by slug, 2 by title.
fn match_rank(name: &str, skill: &Skill) -> usize {
    if skill.head.id.to_string() == name {
        0
    } else if skill.package.slug.as_str() == lookup_key(name) {
        1
    } else {
        2
    }
}

/// Merges the lists of both scopes and sets the flags of overrides and title collisions.
#[must_use]
pub fn merge(mut workspace: Vec<SkillSummary>, mut account: Vec<SkillSummary>) -> Vec<SkillSummary> {
    let overriding: HashSet<Slug> = workspace.iter().map(|summary| summary.slug.clone()).collect();
    let mut overridden: HashSet<Slug> = HashSet::new();
    for summary in &mut account {
        summary.shadowed = overriding.contains(&summary.slug);
        if summary.shadowed {
            overridden.insert(summary.slug.clone());
        }
    }
    for summary in &mut workspace {
        summary.shadows = overridden.contains(&summary.slug);
    }
    workspace.append(&mut account);
    workspace.sort_by(|a, b| (&a.slug, std::cmp::Reverse(a.scope)).cmp(&(&b.slug, std::cmp::Reverse(b.scope))));
    mark_collisions(&mut workspace);
    workspace
}

fn mark_collisions(all: &mut [SkillSummary]) {
    // Titles are rarely used twice, so slugs are looked up only for those.
    let mut titles: HashMap<String, &Slug> = HashMap::with_capacity(all.len());
    let mut taken: HashMap<String, BTreeSet<Slug>> = HashMap::new();
    for summary in all.iter().filter(|summary| !summary.shadowed) {
        match titles.entry(fold(&summary.name)) {
            Entry::Vacant(free) => _ = free.insert(&summary.slug),
            Entry::Occupied(first) => {
                let slugs = taken.entry(first.key().clone()).or_insert_with(|| BTreeSet::from([(*first.get()).clone()]));
                slugs.insert(summary.slug.clone());
            }
        }
    }
    if taken.is_empty() {
        return;
    }
    for summary in all.iter_mut().filter(|summary| !summary.shadowed) {
        summary.collides_with = taken.get(&fold(&summary.name)).and_then(|slugs| slugs.iter().find(|slug| **slug != summary.slug)).cloned();
    }
}
