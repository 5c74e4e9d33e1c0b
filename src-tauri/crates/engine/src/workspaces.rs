//! The folders behind the scopes: the account's, and the workspaces that were opened.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use inklings_app::diagnostics::DatabaseFile;
use inklings_app::features::db::{DatabaseCheck, DatabaseCopy, DatabaseRestored};
use inklings_app::{Banner, WorkspaceManager, WorkspaceState};
use inklings_core::binding::Bindings;
use inklings_core::files::WorkspaceFiles;
use inklings_core::pages::Pages;
use inklings_core::trace::Retention;
use inklings_core::{Clock, Scope, SkillFormat, SkillStorageRepository, StorageError, TraceStore, UserData};
use inklings_rpc::{Failure, Watch};
use inklings_sqlite::backup::Staged;
use inklings_store::{Health, Store};
use inklings_workspace::Files;

use crate::change_feeds::{ChangeFeeds, FollowedFeed};
use crate::pages::Indexes;
use crate::{AGENTS_DB, Options, database, diagnostics, warning};

/// What keeps our files out of a repository.
const EXCLUDES: [&str; 2] = ["agents.db*", ".inklings/"];

/// Bytes of a list of names that git reads.
const SMALL_TEXT_BYTES: u64 = 1024 * 1024;

/// The scopes of one account.
pub struct AccountWorkspaces {
    pub(crate) options: Options,
    pub(crate) account: Arc<Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) format: Arc<dyn SkillFormat>,
    pub(crate) origin: String,
    pub(crate) banners: Vec<Banner>,
    pub(crate) feeds: ChangeFeeds,
    pub(crate) pages: Indexes,
    /// Locked for looking up only: opening a database may take long, and a folder that hangs must not be in another one's way.
    pub(crate) open: Mutex<HashMap<PathBuf, Arc<Workspace>>>,
}

/// A workspace that was opened, or is being opened.
#[derive(Default)]
pub(crate) struct Workspace {
    /// Held while the database is opened.
    opening: Mutex<()>,
    /// Never held while a file is touched.
    state: Mutex<State>,
}

#[derive(Default)]
enum State {
    #[default]
    Closed,
    Open(Arc<Store>, Option<FollowedFeed>),
    /// No window shows it. A run that goes on in it keeps its store, which must not be opened a second time then: the process's mark
    /// beside the database goes with the store that put it.
    Released(Weak<Store>),
}

impl Workspace {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> Option<Arc<Store>> {
        match &*self.state() {
            State::Open(store, _) => Some(store.clone()),
            State::Closed | State::Released(_) => None,
        }
    }

    fn released(&self) -> Option<Arc<Store>> {
        match &*self.state() {
            State::Released(store) => store.upgrade(),
            State::Closed | State::Open(..) => None,
        }
    }
}

impl AccountWorkspaces {
    /// The workspace's store, opened by the first call that names it.
    fn store(&self, path: &Path) -> Result<Arc<Store>, Failure> {
        // Also of a workspace that is open: a removed folder must not look like one without skills.
        if !path.is_dir() {
            return Err(not_a_folder(path));
        }
        let workspace = self.workspaces().entry(path.to_owned()).or_default().clone();
        if let Some(store) = workspace.store() {
            return Ok(store);
        }
        let _opening = workspace.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = workspace.store() {
            return Ok(store);
        }
        let store = match workspace.released() {
            Some(store) => store,
            None => self.open_store(path)?,
        };
        let following = self.feeds.follow(Scope::Workspace, Some(path.to_owned()), store.clone());
        *workspace.state() = State::Open(store.clone(), following);
        Ok(store)
    }

    fn open_store(&self, path: &Path) -> Result<Arc<Store>, Failure> {
        let file = path.join(AGENTS_DB);
        let store = Arc::new(Store::open(Scope::Workspace, &file, self.origin.clone(), self.clock.clone(), self.format.clone())?);
        if self.options.maintain {
            prune_history(store.clone(), self.account.clone(), path.display().to_string());
        }
        Ok(store)
    }

    fn workspaces(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<Workspace>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_stores(&self) -> Vec<(PathBuf, Arc<Store>)> {
        self.workspaces().iter().filter_map(|(path, workspace)| Some((path.clone(), workspace.store()?))).collect()
    }

    /// Lets go of a workspace: of its database, unless something still runs in it, and of its pages.
    pub(crate) fn release(&self, path: &Path) {
        self.pages.release(path);
        let Some(workspace) = self.workspaces().get(path).cloned() else { return };
        let released = match workspace.store() {
            Some(store) => State::Released(Arc::downgrade(&store)),
            None => return,
        };
        let open = std::mem::replace(&mut *workspace.state(), released);
        // After the lock: the last one to let go of a database writes its log into it.
        drop(open);
    }

    fn store_of(&self, workspace: Option<&Path>) -> Result<Arc<Store>, Failure> {
        workspace.map_or_else(|| Ok(self.account.clone()), |path| self.store(path))
    }

    /// Lets go of every database.
    pub(crate) fn close(&self) {
        self.pages.close();
        let workspaces: Vec<_> = self.workspaces().drain().map(|(_, workspace)| workspace).collect();
        for workspace in workspaces {
            let state = std::mem::take(&mut *workspace.state());
            if let State::Open(store, following) = state {
                if let Some(following) = following {
                    following.end();
                }
                store.close();
            }
        }
        self.account.close();
    }
}

impl WorkspaceManager for AccountWorkspaces {
    fn account(&self) -> Arc<dyn SkillStorageRepository> {
        self.account.clone()
    }

    fn workspace(&self, path: &Path) -> Result<Arc<dyn SkillStorageRepository>, Failure> {
        Ok(self.store(path)?)
    }

    fn traces(&self, workspace: Option<&Path>) -> Result<Arc<dyn TraceStore>, Failure> {
        let own = workspace.map(|path| self.store(path)).transpose()?.filter(|store| store.takes_traces());
        Ok(own.unwrap_or_else(|| self.account.clone()))
    }

    fn pages(&self, path: &Path) -> Result<Arc<dyn Pages>, Failure> {
        if !path.is_dir() {
            return Err(not_a_folder(path));
        }
        Ok(self.pages.get(path))
    }

    fn files(&self, path: &Path) -> Result<Arc<dyn WorkspaceFiles>, Failure> {
        if !path.is_dir() {
            return Err(not_a_folder(path));
        }
        Ok(Arc::new(Files::new(path)))
    }

    fn bindings(&self, path: &Path) -> Result<Arc<dyn Bindings>, Failure> {
        Ok(self.store(path)?)
    }

    fn open_workspaces(&self) -> Vec<(PathBuf, Arc<dyn SkillStorageRepository>)> {
        let open = self.open_stores().into_iter().filter(|(path, _)| path.is_dir());
        open.map(|(path, store)| (path, store as Arc<dyn SkillStorageRepository>)).collect()
    }

    fn inspect(&self, path: &Path) -> Result<WorkspaceState, Failure> {
        let path = path.canonicalize().map_err(|error| folder_failed(path, &error))?;
        if path.to_str().is_none() {
            return Err(Failure::invalid(format!("{} has a name that is no UTF-8", path.display())).hint("rename the folder"));
        }
        if !path.is_dir() {
            return Err(not_a_folder(&path));
        }
        fs::read_dir(&path).map_err(|error| folder_failed(&path, &error))?;
        if self.options.home.canonicalize().is_ok_and(|home| home == path) {
            return Err(Failure::invalid(format!("{} is the account's own folder", path.display())).hint("open a folder with your pages"));
        }
        let store = self.store(&path)?;
        let probe = writable(&path);
        let mut banners = banners(&store);
        if !probe {
            banners.push(warning("this folder can't be written: its skills are read-only", "check the folder's permissions"));
        }
        Ok(WorkspaceState {
            writable: probe && *store.health() != Health::ReadOnly,
            has_store: store.exists(),
            pages: u32::try_from(inklings_workspace::count(&path)).unwrap_or(u32::MAX),
            in_git: path.join(".git").is_dir() && !is_excluded(&path),
            banners,
            path,
        })
    }

    fn has_store(&self, path: &Path) -> bool {
        path.join(AGENTS_DB).exists()
    }

    fn sample(&self) -> Result<PathBuf, Failure> {
        let target = self.sample_path();
        if !target.is_dir() {
            let part = target.with_extension("part");
            let _ = fs::remove_dir_all(&part);
            copy_folder(&self.options.resources.workspace(), &part)
                .and_then(|()| fs::rename(&part, &target))
                .map_err(|error| folder_failed(&target, &error))?;
        }
        Ok(target)
    }

    fn sample_path(&self) -> PathBuf {
        self.options.home.join("sample-workspace")
    }

    fn exclude_from_git(&self, path: &Path) -> Result<(), Failure> {
        let file = path.join(".git/info/exclude");
        let run = || {
            let info = path.join(".git/info");
            fs::create_dir_all(&info)?;
            // What is written stays in the folder: a link in it may lead anywhere.
            if info.canonicalize()? != path.canonicalize()?.join(".git/info") {
                return Err(no_small_text());
            }
            let mut text =
                small_text(&file).or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(String::new()) } else { Err(error) })?;
            for line in EXCLUDES {
                if text.lines().any(|known| known.trim() == line) {
                    continue;
                }
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(line);
                text.push('\n');
            }
            fs::write(&file, text)
        };
        run().map_err(|error| folder_failed(&file, &error))
    }

    fn home(&self) -> PathBuf {
        self.options.home.clone()
    }

    fn banners(&self) -> Vec<Banner> {
        self.banners.clone()
    }

    fn check_database(&self, workspace: Option<&Path>, watch: &Watch) -> Result<DatabaseCheck, Failure> {
        let store = self.store_of(workspace)?;
        let findings = store.tend(watch.cancel(), |path| database::check(path, watch))?;
        Ok(DatabaseCheck::new(store.path(), findings, &database::backups(store.path())))
    }

    fn back_up_database(&self, workspace: Option<&Path>, to: &Path, watch: &Watch) -> Result<DatabaseCopy, Failure> {
        let store = self.store_of(workspace)?;
        store.tend(watch.cancel(), |path| database::copy(path, to, watch))?;
        Ok(DatabaseCopy::new(store.path(), to))
    }

    fn restore_database(&self, workspace: Option<&Path>, from: &Path, watch: &Watch) -> Result<DatabaseRestored, Failure> {
        let store = self.store_of(workspace)?;
        let kept = store.replace(watch.cancel(), |path| database::stage(path, from, watch), Staged::replace)?;
        Ok(DatabaseRestored::new(store.path(), kept.as_deref()))
    }

    fn databases(&self) -> Vec<DatabaseFile> {
        let health = |store: &Store| match store.health() {
            Health::Good => "sound".to_owned(),
            Health::ReadOnly => "can't be written".to_owned(),
            Health::SetAside(aside) => format!("was damaged, kept as {}", aside.display()),
        };
        let open = self.open_stores().into_iter().map(|(_, store)| store);
        [self.account.clone()].into_iter().chain(open).map(|store| diagnostics::file_at(store.path(), health(&store))).collect()
    }
}

/// How long traces are kept; the usual where the setting is absent or can't be read.
fn retention(account: &dyn UserData) -> Result<Retention, StorageError> {
    let set = account.settings()?.remove(inklings_core::trace::TRACE_RETENTION);
    Ok(set.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default())
}

/// Days for which every revision is kept; before that one a day.
const RETENTION_DAYS: i64 = 90;

/// Gives up old history, beside whatever else goes on.
pub(crate) fn prune_history(store: Arc<Store>, account: Arc<Store>, workspace: String) {
    let prune = move || {
        let typed_on: Vec<_> =
            UserData::draft_marks(account.as_ref(), &workspace)?.iter().map(|draft| (draft.skill, draft.base_revision)).collect();
        store.prune_traces(retention(account.as_ref())?)?;
        store.prune(RETENTION_DAYS, &typed_on)
    };
    let run = move || match prune() {
        Ok(gone) => tracing::debug!(gone, "thinned out old history"),
        Err(error) => tracing::warn!(%error, "old history could not be thinned out"),
    };
    if let Err(error) = std::thread::Builder::new().name("maintenance".to_owned()).spawn(run) {
        tracing::warn!(%error, "old history could not be thinned out");
    }
}

/// What opening a database found, as remarks.
pub(crate) fn banners(store: &Store) -> Vec<Banner> {
    match store.health() {
        Health::Good => Vec::new(),
        Health::ReadOnly => vec![warning(
            format!("{} can't be written: its skills are read-only", store.path().display()),
            "check the permissions of the file and its folder",
        )],
        Health::SetAside(aside) => vec![warning(
            format!("{} was damaged; a fresh one was started and the old one kept as {}", store.path().display(), aside.display()),
            "if you have a backup, restore it",
        )],
    }
}

fn is_excluded(path: &Path) -> bool {
    let mentions =
        |file: PathBuf| small_text(&file).is_ok_and(|text| text.lines().any(|line| line.trim().trim_start_matches('/') == EXCLUDES[0]));
    mentions(path.join(".git/info/exclude")) || mentions(path.join(".gitignore"))
}

/// A list of names in a stranger's folder: no link, no pipe that would be waited for, and not longer than such a list is.
fn small_text(file: &Path) -> io::Result<String> {
    let meta = file.symlink_metadata()?;
    if meta.is_file() && meta.len() <= SMALL_TEXT_BYTES { fs::read_to_string(file) } else { Err(no_small_text()) }
}

fn no_small_text() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is no plain file, or too long")
}

/// By permission, without leaving a trace: opening a folder writes nothing.
fn writable(path: &Path) -> bool {
    inklings_sqlite::is_writable(path)
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn not_a_folder(path: &Path) -> Failure {
    if path.exists() {
        return Failure::invalid(format!("{} is not a folder", path.display())).hint("choose the folder that the file is in");
    }
    Failure::new(inklings_rpc::Code::NotFound, format!("there is no folder {}", path.display()))
        .hint("check the spelling; if it was moved, open it in its new place (unsaved drafts are kept)")
}

fn folder_failed(path: &Path, error: &std::io::Error) -> Failure {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory | std::io::ErrorKind::AlreadyExists => not_a_folder(path),
        std::io::ErrorKind::PermissionDenied => Failure::new(inklings_rpc::Code::ReadOnly, format!("no right to open {}", path.display()))
            .hint("check the permissions of the folder"),
        std::io::ErrorKind::StorageFull => StorageError::DiskFull { path: path.to_owned() }.into(),
        _ => Failure::new(inklings_rpc::Code::Io, format!("{}: {error}", path.display())),
    }
}

pub(crate) fn home_failed(path: &Path, error: &std::io::Error) -> Failure {
    folder_failed(path, error).hint("the account's folder must be writable; INKLINGS_HOME names another one")
}
