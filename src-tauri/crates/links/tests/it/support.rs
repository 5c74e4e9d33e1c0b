use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use inklings_core::edit::{self, SaveError, Saved, TreeEdit};
use inklings_core::{
    ChangeSet, Clock, Expected, IdSource, Scope, Skill, SkillId, SkillLink, SkillLinks, SkillPath, SkillStorageRepository, StorageError,
    Time, UserData as _,
};
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
    pub(crate) user: Arc<Store>,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// A linked skill with its folder.
    pub(crate) fn linked(body: &str) -> (Self, PathBuf, Skill) {
        let home = Self::new();
        let folder = home.write_skill(".claude", "checker", body);
        home.scan();
        let skill = home.skill("checker").unwrap();
        (home, folder, skill)
    }

    /// As after a restart.
    pub(crate) fn at(folder: tempfile::TempDir) -> Self {
        let store = open(folder.path());
        let links = Arc::new(links(folder.path(), store.clone(), store.clone()));
        let scope = LinkedScope { workspace: None, repository: store.clone() };
        let repository = LinkedRepository::new(scope.clone(), links.clone());
        Self { folder, links, scope, repository, user: store }
    }

    /// Another process, in which `event` happens once, right after the read of a link with this number.
    pub(crate) fn interrupted(&self, read: usize, event: impl FnOnce() + Send + 'static) -> Links {
        let store = open(self.folder.path());
        let interrupted = Interrupted { links: store.clone(), event: Mutex::new((read, Some(Box::new(event)))) };
        links(self.folder.path(), store, Arc::new(interrupted))
    }

    /// Another process, which can't store drafts.
    pub(crate) fn without_drafts(&self) -> Links {
        let store = open(self.folder.path());
        // A file is where the folder of the drafts should be.
        let user = open(&self.folder.path().join("agents.db"));
        links(self.folder.path(), user, store)
    }

    /// A copy of the database as it is now; an empty one before the first skill is stored.
    pub(crate) fn backup(&self) -> LinkedScope {
        self.user.close();
        let (database, folder) = (self.folder.path().join("agents.db"), self.folder.path().join("backup"));
        fs::create_dir(&folder).unwrap();
        if database.exists() {
            fs::copy(database, folder.join("agents.db")).unwrap();
        }
        LinkedScope { workspace: None, repository: open(&folder) }
    }

    /// As after the skills' database was replaced by a backup. That of the links wasn't, as it isn't with the one of a workspace.
    pub(crate) fn restored(self, scope: LinkedScope) -> Self {
        Self { repository: LinkedRepository::new(scope.clone(), self.links.clone()), scope, ..self }
    }

    /// Deletes a skill, with its folder if it is linked.
    pub(crate) fn delete(&self, skill: &Skill) {
        let delete = ChangeSet::between(Some(skill), None, skill.head.id, "test", "deleted");
        self.repository.commit(&delete, Expected::Revision(skill.head.revision)).unwrap();
    }

    pub(crate) fn drafts(&self, skill: &Skill) -> Vec<(String, String)> {
        let drafts = self.user.drafts("", skill.head.id).unwrap();
        drafts.into_iter().map(|draft| (draft.path.as_str().to_owned(), draft.content)).collect()
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
        save(&self.repository, skill, path, text)
    }

    /// Saves a file in the store alone, as if the process had been killed before it wrote to the folder.
    pub(crate) fn save_in_store(&self, skill: &Skill, path: &str, text: &str) {
        save(self.scope.repository.as_ref(), skill, path, text).unwrap();
    }

    pub(crate) fn problem(&self, skill: &Skill) -> Option<String> {
        self.links.store().links_of("", &[skill.head.id]).unwrap().pop().unwrap().problem
    }
}

fn save(repository: &dyn SkillStorageRepository, skill: &Skill, path: &str, text: &str) -> Result<Saved, SaveError> {
    let edit = TreeEdit::Write(SkillPath::parse(path).unwrap(), text.as_bytes().into());
    edit::save(repository, skill.head.id, &[edit], skill.head.revision, "test", "edited")
}

fn open(folder: &Path) -> Arc<Store> {
    let format = Arc::new(Folder::new(Arc::new(Ids)));
    Arc::new(Store::open(Scope::Account, &folder.join("agents.db"), "test", Arc::new(Now), format).unwrap())
}

fn links(folder: &Path, user: Arc<Store>, links: Arc<dyn SkillLinks>) -> Links {
    let agents = AgentDirs { home: folder.join("home"), config: folder.join("config") };
    Links::new(links, user, Arc::new(Now), Arc::new(Ids), Some(agents), folder.join("links.lock"), folder.join("deployed.json"))
}

type Event = Box<dyn FnOnce() + Send>;

struct Interrupted {
    links: Arc<Store>,
    /// How many reads are left until the event, and the event.
    event: Mutex<(usize, Option<Event>)>,
}

impl SkillLinks for Interrupted {
    fn links(&self, workspace: &str) -> Result<Vec<SkillLink>, StorageError> {
        self.links.links(workspace)
    }

    fn links_of(&self, workspace: &str, skills: &[SkillId]) -> Result<Vec<SkillLink>, StorageError> {
        let found = self.links.links_of(workspace, skills);
        let event = {
            let (reads, event) = &mut *self.event.lock().unwrap();
            *reads = reads.saturating_sub(1);
            if *reads == 0 { event.take() } else { None }
        };
        if let Some(event) = event {
            event();
        }
        found
    }

    fn put_links(&self, links: &[SkillLink]) -> Result<(), StorageError> {
        self.links.put_links(links)
    }

    fn remove_link(&self, workspace: &str, skill: SkillId) -> Result<bool, StorageError> {
        self.links.remove_link(workspace, skill)
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
