-- Indexes of catalogs as they were last searched, so that a start needn't read every skill.

CREATE TABLE indexes (
    -- Folder of the workspace; empty for the account.
    workspace TEXT PRIMARY KEY,
    snapshot  BLOB NOT NULL
) STRICT;
