-- Chats, agents and standing notes, in the account's database: a workspace's file is untrusted, and must not speak for the user.

CREATE TABLE chat_sessions (
    id         TEXT NOT NULL PRIMARY KEY,
    workspace  TEXT NOT NULL,           -- folder of the workspace; '' for the account
    title      TEXT NOT NULL,
    agent      TEXT,                    -- name of the agent that answers
    model      TEXT,                    -- NULL for the default model
    head       TEXT,                    -- the last message of the branch that is shown
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_chat_sessions_workspace ON chat_sessions (workspace, updated_at);

-- A tree: siblings are edits of a message, or other answers to it.
CREATE TABLE chat_messages (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
    parent     TEXT,
    role       TEXT NOT NULL,
    status     TEXT NOT NULL,
    owner      TEXT,                    -- the process that answers
    content    TEXT NOT NULL,           -- JSON
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX idx_chat_messages_session ON chat_messages (session_id, seq);

-- What was done for an answer.
CREATE TABLE chat_steps (
    message_seq INTEGER NOT NULL REFERENCES chat_messages (seq) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    step        TEXT    NOT NULL,       -- JSON
    PRIMARY KEY (message_seq, position)
) STRICT, WITHOUT ROWID;

-- Tools that may be called without asking.
CREATE TABLE chat_consents (
    session_id TEXT NOT NULL,           -- '' for all sessions
    tool       TEXT NOT NULL,
    skill_id   TEXT NOT NULL,           -- '' if the tool concerns no skill; a workspace's has its folder before it
    granted_at TEXT NOT NULL,
    PRIMARY KEY (session_id, tool, skill_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE agents (
    name       TEXT NOT NULL PRIMARY KEY,
    profile    TEXT NOT NULL,           -- JSON: notes, model, tools, whether only assigned skills are listed
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_skills (
    agent    TEXT    NOT NULL REFERENCES agents (name) ON DELETE CASCADE ON UPDATE CASCADE,
    slug     TEXT    NOT NULL,          -- the skill need not exist in every workspace
    priority INTEGER NOT NULL,          -- highest first
    PRIMARY KEY (agent, slug)
) STRICT, WITHOUT ROWID;

-- Texts that are part of every system prompt.
CREATE TABLE notes (
    workspace  TEXT NOT NULL PRIMARY KEY,   -- '' for the account
    text       TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
