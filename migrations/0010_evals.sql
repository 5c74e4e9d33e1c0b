-- Eval runs and models' responses, in the account's database: a workspace's file is untrusted, and must not vouch for a skill. Results are
-- only ever inserted. Skills are named without a foreign key: they may live in the other database, or be gone.

CREATE TABLE eval_runs (
    seq            INTEGER NOT NULL PRIMARY KEY,            -- order of starting, whatever the clock says
    id             TEXT    NOT NULL UNIQUE,
    workspace      TEXT    NOT NULL,                        -- folder of the workspace; '' for the account
    skill_id       TEXT    NOT NULL,
    skill_scope    TEXT    NOT NULL CHECK (skill_scope IN ('account', 'workspace')),
    skill_slug     TEXT    NOT NULL,
    skill_revision INTEGER NOT NULL,
    status         TEXT    NOT NULL CHECK (status IN ('running', 'complete', 'cancelled', 'over_budget', 'failed', 'interrupted')),
    owner          TEXT,                                    -- the process that runs it
    error          TEXT,
    plan           TEXT    NOT NULL CHECK (json_valid(plan)),
    created_at     TEXT    NOT NULL,
    completed_at   TEXT
) STRICT;
CREATE INDEX idx_eval_runs_skill_id ON eval_runs (skill_id);

-- A later attempt at a cell after an error is a row of its own, and counts instead.
CREATE TABLE eval_results (
    seq         INTEGER NOT NULL PRIMARY KEY,
    run_seq     INTEGER NOT NULL REFERENCES eval_runs (seq) ON DELETE CASCADE,
    case_key    TEXT    NOT NULL,
    variant     INTEGER NOT NULL,
    repeat      INTEGER NOT NULL,
    outcome     TEXT    NOT NULL CHECK (outcome IN ('passed', 'failed', 'not_run', 'error')),
    output      TEXT,
    error       TEXT,
    verdicts    TEXT    NOT NULL CHECK (json_valid(verdicts)),
    usage       TEXT    NOT NULL CHECK (json_valid(usage)),     -- JSON: of the answer, of the judge, and what was paid
    duration_ms INTEGER NOT NULL,
    model_id    TEXT,
    run_id      TEXT,
    created_at  TEXT    NOT NULL
) STRICT;
CREATE INDEX idx_eval_results_run_seq ON eval_results (run_seq, case_key, variant, repeat);

CREATE TABLE response_cache (
    key        BLOB NOT NULL PRIMARY KEY,                   -- hash of model and request
    response   TEXT NOT NULL CHECK (json_valid(response)),
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_response_cache_created_at ON response_cache (created_at);

-- Edits of instructions that a model proposed and that didn't help, so that they aren't tried again.
CREATE TABLE rejected_edits (
    seq        INTEGER NOT NULL PRIMARY KEY,
    skill_id   TEXT    NOT NULL,
    key        BLOB    NOT NULL,                            -- hash of the edits
    edit       TEXT    NOT NULL CHECK (json_valid(edit)),
    created_at TEXT    NOT NULL,
    UNIQUE (skill_id, key)
) STRICT;

-- The bodies of optimizations have the names of DSPy.
UPDATE proposals SET body = json_remove(
    json_set(
        body,
        '$.validation', json(body -> '$.held_out'),
        '$.trainset', json(coalesce(body -> '$.training_data', '[]')),
        '$.valset', json(coalesce(body -> '$.held_out_data', '[]'))
    ),
    '$.held_out', '$.training_data', '$.held_out_data'
) WHERE kind = 'optimisation' AND body -> '$.training_data' IS NOT NULL;
