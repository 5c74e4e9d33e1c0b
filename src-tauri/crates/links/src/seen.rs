//! Which folders have the entries that they had when they were listed.
//!
//! Opening a folder is an event for those who watch it: listing 10,000 skills fills the queue of the watch, which then says that events
//! were lost, so that they would be listed again. `stat` is no event.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use inklings_core::SkillLink;

use crate::folder::{FolderStat, Listing, file_stat};

/// The folders of linked skills, with those in them, as of their last listing.
#[derive(Debug, Default)]
pub(crate) struct SeenFolders(Mutex<HashMap<PathBuf, Vec<(String, FolderStat)>>>);

impl SeenFolders {
    pub(crate) fn note(&self, folder: &Path, listing: Listing) {
        if !listing.is_racy {
            self.lock().insert(folder.to_owned(), listing.folders);
        }
    }

    /// Whether the files of a skill are those of the link's base, by `stat` alone.
    pub(crate) fn is_as_agreed(&self, link: &SkillLink) -> bool {
        let Some(folders) = self.lock().get(&link.folder).cloned() else { return false };
        let is_same_folder = |(path, seen): &(String, FolderStat)| {
            let now = fs::symlink_metadata(link.folder.join(path));
            now.is_ok_and(|now| now.is_dir() && FolderStat::of(&now) == *seen)
        };
        folders.iter().all(is_same_folder)
            && link.base.files.iter().all(|(path, file)| {
                let now = fs::symlink_metadata(link.folder.join(path.as_str()));
                file.stat.modified != 0 && now.is_ok_and(|now| now.is_file() && file_stat(&now) == file.stat)
            })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Vec<(String, FolderStat)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
