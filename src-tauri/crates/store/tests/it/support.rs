//! A store with a controlled clock and ids.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use inklings_core::{
    Artifact, ArtifactKind, Clock, Head, IdSource, Origin, Package, Scope, Skill, SkillFile, SkillFormat as _, SkillPath,
    SkillStorageRepository as _, Slug, Source, Time, TreeFile,
};
use inklings_folder::Folder;
use inklings_store::{Change, ChangeFeed, FeedUpdate, Store};

/// Sequential ids.
#[derive(Default)]
pub(crate) struct Ids(AtomicU64);

impl IdSource for Ids {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::from_u64_pair(7, self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Advances by a second with each call, and can be set.
#[derive(Default)]
pub(crate) struct Ticks(AtomicI64);

impl Ticks {
    pub(crate) fn set(&self, text: &str) {
        self.0.store(text.parse::<Time>().unwrap().millis(), Ordering::Relaxed);
    }
}

impl Clock for Ticks {
    fn now(&self) -> Time {
        Time::from_millis(self.0.fetch_add(1_000, Ordering::Relaxed))
    }
}

pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) clock: Arc<Ticks>,
    pub(crate) ids: Arc<Ids>,
    pub(crate) format: Arc<Folder>,
    pub(crate) store: Store,
}

pub(crate) fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(Ticks(AtomicI64::new(1_770_000_000_000)));
    let ids = Arc::new(Ids::default());
    let format = Arc::new(Folder::new(ids.clone()));
    let path = folder.path().join("agents.db");
    let store = Store::open(Scope::Account, &path, "test", clock.clone(), format.clone()).unwrap();
    World { folder, clock, ids, format, store }
}

pub(crate) fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).unwrap()
}

impl World {
    pub(crate) fn artifact(&self, at: &str, kind: ArtifactKind, name: &str, content: &str) -> Artifact {
        Artifact {
            id: self.ids.artifact(),
            path: path(at),
            kind,
            name: name.to_owned(),
            ordinal: 0,
            content: content.into(),
            variant: None,
            metadata: serde_json::Map::new(),
            state: None,
            executable: false,
        }
    }

    /// A synced skill with instructions, a prompt and a binary file; not stored yet.
    pub(crate) fn skill(&self, name: &str) -> Skill {
        let mut package = Package::new(Slug::of_name(name), name, format!("What {name} does."));
        package.artifacts.push(self.artifact("SKILL.md", ArtifactKind::Description, "Overview", "\nDo it.\n"));
        package
            .artifacts
            .push(Artifact { ordinal: 1, ..self.artifact("prompts/ask.j2", ArtifactKind::PromptTemplate, "Ask", "Ask {{ it }}.") });
        package.files.push(SkillFile { path: path("assets/x.bin"), entry: TreeFile::new([0_u8, 159, 146, 150]) });
        self.format.sync_sources(&mut package);
        Skill { head: Head::new(self.ids.skill(), Scope::Account, Source::User, Origin::Human, self.clock.now()), package }
    }

    /// A stored skill.
    pub(crate) fn stored(&self, name: &str) -> Skill {
        let skill = self.skill(name);
        self.store.create_skill(&skill, "local").unwrap();
        self.store.present(skill.head.id).unwrap()
    }
}

/// The entries since the last poll, of an unreplaced file.
pub(crate) fn changes(feed: &mut ChangeFeed, store: &Store) -> Vec<Change> {
    match feed.poll(store).unwrap() {
        FeedUpdate::Changes(changes) => changes,
        FeedUpdate::Replaced => unreachable!("the file is still the same"),
    }
}
