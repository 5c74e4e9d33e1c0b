use std::collections::HashSet;
use std::path::Path;

use inklings_core::{Scope, Skill, SkillCatalog, SkillId, SkillLink};
use inklings_links::{LinkedScope, Links};
use inklings_targets::AGENTS;

use super::api::{GitState, LinkedSkill};
use super::error::LinkFailure;
use crate::workspace_manager::WorkspaceManager;

/// The linked skills that a caller sees.
pub(super) struct LinkService<'a> {
    pub(super) links: &'a Links,
    pub(super) workspaces: &'a dyn WorkspaceManager,
    pub(super) catalog: SkillCatalog,
    pub(super) workspace: Option<&'a Path>,
}

impl LinkService<'_> {
    /// The workspace's first.
    pub(super) fn list(&self) -> Result<Vec<LinkedSkill>, LinkFailure> {
        let mut all = Vec::new();
        for scope in self.scopes() {
            let linked = self.scope(scope)?;
            let stored: HashSet<SkillId> = linked.repository.list_skills()?.into_iter().map(|summary| summary.id).collect();
            let links = self.links.store().links(&linked.key())?;
            // The problem of a link may be that its folder can't be stored.
            let is_listed = |link: &SkillLink| link.active && (stored.contains(&link.skill) || link.problem.is_some());
            all.extend(links.into_iter().filter(is_listed).map(|link| linked_skill(scope, link)));
        }
        Ok(all)
    }

    pub(super) fn of(&self, skill: &Skill) -> Result<Option<LinkedSkill>, LinkFailure> {
        let scope = skill.head.scope;
        let found = self.links.store().active_link(&self.scope(scope)?.key(), skill.head.id)?;
        Ok(found.map(|link| linked_skill(scope, link)))
    }

    /// `is_trusted`: whether git may read the settings of the repository.
    pub(super) fn git_state(link: &LinkedSkill, is_trusted: bool) -> Option<GitState> {
        let folder = Path::new(&link.folder);
        let branch = inklings_git::branch(folder)?;
        Some(GitState { branch, modified: if is_trusted { inklings_git::is_modified(folder) } else { None } })
    }

    pub(super) fn add(&self, folder: &Path, scope: Option<Scope>) -> Result<LinkedSkill, LinkFailure> {
        let is_inside = self.workspace.is_some_and(|workspace| folder.starts_with(workspace));
        let scope = scope.unwrap_or(if is_inside { Scope::Workspace } else { Scope::Account });
        let link = self.links.add(&self.scope(scope)?, folder)?;
        Ok(linked_skill(scope, link))
    }

    /// Skill and folder stay as they are.
    pub(super) fn remove(&self, skill: &Skill) -> Result<LinkedSkill, LinkFailure> {
        let link = self.of(skill)?.ok_or_else(|| LinkFailure::NotLinked(skill.package.slug.to_string()))?;
        self.links.deactivate(&self.scope(skill.head.scope)?, skill.head.id)?;
        Ok(link)
    }

    /// Synchronizes a skill, or all of them, and looks for new ones.
    pub(super) fn sync(&self, skill: Option<&Skill>) -> Result<(), LinkFailure> {
        match skill {
            Some(skill) => self.links.sync(&self.scope(skill.head.scope)?, skill.head.id)?,
            None => {
                for scope in self.scopes() {
                    self.links.scan(&self.scope(scope)?)?;
                }
            }
        }
        Ok(())
    }

    fn scopes(&self) -> impl Iterator<Item = Scope> {
        [Scope::Workspace, Scope::Account].into_iter().filter(|scope| self.catalog.repository(*scope).is_some())
    }

    fn scope(&self, scope: Scope) -> Result<LinkedScope, LinkFailure> {
        Ok(self.workspaces.linked_scope(self.workspace.filter(|_| scope == Scope::Workspace))?)
    }
}

fn linked_skill(scope: Scope, link: SkillLink) -> LinkedSkill {
    let agent = link.agent.as_ref().and_then(|id| AGENTS.iter().find(|agent| agent.id == id));
    LinkedSkill {
        id: link.skill,
        scope,
        folder: link.folder.display().to_string(),
        agent_name: agent.map(|agent| agent.name.to_owned()),
        agent: link.agent,
        problem: link.problem,
    }
}
