//! Skills that are linked to a folder: the folder of an agent, a git repository or any other one that people and programs edit.
//!
//! [`Links::sync`] makes store and folder of one skill equal: it merges what changed on either side since they last agreed, stores the
//! result as a revision and writes the files that differ. [`Links::scan`] links the skills in the folders of agents, and
//! [`LinkedRepository`] does both around every write to a store. Nothing that was written is lost: a text is on disk, in a revision, or in a
//! file beside its own until it was merged.
//!
//! Deliberately absent: SQL, permissions, and what a skill is.

mod folder;
mod linking;
mod merge;
mod presence;
mod renames;
mod repository;
mod scan;
mod seen;
mod sync;
mod watch;

pub use merge::{MergedFile, merge};
pub use presence::forget_folder;
pub use renames::RenameFollower;
pub use repository::LinkedRepository;
pub use sync::{LinkError, LinkedScope, Links};
pub use watch::LinkWatcher;
