//! Who has a database open, as an advisory lock on a file beside it (`<file>-lock`).
//!
//! Every process holds it shared while the database is open. A process that gets it exclusively knows that nobody else has the file open: a
//! write-ahead log left behind then means an unclean stop, and only then may the file be moved or replaced. The lock can't be on the database
//! itself: SQLite drops its POSIX locks when any handle of the file closes.
//!
//! A [`LivenessLock`] is held by a process for as long as it lives. An open trace row of a process whose lock is free was interrupted.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use inklings_core::StorageError;

/// Released on drop or when the process ends.
#[derive(Debug)]
pub(crate) struct OpenLock(#[expect(dead_code, reason = "held for its lock")] File);

pub(crate) enum ExclusiveLock {
    Acquired(File),
    Busy,
    /// Unknown: no lock file can be created in the folder (read-only).
    Unknown,
}

pub(crate) fn lock_path(database: &Path) -> PathBuf {
    with_suffix(database, "-lock")
}

/// `agents.db` with `-wal` and the like.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Creates the file if it doesn't exist.
fn lock_file(path: &Path) -> std::io::Result<File> {
    careful(OpenOptions::new().create(true).truncate(false).write(true)).open(path)
}

/// Doesn't follow links and doesn't block on a pipe, since the folder is untrusted.
fn careful(options: &mut OpenOptions) -> &mut OpenOptions {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default())
}

/// Doesn't wait.
pub(crate) fn try_lock_exclusively(database: &Path) -> ExclusiveLock {
    let Ok(file) = lock_file(&lock_path(database)) else { return ExclusiveLock::Unknown };
    match file.try_lock() {
        Ok(()) => ExclusiveLock::Acquired(file),
        Err(TryLockError::WouldBlock) => ExclusiveLock::Busy,
        Err(TryLockError::Error(_)) => ExclusiveLock::Unknown,
    }
}

/// Fails with `InUse` if the database is open elsewhere.
pub(crate) fn lock_exclusively(database: &Path) -> Result<Option<File>, StorageError> {
    match try_lock_exclusively(database) {
        ExclusiveLock::Acquired(file) => Ok(Some(file)),
        ExclusiveLock::Busy => Err(StorageError::InUse { path: database.to_owned() }),
        ExclusiveLock::Unknown => Ok(None),
    }
}

/// `None` if no lock file can be created in the folder.
pub(crate) fn shared(database: &Path) -> Option<OpenLock> {
    let file = lock_file(&lock_path(database)).ok()?;
    file.lock_shared().ok()?;
    Some(OpenLock(file))
}

/// Serializes creating and migrating a database across processes and threads. Released on drop.
#[derive(Debug)]
pub(crate) struct SetupLock {
    path: PathBuf,
    _lock: File,
}

impl SetupLock {
    /// `None` if no lock file can be created in the folder.
    pub(crate) fn wait(database: &Path) -> Option<Self> {
        let path = with_suffix(database, "-setup");
        // The previous holder removed the file; the next one creates another.
        let lock = locked(&path, lock_file, File::lock)?;
        Some(Self { path, _lock: lock })
    }
}

/// Locks the file that is at `path` at the time of locking. If the previous holder removed the file meanwhile, the lock
/// is on an unlinked file, and opening is repeated.
fn locked(path: &Path, mut open: impl FnMut(&Path) -> io::Result<File>, lock: impl Fn(&File) -> io::Result<()>) -> Option<File> {
    loop {
        let file = open(path).ok()?;
        lock(&file).ok()?;
        if is_at(path, &file)? {
            return Some(file);
        }
    }
}

/// For locks that other processes hold only briefly.
fn lock_soon(file: &File) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_TIMEOUT => std::thread::sleep(LOCK_RETRY_INTERVAL),
            Err(error) => return Err(error.into()),
        }
    }
}

/// How long [`lock_soon`] waits, and after which time it tries again.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(1);

/// Whether `path` still refers to this open file. `None` if its metadata can't be read.
fn is_at(path: &Path, file: &File) -> Option<bool> {
    let ours = file.metadata().ok()?;
    Some(path.symlink_metadata().is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())))
}

impl Drop for SetupLock {
    fn drop(&mut self) {
        // If removing fails, the file is reused.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Shows other processes that this one is alive and working in the database. They check by the lock whether work
/// that it started is still in progress, even from another PID namespace.
#[derive(Debug)]
pub struct LivenessLock {
    path: PathBuf,
    // Held until the process ends.
    _lock: File,
}

impl LivenessLock {
    /// `None` if no file can be created in the folder.
    #[must_use]
    pub fn acquire(database: &Path, name: &str) -> Option<Self> {
        let path = liveness_path(database, name)?;
        let lock = locked(&path, lock_file, lock_soon)?;
        Some(Self { path, _lock: lock })
    }

    /// Whether the process that holds the lock is alive. The file of a dead process is removed.
    #[must_use]
    pub fn is_held(database: &Path, name: &str) -> bool {
        let Some(path) = liveness_path(database, name) else { return false };
        Self::is_locked(&path, |path| careful(OpenOptions::new().read(true)).open(path))
    }

    fn is_locked(path: &Path, mut open: impl FnMut(&Path) -> io::Result<File>) -> bool {
        loop {
            let Ok(file) = open(path) else { return false };
            if file.try_lock().is_err() {
                return true;
            }
            if is_at(path, &file).unwrap_or(true) {
                // Locked during removal, so that nobody can lock this file meanwhile.
                let _ = std::fs::remove_file(path);
                return false;
            }
            // Another process removed it, and there may be a new lock file.
        }
    }

    /// Removes files of dead processes.
    pub fn sweep(database: &Path) {
        let (Some(folder), Some(name)) = (database.parent(), database.file_name()) else { return };
        let prefix = format!("{}{LIVENESS_INFIX}", name.to_string_lossy());
        for entry in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
            if let Some(name) = entry.file_name().to_string_lossy().strip_prefix(&prefix) {
                let _ = Self::is_held(database, name);
            }
        }
    }
}

impl Drop for LivenessLock {
    fn drop(&mut self) {
        // Remaining files are removed by the next sweep.
        let _ = std::fs::remove_file(&self.path);
    }
}

const LIVENESS_INFIX: &str = "-run-";

/// The name comes from an untrusted database: only plain file names are accepted.
fn liveness_path(database: &Path, name: &str) -> Option<PathBuf> {
    let plain = !name.is_empty() && name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    plain.then(|| with_suffix(database, &format!("{LIVENESS_INFIX}{name}")))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Opens like `open`, and lets `between` happen after the first time: what another process does between opening and locking.
    fn interrupted<'a>(open: fn(&Path) -> io::Result<File>, between: impl Fn() + 'a) -> impl FnMut(&Path) -> io::Result<File> + 'a {
        let first = Cell::new(true);
        move |path| {
            let file = open(path);
            if first.take() {
                between();
            }
            file
        }
    }

    #[test]
    fn a_mark_that_a_look_removes_while_it_is_put_is_put_again() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("agents.db");
        let path = liveness_path(&database, "abc").unwrap();
        let open = interrupted(lock_file, || assert!(!LivenessLock::is_held(&database, "abc")));
        let lock = locked(&path, open, File::lock).unwrap();
        assert!(path.exists() && LivenessLock::is_held(&database, "abc"));
        drop(lock);
        assert!(!LivenessLock::is_held(&database, "abc"));
    }

    #[test]
    fn a_look_never_removes_a_mark_that_was_put_after_it_opened_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("agents.db");
        let path = liveness_path(&database, "abc").unwrap();
        drop(lock_file(&path).unwrap());
        let put = Cell::new(None);
        let replace = || {
            std::fs::remove_file(&path).unwrap();
            put.set(LivenessLock::acquire(&database, "abc"));
        };
        let open = interrupted(|path| careful(OpenOptions::new().read(true)).open(path), replace);
        assert!(LivenessLock::is_locked(&path, open), "the new mark is held");
        assert!(path.exists());
        drop(put.take().unwrap());
        assert!(!path.exists());
    }
}
