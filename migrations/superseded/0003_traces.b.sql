-- What ran: sessions, and one trace for each artifact that a run executed. Skills are named without a foreign key: they may live in
-- the other database, or be gone.

CREATE TABLE sessions (
    id         TEXT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('chat', 'run', 'eval', 'optimisation', 'composer')),
    title      TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE skill_execution_traces (
    seq               INTEGER NOT NULL PRIMARY KEY,         -- order of beginning, whatever the clock says
    id                TEXT    NOT NULL UNIQUE,
    session_id        TEXT    NOT NULL,
    run_id            TEXT    NOT NULL,
    parent_run_id     TEXT,
    skill_id          TEXT    NOT NULL,
    skill_scope       TEXT    NOT NULL CHECK (skill_scope IN ('account', 'workspace')),
    skill_slug        TEXT    NOT NULL,
    skill_revision    INTEGER NOT NULL,
    artifact_id       TEXT    NOT NULL,
    artifact_kind     TEXT    NOT NULL
                      CHECK (artifact_kind IN ('description', 'prompt_template', 'code_template', 'dspy_module', 'approach', 'example')),
    artifact_name     TEXT    NOT NULL,
    artifact_path     TEXT    NOT NULL,
    variant           TEXT,
    status            TEXT    NOT NULL DEFAULT 'running'
                      CHECK (status IN ('running', 'ok', 'error', 'cancelled', 'interrupted', 'fallback')),
    params            TEXT CHECK (params IS NULL OR json_valid(params)), -- once a run, on its first row
    asked_artifact    TEXT,                                 -- what was asked to run alone; on the run's first row
    rendered_input    TEXT,
    raw_output        TEXT,
    error             TEXT,
    truncated         INTEGER NOT NULL DEFAULT 0 CHECK (truncated IN (0, 1)),
    cut_off           INTEGER NOT NULL DEFAULT 0 CHECK (cut_off IN (0, 1)), -- the model reached its limit of tokens
    started_at        TEXT    NOT NULL,
    completed_at      TEXT,
    duration_ms       INTEGER,
    input_tokens      INTEGER,
    output_tokens     INTEGER,
    model_requested   TEXT,
    model_id          TEXT,
    estimated_cost    REAL,
    assertions_run    INTEGER NOT NULL DEFAULT 0,
    assertions_passed INTEGER NOT NULL DEFAULT 0,
    score             REAL,
    verdicts          TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(verdicts)),
    fallback_of       TEXT,
    replay_of         TEXT,
    owner             TEXT,                                 -- while it runs: mark of the process, which holds a lock of that name beside the file
    created_at        TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX idx_traces_session_id ON skill_execution_traces (session_id);
CREATE INDEX idx_traces_skill_id ON skill_execution_traces (skill_id);
CREATE INDEX idx_traces_artifact_id ON skill_execution_traces (artifact_id);
CREATE INDEX idx_traces_run_id ON skill_execution_traces (run_id);
CREATE INDEX idx_traces_started_at ON skill_execution_traces (started_at);
CREATE INDEX idx_traces_running ON skill_execution_traces (owner) WHERE status = 'running';

-- Nothing from a workspace runs before the person has trusted that workspace. Counts in the account's database only.
ALTER TABLE workspaces ADD COLUMN trusted_at TEXT;
