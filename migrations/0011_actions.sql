-- Actions: saved runs, in the account's database; a workspace's file is untrusted, and must not define what a person starts. Skills are
-- named by slug, without a foreign key: which one that is depends on the open workspace. The built-in action has a row once it was changed.

CREATE TABLE actions (
    slug       TEXT    NOT NULL PRIMARY KEY,
    skill      TEXT,                                        -- slug; NULL for the built-in action, which takes it as a parameter
    scope      TEXT    CHECK (scope IN ('account', 'workspace')), -- NULL: the workspace's skill, else the account's
    artifact   TEXT,                                        -- path or name; NULL for the skill's plan
    params     TEXT    NOT NULL CHECK (json_valid(params)),
    model      TEXT,                                        -- NULL for the default model
    mode       TEXT    NOT NULL CHECK (mode IN ('manual', 'trigger', 'queue', 'goal_loop')),
    enabled    INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    created_at TEXT    NOT NULL,
    updated_at TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
