//! The cache outside the checkout: made on demand, pruned when it grows too large.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use crate::fingerprint::Stamp;
use crate::paths::Paths;

const LIMIT: u64 = 25 * 1024 * 1024 * 1024;
/// Walking a full cache takes seconds; once a day is often enough.
const EVERY: Duration = Duration::from_hours(24);

/// Makes the folder, and prunes it if that was last done a day ago.
pub(crate) fn prepare(paths: &Paths) -> Result<()> {
    fs::create_dir_all(&paths.cache).with_context(|| format!("cannot make {}", paths.cache.display()))?;
    fs::create_dir_all(paths.logs()).with_context(|| format!("cannot make {}", paths.logs().display()))?;
    let day = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs() / EVERY.as_secs();
    let stamp = Stamp::new(paths.cache.join("pruned"), day.to_string());
    if !stamp.is_current() {
        let freed = prune(&paths.cache, LIMIT)?;
        if freed > 0 {
            println!("pruned {} MB from {}", freed / 1_000_000, paths.cache.display());
        }
        stamp.set()?;
    }
    Ok(())
}

/// Bytes held.
pub(crate) fn size(cache: &Path) -> u64 {
    let mut files = Vec::new();
    walk(cache, &mut files);
    files.iter().map(|file| file.bytes).sum()
}

struct Held {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// Removes the files that were used longest ago until four fifths of `limit` remain. Everything here is made again when
/// it is missed: cargo rebuilds, npm fetches.
fn prune(cache: &Path, limit: u64) -> Result<u64> {
    let mut files = Vec::new();
    walk(cache, &mut files);
    let held: u64 = files.iter().map(|file| file.bytes).sum();
    if held <= limit {
        return Ok(0);
    }
    files.sort_by_key(|file| file.used);
    let excess = held - limit / 5 * 4;
    let mut freed = 0;
    for file in files {
        if freed >= excess {
            break;
        }
        match fs::remove_file(&file.path) {
            Ok(()) => freed += file.bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot remove {}", file.path.display())),
        }
    }
    Ok(freed)
}

/// Unreadable entries are left alone: they are not ours.
fn walk(folder: &Path, files: &mut Vec<Held>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(about) = entry.metadata() else { continue };
        if about.is_dir() {
            walk(&entry.path(), files);
        } else if about.is_file() {
            let used = about.accessed().ok().max(about.modified().ok()).unwrap_or(SystemTime::UNIX_EPOCH);
            files.push(Held { path: entry.path(), bytes: about.len(), used });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(files: &[(&str, usize, u64)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes, age) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, vec![0; *bytes]).unwrap();
            let then = SystemTime::now() - Duration::from_secs(*age);
            let times = fs::FileTimes::new().set_accessed(then).set_modified(then);
            fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
        }
        folder
    }

    #[test]
    fn nothing_goes_below_the_limit() {
        let cache = filled(&[("target/a", 400, 10), ("npm/b", 400, 20)]);
        assert_eq!(prune(cache.path(), 800).unwrap(), 0);
        assert_eq!(size(cache.path()), 800);
    }

    #[test]
    fn the_longest_unused_go_first_until_a_fifth_is_free() {
        let cache = filled(&[("target/new", 400, 10), ("npm/old", 300, 3000), ("npm/older", 300, 4000)]);
        assert_eq!(prune(cache.path(), 900).unwrap(), 300);
        assert!(cache.path().join("npm/old").exists());
        assert!(!cache.path().join("npm/older").exists());
        assert!(cache.path().join("target/new").exists());
    }
}
