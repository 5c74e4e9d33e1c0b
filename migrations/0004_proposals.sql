-- What was proposed for a skill, and who decided about it. Both count in the account's database only: a workspace's file is
-- untrusted, and an approval is a person's. Skills are named without a foreign key: they may live in the other database, or be gone.

CREATE TABLE proposals (
    seq            INTEGER NOT NULL PRIMARY KEY,            -- order of making, whatever the clock says
    id             TEXT    NOT NULL UNIQUE,
    kind           TEXT    NOT NULL CHECK (kind IN ('composer', 'optimisation', 'learned', 'merge')),
    workspace      TEXT    NOT NULL,                        -- folder that the skill was seen from; empty without one
    skill_id       TEXT    NOT NULL,
    skill_scope    TEXT    NOT NULL CHECK (skill_scope IN ('account', 'workspace')),
    skill_slug     TEXT    NOT NULL,
    skill_revision INTEGER NOT NULL,
    artifact_path  TEXT,
    title          TEXT    NOT NULL,
    status         TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'accepted', 'rejected')),
    body           TEXT    NOT NULL CHECK (json_valid(body)),
    revision       INTEGER,                                 -- that accepting it made
    created_at     TEXT    NOT NULL,
    decided_at     TEXT
) STRICT;
CREATE INDEX idx_proposals_open ON proposals (seq) WHERE status = 'open';
CREATE INDEX idx_proposals_skill_id ON proposals (skill_id);

CREATE TABLE approvals (
    id         INTEGER NOT NULL PRIMARY KEY,
    subject    TEXT    NOT NULL,                            -- id of the proposal
    decision   TEXT    NOT NULL CHECK (decision IN ('approved', 'rejected')),
    actor      TEXT    NOT NULL,
    reason     TEXT,
    created_at TEXT    NOT NULL
) STRICT;
CREATE INDEX idx_approvals_subject ON approvals (subject);
