-- Access by other programs, in the account's database; a workspace's file is untrusted, and must not let anyone in. A token is stored as
-- its hash only. The audit log has what remote callers changed or were refused, never what they read or wrote.

CREATE TABLE tokens (
    id           TEXT    NOT NULL PRIMARY KEY,  -- the part of the token that isn't secret
    name         TEXT    NOT NULL UNIQUE,       -- names stay taken after revoking: skills record them as their creators
    role         TEXT    NOT NULL CHECK (role IN ('system_admin', 'tenant_admin', 'editor', 'member', 'viewer', 'guest')),
    external     INTEGER NOT NULL CHECK (external IN (0, 1)),
    hash         BLOB    NOT NULL CHECK (length(hash) = 32),
    created_at   TEXT    NOT NULL,
    expires_at   TEXT,
    revoked_at   TEXT,
    last_used_at TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_log (
    seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    at        TEXT    NOT NULL,
    actor     TEXT    NOT NULL,
    role      TEXT    NOT NULL,
    operation TEXT    NOT NULL,
    workspace TEXT    NOT NULL,                 -- folder; empty for none
    code      TEXT                              -- of the failure; NULL for a success
) STRICT;
