-- Registries of the marketplace and pinned skills, in the account's database; a workspace's file is untrusted, and must not name servers
-- to install from. What a registry offers is in files beside the database, which can be fetched again.

CREATE TABLE registries (
    id               TEXT    NOT NULL PRIMARY KEY,
    title            TEXT    NOT NULL,
    address          TEXT    NOT NULL,
    mirrors          TEXT    NOT NULL CHECK (json_valid(mirrors)),  -- list of addresses
    fingerprint      BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    priority         INTEGER NOT NULL,
    enabled          INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    updates_built_in INTEGER NOT NULL CHECK (updates_built_in IN (0, 1)),
    added_at         TEXT    NOT NULL,
    tried_at         TEXT,                                          -- the last sync
    failure          TEXT    CHECK (failure IS NULL OR json_valid(failure))
) STRICT, WITHOUT ROWID;

-- Installed skills that keep their version. The rows of deleted skills stay, for when they are restored.
CREATE TABLE pinned_skills (
    skill_id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE INDEX installed_skills ON skills (marketplace_id) WHERE marketplace_id IS NOT NULL;
