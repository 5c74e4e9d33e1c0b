//! Who runs what: each process holds a lock for as long as it lives, so that others can tell a run that goes on from one whose
//! process is gone.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use inklings_core::Owners;

/// This process's lock, and a look at those of others.
#[derive(Debug)]
pub(crate) struct ProcessOwners {
    folder: PathBuf,
    own: String,
    // Held until the process ends, however it ends.
    lock: Option<File>,
}

impl ProcessOwners {
    /// Takes the lock with this mark. The folder is the user's own, the same for every home folder: a workspace can be open
    /// under several.
    pub(crate) fn new(own: String) -> Self {
        let user = rustix::process::geteuid().as_raw();
        let folder = dirs::runtime_dir().unwrap_or_else(std::env::temp_dir).join(format!("inklings-{user}"));
        let lock = take(&folder, &own, user);
        let lock = lock.inspect_err(|error| tracing::info!(%error, "runs of this process will look interrupted to others")).ok();
        Self { folder, own, lock }
    }
}

fn take(folder: &Path, own: &str, user: u32) -> io::Result<File> {
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // In a shared temporary folder someone else may have made it first.
    let found = folder.symlink_metadata()?;
    if !found.is_dir() || found.uid() != user {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{} is not this user's folder", folder.display())));
    }
    let file = File::create_new(path(folder, own))?;
    file.lock()?;
    Ok(file)
}

fn path(folder: &Path, owner: &str) -> PathBuf {
    folder.join(format!("{owner}.lock"))
}

impl Owners for ProcessOwners {
    fn own(&self) -> &str {
        &self.own
    }

    fn is_alive(&self, owner: &str) -> bool {
        if owner == self.own {
            return true;
        }
        // A mark comes from a database, which may be anyone's: it names a file of ours or nothing.
        if uuid::Uuid::try_parse(owner).is_err() {
            return false;
        }
        let file = path(&self.folder, owner);
        let Ok(open) = File::open(&file) else { return false };
        match open.try_lock() {
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "a lock can't be looked at");
                true
            }
            Ok(()) => {
                // Its process is gone; so may the file be. If another look removes it first, that is as well.
                let _ = fs::remove_file(&file);
                false
            }
        }
    }
}

impl Drop for ProcessOwners {
    fn drop(&mut self) {
        if self.lock.take().is_some() {
            // What is left behind is removed by the next look.
            let _ = fs::remove_file(path(&self.folder, &self.own));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_lives_as_long_as_its_lock() {
        let (one, two) = (uuid::Uuid::new_v4().simple().to_string(), uuid::Uuid::new_v4().simple().to_string());
        let (first, second) = (ProcessOwners::new(one.clone()), ProcessOwners::new(two.clone()));
        assert!(first.is_alive(&two) && second.is_alive(&one) && first.is_alive(&one));
        drop(second);
        assert!(!first.is_alive(&two));
        for strange in ["", "../../etc/passwd", "x"] {
            assert!(!first.is_alive(strange), "{strange}");
        }
    }

    #[test]
    fn a_lock_that_was_left_behind_is_cleared_away() {
        let (one, gone) = (uuid::Uuid::new_v4().simple().to_string(), uuid::Uuid::new_v4().simple().to_string());
        let first = ProcessOwners::new(one);
        fs::write(path(&first.folder, &gone), "").unwrap();
        assert!(!first.is_alive(&gone));
        assert!(!path(&first.folder, &gone).exists());
    }
}
