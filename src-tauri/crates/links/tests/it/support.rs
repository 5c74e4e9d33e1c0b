use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::edit::{self, SaveError, Saved, TreeEdit};
use inklings_core::{Clock, IdSource, Scope, Skill, SkillPath, SkillStorageRepository, Time};
use inklings_folder::Folder;
use inklings_links::{LinkedRepository, LinkedScope, Links};
use inklings_store::Store;
use inklings_targets::AgentDirs;

pub(crate) struct Now;

impl Clock for Now {
    fn now(&self) -> Time {
        "2026-01-01T00:00:00Z".parse().unwrap()
    }
}

pub(crate) struct Ids;

impl IdSource for Ids {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::now_v7()
    }
}

/// A home folder with an account.
pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) links: Arc<Links>,
    pub(crate) scope: LinkedScope,
    pub(crate) repository: LinkedRepository,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// As after a restart.
    pub(crate) fn at(folder: tempfile::TempDir) -> Self {
        let format = Arc::new(Folder::new(Arc::new(Ids)));
        let file = folder.path().join("agents.db");
        let store = Arc::new(Store::open(Scope::Account, &file, "test", Arc::new(Now), format).unwrap());
        let agents = AgentDirs { home: folder.path().join("home"), config: folder.path().join("config") };
        let lock = folder.path().join("links.lock");
        let links = Arc::new(Links::new(
            store.clone(),
            store.clone(),
            Arc::new(Now),
            Arc::new(Ids),
            Some(agents),
            lock,
            folder.path().join("deployed.json"),
        ));
        let scope = LinkedScope { workspace: None, repository: store };
        let repository = LinkedRepository::new(scope.clone(), links.clone());
        Self { folder, links, scope, repository }
    }

    pub(crate) fn restart(self) -> Self {
        Self::at(self.folder)
    }

    pub(crate) fn path(&self, agent: &str, skill: &str) -> PathBuf {
        self.folder.path().join("home").join(agent).join("skills").join(skill)
    }

    /// Writes a skill as an agent's user does.
    pub(crate) fn write_skill(&self, agent: &str, skill: &str, body: &str) -> PathBuf {
        let folder = self.path(agent, skill);
        write(&folder.join("SKILL.md"), &skill_md(skill, body));
        folder
    }

    pub(crate) fn scan(&self) {
        self.links.scan(&self.scope).unwrap();
    }

    pub(crate) fn skill(&self, name: &str) -> Option<Skill> {
        self.repository.get_skill_by_name(name).unwrap()
    }

    pub(crate) fn text(&self, name: &str, path: &str) -> Option<String> {
        Some(self.skill(name)?.package.tree().get(&SkillPath::parse(path).unwrap())?.text()?.to_owned())
    }

    /// Saves a file based on a revision.
    pub(crate) fn save(&self, skill: &Skill, path: &str, text: &str) -> Result<Saved, SaveError> {
        let edit = TreeEdit::Write(SkillPath::parse(path).unwrap(), text.as_bytes().into());
        edit::save(&self.repository, skill.head.id, &[edit], skill.head.revision, "test", "edited")
    }

    pub(crate) fn problem(&self, skill: &Skill) -> Option<String> {
        self.links.store().links_of("", &[skill.head.id]).unwrap().pop().unwrap().problem
    }
}

pub(crate) fn skill_md(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Is linked.\n---\n{body}")
}

pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
