//! `agents`, `agent_skills` and `notes`, in the account's database.

use inklings_core::agent::{Agent, AssignedSkill};
use inklings_core::{Agents, StorageError};
use inklings_sqlite::Fault;
use rusqlite::{Connection, OptionalExtension as _, Row, named_params, params};

use crate::feed;
use crate::store::Store;
use crate::tables::{chats, json, parse, to_json};

const FEED_KIND: &str = "agent";
const NOTES_FEED_KIND: &str = "note";

impl Agents for Store {
    fn agents(&self) -> Result<Vec<Agent>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM agents ORDER BY name")?;
            let mut rows = statement.query([])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(agent(connection, row)?);
            }
            Ok(all)
        })
    }

    fn agent(&self, name: &str) -> Result<Option<Agent>, StorageError> {
        self.read(|connection| find(connection, name))
    }

    fn create_agent(&self, agent: &Agent) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let sql = "INSERT INTO agents (name, profile, created_at, updated_at) VALUES (:name, :profile, :created_at, :updated_at)
                ON CONFLICT DO NOTHING";
            let inserted = transaction.prepare_cached(sql)?.execute(named_params! {
                ":name": agent.name,
                ":profile": to_json(&agent.profile)?,
                ":created_at": agent.created_at.to_string(),
                ":updated_at": agent.updated_at.to_string(),
            })?;
            if inserted == 0 {
                return Ok(false);
            }
            insert_skills(transaction, agent)?;
            feed::append(transaction, FEED_KIND, &agent.name, self.origin())?;
            Ok(true)
        })
    }

    fn change_agent(&self, name: &str, change: &mut dyn FnMut(&mut Agent) -> bool) -> Result<Option<Agent>, StorageError> {
        self.write(|transaction| {
            let Some(mut agent) = find(transaction, name)? else { return Ok(None) };
            if !change(&mut agent) {
                return Ok(None);
            }
            let is_renamed = agent.name != name;
            if is_renamed && find(transaction, &agent.name)?.is_some() {
                return Err(StorageError::Exists { what: "agent", value: agent.name }.into());
            }
            // Its skills follow a new name.
            let sql = "UPDATE agents SET name = :name, profile = :profile, updated_at = :updated_at WHERE name = :before";
            transaction.prepare_cached(sql)?.execute(named_params! {
                ":before": name,
                ":name": agent.name,
                ":profile": to_json(&agent.profile)?,
                ":updated_at": agent.updated_at.to_string(),
            })?;
            transaction.prepare_cached("DELETE FROM agent_skills WHERE agent = ?1")?.execute([&agent.name])?;
            insert_skills(transaction, &agent)?;
            if is_renamed {
                rename_in_chats(transaction, name, &agent.name, self.origin())?;
                feed::append(transaction, FEED_KIND, name, self.origin())?;
            }
            feed::append(transaction, FEED_KIND, &agent.name, self.origin())?;
            Ok(Some(agent))
        })
    }

    fn delete_agent(&self, name: &str) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let deleted = transaction.prepare_cached("DELETE FROM agents WHERE name = ?1")?.execute([name])? > 0;
            if deleted {
                feed::append(transaction, FEED_KIND, name, self.origin())?;
            }
            Ok(deleted)
        })
    }

    fn notes(&self, workspace: &str) -> Result<String, StorageError> {
        self.read(|connection| notes(connection, workspace))
    }

    fn put_notes(&self, workspace: &str, text: &str) -> Result<(), StorageError> {
        self.write(|transaction| self.set_notes(transaction, workspace, text))
    }

    fn change_notes(&self, workspace: &str, change: &mut dyn FnMut(&str) -> Option<String>) -> Result<(), StorageError> {
        self.write(|transaction| match change(&notes(transaction, workspace)?) {
            Some(text) => self.set_notes(transaction, workspace, &text),
            None => Ok(()),
        })
    }
}

impl Store {
    fn set_notes(&self, connection: &Connection, workspace: &str, text: &str) -> Result<(), Fault> {
        connection
            .prepare_cached(
                "INSERT INTO notes (workspace, text, updated_at) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at",
            )?
            .execute(params![workspace, text, self.now().to_string()])?;
        feed::append(connection, NOTES_FEED_KIND, workspace, self.origin())
    }
}

fn notes(connection: &Connection, workspace: &str) -> Result<String, Fault> {
    let mut statement = connection.prepare_cached("SELECT text FROM notes WHERE workspace = ?1")?;
    Ok(statement.query_row([workspace], |row| row.get(0)).optional()?.unwrap_or_default())
}

fn find(connection: &Connection, name: &str) -> Result<Option<Agent>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM agents WHERE name = ?1")?;
    let mut rows = statement.query([name])?;
    rows.next()?.map(|row| agent(connection, row)).transpose()
}

fn insert_skills(connection: &Connection, agent: &Agent) -> Result<(), Fault> {
    let mut insert = connection.prepare_cached("INSERT INTO agent_skills (agent, slug, priority) VALUES (?1, ?2, ?3)")?;
    for skill in &agent.skills {
        insert.execute(params![agent.name, skill.slug, skill.priority])?;
    }
    Ok(())
}

fn rename_in_chats(transaction: &Connection, before: &str, name: &str, origin: &str) -> Result<(), Fault> {
    let mut statement = transaction.prepare_cached("UPDATE chat_sessions SET agent = ?2 WHERE agent = ?1 RETURNING id")?;
    let sessions = statement.query_map([before, name], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    sessions.iter().try_for_each(|session| feed::append(transaction, chats::FEED_KIND, session, origin))
}

fn agent(connection: &Connection, row: &Row<'_>) -> Result<Agent, Fault> {
    let name: String = row.get("name")?;
    let mut statement =
        connection.prepare_cached("SELECT slug, priority FROM agent_skills WHERE agent = ?1 ORDER BY priority DESC, slug")?;
    let skills = statement.query_map([&name], |row| Ok(AssignedSkill { slug: row.get("slug")?, priority: row.get("priority")? }))?;
    let skills = skills.collect::<Result<Vec<_>, _>>()?;
    Ok(Agent { skills, profile: json(row, "profile")?, created_at: parse(row, "created_at")?, updated_at: parse(row, "updated_at")?, name })
}
