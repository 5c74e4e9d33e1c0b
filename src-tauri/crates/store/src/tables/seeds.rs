//! `seeds`: which shipped skills were put in, in which version and with which content.

use std::collections::BTreeMap;

use inklings_core::{Digest, SkillId, Slug, StorageError};
use rusqlite::params;

use crate::blob::broken;
use crate::store::Store;
use crate::tables::parse;

/// A built-in skill as it was seeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    pub slug: Slug,
    /// Version of the seed data.
    pub version: i64,
    /// Hash of the seeded folder; an edited skill differs from it.
    pub tree_hash: Digest,
    pub skill: SkillId,
}

impl Store {
    /// By slug.
    pub fn seeds(&self) -> Result<BTreeMap<Slug, Seed>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM seeds")?;
            let mut rows = statement.query([])?;
            let mut all = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let hash: Vec<u8> = row.get("tree_hash")?;
                let seed = Seed {
                    slug: parse(row, "slug")?,
                    version: row.get("version")?,
                    tree_hash: Digest::from_bytes(&hash).ok_or_else(|| broken(&"not a hash"))?,
                    skill: parse(row, "skill_id")?,
                };
                all.insert(seed.slug.clone(), seed);
            }
            Ok(all)
        })
    }

    pub fn put_seed(&self, seed: &Seed) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO seeds (slug, version, tree_hash, skill_id) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO UPDATE SET version = excluded.version, tree_hash = excluded.tree_hash, skill_id = excluded.skill_id",
                )?
                .execute(params![seed.slug.as_str(), seed.version, seed.tree_hash.bytes(), seed.skill.to_string()])?;
            Ok(())
        })
    }
}
