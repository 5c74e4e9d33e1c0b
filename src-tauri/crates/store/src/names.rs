//! The names of all skills and files, cached in memory and updated by the change feed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use inklings_core::{FileName, SkillId, SkillNames, StorageError};
use inklings_sqlite::{Database, Fault};
use rusqlite::{Connection, Params, Row};

use crate::blob::broken;
use crate::tables::{parse, parse_optional};

/// Above this number of changed skills, all names are read again.
const MAX_PATCHED_SKILLS: usize = 200;

#[derive(Default)]
pub(crate) struct NameCache(Mutex<State>);

#[derive(Default, Clone)]
struct State {
    database: Weak<Database>,
    seq: i64,
    names: Arc<[Arc<SkillNames>]>,
}

impl NameCache {
    /// Current names, by slug.
    pub(crate) fn current(&self, database: &Arc<Database>) -> Result<Arc<[Arc<SkillNames>]>, StorageError> {
        // A concurrent call may have refreshed the cache.
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = std::ptr::eq(state.database.as_ptr(), Arc::as_ptr(database));
        let (seq, fresh) = database.snapshot(|connection| {
            let seq: i64 = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM changes")?.query_row([], |row| row.get(0))?;
            if known && seq == state.seq {
                return Ok((seq, None));
            }
            let changed = if known { changed(connection, state.seq)? } else { None };
            let names = match changed {
                Some(ids) => patched(connection, &state.names, &ids)?,
                None => read(connection, "", [])?,
            };
            Ok((seq, Some(names)))
        })?;
        if let Some(names) = fresh {
            *state = State { database: Arc::downgrade(database), seq, names: names.into() };
        }
        Ok(state.names.clone())
    }
}

/// `None` if reading all skills is faster.
fn changed(connection: &Connection, since: i64) -> Result<Option<Vec<String>>, Fault> {
    let mut statement = connection.prepare_cached("SELECT DISTINCT id FROM changes WHERE seq > ?1 AND kind = 'skill' LIMIT ?2")?;
    let limit = i64::try_from(MAX_PATCHED_SKILLS + 1).unwrap_or(i64::MAX);
    let ids = statement.query_map([since, limit], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    Ok(Some(ids).filter(|ids| ids.len() <= MAX_PATCHED_SKILLS))
}

fn patched(connection: &Connection, known: &[Arc<SkillNames>], ids: &[String]) -> Result<Vec<Arc<SkillNames>>, Fault> {
    let parsed: Vec<SkillId> = ids.iter().map(|id| id.parse().map_err(|error| broken(&error))).collect::<Result<_, _>>()?;
    let mut names: Vec<_> = known.iter().filter(|one| !parsed.contains(&one.id)).cloned().collect();
    for id in ids {
        names.extend(read(connection, "WHERE s.id = ?1", [id])?);
    }
    names.sort_by(|one, other| one.slug.cmp(&other.slug));
    Ok(names)
}

/// The names of some skills, by slug.
fn read<P: Params + Clone>(connection: &Connection, filter: &str, params: P) -> Result<Vec<Arc<SkillNames>>, Fault> {
    let mut all: BTreeMap<i64, SkillNames> = BTreeMap::new();
    let mut mains: HashMap<i64, (String, bool)> = HashMap::new();
    let sql = format!(
        "SELECT s.key, s.id, s.slug, s.name, s.main_path, s.frontmatter IS NOT NULL, s.skill_json IS NOT NULL FROM skills s {filter}"
    );
    each(connection, &sql, params.clone(), |row| {
        let key = row.get(0)?;
        let mut names = SkillNames { id: parse(row, "id")?, slug: parse(row, "slug")?, name: row.get(3)?, files: Vec::new() };
        if row.get(6)? {
            names.files.push(FileName { path: inklings_core::skill::skill_json(), kind: None });
        }
        all.insert(key, names);
        mains.insert(key, (row.get(4)?, row.get(5)?));
        Ok(())
    })?;
    let sql = format!("SELECT a.skill, a.path, a.kind, a.state_path FROM skill_artifacts a JOIN skills s ON s.key = a.skill {filter}");
    each(connection, &sql, params.clone(), |row| {
        let Some(names) = all.get_mut(&row.get(0)?) else { return Ok(()) };
        names.files.push(FileName { path: parse(row, "path")?, kind: Some(parse(row, "kind")?) });
        if let Some(path) = parse_optional(row, "state_path")? {
            names.files.push(FileName { path, kind: None });
        }
        Ok(())
    })?;
    let sql = format!("SELECT f.skill, f.path FROM skill_files f JOIN skills s ON s.key = f.skill {filter}");
    each(connection, &sql, params, |row| {
        if let Some(names) = all.get_mut(&row.get(0)?) {
            names.files.push(FileName { path: parse(row, "path")?, kind: None });
        }
        Ok(())
    })?;
    for (key, names) in &mut all {
        // A SKILL.md without a body has no row.
        if let Some((main, true)) = mains.get(key)
            && !names.files.iter().any(|file| file.path.as_str() == main)
        {
            names.files.push(FileName { path: main.parse().map_err(|error| broken(&error))?, kind: None });
        }
        names.files.sort_by(|one, other| one.path.cmp(&other.path));
    }
    let mut names: Vec<_> = all.into_values().map(Arc::new).collect();
    names.sort_by(|one, other| one.slug.cmp(&other.slug));
    Ok(names)
}

/// An invalid row must not hide the others.
fn each(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    mut handle: impl FnMut(&Row<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        if let Err(fault) = handle(row) {
            tracing::warn!(?fault, "a name can't be read");
        }
    }
    Ok(())
}
