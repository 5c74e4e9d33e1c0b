//! Vectors kept between starts, by the hash of what they are of: computing one takes tens of milliseconds.

use std::path::Path;

use inklings_core::{Digest, StorageError};
use inklings_sqlite::{Create, Database, Schema, backup};
use rusqlite::OptionalExtension as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::embedding::MODEL;
use crate::index::SkillVectors;
use crate::vector::Vector;

const SCHEMA: Schema = Schema {
    migrations: &[
        include_str!("../../../../migrations/vectors/0001_vectors.sql"),
        include_str!("../../../../migrations/vectors/0002_indexes.sql"),
    ],
    superseded: &[],
    application_id: 0x494e_4b56,
};
/// Changes with the form of what is in a snapshot, and with what is made of a skill's texts.
const SNAPSHOT_FORM: &str = concat!(env!("CARGO_PKG_VERSION"), " 2");
/// Of a larger catalog, every start reads all skills again.
const MAX_SNAPSHOT_BYTES: usize = 256 * 1024 * 1024;

#[derive(Debug)]
pub struct VectorCache {
    database: Database,
}

impl VectorCache {
    /// A file that can't be used is deleted and begun anew.
    pub fn open(file: &Path) -> Result<Self, StorageError> {
        let open = || Database::open(file, &SCHEMA, Create::IfMissing).map(|database| Self { database });
        match open() {
            Err(StorageError::Corrupt { .. } | StorageError::Foreign { .. } | StorageError::NewerDatabase { .. }) => {
                backup::discard(file)?;
                open()
            }
            opened => opened,
        }
    }

    pub fn get(&self, hash: Digest) -> Result<Option<SkillVectors>, StorageError> {
        self.database.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT purpose, avoided FROM vectors WHERE hash = ?1")?;
            let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Option<Vec<u8>>>(1)?));
            let found = statement.query_row([hash.bytes()], row).optional()?;
            Ok(found.and_then(|(purpose, avoided)| {
                let avoided = avoided.map(|bytes| Vector::from_bytes(&bytes));
                Some(SkillVectors {
                    purpose: Vector::from_bytes(&purpose)?,
                    avoided: avoided.map_or(Some(None), |avoided| avoided.map(Some))?,
                })
            }))
        })
    }

    /// An index that was put for a workspace. None if another version of the program put it.
    pub fn index<T: DeserializeOwned>(&self, workspace: &str) -> Result<Option<T>, StorageError> {
        let snapshot: Option<Vec<u8>> = self.database.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT snapshot FROM indexes WHERE workspace = ?1")?;
            Ok(statement.query_row([workspace], |row| row.get(0)).optional()?)
        })?;
        let Some(snapshot) = snapshot else { return Ok(None) };
        let of_this_version = |(form, model): &(String, String)| form == SNAPSHOT_FORM && model == MODEL;
        Ok(match postcard::take_from_bytes(&snapshot) {
            Ok((head, rest)) if of_this_version(&head) => postcard::from_bytes(rest).ok(),
            _ => None,
        })
    }

    pub fn put_index(&self, workspace: &str, index: &impl Serialize) -> Result<(), StorageError> {
        let Ok(snapshot) = postcard::to_allocvec(&((SNAPSHOT_FORM, MODEL), index)) else { return Ok(()) };
        if snapshot.len() > MAX_SNAPSHOT_BYTES {
            return Ok(());
        }
        self.database.write(|transaction| {
            transaction.execute("INSERT OR REPLACE INTO indexes (workspace, snapshot) VALUES (?1, ?2)", (workspace, snapshot))?;
            Ok(())
        })
    }

    pub fn put(&self, vectors: &[(Digest, SkillVectors)]) -> Result<(), StorageError> {
        self.database.write(|transaction| {
            let mut statement =
                transaction.prepare_cached("INSERT OR REPLACE INTO vectors (hash, purpose, avoided) VALUES (?1, ?2, ?3)")?;
            for (hash, vectors) in vectors {
                let avoided = vectors.avoided.as_ref().map(Vector::to_bytes);
                statement.execute((hash.bytes(), vectors.purpose.to_bytes(), avoided))?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::DIMENSIONS;

    #[test]
    fn vectors_are_found_again_and_a_broken_file_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vectors.db");
        let vector = |value: f32| Vector::of(&[value; DIMENSIONS]);
        let with = SkillVectors { purpose: vector(0.1), avoided: Some(vector(0.2)) };
        let without = SkillVectors { purpose: vector(0.3), avoided: None };
        let [a, b, c] = ["a", "b", "c"].map(|text| Digest::of(text.as_bytes()));
        VectorCache::open(&file).unwrap().put(&[(a, with.clone()), (b, without.clone())]).unwrap();
        let cache = VectorCache::open(&file).unwrap();
        assert_eq!([a, b, c].map(|hash| cache.get(hash).unwrap()), [Some(with), Some(without), None]);
        cache.put_index("/notes", &vec![1_u32, 2]).unwrap();
        assert_eq!(cache.index::<Vec<u32>>("/notes").unwrap(), Some(vec![1, 2]));
        assert_eq!((cache.index::<Vec<u32>>("").unwrap(), cache.index::<(String, f64)>("/notes").unwrap()), (None, None));
        drop(cache);
        std::fs::write(&file, "not a database, but longer than a header would be".repeat(40)).unwrap();
        assert_eq!(VectorCache::open(&file).unwrap().get(a).unwrap(), None);
    }
}
