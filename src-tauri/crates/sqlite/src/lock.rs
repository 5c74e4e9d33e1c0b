//! Who has a database open, as an advisory lock on a file beside it (`<file>-lock`).
//!
//! Everyone holds it shared while open; whoever gets it alone knows that nobody else is there: a write-ahead log left behind
//! then means an unclean stop, and only then may a file be moved aside or replaced. The lock can't sit on the database
//! itself: closing any handle of a file drops the POSIX locks that SQLite holds on it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use inklings_core::StorageError;

/// A held lock; released when dropped or when the process ends.
#[derive(Debug)]
pub(crate) struct OpenLock(#[expect(dead_code, reason = "held for its lock")] File);

/// The outcome of asking for the file alone.
pub(crate) enum ExclusiveLock {
    /// Nobody else has it open.
    Acquired(File),
    /// Someone else has.
    Busy,
    /// The folder takes no lock file (read-only): nothing is known.
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

/// Opens a lock's file, made if it isn't there.
fn lock_file(path: &Path) -> std::io::Result<File> {
    careful(OpenOptions::new().create(true).truncate(false).write(true)).open(path)
}

/// Never through a link and never waiting for a pipe: a folder is a stranger's, and a link may lead anywhere.
fn careful(options: &mut OpenOptions) -> &mut OpenOptions {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default())
}

/// Asks for the database alone, without waiting.
pub(crate) fn try_lock_exclusively(database: &Path) -> ExclusiveLock {
    let Ok(file) = lock_file(&lock_path(database)) else { return ExclusiveLock::Unknown };
    match file.try_lock() {
        Ok(()) => ExclusiveLock::Acquired(file),
        Err(TryLockError::WouldBlock) => ExclusiveLock::Busy,
        Err(TryLockError::Error(_)) => ExclusiveLock::Unknown,
    }
}

/// Asks for the database alone, or the error that it is in use.
pub(crate) fn lock_exclusively(database: &Path) -> Result<Option<File>, StorageError> {
    match try_lock_exclusively(database) {
        ExclusiveLock::Acquired(file) => Ok(Some(file)),
        ExclusiveLock::Busy => Err(StorageError::InUse { path: database.to_owned() }),
        ExclusiveLock::Unknown => Ok(None),
    }
}

/// Holds the database open together with others. `None` where the folder takes no lock file.
pub(crate) fn shared(database: &Path) -> Option<OpenLock> {
    let file = lock_file(&lock_path(database)).ok()?;
    file.lock_shared().ok()?;
    Some(OpenLock(file))
}

/// The turn of making a database or bringing it up to date: one process or thread after the other. Over when dropped.
#[derive(Debug)]
pub(crate) struct SetupLock {
    path: PathBuf,
    _lock: File,
}

impl SetupLock {
    /// Waits for the turn. `None` where the folder takes no lock file.
    pub(crate) fn wait(database: &Path) -> Option<Self> {
        let path = with_suffix(database, "-setup");
        // The one before has removed it by now; whoever comes next makes another.
        let lock = locked(&path, lock_file, File::lock)?;
        Some(Self { path, _lock: lock })
    }
}

/// Locks the file that is at `path` when it is locked. Whoever had the lock before may have removed the file in between: then the lock
/// is on a file that nobody else can find, and the next one is tried.
fn locked(path: &Path, mut open: impl FnMut(&Path) -> io::Result<File>, lock: impl Fn(&File) -> io::Result<()>) -> Option<File> {
    loop {
        let file = open(path).ok()?;
        lock(&file).ok()?;
        if is_at(path, &file)? {
            return Some(file);
        }
    }
}

/// Locks a file that another process has for no longer than a look at it takes.
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

/// Whether `path` names this open file. `None` if the file can't be asked.
fn is_at(path: &Path, file: &File) -> Option<bool> {
    let ours = file.metadata().ok()?;
    Some(path.symlink_metadata().is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())))
}

impl Drop for SetupLock {
    fn drop(&mut self) {
        // One that stays is used again.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Says beside a database that this process is at work in it, for as long as it lives. Others tell by the mark's lock whether work
/// that was begun under it still goes on, whatever their environment.
#[derive(Debug)]
pub struct LivenessLock {
    path: PathBuf,
    // Held until the process ends, however it ends.
    _lock: File,
}

impl LivenessLock {
    /// Puts the mark; none where the folder takes no file.
    #[must_use]
    pub fn acquire(database: &Path, name: &str) -> Option<Self> {
        let path = liveness_path(database, name)?;
        let lock = locked(&path, lock_file, lock_soon)?;
        Some(Self { path, _lock: lock })
    }

    /// Whether the process that put the mark still lives. What a dead one left is cleared away.
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
                // Held while it is removed, so that nobody can have put a mark into this file in between.
                let _ = std::fs::remove_file(path);
                return false;
            }
            // Another look has removed it, and a new mark may be in its place.
        }
    }

    /// Clears away what dead processes left.
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
        // What is left behind is cleared away by the next look.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// What a mark's file has after the database's name.
const LIVENESS_INFIX: &str = "-run-";

/// A mark comes from a database, which may be anyone's: it names a file of ours or nothing.
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
