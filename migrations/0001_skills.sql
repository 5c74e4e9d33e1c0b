-- Skills with their artifacts and files, their history, and the feed that every window and process refreshes from.
-- The same schema serves the account's agents.db and a workspace's agents.db. Times are RFC 3339 UTC text with milliseconds.

CREATE TABLE skills (
    id                TEXT    NOT NULL PRIMARY KEY,
    slug              TEXT    NOT NULL UNIQUE,
    name              TEXT    NOT NULL,
    name_key          TEXT    NOT NULL UNIQUE,              -- name, NFC, case folded
    description       TEXT    NOT NULL,
    version           TEXT    NOT NULL DEFAULT '1.0.0',
    tags              TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    category          TEXT    NOT NULL DEFAULT 'general',
    source            TEXT    NOT NULL DEFAULT 'user' CHECK (source IN ('system', 'community', 'imported', 'user')),
    origin            TEXT    NOT NULL DEFAULT 'human' CHECK (origin IN ('human', 'llm')),
    author            TEXT,
    created_by        TEXT,
    revision          INTEGER NOT NULL DEFAULT 1 CHECK (revision > 0),
    enabled           INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    user_invocable    INTEGER NOT NULL DEFAULT 1 CHECK (user_invocable IN (0, 1)),
    lifecycle         TEXT    NOT NULL DEFAULT 'released'
                      CHECK (lifecycle IN ('candidate', 'verified', 'released', 'degraded', 'deprecated', 'archived')),
    trust_tier        INTEGER NOT NULL DEFAULT 3 CHECK (trust_tier BETWEEN 1 AND 4),
    deprecated_reason TEXT,
    parent_skill_id   TEXT,
    source_session    TEXT,
    provenance        TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
    when_not_to_use   TEXT,
    steps             TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(steps)),
    intent_patterns   TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(intent_patterns)),
    trigger_phrases   TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(trigger_phrases)),
    run               TEXT CHECK (run IS NULL OR json_valid(run)),
    metadata          TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
    main_path         TEXT    NOT NULL DEFAULT 'SKILL.md',
    frontmatter       TEXT,                                 -- SKILL.md up to the closing delimiter's line end, verbatim
    skill_json        TEXT,                                 -- skill.json, verbatim
    kinds             TEXT    NOT NULL DEFAULT '',          -- kinds of the artifacts, for lists
    file_count        INTEGER NOT NULL DEFAULT 0,
    byte_count        INTEGER NOT NULL DEFAULT 0,
    invocation_count  INTEGER NOT NULL DEFAULT 0,
    success_count     INTEGER NOT NULL DEFAULT 0,
    utility_score     REAL    NOT NULL DEFAULT 0.5,
    token_cost        REAL,
    last_used_at      TEXT,
    last_validated_at TEXT,
    marketplace_id    TEXT,
    sync_etag         TEXT,
    created_at        TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    updated_at        TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX idx_skills_source ON skills (source);

CREATE TABLE skill_artifacts (
    id            TEXT    NOT NULL PRIMARY KEY,
    skill_id      TEXT    NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
    path          TEXT    NOT NULL,
    path_key      TEXT    NOT NULL,                         -- path, case folded
    kind          TEXT    NOT NULL
                  CHECK (kind IN ('description', 'prompt_template', 'code_template', 'dspy_module', 'approach', 'example')),
    name          TEXT    NOT NULL,
    ordinal       INTEGER NOT NULL DEFAULT 0,
    content       TEXT    NOT NULL,
    model_variant TEXT,
    metadata      TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
    state_path    TEXT,
    state_blob    BLOB,
    executable    INTEGER NOT NULL DEFAULT 0 CHECK (executable IN (0, 1)),
    created_at    TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    updated_at    TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    CHECK ((state_path IS NULL) = (state_blob IS NULL))
) STRICT;
CREATE UNIQUE INDEX idx_skill_artifacts_path ON skill_artifacts (skill_id, path_key);
-- Two NULL variants are two different values to a UNIQUE constraint; one default variant is what we mean.
CREATE UNIQUE INDEX idx_skill_artifacts_name ON skill_artifacts (skill_id, name, coalesce(model_variant, ''));

CREATE TABLE skill_files (
    skill_id   TEXT    NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
    path       TEXT    NOT NULL,
    path_key   TEXT    NOT NULL,
    bytes      BLOB    NOT NULL,
    sha256     BLOB    NOT NULL CHECK (length(sha256) = 32),
    size       INTEGER NOT NULL,
    executable INTEGER NOT NULL DEFAULT 0 CHECK (executable IN (0, 1)),
    PRIMARY KEY (skill_id, path_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE skill_relations (
    skill_id TEXT NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
    kind     TEXT NOT NULL CHECK (kind IN ('depends_on', 'conflicts_with')),
    target   TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (skill_id, kind, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_skill_relations_target ON skill_relations (target, kind);

-- A revision is its folder's paths and hashes. It outlives the skill's row, so that a delete can be undone.
CREATE TABLE skill_revisions (
    skill_id   TEXT    NOT NULL,
    number     INTEGER NOT NULL CHECK (number > 0),
    slug       TEXT    NOT NULL,
    tree_hash  BLOB    NOT NULL CHECK (length(tree_hash) = 32),
    manifest   BLOB    NOT NULL,                            -- zstd of JSON: path -> {sha256, executable}
    head       TEXT CHECK (head IS NULL OR json_valid(head)), -- of a deleted skill: what its row held
    pinned     INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    actor      TEXT    NOT NULL,
    why        TEXT    NOT NULL,
    created_at TEXT    NOT NULL,
    PRIMARY KEY (skill_id, number)
) STRICT, WITHOUT ROWID;

-- Bodies that were superseded or deleted. What is current lives only in the tables above.
CREATE TABLE blobs (
    sha256 BLOB NOT NULL PRIMARY KEY CHECK (length(sha256) = 32),
    size   INTEGER NOT NULL,
    body   BLOB NOT NULL                                    -- zstd
) STRICT, WITHOUT ROWID;

-- One row per write, in its transaction: what windows, other processes and sync follow.
CREATE TABLE changes (
    seq        INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    kind       TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    origin     TEXT    NOT NULL,
    created_at TEXT    NOT NULL
) STRICT;

-- Actions that are no revision (enabling, later maintenance), append-only.
CREATE TABLE ledger (
    id         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    skill_id   TEXT    NOT NULL,
    slug       TEXT    NOT NULL,
    action     TEXT    NOT NULL,
    detail     TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(detail)),
    actor      TEXT    NOT NULL,
    created_at TEXT    NOT NULL
) STRICT;

-- Typing that is not saved yet. Kept in the account's database for every workspace, so that it survives a removed folder.
CREATE TABLE drafts (
    workspace     TEXT    NOT NULL,                         -- folder of the workspace; '' is the account
    skill_id      TEXT    NOT NULL,
    path          TEXT    NOT NULL,
    base_revision INTEGER NOT NULL,
    base_sha256   BLOB CHECK (base_sha256 IS NULL OR length(base_sha256) = 32),
    content       TEXT    NOT NULL,
    updated_at    TEXT    NOT NULL,
    PRIMARY KEY (workspace, skill_id, path)
) STRICT, WITHOUT ROWID;

-- Named parameters of an artifact's form; the empty name holds what was used last.
CREATE TABLE saved_inputs (
    workspace  TEXT NOT NULL,
    slug       TEXT NOT NULL,
    path       TEXT NOT NULL,
    name       TEXT NOT NULL,
    params     TEXT NOT NULL CHECK (json_valid(params)),
    updated_at TEXT NOT NULL,
    PRIMARY KEY (workspace, slug, path, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    key        TEXT NOT NULL PRIMARY KEY,
    value      TEXT NOT NULL CHECK (json_valid(value)),
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Workspaces that were opened, for the recent list.
CREATE TABLE workspaces (
    path      TEXT NOT NULL PRIMARY KEY,
    opened_at TEXT NOT NULL,
    git_exclude TEXT NOT NULL DEFAULT 'ask' CHECK (git_exclude IN ('ask', 'done', 'declined'))
) STRICT, WITHOUT ROWID;

-- What seeding has put in, so that a deleted seed stays deleted and an edited one is never overwritten.
CREATE TABLE seeds (
    slug      TEXT    NOT NULL PRIMARY KEY,
    version   INTEGER NOT NULL,
    tree_hash BLOB    NOT NULL CHECK (length(tree_hash) = 32),
    skill_id  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
