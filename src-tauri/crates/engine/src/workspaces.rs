//! Opens the databases of the account and of workspaces.
//!
//! A workspace is opened by the first call that names it, without delaying calls for others, and released when no window shows it.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::{Duration, Instant};

use inklings_app::features::db::{DatabaseCheck, DatabaseCopy, RestoredDatabase};
use inklings_app::{Banner, DatabaseFile, WorkspaceAccessError, WorkspaceManager, WorkspaceState};
use inklings_core::binding::Bindings;
use inklings_core::files::WorkspaceFiles;
use inklings_core::pages::Pages;
use inklings_core::{CancellationToken, Clock, ProgressReporter, Scope, SkillFormat, SkillStorageRepository, StorageError, TraceStore};
use inklings_folder::disk::{DiskError, Existing, Output};
use inklings_links::{LinkWatcher, LinkedRepository, LinkedScope, Links};
use inklings_sqlite::backup::StagedCopy;
use inklings_store::{Health, Store};
use inklings_workspace::Files;

use crate::change_feeds::{ChangeFeeds, FollowedFeed};
use crate::pages::Indexes;
use crate::retention::prune_history;
use crate::{AGENTS_DB, Options, database, deploy_lock, diagnostics, warning};

/// Lines for `.git/info/exclude`.
const GIT_EXCLUDES: [&str; 2] = ["agents.db*", ".inklings/"];

/// How long closing waits until replaced files of linked folders may be removed, and how often that is checked.
const CLEAR_TIMEOUT: Duration = Duration::from_secs(1);
const CLEAR_RETRY: Duration = Duration::from_millis(20);

/// Of an exclude or ignore file.
const MAX_GIT_FILE_BYTES: u64 = 1024 * 1024;

pub struct AccountWorkspaces {
    pub(crate) options: Options,
    pub(crate) account: Arc<Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) format: Arc<dyn SkillFormat>,
    pub(crate) origin: String,
    pub(crate) banners: Vec<Banner>,
    pub(crate) feeds: ChangeFeeds,
    pub(crate) pages: Indexes,
    pub(crate) links: Arc<Links>,
    /// Set by the first call that uses the account's skills, in a process that watches nothing.
    pub(crate) account_scanned: Once,
    /// Locked for lookups only: opening a database may take long, and a folder that hangs must block no other.
    pub(crate) open: Mutex<HashMap<PathBuf, Arc<Workspace>>>,
}

#[derive(Default)]
pub(crate) struct Workspace {
    /// Locked while the database is opened.
    opening: Mutex<()>,
    /// Never locked during file access.
    state: Mutex<State>,
}

#[derive(Default)]
enum State {
    #[default]
    Closed,
    Open(Arc<Store>, Option<FollowedFeed>),
    /// No window shows it. A run in it keeps its store, which must then not be opened a second time: the process's liveness lock
    /// is released with the store that took it.
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
    fn store(&self, path: &Path) -> Result<Arc<Store>, WorkspaceAccessError> {
        // Even if the workspace is open: a removed folder must not look like one without skills.
        require_folder(path)?;
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
        let watching = self.link(path, &store);
        let following = self.feeds.follow(Scope::Workspace, Some(path.to_owned()), store.clone(), watching);
        *workspace.state() = State::Open(store.clone(), following);
        Ok(store)
    }

    /// Links the skills in the folders that agents have in the workspace: on a thread that goes on to watch them, or now if this
    /// process watches nothing.
    fn link(&self, path: &Path, store: &Arc<Store>) -> Option<Arc<LinkWatcher>> {
        let scope = LinkedScope { workspace: Some(path.to_owned()), repository: store.clone() };
        if *store.health() == Health::ReadOnly || !inklings_sqlite::is_writable(path) {
            return None;
        }
        // The database that linking creates is no file of the user's.
        if !store.exists()
            && self.links.roots(&scope).iter().any(|root| root.is_dir())
            && path.join(".git").is_dir()
            && !is_excluded(path)
            && let Err(error) = self.exclude_from_git(path)
        {
            tracing::info!(%error, "our files can't be excluded from git");
        }
        self.watch_links(scope)
    }

    pub(crate) fn watch_links(&self, scope: LinkedScope) -> Option<Arc<LinkWatcher>> {
        let failed = |error: &dyn std::fmt::Display| tracing::warn!(%error, "can't link the skills of agents");
        if self.options.maintain {
            return LinkWatcher::start(self.links.clone(), scope).inspect_err(|error| failed(error)).ok().map(Arc::new);
        }
        if let Err(error) = self.links.scan(&scope) {
            failed(&error);
        }
        None
    }

    fn linked(&self, scope: LinkedScope) -> Arc<dyn SkillStorageRepository> {
        Arc::new(LinkedRepository::new(scope, self.links.clone()))
    }

    /// Removes what writing to linked folders left there.
    fn clear_links(&self) {
        let open = self.open_stores().into_iter().map(|(path, store)| (Some(path), store));
        let scopes: Vec<LinkedScope> = [(None, self.account.clone())]
            .into_iter()
            .chain(open)
            .map(|(workspace, store)| LinkedScope { workspace, repository: store })
            .collect();
        let begun = Instant::now();
        while scopes.iter().any(|scope| self.links.clear(scope)) && begun.elapsed() < CLEAR_TIMEOUT {
            std::thread::sleep(CLEAR_RETRY);
        }
    }

    fn open_store(&self, path: &Path) -> Result<Arc<Store>, WorkspaceAccessError> {
        let file = path.join(AGENTS_DB);
        let store = Arc::new(Store::open(Scope::Workspace, &file, self.origin.clone(), self.clock.clone(), self.format.clone())?);
        if self.options.maintain {
            prune_history(store.clone(), self.account.clone(), path.display().to_string(), deploy_lock(&self.options));
        }
        Ok(store)
    }

    fn workspaces(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<Workspace>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_stores(&self) -> Vec<(PathBuf, Arc<Store>)> {
        self.workspaces().iter().filter_map(|(path, workspace)| Some((path.clone(), workspace.store()?))).collect()
    }

    /// Releases the workspace's pages, and its database unless a run still uses it.
    pub(crate) fn release(&self, path: &Path) {
        self.pages.release(path);
        let Some(workspace) = self.workspaces().get(path).cloned() else { return };
        let released = match workspace.store() {
            Some(store) => State::Released(Arc::downgrade(&store)),
            None => return,
        };
        let open = std::mem::replace(&mut *workspace.state(), released);
        // Dropped after the lock, since closing a database checkpoints its write-ahead log.
        drop(open);
    }

    fn store_of(&self, workspace: Option<&Path>) -> Result<Arc<Store>, WorkspaceAccessError> {
        workspace.map_or_else(|| Ok(self.account.clone()), |path| self.store(path))
    }

    /// Closes every database.
    pub(crate) fn close(&self) {
        self.clear_links();
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
        let scope = LinkedScope { workspace: None, repository: self.account.clone() };
        if !self.options.maintain {
            self.account_scanned.call_once(|| drop(self.watch_links(scope.clone())));
        }
        self.linked(scope)
    }

    fn workspace(&self, path: &Path) -> Result<Arc<dyn SkillStorageRepository>, WorkspaceAccessError> {
        Ok(self.linked(self.linked_scope(Some(path))?))
    }

    fn linked_scope(&self, workspace: Option<&Path>) -> Result<LinkedScope, WorkspaceAccessError> {
        Ok(LinkedScope { workspace: workspace.map(Path::to_owned), repository: self.store_of(workspace)? })
    }

    fn traces(&self, workspace: Option<&Path>) -> Result<Arc<dyn TraceStore>, WorkspaceAccessError> {
        let own = workspace.map(|path| self.store(path)).transpose()?.filter(|store| store.takes_traces());
        Ok(own.unwrap_or_else(|| self.account.clone()))
    }

    fn pages(&self, path: &Path) -> Result<Arc<dyn Pages>, WorkspaceAccessError> {
        require_folder(path)?;
        Ok(self.pages.get(path))
    }

    fn files(&self, path: &Path) -> Result<Arc<dyn WorkspaceFiles>, WorkspaceAccessError> {
        require_folder(path)?;
        Ok(Arc::new(Files::new(path)))
    }

    fn bindings(&self, path: &Path) -> Result<Arc<dyn Bindings>, WorkspaceAccessError> {
        Ok(self.store(path)?)
    }

    fn open_workspaces(&self) -> Vec<(PathBuf, Arc<dyn SkillStorageRepository>)> {
        let open = self.open_stores().into_iter().filter(|(path, _)| path.is_dir());
        open.map(|(path, store)| (path.clone(), self.linked(LinkedScope { workspace: Some(path), repository: store }))).collect()
    }

    fn inspect(&self, path: &Path) -> Result<WorkspaceState, WorkspaceAccessError> {
        let path = path.canonicalize().map_err(|error| folder_failed(path, error))?;
        if path.to_str().is_none() {
            return Err(WorkspaceAccessError::NotUtf8(path));
        }
        require_folder(&path)?;
        fs::read_dir(&path).map_err(|error| folder_failed(&path, error))?;
        if self.options.home.canonicalize().is_ok_and(|home| home == path) {
            return Err(WorkspaceAccessError::AccountFolder(path));
        }
        let store = self.store(&path)?;
        let is_writable = inklings_sqlite::is_writable(&path);
        let mut banners = banners(&store);
        if !is_writable {
            banners.push(warning("this folder is read-only, so its skills can't be edited", "check the folder's permissions"));
        }
        Ok(WorkspaceState {
            writable: is_writable && *store.health() != Health::ReadOnly,
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

    fn sample(&self) -> Result<PathBuf, WorkspaceAccessError> {
        let target = self.sample_path();
        if !target.is_dir() {
            let part = target.with_extension("part");
            let _ = fs::remove_dir_all(&part);
            copy_folder(&self.options.resources.workspace(), &part)
                .and_then(|()| fs::rename(&part, &target))
                .map_err(|error| folder_failed(&target, error))?;
        }
        Ok(target)
    }

    fn sample_path(&self) -> PathBuf {
        self.options.home.join("sample-workspace")
    }

    fn exclude_from_git(&self, path: &Path) -> Result<(), WorkspaceAccessError> {
        let (git, file) = (path.join(".git"), path.join(".git/info/exclude"));
        if !git.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            return Err(WorkspaceAccessError::NotARepository(path.to_owned()));
        }
        let run = || {
            let info = git.join("info");
            fs::create_dir_all(&info)?;
            // A symbolic link could point outside of the folder.
            if info.canonicalize()? != path.canonicalize()?.join(".git/info") {
                return Err(not_a_git_file());
            }
            let mut text =
                read_git_file(&file).or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(String::new()) } else { Err(error) })?;
            for line in GIT_EXCLUDES {
                if text.lines().any(|known| known.trim() == line) {
                    continue;
                }
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(line);
                text.push('\n');
            }
            // As a whole: a kill must not truncate the user's file.
            Output::File("exclude", text.as_bytes()).write(&info, Existing::Replace).map(drop).map_err(io_error)
        };
        run().map_err(|error| folder_failed(&file, error))
    }

    fn account_dir(&self) -> PathBuf {
        self.options.home.clone()
    }

    fn banners(&self) -> Vec<Banner> {
        self.banners.clone()
    }

    fn check_database(&self, workspace: Option<&Path>, cancel: &CancellationToken) -> Result<DatabaseCheck, WorkspaceAccessError> {
        let store = self.store_of(workspace)?;
        let findings = store.tend(cancel, |path| database::check(path, cancel))?;
        Ok(DatabaseCheck::new(store.path(), findings, &database::backups(store.path())))
    }

    fn back_up_database(
        &self,
        workspace: Option<&Path>,
        to: &Path,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<DatabaseCopy, WorkspaceAccessError> {
        let store = self.store_of(workspace)?;
        store.tend(cancel, |path| database::copy(path, to, cancel, progress))?;
        Ok(DatabaseCopy::new(store.path(), to))
    }

    fn restore_database(
        &self,
        workspace: Option<&Path>,
        from: &Path,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<RestoredDatabase, WorkspaceAccessError> {
        let store = self.store_of(workspace)?;
        let scope = store.scope();
        let previous = store.replace(cancel, |path| database::stage(scope, path, from, cancel, progress), StagedCopy::replace)?;
        Ok(RestoredDatabase::new(store.path(), previous.as_deref()))
    }

    fn databases(&self) -> Vec<DatabaseFile> {
        let health = |store: &Store| match store.health() {
            Health::Good => "ok".to_owned(),
            Health::ReadOnly => "read-only".to_owned(),
            Health::SetAside(aside) => format!("damaged, moved to {}", aside.display()),
        };
        let open = self.open_stores().into_iter().map(|(_, store)| store);
        [self.account.clone()].into_iter().chain(open).map(|store| diagnostics::file_at(store.path(), health(&store))).collect()
    }
}

pub(crate) fn banners(store: &Store) -> Vec<Banner> {
    match store.health() {
        Health::Good => Vec::new(),
        Health::ReadOnly => vec![warning(
            format!("{} is read-only, so its skills can't be edited", store.path().display()),
            "check the permissions of the file and its folder",
        )],
        Health::SetAside(aside) => vec![warning(
            format!("{} was damaged and moved to {}; a new database was created", store.path().display(), aside.display()),
            "restore a backup if you have one",
        )],
    }
}

fn is_excluded(path: &Path) -> bool {
    let mentions = |file: PathBuf| {
        read_git_file(&file).is_ok_and(|text| text.lines().any(|line| line.trim().trim_start_matches('/') == GIT_EXCLUDES[0]))
    };
    mentions(path.join(".git/info/exclude")) || mentions(path.join(".gitignore"))
}

/// Reads a file of an untrusted folder: a regular file of bounded size, not a link or a pipe.
fn read_git_file(file: &Path) -> io::Result<String> {
    let meta = file.symlink_metadata()?;
    if meta.is_file() && meta.len() <= MAX_GIT_FILE_BYTES { fs::read_to_string(file) } else { Err(not_a_git_file()) }
}

fn io_error(error: DiskError) -> io::Error {
    match error {
        DiskError::NoRights { .. } => ErrorKind::PermissionDenied.into(),
        DiskError::Io { source, .. } => source,
        other => io::Error::other(other),
    }
}

fn not_a_git_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "not a regular file, or too large")
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

fn require_folder(path: &Path) -> Result<(), WorkspaceAccessError> {
    if path.is_dir() { Ok(()) } else { Err(not_a_folder(path)) }
}

/// The error of a path that isn't a folder, or doesn't exist.
fn not_a_folder(path: &Path) -> WorkspaceAccessError {
    if path.exists() { WorkspaceAccessError::NotAFolder(path.to_owned()) } else { WorkspaceAccessError::NotFound(path.to_owned()) }
}

pub(crate) fn folder_failed(path: &Path, source: io::Error) -> WorkspaceAccessError {
    match source.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::AlreadyExists => not_a_folder(path),
        ErrorKind::PermissionDenied => WorkspaceAccessError::PermissionDenied(path.to_owned()),
        ErrorKind::StorageFull => StorageError::DiskFull { path: path.to_owned() }.into(),
        _ => WorkspaceAccessError::Io { path: path.to_owned(), source },
    }
}
