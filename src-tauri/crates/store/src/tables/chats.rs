//! `chat_*`: chats with their messages, and the tools that were permitted, in the account's database.

use inklings_core::chat::{ChatChange, ChatMessage, ChatSession, ChatStep, ChatSummary, Consent, Feedback, MessageStatus};
use inklings_core::trace::Usage;
use inklings_core::{Chats, MessageId, SessionId, StorageError};
use inklings_sqlite::{Fault, LivenessLock};
use rusqlite::{Connection, OptionalExtension as _, Row, named_params, params};

use crate::feed;
use crate::store::Store;
use crate::tables::traces::{tokens, usage};
use crate::tables::{json, parse, parse_optional, to_json};

pub(super) const FEED_KIND: &str = "chat";

impl Chats for Store {
    fn create_chat(&self, session: &ChatSession) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO chat_sessions (id, workspace, title, agent, model, head, created_at, updated_at)
                     VALUES (:id, :workspace, :title, :agent, :model, :head, :created_at, :updated_at)",
                )?
                .execute(named_params! {
                    ":id": session.id.to_string(),
                    ":workspace": session.workspace,
                    ":title": session.title,
                    ":agent": session.agent,
                    ":model": session.model.as_ref().map(ToString::to_string),
                    ":head": session.head.map(|head| head.to_string()),
                    ":created_at": session.created_at.to_string(),
                    ":updated_at": session.updated_at.to_string(),
                })?;
            feed::append(transaction, FEED_KIND, &session.id.to_string(), self.origin())
        })
    }

    fn chat(&self, id: SessionId) -> Result<Option<ChatSession>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM chat_sessions WHERE id = ?1")?;
            let mut rows = statement.query([id.to_string()])?;
            rows.next()?.map(session).transpose()
        })
    }

    fn chats(&self, workspace: &str, text: &str, limit: usize) -> Result<Vec<ChatSummary>, StorageError> {
        self.read(|connection| {
            let sql = "SELECT * FROM chat_sessions AS session
                WHERE workspace = :workspace AND (:text = '' OR instr(lower(title), lower(:text)) OR EXISTS (
                    SELECT 1 FROM chat_messages AS message WHERE session_id = session.id AND (
                        instr(lower(content ->> 'text'), lower(:text)) OR EXISTS (
                            SELECT 1 FROM chat_steps
                            WHERE message_seq = message.seq AND step ->> 'kind' = 'text' AND instr(lower(step ->> 'text'), lower(:text))
                        )
                    )
                ))
                ORDER BY updated_at DESC, id LIMIT :limit";
            let mut statement = connection.prepare_cached(sql)?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut rows = statement.query(named_params! { ":workspace": workspace, ":text": text, ":limit": limit })?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(summary(connection, session(row)?)?);
            }
            Ok(all)
        })
    }

    fn update_chat(&self, id: SessionId, change: &ChatChange) -> Result<Option<ChatSession>, StorageError> {
        self.write(|transaction| {
            // Other columns may have changed since the caller read them.
            let sql = "UPDATE chat_sessions SET title = coalesce(:title, title), head = coalesce(:head, head),
                    agent = iif(:sets_agent, :agent, agent), model = iif(:sets_model, :model, model)
                WHERE id = :id RETURNING *";
            let mut statement = transaction.prepare_cached(sql)?;
            let mut rows = statement.query(named_params! {
                ":id": id.to_string(),
                ":title": change.title,
                ":head": change.head.map(|head| head.to_string()),
                ":sets_agent": change.agent.is_some(),
                ":agent": change.agent.as_ref().and_then(Option::as_deref),
                ":sets_model": change.model.is_some(),
                ":model": change.model.as_ref().and_then(Option::as_ref).map(ToString::to_string),
            })?;
            let Some(changed) = rows.next()?.map(session).transpose()? else { return Ok(None) };
            feed::append(transaction, FEED_KIND, &id.to_string(), self.origin())?;
            Ok(Some(changed))
        })
    }

    fn delete_chat(&self, id: SessionId) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let id = id.to_string();
            transaction.prepare_cached("DELETE FROM chat_consents WHERE session_id = ?1")?.execute([&id])?;
            let deleted = transaction.prepare_cached("DELETE FROM chat_sessions WHERE id = ?1")?.execute([&id])? > 0;
            if deleted {
                feed::append(transaction, FEED_KIND, &id, self.origin())?;
            }
            Ok(deleted)
        })
    }

    fn chat_messages(&self, session: SessionId) -> Result<Vec<ChatMessage>, StorageError> {
        self.mark_interrupted_answers(session)?;
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM chat_messages WHERE session_id = ?1 ORDER BY seq")?;
            let mut rows = statement.query([session.to_string()])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(message(connection, row)?);
            }
            Ok(all)
        })
    }

    fn put_chat_message(&self, message: &ChatMessage) -> Result<(), StorageError> {
        self.mark_running(std::slice::from_ref(message));
        self.write(|transaction| self.put_message(transaction, message))
    }

    fn continue_chat(&self, session: &ChatSession, last: Option<&ChatMessage>, messages: &[ChatMessage]) -> Result<bool, StorageError> {
        self.mark_running(messages);
        self.write(|transaction| {
            let connection: &Connection = transaction;
            let head = session.head.map(|head| head.to_string());
            let sql = "SELECT 1 FROM chat_sessions WHERE id = ?1 AND head IS ?2";
            if !connection.prepare_cached(sql)?.exists(params![session.id.to_string(), head])?
                || stored_message(connection, head.as_deref())?.as_ref().map(state) != last.map(state)
            {
                return Ok(false);
            }
            for message in messages {
                self.put_message(connection, message)?;
                for (position, step) in message.steps.iter().enumerate() {
                    put_step(connection, message.id, position, step)?;
                }
            }
            Ok(true)
        })
    }

    fn set_feedback(&self, message: MessageId, feedback: Option<Feedback>) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let sql = "UPDATE chat_messages SET content = json_set(content, '$.feedback', ?2) WHERE id = ?1 RETURNING session_id";
            let session: Option<String> = transaction
                .prepare_cached(sql)?
                .query_row(params![message.to_string(), feedback.map(Feedback::as_str)], |row| row.get(0))
                .optional()?;
            if let Some(session) = &session {
                feed::append(transaction, FEED_KIND, session, self.origin())?;
            }
            Ok(session.is_some())
        })
    }

    fn put_chat_step(&self, message: MessageId, position: usize, step: &ChatStep) -> Result<(), StorageError> {
        self.write(|transaction| put_step(transaction, message, position, step))
    }

    fn grant(&self, consent: Consent<'_>) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO chat_consents (session_id, tool, skill_id, granted_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
                )?
                .execute(params![session_key(consent), consent.tool, consent.skill.unwrap_or_default(), self.now().to_string()])?;
            Ok(())
        })
    }

    fn is_granted(&self, consent: Consent<'_>) -> Result<bool, StorageError> {
        self.read(|connection| {
            let sql = "SELECT 1 FROM chat_consents WHERE session_id IN ('', ?1) AND tool = ?2 AND skill_id = ?3";
            Ok(connection.prepare_cached(sql)?.exists(params![session_key(consent), consent.tool, consent.skill.unwrap_or_default()])?)
        })
    }

    fn withdraw_grants(&self) -> Result<usize, StorageError> {
        self.write(|transaction| Ok(transaction.prepare_cached("DELETE FROM chat_consents WHERE session_id = ''")?.execute([])?))
    }
}

impl Store {
    /// Shows other processes that this one is alive, before they can read that it is answering.
    fn mark_running(&self, messages: &[ChatMessage]) {
        if messages.iter().any(|message| message.status == MessageStatus::Running) {
            self.put_mark();
        }
    }

    fn put_message(&self, connection: &Connection, message: &ChatMessage) -> Result<(), Fault> {
        let session = message.session.to_string();
        connection
            .prepare_cached(
                // A chat that was deleted meanwhile gets no message.
                "INSERT INTO chat_messages (id, session_id, parent, role, status, owner, content, created_at)
                 SELECT :id, :session, :parent, :role, :status, :owner, :content, :created_at
                 WHERE EXISTS (SELECT 1 FROM chat_sessions WHERE id = :session)
                 ON CONFLICT DO UPDATE SET status = excluded.status, owner = excluded.owner,
                    content = json_set(excluded.content, '$.feedback', chat_messages.content ->> 'feedback')",
            )?
            .execute(named_params! {
                ":id": message.id.to_string(),
                ":session": session,
                ":parent": message.parent.map(|parent| parent.to_string()),
                ":role": message.role.as_str(),
                ":status": message.status.as_str(),
                ":owner": (message.status == MessageStatus::Running).then(|| self.origin()),
                ":content": to_json(&message.content)?,
                ":created_at": message.created_at.to_string(),
            })?;
        connection.prepare_cached("UPDATE chat_sessions SET head = ?2, updated_at = ?3 WHERE id = ?1")?.execute(params![
            session,
            message.id.to_string(),
            self.now().to_string()
        ])?;
        feed::append(connection, FEED_KIND, &session, self.origin())
    }

    fn mark_interrupted_answers(&self, session: SessionId) -> Result<(), StorageError> {
        let owners = self.read(|connection| {
            let sql = "SELECT DISTINCT coalesce(owner, '') FROM chat_messages WHERE session_id = ?1 AND status = 'running'";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_map([session.to_string()], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?)
        })?;
        for owner in owners {
            if owner == self.origin() || LivenessLock::is_held(self.path(), &owner) || !self.is_writable() {
                continue;
            }
            self.write(|transaction| {
                let sql = "UPDATE chat_messages SET status = 'interrupted', owner = NULL
                    WHERE session_id = ?1 AND status = 'running' AND coalesce(owner, '') = ?2";
                transaction.execute(sql, params![session.to_string(), owner])?;
                feed::append(transaction, FEED_KIND, &session.to_string(), self.origin())
            })?;
        }
        Ok(())
    }
}

/// Empty for all sessions, since a key column can't be NULL.
fn session_key(consent: Consent<'_>) -> String {
    consent.session.map(|session| session.to_string()).unwrap_or_default()
}

fn session(row: &Row<'_>) -> Result<ChatSession, Fault> {
    Ok(ChatSession {
        id: parse(row, "id")?,
        workspace: row.get("workspace")?,
        title: row.get("title")?,
        agent: row.get("agent")?,
        model: parse_optional(row, "model")?,
        head: parse_optional(row, "head")?,
        created_at: parse(row, "created_at")?,
        updated_at: parse(row, "updated_at")?,
    })
}

fn summary(connection: &Connection, session: ChatSession) -> Result<ChatSummary, Fault> {
    // A sum is NULL only if all values are.
    let sql =
        "SELECT count(*) AS messages, sum(content ->> 'input_tokens') AS input_tokens, sum(content ->> 'output_tokens') AS output_tokens,
            sum(content ->> 'estimated_cost') AS estimated_cost
        FROM chat_messages WHERE session_id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([session.id.to_string()])?;
    let Some(row) = rows.next()? else { return Ok(ChatSummary { session, messages: 0, usage: Usage::default() }) };
    Ok(ChatSummary { session, messages: tokens(row.get("messages")?).unwrap_or_default(), usage: usage(row)? })
}

fn put_step(connection: &Connection, message: MessageId, position: usize, step: &ChatStep) -> Result<(), Fault> {
    // A message of a chat that was deleted meanwhile has no row, so nothing is inserted.
    connection
        .prepare_cached(
            "INSERT INTO chat_steps (message_seq, position, step) SELECT seq, ?2, ?3 FROM chat_messages WHERE id = ?1
             ON CONFLICT DO UPDATE SET step = excluded.step",
        )?
        .execute(params![message.to_string(), i64::try_from(position).unwrap_or(i64::MAX), to_json(step)?])?;
    Ok(())
}

/// What must be the same for a chat to go on from a message. The user may mark it meanwhile.
fn state(message: &ChatMessage) -> (MessageId, MessageStatus, &[ChatStep]) {
    (message.id, message.status, message.steps.as_slice())
}

fn stored_message(connection: &Connection, id: Option<&str>) -> Result<Option<ChatMessage>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM chat_messages WHERE id = ?1")?;
    let mut rows = statement.query([id])?;
    rows.next()?.map(|row| message(connection, row)).transpose()
}

fn message(connection: &Connection, row: &Row<'_>) -> Result<ChatMessage, Fault> {
    let mut statement = connection.prepare_cached("SELECT step FROM chat_steps WHERE message_seq = ?1 ORDER BY position")?;
    let mut found = statement.query([row.get::<_, i64>("seq")?])?;
    let mut steps = Vec::new();
    while let Some(step) = found.next()? {
        steps.push(json(step, "step")?);
    }
    Ok(ChatMessage {
        id: parse(row, "id")?,
        session: parse(row, "session_id")?,
        parent: parse_optional(row, "parent")?,
        role: parse(row, "role")?,
        status: parse(row, "status")?,
        created_at: parse(row, "created_at")?,
        content: json(row, "content")?,
        steps,
    })
}
