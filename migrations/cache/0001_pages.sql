-- cache.db: the index over a workspace's pages. Everything in it can be rebuilt from the files.

-- One row for each page. Texts that lists don't show have a table of their own, so that a list reads little.
CREATE TABLE pages (
    id        INTEGER PRIMARY KEY,
    path      TEXT NOT NULL UNIQUE,
    -- The slug that the path asks for, and the one it has: several paths may ask for the same.
    base      TEXT NOT NULL,
    slug      TEXT NOT NULL UNIQUE,
    title     TEXT NOT NULL,
    title_key TEXT NOT NULL,
    kind      TEXT,
    kind_key  TEXT,
    -- A JSON array; the table tags has the same, to look up by tag.
    tags      TEXT NOT NULL,
    remark    TEXT,
    -- How the file looked when it was read. Times are nanoseconds; the change time is 0 while the file was too fresh to be told
    -- from a later version by its times.
    size      INTEGER NOT NULL,
    modified  INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    hash      BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE INDEX pages_base ON pages (base, path);
CREATE INDEX pages_kind ON pages (kind_key, slug);
CREATE INDEX pages_title ON pages (title_key, slug);
CREATE INDEX pages_modified ON pages (modified DESC, slug);

CREATE TABLE texts (
    page        INTEGER PRIMARY KEY REFERENCES pages ON DELETE CASCADE,
    -- Title, aliases and file name, as they are searched.
    names       TEXT NOT NULL,
    frontmatter TEXT NOT NULL,
    body_line   INTEGER NOT NULL,
    body        TEXT NOT NULL
) STRICT;

CREATE TABLE tags (
    tag  TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    PRIMARY KEY (tag, page)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_page ON tags (page);

-- What a link may call a page. The lowest rank wins, then the path, which is here so that the first entry is the answer.
CREATE TABLE names (
    key  TEXT NOT NULL,
    rank INTEGER NOT NULL,
    path TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    PRIMARY KEY (key, rank, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX names_page ON names (page);

-- Links as written. Where they lead is asked when it is wanted, so that a new page needs no look at the others.
CREATE TABLE links (
    page    INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    key     TEXT NOT NULL,
    -- The exact path, of a link that gives one.
    path    TEXT,
    target  TEXT NOT NULL,
    text    TEXT NOT NULL,
    line    INTEGER NOT NULL,
    -- Whether it is broken when no page has the name; a link without an ending may mean a folder.
    strict  INTEGER NOT NULL CHECK (strict IN (0, 1)),
    PRIMARY KEY (page, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_key ON links (key, page);

-- Files that look like pages and are none.
CREATE TABLE skipped (
    path   TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: which file this is, and by which rules its pages were read.
CREATE TABLE origin (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    device INTEGER NOT NULL,
    inode  INTEGER NOT NULL,
    rules  INTEGER NOT NULL
) STRICT;

-- Holds no texts. A row is removed by telling what was in it, which keeps the numbers that ranking counts with exact;
-- contentless_delete would let them drift with every change.
CREATE VIRTUAL TABLE search USING fts5 (
    title, tags, body,
    content = '',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
