//! `actions`, in the account's database.

use inklings_core::{Action, Actions, Scope, Slug, StorageError};
use inklings_sqlite::Fault;
use rusqlite::{Connection, Row, named_params, params};

use crate::feed;
use crate::store::Store;
use crate::tables::{json, parse, parse_optional, to_json};

const FEED_KIND: &str = "action";

impl Actions for Store {
    fn actions(&self) -> Result<Vec<Action>, StorageError> {
        self.read(all)
    }

    fn action(&self, slug: &Slug) -> Result<Option<Action>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM actions WHERE slug = ?1")?;
            let mut rows = statement.query([slug.as_str()])?;
            rows.next()?.map(action).transpose()
        })
    }

    fn put_action(&self, action: &Action) -> Result<(), StorageError> {
        self.write(|transaction| put(self, transaction, action))
    }

    fn change_actions(&self, change: &mut dyn FnMut(&mut Action) -> bool) -> Result<usize, StorageError> {
        self.write(|transaction| {
            let mut changed = all(transaction)?;
            changed.retain_mut(change);
            changed.iter().try_for_each(|action| put(self, transaction, action))?;
            Ok(changed.len())
        })
    }

    fn delete_action(&self, slug: &Slug) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let deleted = transaction.prepare_cached("DELETE FROM actions WHERE slug = ?1")?.execute([slug.as_str()])? > 0;
            if deleted {
                feed::append(transaction, FEED_KIND, slug.as_str(), self.origin())?;
            }
            Ok(deleted)
        })
    }

    fn rename_action_skill(&self, scope: Scope, from: &Slug, to: &Slug) -> Result<(), StorageError> {
        self.write(|transaction| {
            let sql = "UPDATE actions SET skill = ?3 WHERE skill = ?2 AND coalesce(scope, ?1) = ?1 RETURNING slug";
            let mut statement = transaction.prepare_cached(sql)?;
            let renamed = statement.query_map(params![scope.as_str(), from.as_str(), to.as_str()], |row| row.get(0))?;
            let slugs = renamed.collect::<Result<Vec<String>, _>>()?;
            slugs.iter().try_for_each(|slug| feed::append(transaction, FEED_KIND, slug, self.origin()))
        })
    }
}

fn all(connection: &Connection) -> Result<Vec<Action>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM actions ORDER BY slug")?;
    let mut rows = statement.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(action(row)?);
    }
    Ok(all)
}

fn put(store: &Store, connection: &Connection, action: &Action) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "INSERT INTO actions (slug, skill, scope, artifact, params, model, mode, enabled, created_at, updated_at)
             VALUES (:slug, :skill, :scope, :artifact, :params, :model, :mode, :enabled, :now, :now)
             ON CONFLICT DO UPDATE SET skill = excluded.skill, scope = excluded.scope, artifact = excluded.artifact,
                params = excluded.params, model = excluded.model, mode = excluded.mode, enabled = excluded.enabled,
                updated_at = excluded.updated_at",
        )?
        .execute(named_params! {
            ":slug": action.slug.as_str(),
            ":skill": action.skill.as_ref().map(Slug::as_str),
            ":scope": action.scope.map(Scope::as_str),
            ":artifact": action.artifact,
            ":params": to_json(&action.params)?,
            ":model": action.model.as_ref().map(ToString::to_string),
            ":mode": action.mode.as_str(),
            ":enabled": action.enabled,
            ":now": store.now().to_string(),
        })?;
    feed::append(connection, FEED_KIND, action.slug.as_str(), store.origin())
}

fn action(row: &Row<'_>) -> Result<Action, Fault> {
    let scope: Option<String> = row.get("scope")?;
    Ok(Action {
        slug: parse(row, "slug")?,
        skill: parse_optional(row, "skill")?,
        scope: scope.map(|scope| if scope == Scope::Workspace.as_str() { Scope::Workspace } else { Scope::Account }),
        artifact: row.get("artifact")?,
        params: json(row, "params")?,
        model: parse_optional(row, "model")?,
        mode: parse(row, "mode")?,
        enabled: row.get("enabled")?,
    })
}
