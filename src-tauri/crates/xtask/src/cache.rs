//! The cache outside the checkout, pruned when it exceeds its limit.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use crate::fingerprint::Stamp;
use crate::paths::Paths;

const MAX_BYTES: u64 = 25_000_000_000;
/// Walking a full cache takes seconds; once a day is enough.
const CHECK_INTERVAL: Duration = Duration::from_hours(24);

/// Creates the folder, and prunes it if that was last done more than a day ago.
pub(crate) fn prepare(paths: &Paths) -> Result<()> {
    fs::create_dir_all(&paths.cache).with_context(|| format!("cannot make {}", paths.cache.display()))?;
    fs::create_dir_all(paths.logs()).with_context(|| format!("cannot make {}", paths.logs().display()))?;
    let day = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs() / CHECK_INTERVAL.as_secs();
    let stamp = Stamp::new(paths.cache.join("pruned"), day.to_string());
    if !stamp.is_current() {
        let freed = prune(&paths.cache, MAX_BYTES)?;
        if freed > 0 {
            println!("pruned {} MB from {}", freed / 1_000_000, paths.cache.display());
        }
        stamp.set()?;
    }
    rebuild_after_other_checkout(paths)
}

/// Cargo compares modification times only, and what it built may contain the path of its checkout. After a build from another
/// checkout, all of ours is built again.
fn rebuild_after_other_checkout(paths: &Paths) -> Result<()> {
    let stamp = Stamp::new(paths.target().join("checkout"), paths.root.display().to_string());
    if stamp.is_current() || !paths.target().is_dir() {
        return Ok(());
    }
    touch_sources(&paths.root.join("src-tauri")).context("cannot mark the sources as changed")?;
    stamp.set()
}

fn touch_sources(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            touch_sources(&entry.path())?;
        } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
            fs::File::options().write(true).open(entry.path())?.set_modified(SystemTime::now())?;
        }
    }
    Ok(())
}

/// Size in bytes.
pub(crate) fn size(cache: &Path) -> u64 {
    let mut bytes = 0;
    walk(cache, &mut |about| bytes += about.len());
    bytes
}

/// A folder that is kept or removed as a whole, since its owner expects it to be complete.
struct CacheUnit {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// Removes the least recently used units until four fifths of `limit` remain.
fn prune(cache: &Path, limit: u64) -> Result<u64> {
    let mut units = units(cache);
    let total: u64 = units.iter().map(|unit| unit.bytes).sum();
    if total <= limit {
        return Ok(0);
    }
    units.sort_by_key(|unit| unit.used);
    let excess = total - limit / 5 * 4;
    let mut freed = 0;
    for unit in units {
        if freed >= excess {
            break;
        }
        fs::remove_dir_all(&unit.path).with_context(|| format!("cannot remove {}", unit.path.display()))?;
        freed += unit.bytes;
    }
    Ok(freed)
}

/// The units of the cache. Cargo's target folder counts by profile, since it is most of it.
fn units(cache: &Path) -> Vec<CacheUnit> {
    let target = cache.join("target");
    let folders = folders(cache).into_iter().filter(|folder| *folder != target).chain(folders(&target));
    folders.map(measure).filter(|unit| unit.bytes > 0).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect()
}

fn measure(path: PathBuf) -> CacheUnit {
    let mut unit = CacheUnit { path, bytes: 0, used: SystemTime::UNIX_EPOCH };
    walk(&unit.path.clone(), &mut |about| {
        unit.bytes += about.len();
        unit.used = unit.used.max(about.accessed().ok().max(about.modified().ok()).unwrap_or(SystemTime::UNIX_EPOCH));
    });
    unit
}

/// Unreadable entries are ignored.
fn walk(folder: &Path, found: &mut impl FnMut(&fs::Metadata)) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(about) = entry.metadata() else { continue };
        if about.is_dir() {
            walk(&entry.path(), found);
        } else if about.is_file() {
            found(&about);
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
    fn sources_are_built_again_after_a_build_from_another_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let paths = |name: &str| Paths { root: folder.path().join(name), cache: folder.path().join("cache") };
        let source = paths("one").root.join("src-tauri/crates/a/lib.rs");
        fs::create_dir_all(source.parent().unwrap()).unwrap();
        fs::create_dir_all(paths("other").root.join("src-tauri")).unwrap();
        fs::create_dir_all(paths("one").target()).unwrap();
        let past = SystemTime::UNIX_EPOCH + Duration::from_hours(24);
        fs::write(&source, "").unwrap();
        let touched = |name: &str| {
            fs::File::options().write(true).open(&source).unwrap().set_modified(past).unwrap();
            rebuild_after_other_checkout(&paths(name)).unwrap();
            fs::metadata(&source).unwrap().modified().unwrap() > past
        };
        assert!(touched("one"), "nothing is known about what was built");
        assert!(!touched("one"), "the same checkout");
        assert!(!touched("other"), "only its own sources");
        assert!(touched("one"), "another one built since");
    }

    #[test]
    fn nothing_goes_until_the_limit_is_exceeded() {
        assert_eq!(MAX_BYTES, 25_000_000_000, "25 GB");
        let cache = filled(&[("target/debug/a", 400, 10), ("npm/b", 400, 20)]);
        assert_eq!(prune(cache.path(), 800).unwrap(), 0);
        assert_eq!(size(cache.path()), 800);
        assert_eq!(prune(cache.path(), 799).unwrap(), 400);
    }

    #[test]
    fn the_longest_unused_goes_as_a_whole_until_a_fifth_is_free() {
        let cache = filled(&[
            ("target/debug/new", 300, 10),
            ("target/debug/old", 200, 5000),
            ("target/release/deps/a", 300, 4000),
            ("target/release/deps/b", 100, 3000),
            ("npm/index/old", 50, 9000),
            ("npm/content/new", 50, 20),
            ("pruned", 1, 9000),
        ]);
        assert_eq!(prune(cache.path(), 900).unwrap(), 400);
        assert!(!cache.path().join("target/release").exists());
        for kept in ["target/debug/old", "npm/index/old", "pruned"] {
            assert!(cache.path().join(kept).exists(), "{kept}");
        }
    }
}
