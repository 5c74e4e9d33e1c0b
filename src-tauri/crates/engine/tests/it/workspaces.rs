//! Workspaces side by side: none is in another one's way, and one that nobody shows is let go of. Their list: trusted, not trusted,
//! and forgotten.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

use inklings_app::WorkspaceAccessError;
use inklings_app::features::check::{CheckAll, CheckAllParams};
use inklings_app::features::skill::{Change, Create, CreateParams, Edit, EditParams};
use inklings_app::features::workspace::{Forget, ForgetParams, Open, OpenParams, Recent, RecentEntry, Trust, TrustParams};
use inklings_core::{Scope, Severity, SkillPath};
use inklings_engine::{Engine, Resources};
use inklings_rpc::{Code, NoParams};

use crate::support::{DEADLINE, ask, beside_work, start, wait_for};

struct World {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { engine: start(&folder.path().join("home"), Resources::at("/nonexistent")), folder }
    }

    fn workspace(&self, name: &str) -> PathBuf {
        let path = self.folder.path().canonicalize().unwrap().join(name);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn open(&self, path: &Path) -> Option<usize> {
        Some(ask::<Open>(&self.engine, None, OpenParams { path: path.display().to_string() }).ok()?.skills)
    }

    fn create(&self, workspace: &Path, name: &str) {
        let params = CreateParams { name: name.to_owned(), description: None, content: None, scope: Some(Scope::Workspace) };
        ask::<Create>(&self.engine, Some(workspace), params).unwrap();
    }

    /// Writes the SKILL.md of a skill that has one revision.
    fn write(&self, workspace: &Path, skill: &str, text: &str) {
        let changes = vec![Change::Write { path: SkillPath::parse("SKILL.md").unwrap(), text: text.to_owned() }];
        let params = EditParams { skill: skill.to_owned(), scope: Some(Scope::Workspace), expected: 1, changes, why: None };
        ask::<Edit>(&self.engine, Some(workspace), params).unwrap();
    }

    /// The number of problems in a workspace, of any severity.
    fn problems(&self, workspace: &Path) -> usize {
        let params = CheckAllParams { least: Some(Severity::Hint), ..CheckAllParams::default() };
        let skills = ask::<CheckAll>(&self.engine, Some(workspace), params).unwrap().skills.into_iter();
        skills.filter(|skill| skill.scope == Scope::Workspace).map(|skill| skill.diagnostics.len()).sum()
    }

    /// Releases a workspace and waits until its database is closed.
    fn close(&self, workspace: &Path) {
        self.engine.release(workspace);
        let begun = Instant::now();
        while !open_files(workspace).is_empty() {
            assert!(begun.elapsed() < DEADLINE);
            std::thread::yield_now();
        }
    }

    /// Puts the closed database of `other` in the place of an open one, as a checkout or a sync tool does, and waits for the event.
    fn replace_database(&self, workspace: &Path, other: &Path) {
        let mut changes = self.engine.changes();
        fs::rename(other.join("agents.db"), workspace.join("agents.db")).unwrap();
        wait_for(&mut changes, |event| event.kind == "database" && event.workspace.as_deref() == workspace.to_str());
    }
}

/// A database that isn't set up yet, which has to wait until the lock that is returned goes.
fn waiting(folder: &Path) -> File {
    fs::write(folder.join("agents.db"), "").unwrap();
    let turn = File::create(folder.join("agents.db-setup")).unwrap();
    turn.lock().unwrap();
    turn
}

#[test]
fn a_folder_that_hangs_is_in_no_other_ones_way() {
    let world = World::new();
    let (hanging, other) = (world.workspace("hanging"), world.workspace("other"));
    let turn = waiting(&hanging);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let (other_sender, other_receiver) = mpsc::channel();
        let (world, hanging, other) = (&world, &hanging, &other);
        scope.spawn(move || sender.send(world.open(hanging)).unwrap());
        let setup = hanging.join("agents.db-setup");
        let begun = Instant::now();
        // Once for the lock here, once for the one that waits for it.
        while open_files(hanging).iter().filter(|file| **file == setup).count() < 2 {
            assert!(begun.elapsed() < DEADLINE);
            std::thread::yield_now();
        }
        scope.spawn(move || other_sender.send(world.open(other)).unwrap());
        let answer = other_receiver.recv_timeout(DEADLINE / 3);
        let all = world.engine.app().workspaces.open_workspaces().len();
        drop(turn);
        assert_eq!(answer, Ok(Some(0)));
        assert_eq!(all, 1);
        assert_eq!(receiver.recv_timeout(DEADLINE), Ok(Some(0)));
    });
}

/// The files below a folder that this process has open.
fn open_files(folder: &Path) -> Vec<PathBuf> {
    let links = fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    links.filter(|file| file.starts_with(folder)).collect()
}

#[test]
fn a_workspace_that_nobody_shows_is_let_go_of_and_opens_again() {
    let world = World::new();
    let workspace = world.workspace("notes");
    world.open(&workspace).unwrap();
    world.create(&workspace, "First");
    assert!(!open_files(&workspace).is_empty());
    world.engine.release(&workspace);
    let begun = Instant::now();
    while !open_files(&workspace).is_empty() {
        assert!(begun.elapsed() < DEADLINE, "{:?}", open_files(&workspace));
        std::thread::yield_now();
    }
    assert!(!workspace.join("agents.db-wal").exists(), "what was written is in the file");
    assert!(world.engine.app().workspaces.open_workspaces().is_empty());

    let mut changes = world.engine.changes();
    assert_eq!(world.open(&workspace), Some(1));
    world.create(&workspace, "Second");
    let begun = Instant::now();
    while !changes.try_recv().is_ok_and(|event| event.workspace.as_deref() == workspace.to_str()) {
        assert!(begun.elapsed() < DEADLINE, "its changes are no longer reported");
        std::thread::yield_now();
    }
}

#[test]
fn a_workspace_that_something_still_uses_keeps_its_database() {
    let world = World::new();
    let workspace = world.workspace("notes");
    world.create(&workspace, "First");
    let store = || world.engine.app().workspaces.linked_scope(Some(&workspace)).unwrap().repository;
    let used = store();
    world.engine.release(&workspace);
    assert_eq!(used.count_skills().unwrap(), 1);
    let again = store();
    assert!(std::ptr::addr_eq(std::sync::Arc::as_ptr(&used), std::sync::Arc::as_ptr(&again)), "there is one store for one file");
}

#[test]
fn a_replaced_database_is_an_event() {
    let world = World::new();
    let (workspace, other) = (world.workspace("notes"), world.workspace("other"));
    let mut changes = world.engine.changes();
    world.create(&other, "Second");
    world.close(&other);
    world.create(&workspace, "First");
    wait_for(&mut changes, |event| event.workspace.as_deref() == workspace.to_str());
    world.replace_database(&workspace, &other);
}

#[test]
fn the_problems_are_those_of_the_database_that_replaced_another() {
    let world = World::new();
    let (workspace, other) = (world.workspace("notes"), world.workspace("other"));
    let mut changes = world.engine.changes();
    world.create(&workspace, "Checked");
    wait_for(&mut changes, |event| event.workspace.as_deref() == workspace.to_str());
    world.close(&workspace);
    fs::copy(workspace.join("agents.db"), other.join("agents.db")).unwrap();
    // The same skill and revision, and another text.
    world.write(&other, "checked", "---\nname: checked\n---\n\n[Missing](missing.md)\n");
    world.close(&other);
    world.write(
        &workspace,
        "checked",
        "---\nname: checked\ndescription: Finds repeated words. Use when a draft is done.\n---\n\nRead it twice.\n",
    );
    let sound = world.problems(&workspace);
    world.replace_database(&workspace, &other);
    assert!(world.problems(&workspace) > sound);
}

#[test]
fn the_exclude_file_of_git_is_replaced_as_a_whole() {
    let world = World::new();
    let workspace = world.workspace("notes");
    let exclude = workspace.join(".git/info/exclude");
    fs::create_dir_all(exclude.parent().unwrap()).unwrap();
    fs::write(&exclude, "mine").unwrap();
    fs::set_permissions(&exclude, fs::Permissions::from_mode(0o660)).unwrap();
    // Another name of the file shows whether it is written to.
    let same = workspace.join("same");
    fs::hard_link(&exclude, &same).unwrap();
    world.engine.app().workspaces.exclude_from_git(&workspace).unwrap();
    assert_eq!(fs::read_to_string(&exclude).unwrap(), "mine\nagents.db*\n.inklings/\n");
    assert_eq!(fs::read_to_string(&same).unwrap(), "mine");
    assert_eq!(fs::metadata(&exclude).unwrap().permissions().mode() & 0o777, 0o660);
    assert_eq!(fs::read_dir(exclude.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn only_the_top_of_a_git_repository_gets_an_exclude_file() {
    let world = World::new();
    let [plain, top, below, worktree] = ["plain", "top", "top/below", "worktree"].map(|name| world.workspace(name));
    fs::create_dir(top.join(".git")).unwrap();
    fs::write(worktree.join(".git"), "gitdir: ../top/.git/worktrees/worktree\n").unwrap();
    let workspaces = &world.engine.app().workspaces;
    for workspace in [&plain, &below, &worktree] {
        let refused = workspaces.exclude_from_git(workspace).unwrap_err();
        assert!(matches!(&refused, WorkspaceAccessError::NotARepository(path) if path == workspace), "{refused}");
    }
    assert!(!plain.join(".git").exists() && !below.join(".git").exists() && worktree.join(".git").is_file());
    workspaces.exclude_from_git(&top).unwrap();
    assert_eq!(fs::read_to_string(top.join(".git/info/exclude")).unwrap(), "agents.db*\n.inklings/\n");
    assert_eq!(fs::read_dir(top.join(".git")).unwrap().count(), 1, "nothing but its folder was created");
}

#[test]
fn workspaces_that_were_opened_can_be_trusted_and_forgotten_from_the_list() {
    let (engine, folder) = beside_work();
    let path = folder.path().join("work").display().to_string();
    let path = ask::<Open>(&engine, None, OpenParams { path }).unwrap().path;
    let list = || -> Vec<RecentEntry> { ask::<Recent>(&engine, None, NoParams {}).unwrap().workspaces };
    assert_eq!(list().iter().map(|one| (one.path.as_str(), one.trusted)).collect::<Vec<_>>(), [(path.as_str(), false)]);
    let trust = |path: &str, trusted| ask::<Trust>(&engine, None, TrustParams { trusted, path: Some(path.to_owned()) });
    trust(&path, true).unwrap();
    assert!(list()[0].trusted);
    trust(&path, false).unwrap();
    assert!(!list()[0].trusted);
    // Nobody has looked at what is in a folder that was never opened.
    assert_eq!(trust("/never/opened", true).unwrap_err().code, Code::NotFound);

    trust(&path, true).unwrap();
    ask::<Forget>(&engine, None, ForgetParams { path: path.clone() }).unwrap();
    assert!(list().is_empty());
    assert_eq!(ask::<Forget>(&engine, None, ForgetParams { path: path.clone() }).unwrap_err().code, Code::NotFound);
    // Its trust doesn't come back with it.
    ask::<Open>(&engine, None, OpenParams { path }).unwrap();
    assert!(!list()[0].trusted);
}
