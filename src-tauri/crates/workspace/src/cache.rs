//! The index file: `.inklings/cache.db`, or a temporary file if that can't be written.
//!
//! An unusable file is deleted and rebuilt. A file that was copied, cloned or unpacked with the folder isn't trusted: the file records its
//! own inode, which no copy has. Deliberately absent: the meaning of the tables.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use inklings_core::StorageError;
use inklings_core::pages::PagesError;
use inklings_core::path::WORKSPACE_DATA_FOLDER;
use inklings_sqlite::{Access, Create, Database, Schema, backup, is_writable};
use rusqlite::OptionalExtension;
use tempfile::TempDir;

const CACHE_FILE: &str = "cache.db";
/// Suffixes of files beside an open database.
const COMPANION_SUFFIXES: [&str; 5] = ["-lock", "-setup", "-wal", "-shm", "-journal"];
/// Version of the parser's rules. Raise it when [`crate::parse`] or [`crate::names`] read pages differently than before.
const PARSER_VERSION: i64 = 1;

const SCHEMA: Schema =
    Schema { migrations: &[include_str!("../../../../migrations/cache/0001_pages.sql")], superseded: &[], application_id: 0x494e_4b43 };

/// An open index file.
#[derive(Debug)]
pub(crate) struct Cache {
    pub(crate) database: Database,
    /// Why the file is temporary.
    pub(crate) temporary: Option<String>,
    // Dropped after the database, so that the file is closed before its folder is removed.
    _folder: Option<TempDir>,
}

impl Cache {
    /// Opens or creates the index of the workspace `root`.
    pub(crate) fn open(root: &Path) -> Result<Self, PagesError> {
        if !root.is_dir() {
            return Err(PagesError::Removed { path: root.to_owned() });
        }
        match beside_the_pages(root) {
            Ok(database) => Ok(Self { database, temporary: None, _folder: None }),
            Err(reason) => {
                tracing::info!(workspace = %root.display(), reason, "the page index is stored in a temporary file");
                Self::temporary(reason)
            }
        }
    }

    fn temporary(reason: String) -> Result<Self, PagesError> {
        let folder = tempfile::Builder::new().prefix("inklings-pages-").tempdir();
        let folder = folder.map_err(|source| PagesError::Io { action: "making", path: std::env::temp_dir(), source })?;
        let database = Database::open(&folder.path().join(CACHE_FILE), &SCHEMA, Create::IfMissing)?;
        Ok(Self { database, temporary: Some(reason), _folder: Some(folder) })
    }

    /// Whether the workspace has an index file, of this or another process.
    pub(crate) fn exists(root: &Path) -> bool {
        file_of(root).is_file()
    }

    /// Deletes the file, unless another program has it open.
    pub(crate) fn discard(root: &Path) {
        if let Err(error) = backup::discard(&file_of(root)) {
            tracing::warn!(workspace = %root.display(), %error, "an unusable page index can't be removed");
        }
    }
}

fn file_of(root: &Path) -> PathBuf {
    root.join(WORKSPACE_DATA_FOLDER).join(CACHE_FILE)
}

fn beside_the_pages(root: &Path) -> Result<Database, String> {
    let folder = root.join(WORKSPACE_DATA_FOLDER);
    match folder.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(format!("{} isn't a folder", folder.display())),
        Err(_) if !is_writable(root) => return Err(format!("{} can't be written", root.display())),
        Err(_) => match fs::create_dir(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(format!("{} can't be created: {error}", folder.display()));
            }
            _ => {}
        },
    }
    let file = file_of(root);
    // SQLite and the lock would follow links beside the file.
    for suffix in COMPANION_SUFFIXES {
        let beside = folder.join(format!("{CACHE_FILE}{suffix}"));
        if beside.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(format!("{} isn't a regular file", beside.display()));
        }
    }
    match usable(&file) {
        Ok(Some(database)) => Ok(database),
        Ok(None) | Err(StorageError::Corrupt { .. } | StorageError::Foreign { .. } | StorageError::NewerDatabase { .. }) => {
            backup::discard(&file)
                .and_then(|()| usable(&file))
                .map_err(|error| error.to_string())?
                .ok_or_else(|| "its file belongs to another user".to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Opens the file; `None` if its content is unusable.
fn usable(file: &Path) -> Result<Option<Database>, StorageError> {
    let database = Database::open(file, &SCHEMA, Create::IfMissing)?;
    if database.access() == Access::ReadOnly {
        return Err(StorageError::ReadOnly { path: file.to_owned() });
    }
    let metadata = file.metadata().map_err(|_| StorageError::Removed { path: file.to_owned() })?;
    // As the bit pattern, since SQLite has no unsigned integers.
    let here = (metadata.dev().cast_signed(), metadata.ino().cast_signed(), PARSER_VERSION);
    let known = |connection: &rusqlite::Connection| {
        let sql = "SELECT device, inode, rules FROM origin";
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()
    };
    if let Some(noted) = database.read(|connection| Ok(known(connection)?))? {
        return Ok((noted == here).then_some(database));
    }
    let ours = database.write(|transaction| {
        // Another process may have created the same file at the same time.
        if let Some(noted) = known(transaction)? {
            return Ok(noted == here);
        }
        let sql = "INSERT INTO origin (id, device, inode, rules) SELECT 1, ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM pages)";
        Ok(transaction.execute(sql, [here.0, here.1, here.2])? == 1)
    })?;
    Ok(ours.then_some(database))
}
