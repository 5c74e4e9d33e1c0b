//! The index's file: `.inklings/cache.db`, or a temporary one where that can't be had.
//!
//! Whatever is wrong with the file, it is thrown away and made anew; nothing in it is worth keeping. A file that came with the
//! folder (copied, cloned, unpacked) is not trusted either: it notes its own inode, which no copy has. Deliberately absent:
//! what the tables mean.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use inklings_core::StorageError;
use inklings_core::pages::PagesError;
use inklings_sqlite::{Access, Create, Database, Schema, backup, is_writable};
use rusqlite::OptionalExtension;
use tempfile::TempDir;

/// The folder in a workspace that holds what can be rebuilt.
pub(crate) const FOLDER: &str = ".inklings";
/// The index in it.
const FILE: &str = "cache.db";
/// What else belongs to an open database.
const BESIDE: [&str; 5] = ["-lock", "-setup", "-wal", "-shm", "-journal"];
/// By which rules pages are read. Raise it when [`crate::parse`] or [`crate::names`] sees pages differently than before.
const RULES: i64 = 1;

const SCHEMA: Schema =
    Schema { migrations: &[include_str!("../../../../migrations/cache/0001_pages.sql")], superseded: &[], application_id: 0x494e_4b43 };

/// An open index file.
#[derive(Debug)]
pub(crate) struct Cache {
    pub(crate) database: Database,
    /// Why the file is only for now.
    pub(crate) temporary: Option<String>,
    // After the database: the file is closed before its folder goes.
    _folder: Option<TempDir>,
}

impl Cache {
    /// Opens or makes the index of the workspace `root`.
    pub(crate) fn open(root: &Path) -> Result<Self, PagesError> {
        if !root.is_dir() {
            return Err(PagesError::Gone { path: root.to_owned() });
        }
        match beside_the_pages(root) {
            Ok(database) => Ok(Self { database, temporary: None, _folder: None }),
            Err(reason) => {
                tracing::info!(workspace = %root.display(), reason, "the index of pages is kept in a temporary file");
                Self::temporary(reason)
            }
        }
    }

    fn temporary(reason: String) -> Result<Self, PagesError> {
        let folder = tempfile::Builder::new().prefix("inklings-pages-").tempdir();
        let folder = folder.map_err(|source| PagesError::Io { action: "making", path: std::env::temp_dir(), source })?;
        let database = Database::open(&folder.path().join(FILE), &SCHEMA, Create::IfMissing)?;
        Ok(Self { database, temporary: Some(reason), _folder: Some(folder) })
    }

    /// Throws the file away, unless another program has it open.
    pub(crate) fn discard(root: &Path) {
        if let Err(error) = discard(&root.join(FOLDER).join(FILE)) {
            tracing::warn!(workspace = %root.display(), %error, "a useless index of pages can't be removed");
        }
    }
}

/// The workspace's own file, or why there is none.
fn beside_the_pages(root: &Path) -> Result<Database, String> {
    let folder = root.join(FOLDER);
    match folder.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(format!("{} is no folder", folder.display())),
        Err(_) if !is_writable(root) => return Err(format!("{} can't be written", root.display())),
        Err(_) => match fs::create_dir(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(format!("{} can't be made: {error}", folder.display()));
            }
            _ => {}
        },
    }
    let file = folder.join(FILE);
    // What SQLite and its lock open beside the file would be opened wherever a link leads.
    for suffix in BESIDE {
        let beside = folder.join(format!("{FILE}{suffix}"));
        if beside.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(format!("{} is no plain file", beside.display()));
        }
    }
    match usable(&file) {
        Ok(Some(database)) => Ok(database),
        Ok(None) | Err(StorageError::Corrupt { .. } | StorageError::Foreign { .. } | StorageError::NewerDatabase { .. }) => discard(&file)
            .and_then(|()| usable(&file))
            .map_err(|error| error.to_string())?
            .ok_or_else(|| "its file is never ours".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Opens the file; `None` if its content is of no use.
fn usable(file: &Path) -> Result<Option<Database>, StorageError> {
    let database = Database::open(file, &SCHEMA, Create::IfMissing)?;
    if database.access() == Access::ReadOnly {
        return Err(StorageError::ReadOnly { path: file.to_owned() });
    }
    let metadata = file.metadata().map_err(|_| StorageError::Gone { path: file.to_owned() })?;
    // Bit for bit: SQLite has no unsigned numbers.
    let here = (metadata.dev().cast_signed(), metadata.ino().cast_signed(), RULES);
    let known = |connection: &rusqlite::Connection| {
        let sql = "SELECT device, inode, rules FROM origin";
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()
    };
    if let Some(noted) = database.read(|connection| Ok(known(connection)?))? {
        return Ok((noted == here).then_some(database));
    }
    let ours = database.write(|transaction| {
        // Another process may have made the same file in the same moment.
        if let Some(noted) = known(transaction)? {
            return Ok(noted == here);
        }
        let sql = "INSERT INTO origin (id, device, inode, rules) SELECT 1, ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM pages)";
        Ok(transaction.execute(sql, [here.0, here.1, here.2])? == 1)
    })?;
    Ok(ours.then_some(database))
}

fn discard(file: &Path) -> Result<(), StorageError> {
    let aside = backup::set_aside(file)?;
    for suffix in ["", "-wal", "-journal"] {
        let mut name = aside.clone().into_os_string();
        name.push(suffix);
        // What isn't there need not go.
        let _ = fs::remove_file(PathBuf::from(name));
    }
    Ok(())
}
