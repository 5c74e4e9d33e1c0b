-- The folders on disk that skills of any scope are linked to, in the account's database: a workspace's file is untrusted, and must not
-- name files to be written. Skills are named without a foreign key: they may live in another database, and a deleted one that is restored
-- is linked again.

CREATE TABLE skill_links (
    workspace  TEXT    NOT NULL,                            -- folder of the skill's workspace; '' for the account
    skill_id   TEXT    NOT NULL,
    folder     TEXT    NOT NULL,                            -- absolute, without symbolic links
    agent      TEXT,                                        -- at which agent it was found; NULL if the user chose it
    active     INTEGER NOT NULL CHECK (active IN (0, 1)),   -- 0: unlinked by the user
    revision   INTEGER NOT NULL,                            -- the base of the next three-way merge; 0 if there is none
    files      TEXT    NOT NULL,                            -- JSON: of the base, by path: sha256, executable, stat
    problem    TEXT,
    PRIMARY KEY (workspace, skill_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX idx_skill_links_folder ON skill_links (workspace, folder);
