//! The merged catalog: both scopes as one list, the workspace winning by slug.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::id::SkillId;
use crate::name::{Slug, fold, lookup_key};
use crate::ports::{SkillStorageRepository, StorageError};
use crate::skill::{Scope, Skill, SkillSummary};

/// Both scopes behind one view.
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

    /// Every skill of both scopes with its override marks, by slug, workspace first.
    pub fn list_both(&self) -> Result<Vec<SkillSummary>, StorageError> {
        let workspace = self.workspace.as_ref().map(|repository| repository.list_skills()).transpose()?.unwrap_or_default();
        Ok(merge(workspace, self.account.list_skills()?))
    }

    /// The winner for an id, slug or title, or the skill of one scope. An id or slug of either scope comes before a title, so
    /// that a workspace can't take over an account skill by calling another one by its name.
    pub fn find(&self, name: &str, scope: Option<Scope>) -> Result<Option<Skill>, StorageError> {
        let mut best: Option<(usize, Skill)> = None;
        for repository in self.scopes(scope) {
            let Some(skill) = repository.get_skill_by_name(name)? else { continue };
            let rank = match_rank(name, &skill);
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, skill));
            }
        }
        Ok(best.map(|(_, skill)| skill))
    }

    /// The same, or the error that there is none.
    pub fn require(&self, name: &str, scope: Option<Scope>) -> Result<Skill, StorageError> {
        self.find(name, scope)?.ok_or_else(|| StorageError::NotFound { what: "skill", name: name.to_owned() })
    }

    /// The repository that holds a skill.
    pub fn holder(&self, id: SkillId, scope: Scope) -> Result<&Arc<dyn SkillStorageRepository>, StorageError> {
        self.repository(scope).ok_or_else(|| StorageError::NotFound { what: "skill", name: id.to_string() })
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

/// How a skill was found: by id, by slug, or by title.
fn match_rank(name: &str, skill: &Skill) -> usize {
    if skill.head.id.to_string() == name {
        0
    } else if skill.package.slug.as_str() == lookup_key(name) {
        1
    } else {
        2
    }
}

/// Merges the two scopes' lists and marks overrides and title collisions.
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
    // Few titles stand twice, if any: only for those it matters where.
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
