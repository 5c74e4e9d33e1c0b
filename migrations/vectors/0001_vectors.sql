-- vectors.db: vectors of texts. Everything in it can be computed again.

CREATE TABLE vectors (
    -- Of the model and the texts.
    hash    BLOB PRIMARY KEY CHECK (length(hash) = 32),
    purpose BLOB NOT NULL,
    -- Of when not to use the skill.
    avoided BLOB
) STRICT, WITHOUT ROWID;
