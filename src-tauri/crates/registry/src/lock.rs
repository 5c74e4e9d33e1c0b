//! A lock on a file, which ends with the process that holds it.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

#[derive(Debug)]
pub(crate) struct FileLock(File);

impl FileLock {
    /// Creates the file if needed. `None` if another process holds the lock.
    pub(crate) fn acquire(path: &Path) -> io::Result<Option<Self>> {
        let file = File::options().create(true).truncate(false).read(true).write(true).open(path)?;
        Ok(flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok().then_some(Self(file)))
    }

    pub(crate) const fn file(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Closing isn't enough: a child process has the file open, too, between its fork and its exec.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_although_its_file_is_open_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = FileLock::acquire(&path).unwrap().unwrap();
        assert!(FileLock::acquire(&path).unwrap().is_none());
        let duplicate = lock.0.try_clone().unwrap();
        drop(lock);
        assert!(FileLock::acquire(&path).unwrap().is_some());
        drop(duplicate);
    }
}
