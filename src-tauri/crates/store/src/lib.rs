//! `agents.db`: the skills of one scope with their history, and beside them the user's drafts, inputs and settings.
//!
//! [`Store`] is one scope's file and implements [`inklings_core::SkillStorageRepository`]; each table family has its module
//! under `tables`. A workspace's file appears with the first write; opening a folder writes nothing. Deliberately absent:
//! YAML, skill.json and any folder on disk (a [`inklings_core::SkillFormat`] is handed in), and any rule about who may write.

mod blob;
mod feed;
mod names;
mod repository;
mod store;
mod tables;
mod user;

pub use feed::{Change, Feed, FeedUpdate};
pub use store::{Health, SCHEMA, Store};
pub use tables::revisions::tree_hash;
pub use tables::seeds::Seed;
