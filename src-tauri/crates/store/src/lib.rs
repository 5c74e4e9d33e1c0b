//! `agents.db`: the skills of one scope with their history, and in the account's database the user's drafts, inputs and settings.
//!
//! [`Store`] is one scope's file and implements [`inklings_core::SkillStorageRepository`]; each table family has its module
//! under `tables`. A workspace's file is created by the first write; opening a folder writes nothing. Deliberately absent:
//! YAML, skill.json and folders on disk (the caller passes a [`inklings_core::SkillFormat`]), and permissions.
//!
//! Rows of files and artifacts reference their skill by row number, and artifact ids are 16 bytes: as text, the ids were part of every row and
//! index, and a database of small skills had 1.7 times the size of its content instead of 1.5. Skill ids stay text, since other tables and
//! files reference skills by them. Provenance is a column and not part of the skill's metadata, which is written to skill.json: an imported
//! folder must be exported unchanged.

mod blob;
mod feed;
mod names;
mod repository;
mod store;
mod tables;
mod user;

pub use feed::{Change, ChangeFeed, FeedUpdate};
pub use store::{Health, SCHEMA, Store, is_of_account};
pub use tables::revisions::tree_hash;
pub use tables::seeds::Seed;
