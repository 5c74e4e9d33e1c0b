//! Files of a registry on disk.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::PublishError;
use crate::disk;

/// Web servers run as another user.
const FILE_MODE: u32 = 0o644;
/// Of files that are written and not renamed yet.
const TEMPORARY_PREFIX: &str = ".writing-";

pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> PublishError {
    let path = path.to_owned();
    move |error| PublishError::Disk { path, error }
}

/// See [`disk::read`].
pub(super) fn read(top: &Path, path: &str, max: u64) -> Result<Option<Vec<u8>>, PublishError> {
    let path = top.join(path);
    disk::read(&path, max).map_err(failed(&path))
}

/// Replaces a file in one step. It is on disk afterwards.
///
/// Its time of modification is in a later second than that of the file before: web servers derive etags from the second and the length.
pub(super) fn write(top: &Path, path: &str, bytes: &[u8]) -> Result<(), PublishError> {
    let path = top.join(path);
    let folder = path.parent().unwrap_or(top);
    let write = || {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)?;
        file.write_all(bytes)?;
        // A temporary file is its owner's only.
        file.as_file().set_permissions(Permissions::from_mode(FILE_MODE))?;
        if let Some(before) = fs::metadata(&path).ok().and_then(|known| known.modified().ok()) {
            file.as_file().set_modified(later_second(before, SystemTime::now()))?;
        }
        file.as_file().sync_all()?;
        file.persist(&path).map_err(|error| error.error)?;
        File::open(folder)?.sync_all()
    };
    write().map_err(failed(&path))
}

/// `now`, or the begin of the second after `before`.
fn later_second(before: SystemTime, now: SystemTime) -> SystemTime {
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    now.max(UNIX_EPOCH + Duration::from_secs(seconds(before) + 1))
}

/// Writes an immutable file, unless it is there.
pub(super) fn write_new(top: &Path, path: &str, bytes: &[u8]) -> Result<(), PublishError> {
    let known = read(top, path, bytes.len() as u64)?;
    if known.as_deref() == Some(bytes) { Ok(()) } else { write(top, path, bytes) }
}

/// Relative paths of all files below a folder.
pub(super) fn list(top: &Path, folder: &str) -> Result<BTreeSet<String>, PublishError> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![PathBuf::from(folder)];
    while let Some(folder) = waiting.pop() {
        let path = top.join(&folder);
        let entries = match fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.map_err(failed(&path))?,
        };
        for entry in entries {
            let entry = entry.map_err(failed(&path))?;
            let relative = folder.join(entry.file_name());
            if entry.file_type().map_err(failed(&path))?.is_dir() {
                waiting.push(relative);
            } else {
                found.insert(relative.to_string_lossy().into_owned());
            }
        }
    }
    Ok(found)
}
