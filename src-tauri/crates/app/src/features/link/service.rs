use std::collections::HashSet;
use std::path::Path;

use inklings_core::{Scope, Skill, SkillCatalog, SkillId, SkillLink};
use inklings_links::{LinkedScope, Links};
use inklings_targets::AGENTS;

use super::api::{GitState, LinkedSkill};
use super::error::LinkFailure;
use crate::wire::SkillRef;
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
            let linked = links.into_iter().filter(|link| link.active).map(|link| {
                let is_stored = stored.contains(&link.skill);
                linked_skill(scope, link, is_stored)
            });
            // The problem of a link may be that its folder can't be stored.
            all.extend(linked.filter(|link| link.is_stored || link.problem.is_some()));
        }
        Ok(all)
    }

    pub(super) fn of(&self, skill: &Skill) -> Result<Option<LinkedSkill>, LinkFailure> {
        let scope = skill.head.scope;
        let found = self.links.store().active_link(&self.scope(scope)?.key(), skill.head.id)?;
        Ok(found.map(|link| linked_skill(scope, link, true)))
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
        Ok(linked_skill(scope, link, true))
    }

    /// Skill and folder stay as they are. A skill that isn't stored is named by its id.
    pub(super) fn remove(&self, SkillRef { skill: wanted, scope }: &SkillRef) -> Result<LinkedSkill, LinkFailure> {
        let link = match self.catalog.require(wanted, *scope) {
            Ok(skill) => self.of(&skill)?.ok_or_else(|| LinkFailure::NotLinked(skill.package.slug.to_string()))?,
            Err(missing) => {
                let is_wanted = |link: &LinkedSkill| link.id.to_string() == *wanted && scope.is_none_or(|scope| scope == link.scope);
                self.list()?.into_iter().find(is_wanted).ok_or(missing)?
            }
        };
        self.links.deactivate(&self.scope(link.scope)?, link.id)?;
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

fn linked_skill(scope: Scope, link: SkillLink, is_stored: bool) -> LinkedSkill {
    let agent = link.agent.as_ref().and_then(|id| AGENTS.iter().find(|agent| agent.id == id));
    LinkedSkill {
        id: link.skill,
        scope,
        folder: link.folder.display().to_string(),
        agent_name: agent.map(|agent| agent.name.to_owned()),
        agent: link.agent,
        problem: link.problem,
        is_stored,
    }
}
