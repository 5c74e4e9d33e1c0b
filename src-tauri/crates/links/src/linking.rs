//! Linking a folder that the user chose, and ending a link.

use std::path::{Path, PathBuf};

use inklings_core::{LinkBase, Skill, SkillId, SkillLink};

use crate::folder::LinkedFolder;
use crate::presence::is_from;
use crate::sync::{LinkError, LinkedScope, Links, SyncLock, read};

impl Links {
    /// Links a folder that the user chose: to the skill of its name if the scope has one, otherwise to a new one. If that fails, the links
    /// are as before.
    pub fn add(&self, scope: &LinkedScope, folder: &Path) -> Result<SkillLink, LinkError> {
        let refused = |problem: String| LinkError::NotASkill { path: folder.to_owned(), problem };
        let path = folder.canonicalize().map_err(LinkError::of("opening", folder))?;
        if path.to_str().is_none() {
            return Err(LinkError::NotUtf8(path));
        }
        let opened = LinkedFolder::open(&path).map_err(LinkError::of("opening", folder))?;
        let opened = opened.ok_or_else(|| LinkError::NotAFolder(folder.to_owned()))?;
        let key = scope.key();
        let lock = self.lock()?;
        let links = self.store.links(&key)?;
        let known = links.iter().find(|link| link.folder == path).cloned();
        let mut link = SkillLink { active: true, ..known.unwrap_or_else(|| self.new_link(scope, path, None)) };
        if scope.repository.get_skill(link.skill)?.is_none() {
            // With the base of a skill that was deleted since, its folder would be taken for one that is to be removed.
            link.base = LinkBase::default();
            let skill = read(&opened).and_then(|tree| self.new_skill(scope, &link, &tree)).map_err(refused)?;
            if let Some(stored) = scope.repository.get_skill_by_name(skill.package.slug.as_str())?
                && stored.package.slug == skill.package.slug
            {
                if stored.head.source.is_locked() {
                    return Err(LinkError::Locked(stored.package.slug));
                }
                if let Some(other) = links.iter().find(|other| other.active && other.skill == stored.head.id) {
                    return Err(LinkError::LinkedElsewhere { slug: stored.package.slug, folder: other.folder.clone() });
                }
                link.skill = stored.head.id;
            }
        }
        self.store.put_links(std::slice::from_ref(&link))?;
        let linked = self.sync_locked(&lock, scope, link.skill).and_then(|()| self.stored_link(scope, &link));
        if linked.is_err() {
            self.store.remove_link(&key, link.skill)?;
            let is_replaced = |other: &SkillLink| other.skill == link.skill || other.folder == link.folder;
            self.store.put_links(&links.into_iter().filter(is_replaced).collect::<Vec<_>>())?;
        }
        linked
    }

    /// A link as its first synchronization left it. An error if its folder couldn't be stored.
    fn stored_link(&self, scope: &LinkedScope, link: &SkillLink) -> Result<SkillLink, LinkError> {
        let link = self.store.links_of(&scope.key(), &[link.skill])?.pop().unwrap_or_else(|| link.clone());
        if scope.repository.get_skill(link.skill)?.is_none() {
            let problem = link.problem.unwrap_or_else(|| "it was removed meanwhile".to_owned());
            return Err(LinkError::NotASkill { path: link.folder, problem });
        }
        Ok(link)
    }

    /// Ends a link. The folder isn't linked again by itself.
    pub fn deactivate(&self, scope: &LinkedScope, skill: SkillId) -> Result<(), LinkError> {
        let _lock = self.lock()?;
        let link = self.store.links_of(&scope.key(), &[skill])?.pop();
        Ok(self.store.put_links(&link.into_iter().map(|link| SkillLink { active: false, ..link }).collect::<Vec<_>>())?)
    }

    /// Links the folder of an agent with the name of a stored skill that has no link: to that skill if it is from there, which the links
    /// don't say in another account, after the workspace was moved or if the account's database was replaced. Otherwise the link says what
    /// the problem is. Nothing is linked if the skill is or was, or if the folder is a copy of one of its revisions.
    pub(crate) fn link_again(&self, lock: &SyncLock<'_>, scope: &LinkedScope, link: SkillLink, found: &Skill) -> Result<(), LinkError> {
        let slug = &found.package.slug;
        let stored = scope.repository.get_skill_by_name(slug.as_str())?.filter(|stored| stored.package.slug == *slug);
        let Some(stored) = stored else { return Ok(()) };
        let skill = stored.head.id;
        if !self.store.links_of(&link.workspace, &[skill])?.is_empty() {
            return Ok(());
        }
        let link = if is_from(&stored, scope, &link.folder) {
            SkillLink { skill, ..link }
        } else if scope.repository.revision_with(skill, &found.package.tree())?.is_none() {
            link
        } else {
            return Ok(());
        };
        self.store.put_links(std::slice::from_ref(&link))?;
        // What fails is noted with the link.
        if let Err(error) = self.sync_locked(lock, scope, link.skill) {
            tracing::warn!(%error, "can't synchronize a linked skill");
        }
        Ok(())
    }

    pub(crate) fn new_link(&self, scope: &LinkedScope, folder: PathBuf, agent: Option<String>) -> SkillLink {
        let (workspace, skill, base) = (scope.key(), self.ids.skill(), LinkBase::default());
        SkillLink { workspace, skill, folder, agent, active: true, base, problem: None }
    }
}
