//! SQLite files the way this product uses them: one writer and parallel readers a process, several processes a file.
//!
//! [`Database`] opens a file (pragmas, locks, schema checks, migrations with a backup first) and notices other processes' commits,
//! [`backup`] copies, checks and restores. Every failure is an [`inklings_core::StorageError`] that names
//! the file. Deliberately absent: any table.

pub mod backup;
mod database;
mod error;
mod lock;
mod open;

pub use database::{Access, Database};
pub use error::{Fault, storage_error};
pub use lock::LivenessLock;
pub use open::{Create, Schema, SupersededMigration, inspect, is_writable, read_unmigrated};
