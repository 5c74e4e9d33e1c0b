//! Reading a configuration file, and replacing it by a complete one.

use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::config::is_blank;
use crate::{Client, ConfigError, EntryState};

pub const MAX_CONFIG_BYTES: u64 = 1024 * 1024;

const BACKUP_SUFFIX: &str = ".inklings-backup";

/// Mode of new files, which the umask restricts. A user's configuration may get secrets; a project's is shared.
const USER_MODE: u32 = 0o600;
const PROJECT_MODE: u32 = 0o666;

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{}: {error}", path.display())]
    Config { path: PathBuf, error: ConfigError },
    #[error("{} is larger than {} KiB", path.display(), MAX_CONFIG_BYTES / 1024)]
    TooLarge { path: PathBuf },
    #[error("{} isn't UTF-8 text", path.display())]
    NotText { path: PathBuf },
    #[error("{} isn't a file", path.display())]
    NotAFile { path: PathBuf },
    #[error("{} is a broken link", path.display())]
    BrokenLink { path: PathBuf },
    #[error("{} leads out of the workspace", path.display())]
    Outside { path: PathBuf },
    #[error("{} is read-only", path.display())]
    ReadOnly { path: PathBuf },
    #[error("{} was changed by another program", path.display())]
    Changed { path: PathBuf },
    #[error("can't {action} {}: {error}", path.display())]
    Io { action: &'static str, path: PathBuf, error: io::Error },
}

/// What to do with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Write(String),
    /// The text without our entry.
    Restore(String),
    /// It has nothing but what we wrote.
    Delete,
}

/// A client's configuration file, which may not exist.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    client: &'static Client,
    path: PathBuf,
    /// The workspace that it must not lead out of.
    within: Option<PathBuf>,
}

impl ConfigFile {
    pub(crate) const fn of_user(client: &'static Client, path: PathBuf) -> Self {
        Self { client, path, within: None }
    }

    /// Of a workspace, which may come from somebody else.
    #[must_use]
    pub fn of_project(client: &'static Client, workspace: &Path) -> Self {
        Self { client, path: workspace.join(client.project), within: Some(workspace.to_path_buf()) }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[must_use]
    pub const fn client(&self) -> &'static Client {
        self.client
    }

    /// The file's text; `None` if it doesn't exist.
    pub fn read(&self) -> Result<Option<String>, FileError> {
        read_text(&self.path, &self.real_path()?)
    }

    /// The text before the first change, if it is kept.
    #[must_use]
    pub fn original(&self) -> Option<String> {
        // It is a hint only; a link in its place isn't ours.
        let backup = self.backup_path();
        let is_file = fs::symlink_metadata(&backup).is_ok_and(|metadata| metadata.is_file());
        read_text(&backup, &backup).ok().flatten().filter(|_| is_file)
    }

    #[must_use]
    pub fn backup_path(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(BACKUP_SUFFIX);
        self.path.with_file_name(name)
    }

    /// What removes the entry: the text without it, or no file if we created it. `None` if it has no entry.
    pub fn removal(&self, text: &str) -> Result<Option<Change>, FileError> {
        let original = self.original();
        let new = crate::removed(self.client, text, original.as_deref()).map_err(|error| self.config_error(error))?;
        let is_link = fs::symlink_metadata(&self.path).is_ok_and(|metadata| metadata.is_symlink());
        let is_ours = matches!(crate::state(self.client, text), Ok(EntryState::Ours(_)));
        // Then the text of before has an entry of the user's that ours replaced.
        let replaced = original.as_deref().is_some_and(|original| matches!(crate::state(self.client, original), Ok(EntryState::Foreign)));
        Ok(new.map(|new| {
            if original.is_none() && !is_link && is_blank(&new) {
                Change::Delete
            } else if is_ours && !replaced {
                Change::Restore(new)
            } else {
                Change::Write(new)
            }
        }))
    }

    #[must_use]
    pub fn config_error(&self, error: ConfigError) -> FileError {
        FileError::Config { path: self.path.clone(), error }
    }

    /// Does the change if the file still has the text `before`. The text of before the first change stays beside it until the entry is
    /// removed.
    pub fn change(&self, before: Option<&str>, change: &Change) -> Result<(), FileError> {
        let real_path = self.real_path()?;
        let permissions = match fs::metadata(&real_path) {
            Ok(metadata) if metadata.permissions().readonly() => return Err(FileError::ReadOnly { path: self.path.clone() }),
            Ok(metadata) => metadata.permissions(),
            Err(_) => Permissions::from_mode(if self.within.is_some() { PROJECT_MODE } else { USER_MODE }),
        };
        let new = match change {
            Change::Write(new) | Change::Restore(new) => new,
            Change::Delete => {
                self.ensure_unchanged(&real_path, before)?;
                return fs::remove_file(&real_path).map_err(self.io("delete"));
            }
        };
        let folder = real_path.parent().unwrap_or(Path::new("/"));
        if before.is_none() {
            fs::create_dir_all(folder).map_err(self.io("create the folder of"))?;
        }
        let original = self.original();
        let restores = matches!(change, Change::Restore(_));
        if let Some(before) = before.filter(|_| original.is_none() && !restores) {
            self.back_up(before, &permissions)?;
        }
        let file = self.temporary(folder, new, &permissions, before.is_some())?;
        self.ensure_unchanged(&real_path, before)?;
        if before.is_some() {
            file.persist(&real_path).map_err(|error| self.io("write")(error.error))?;
        } else {
            file.persist_noclobber(&real_path).map_err(|error| self.io("write")(error.error))?;
        }
        // A crash may otherwise undo the rename, which harms nobody.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        if original.is_some() && (restores || original.as_ref() == Some(new)) {
            // It may have secrets, and is of no use any more.
            let _ = fs::remove_file(self.backup_path());
        }
        Ok(())
    }

    fn ensure_unchanged(&self, real_path: &Path, before: Option<&str>) -> Result<(), FileError> {
        let present = read_text(&self.path, real_path)?;
        if present.as_deref() == before { Ok(()) } else { Err(FileError::Changed { path: self.path.clone() }) }
    }

    fn back_up(&self, text: &str, permissions: &Permissions) -> Result<(), FileError> {
        let backup = self.backup_path();
        let folder = backup.parent().unwrap_or(Path::new("/"));
        let file = self.temporary(folder, text, permissions, true)?;
        match file.persist_noclobber(&backup) {
            Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(self.io("back up")(error.error)),
            _ => Ok(()),
        }
    }

    /// `exact`: the permissions are those of a file, not limits for a new one.
    fn temporary(&self, folder: &Path, text: &str, permissions: &Permissions, exact: bool) -> Result<NamedTempFile, FileError> {
        let write = || {
            let mut file = Builder::new().prefix(".inklings-").permissions(permissions.clone()).tempfile_in(folder)?;
            file.write_all(text.as_bytes())?;
            if exact {
                file.as_file().set_permissions(permissions.clone())?;
            }
            file.as_file().sync_all()?;
            Ok(file)
        };
        write().map_err(self.io("write"))
    }

    fn io(&self, action: &'static str) -> impl Fn(io::Error) -> FileError {
        let path = self.path.clone();
        move |error| match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => FileError::ReadOnly { path: path.clone() },
            io::ErrorKind::AlreadyExists => FileError::Changed { path: path.clone() },
            _ => FileError::Io { action, path: path.clone(), error },
        }
    }

    /// The file behind links. Dotfiles are often links to another folder; the file there is written, and the link stays.
    fn real_path(&self) -> Result<PathBuf, FileError> {
        let real_path = match fs::symlink_metadata(&self.path) {
            Ok(metadata) if metadata.is_symlink() => fs::canonicalize(&self.path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => FileError::BrokenLink { path: self.path.clone() },
                _ => self.io("read")(error),
            })?,
            _ => self.path.clone(),
        };
        let Some(workspace) = &self.within else { return Ok(real_path) };
        // Of a file that doesn't exist, the folder that does.
        let existing = real_path.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok());
        let inside = |folder: &Path| Some(fs::canonicalize(folder).ok()?.starts_with(fs::canonicalize(workspace).ok()?));
        if existing.and_then(inside) == Some(true) { Ok(real_path) } else { Err(FileError::Outside { path: self.path.clone() }) }
    }
}

/// `path` is for errors.
fn read_text(path: &Path, real_path: &Path) -> Result<Option<String>, FileError> {
    let failed = |error: io::Error| FileError::Io { action: "read", path: path.to_path_buf(), error };
    match fs::metadata(real_path) {
        // Opening a pipe would wait for a writer.
        Ok(metadata) if !metadata.is_file() => return Err(FileError::NotAFile { path: path.to_path_buf() }),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    let mut bytes = Vec::new();
    File::open(real_path).map_err(failed)?.take(MAX_CONFIG_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_CONFIG_BYTES {
        return Err(FileError::TooLarge { path: path.to_path_buf() });
    }
    String::from_utf8(bytes).map(Some).map_err(|_| FileError::NotText { path: path.to_path_buf() })
}
