//! Which folders have the entries that they had when they were listed.
//!
//! Opening a folder is an event for those who watch it: listing 10,000 skills fills the queue of the watch, which then says that events
//! were lost, so that they would be listed again. `stat` is no event.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap_std::fs::Metadata;
use inklings_core::SkillLink;
use inklings_core::link::FileStat;

use crate::folder::{Listing, is_unchanged};

/// The folders of linked skills, with those in them, as of their last listing.
#[derive(Debug, Default)]
pub(crate) struct SeenFolders(Mutex<HashMap<PathBuf, Vec<(String, FileStat)>>>);

impl SeenFolders {
    pub(crate) fn note(&self, folder: &Path, listing: Listing) {
        self.lock().insert(folder.to_owned(), listing.folders);
    }

    /// Whether the files of a skill are those of the link's base, by `stat` alone.
    pub(crate) fn is_as_agreed(&self, link: &SkillLink) -> bool {
        let is_same = |path: &str, listed: &FileStat, is_kind: fn(&Metadata) -> bool| {
            let now = fs::symlink_metadata(link.folder.join(path)).map(Metadata::from_just_metadata);
            now.is_ok_and(|now| is_kind(&now) && is_unchanged(&now, listed))
        };
        let seen = self.lock();
        seen.get(&link.folder).is_some_and(|folders| folders.iter().all(|(path, listed)| is_same(path, listed, Metadata::is_dir)))
            && link.base.files.iter().all(|(path, file)| is_same(path.as_str(), &file.stat, Metadata::is_file))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Vec<(String, FileStat)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
