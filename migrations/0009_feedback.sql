-- Answers in chats that loaded a skill, in the skill's own database, so that its counts change in the same transaction. An answer that
-- nobody judged counts as a use, but neither as a success nor as a failure. Skills are named without a foreign key: one may be deleted.

CREATE TABLE skill_invocations (
    answer         TEXT    NOT NULL,                        -- id of the chat's message
    skill_id       TEXT    NOT NULL,
    skill_slug     TEXT    NOT NULL,
    skill_revision INTEGER NOT NULL,
    feedback       TEXT    CHECK (feedback IN ('up', 'down')), -- the user's mark of the answer
    accepted       INTEGER NOT NULL DEFAULT 0 CHECK (accepted IN (0, 1)), -- whether a proposal of the answer was accepted
    utility_change REAL    NOT NULL DEFAULT 0,              -- what its outcome added to the skill's utility_score
    created_at     TEXT    NOT NULL,
    PRIMARY KEY (answer, skill_id)
) STRICT, WITHOUT ROWID;

-- Of the invocations: those that only loaded the skill, those of them that the user judged, and those that were good.
ALTER TABLE skills ADD COLUMN load_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE skills ADD COLUMN judged_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE skills ADD COLUMN accepted_count INTEGER NOT NULL DEFAULT 0;
