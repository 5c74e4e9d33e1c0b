//! Vectors kept between starts, by the hash of what they are of: computing one takes tens of milliseconds.

use std::path::Path;

use inklings_core::{Digest, StorageError};
use inklings_sqlite::{Create, Database, Schema, backup};
use rusqlite::OptionalExtension as _;

use crate::index::SkillVectors;
use crate::vector::Vector;

const SCHEMA: Schema =
    Schema { migrations: &[include_str!("../../../../migrations/vectors/0001_vectors.sql")], superseded: &[], application_id: 0x494e_4b56 };

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
        drop(cache);
        std::fs::write(&file, "not a database, but longer than a header would be".repeat(40)).unwrap();
        assert_eq!(VectorCache::open(&file).unwrap().get(a).unwrap(), None);
    }
}
