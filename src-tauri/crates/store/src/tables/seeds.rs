//! `seeds`: which shipped skills were put in, in which version and with which content.

use std::collections::BTreeMap;

use inklings_core::{ChangeSet, Digest, Expected, SkillId, Slug, StorageError};
use rusqlite::params;

use crate::blob::broken;
use crate::repository::check_limits;
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

    /// Records a seed in place of the row `known` that was read. A row that another process has written since stays.
    pub fn put_seed(&self, seed: &Seed, known: Option<&Seed>) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO seeds (slug, version, tree_hash, skill_id) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO UPDATE SET version = excluded.version, tree_hash = excluded.tree_hash, skill_id = excluded.skill_id
                        WHERE seeds.version = ?5 AND seeds.tree_hash = ?6",
                )?
                .execute(params![
                    seed.slug.as_str(),
                    seed.version,
                    seed.tree_hash.bytes(),
                    seed.skill.to_string(),
                    known.map(|known| known.version),
                    known.map(|known| known.tree_hash.bytes()),
                ])?;
            Ok(())
        })
    }

    /// Stores a built-in skill and records it as seeded, in one transaction. Returns the number of the new revision.
    pub fn commit_seed(&self, change: &ChangeSet, expected: Expected, seed: &Seed) -> Result<i64, StorageError> {
        check_limits(change)?;
        self.write_revisions(|transaction| {
            transaction
                .prepare_cached("INSERT OR REPLACE INTO seeds (slug, version, tree_hash, skill_id) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![seed.slug.as_str(), seed.version, seed.tree_hash.bytes(), seed.skill.to_string()])?;
            self.apply(transaction, change, expected)
        })
    }
}
