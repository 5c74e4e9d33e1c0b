//! Linking the skills in the folders of agents.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use inklings_core::artifact_ids::free_ids;
use inklings_core::{ChangeSet, Expected, SkillId, SkillLink, Slug};
use inklings_folder::deploy::DeployLock;
use inklings_targets::{Target, skills, targets};

use crate::folder::{LinkedFolder, Listing};
use crate::presence::base_of;
use crate::sync::{ACTOR, LinkError, LinkedScope, Links, read};

/// Skills stored at a time.
const BATCH_SIZE: usize = 200;

/// A folder that may be linked.
struct FoundFolder {
    folder: PathBuf,
    agent: &'static str,
}

impl Links {
    /// Links the skills in the folders of agents that aren't yet, and synchronizes those that are. A folder isn't stored if the scope has
    /// another skill of its name. Problems of single skills are noted with their links. Returns the folders that may have changed since the
    /// last scan.
    pub fn scan(&self, scope: &LinkedScope) -> Result<Vec<PathBuf>, LinkError> {
        let key = scope.key();
        let links = self.store.links(&key)?;
        let revisions: HashMap<SkillId, i64> =
            scope.repository.list_skills()?.into_iter().map(|summary| (summary.id, summary.revision)).collect();
        let mut changed = Vec::new();
        for link in links.iter().filter(|link| link.active) {
            let is_agreed = link.problem.is_none() && revisions.get(&link.skill) == Some(&link.base.revision);
            if is_agreed && self.seen.is_as_agreed(link) {
                continue;
            }
            if link.folder.is_dir() {
                changed.push(link.folder.clone());
            }
            if !self.is_current(link, is_agreed, revisions.contains_key(&link.skill)) {
                self.sync_or_log(scope, link.skill);
            }
        }
        let known: HashSet<&Path> = links.iter().map(|link| link.folder.as_path()).collect();
        let found = self.found(scope).into_iter().filter(|one| !known.contains(one.folder.as_path())).collect::<Vec<_>>();
        let mut slugs = HashSet::new();
        for batch in found.chunks(BATCH_SIZE) {
            self.link(scope, batch, &mut slugs)?;
        }
        Ok(changed)
    }

    /// Whether neither side changed since they agreed, by the states of the files.
    fn is_current(&self, link: &SkillLink, is_agreed: bool, is_stored: bool) -> bool {
        match LinkedFolder::open(&link.folder).ok().flatten() {
            None => !is_stored && link.base.revision == 0 && link.problem.is_none(),
            Some(folder) if is_agreed => folder.list().is_ok_and(|listing| {
                let is_same = listing.is_as_agreed(&link.base);
                if is_same {
                    self.seen.note(&link.folder, listing);
                }
                is_same
            }),
            Some(_) => false,
        }
    }

    /// Folders in which the agents of a scope keep skills. They may not exist.
    #[must_use]
    pub fn roots(&self, scope: &LinkedScope) -> Vec<PathBuf> {
        self.targets(scope).into_iter().map(|target| target.path).collect()
    }

    fn targets(&self, scope: &LinkedScope) -> Vec<Target> {
        match &scope.workspace {
            Some(workspace) => targets(None, Some(workspace)),
            None => targets(self.agents.as_ref(), None),
        }
    }

    /// The skill folders of all agents, each once, by the priority of the agents.
    fn found(&self, scope: &LinkedScope) -> Vec<FoundFolder> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let deployed = match DeployLock::read(&self.deploy_lock) {
            Ok(deployed) => deployed,
            // Any of the folders may be a copy.
            Err(error) => {
                tracing::warn!(%error, "folders of agents aren't linked");
                return found;
            }
        };
        for target in self.targets(scope) {
            for path in skills(&target.path).map(|skills| skills.paths).unwrap_or_default() {
                let Ok(folder) = path.canonicalize() else { continue };
                // A link in a workspace must not lead to the user's other files.
                let is_inside = scope.workspace.as_ref().is_none_or(|workspace| folder.starts_with(workspace));
                if is_inside && !deployed.has_folder(&folder) && folder.is_dir() && folder.to_str().is_some() && seen.insert(folder.clone())
                {
                    found.push(FoundFolder { folder, agent: target.agent.id });
                }
            }
        }
        found
    }

    fn link(&self, scope: &LinkedScope, found: &[FoundFolder], slugs: &mut HashSet<Slug>) -> Result<(), LinkError> {
        let lock = self.lock()?;
        let (mut links, mut changes, mut listings): (Vec<SkillLink>, Vec<_>, BTreeMap<SkillId, Listing>) = Default::default();
        let (mut copies, mut claimed) = (Vec::new(), BTreeSet::new());
        for FoundFolder { folder, agent } in found {
            let link = self.new_link(scope, folder.clone(), Some((*agent).to_owned()));
            let Some(opened) = LinkedFolder::open(folder).ok().flatten() else { continue };
            let Ok(listing) = opened.list() else { continue };
            let mut skill = match read(&opened).and_then(|tree| self.new_skill(scope, &link, &tree)) {
                Ok(skill) => skill,
                // Shown by the check of the agent's folder.
                Err(problem) => {
                    tracing::info!(folder = %folder.display(), problem, "a folder isn't linked");
                    continue;
                }
            };
            if !slugs.insert(skill.package.slug.clone()) {
                continue;
            }
            if scope.repository.has_slug(&skill.package.slug)? {
                self.link_again(&lock, scope, link, &skill)?;
                continue;
            }
            let declared = skill.package.sources.skill_json.clone();
            skill.package = free_ids(scope.repository.as_ref(), self.ids.as_ref(), skill.package, None, &mut claimed)?;
            if skill.package.sources.skill_json != declared {
                copies.push(link);
                continue;
            }
            changes.push((ChangeSet::between(None, Some(skill), link.skill, ACTOR, "found on disk"), Expected::Absent));
            listings.insert(link.skill, listing);
            links.push(link);
        }
        self.store_found(scope, links, &changes, &listings)?;
        // After the skills that have their IDs: they are stored with new ones, which are written to their folders as well.
        self.store.put_links(&copies)?;
        for link in copies {
            if let Err(error) = self.sync_locked(&lock, scope, link.skill) {
                tracing::warn!(%error, "can't store a copied skill");
            }
        }
        Ok(())
    }

    fn store_found(
        &self,
        scope: &LinkedScope,
        mut links: Vec<SkillLink>,
        changes: &[(ChangeSet, Expected)],
        listings: &BTreeMap<SkillId, Listing>,
    ) -> Result<(), LinkError> {
        if links.is_empty() {
            return Ok(());
        }
        // First the links: a skill that is stored without its link would be taken for another skill of the same name.
        self.store.put_links(&links)?;
        let done = scope.repository.commit_all(changes);
        for ((link, (change, _)), result) in links.iter_mut().zip(changes).zip(done.results) {
            match (result, &change.after) {
                (Ok(revision), Some(skill)) => link.base = base_of(skill, &listings[&link.skill], revision),
                (Err(error), _) => link.problem = Some(error.to_string()),
                (Ok(_), None) => {}
            }
        }
        self.store.put_links(&links)?;
        done.fault.map_or(Ok(()), |fault| Err(fault.into()))
    }
}
