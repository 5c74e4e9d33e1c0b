-- A skill's parts name it by a number, and an artifact's id is its 16 bytes: as texts the ids stood in every row and in every index,
-- a fifth of a file with small skills. Ids of skills stay text, since other tables and other files name skills by them.

DROP INDEX idx_skills_source;
DROP INDEX idx_skill_artifacts_path;
DROP INDEX idx_skill_artifacts_name;
DROP INDEX idx_skill_relations_target;
ALTER TABLE skills RENAME TO skills_1;
ALTER TABLE skill_artifacts RENAME TO skill_artifacts_1;
ALTER TABLE skill_files RENAME TO skill_files_1;
ALTER TABLE skill_relations RENAME TO skill_relations_1;

CREATE TABLE skills (
    key               INTEGER NOT NULL PRIMARY KEY,         -- what the tables of its parts name it by
    id                TEXT    NOT NULL UNIQUE,
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

CREATE TABLE skill_artifacts (
    id            BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16), -- a UUID
    skill         INTEGER NOT NULL REFERENCES skills (key) ON DELETE CASCADE,
    path          TEXT    NOT NULL,
    path_key      TEXT,                                     -- path, case folded, where that differs
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
    CHECK ((state_path IS NULL) = (state_blob IS NULL))
) STRICT;
CREATE UNIQUE INDEX idx_skill_artifacts_path ON skill_artifacts (skill, coalesce(path_key, path));
-- Two NULL variants are two different values to a UNIQUE constraint; one default variant is what we mean.
CREATE UNIQUE INDEX idx_skill_artifacts_name ON skill_artifacts (skill, name, coalesce(model_variant, ''));

CREATE TABLE skill_files (
    skill      INTEGER NOT NULL REFERENCES skills (key) ON DELETE CASCADE,
    path       TEXT    NOT NULL,
    path_key   TEXT    NOT NULL,
    bytes      BLOB    NOT NULL,
    sha256     BLOB    NOT NULL CHECK (length(sha256) = 32),
    size       INTEGER NOT NULL,
    executable INTEGER NOT NULL DEFAULT 0 CHECK (executable IN (0, 1)),
    PRIMARY KEY (skill, path_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE skill_relations (
    skill    INTEGER NOT NULL REFERENCES skills (key) ON DELETE CASCADE,
    kind     TEXT    NOT NULL CHECK (kind IN ('depends_on', 'conflicts_with')),
    target   TEXT    NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (skill, kind, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_skill_relations_target ON skill_relations (target, kind);

INSERT INTO skills (
    id, slug, name, name_key, description, version, tags, category, source, origin, author, created_by, revision, enabled,
    user_invocable, lifecycle, trust_tier, deprecated_reason, parent_skill_id, source_session, provenance, when_not_to_use,
    steps, intent_patterns, trigger_phrases, run, metadata, main_path, frontmatter, skill_json, kinds, file_count, byte_count,
    invocation_count, success_count, utility_score, token_cost, last_used_at, last_validated_at, marketplace_id, sync_etag,
    created_at, updated_at)
SELECT
    id, slug, name, name_key, description, version, tags, category, source, origin, author, created_by, revision, enabled,
    user_invocable, lifecycle, trust_tier, deprecated_reason, parent_skill_id, source_session, provenance, when_not_to_use,
    steps, intent_patterns, trigger_phrases, run, metadata, main_path, frontmatter, skill_json, kinds, file_count, byte_count,
    invocation_count, success_count, utility_score, token_cost, last_used_at, last_validated_at, marketplace_id, sync_etag,
    created_at, updated_at
FROM skills_1 ORDER BY id;

INSERT INTO skill_artifacts (id, skill, path, path_key, kind, name, ordinal, content, model_variant, metadata, state_path, state_blob,
    executable)
SELECT unhex(replace(a.id, '-', '')), s.key, a.path, nullif(a.path_key, a.path), a.kind, a.name, a.ordinal, a.content, a.model_variant,
    a.metadata, a.state_path, a.state_blob, a.executable
FROM skill_artifacts_1 a JOIN skills s ON s.id = a.skill_id ORDER BY a.rowid;

INSERT INTO skill_files (skill, path, path_key, bytes, sha256, size, executable)
SELECT s.key, f.path, f.path_key, f.bytes, f.sha256, f.size, f.executable
FROM skill_files_1 f JOIN skills s ON s.id = f.skill_id ORDER BY s.key, f.path_key;

INSERT INTO skill_relations (skill, kind, target, position)
SELECT s.key, r.kind, r.target, r.position
FROM skill_relations_1 r JOIN skills s ON s.id = r.skill_id ORDER BY s.key, r.kind, r.target;

-- Those that refer go first: dropping what they refer to would look into them.
DROP TABLE skill_artifacts_1;
DROP TABLE skill_files_1;
DROP TABLE skill_relations_1;
DROP TABLE skills_1;

-- Nothing reads when a change was written; its order is its number.
ALTER TABLE changes DROP COLUMN created_at;
