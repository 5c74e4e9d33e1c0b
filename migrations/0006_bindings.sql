-- What a skill is bound to in a workspace, in the workspace's own database: the pages and files that a person attached as reference material.
-- Skills are named without a foreign key: they may live in the account's database, and one that is restored has its references again.

CREATE TABLE skill_bindings (
    id                TEXT    NOT NULL PRIMARY KEY,
    skill_id          TEXT    NOT NULL,
    skill_scope       TEXT    NOT NULL CHECK (skill_scope IN ('account', 'workspace')),
    skill_slug        TEXT    NOT NULL,
    skill_revision    INTEGER NOT NULL,
    target_kind       TEXT    NOT NULL
                      CHECK (target_kind IN ('agent', 'tool', 'action', 'integration', 'workstream', 'sop', 'task', 'goal', 'entity',
                                             'entity_type', 'view', 'script', 'document')),
    target_ref        TEXT    NOT NULL,                     -- entity: a page's slug; document: a path in the workspace, or an http(s) address
    relationship_type TEXT    NOT NULL CHECK (relationship_type IN ('references', 'requires', 'implements', 'supports')),
    position          INTEGER NOT NULL,
    created_by        TEXT    NOT NULL,
    created_at        TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX idx_skill_bindings_target ON skill_bindings (skill_id, relationship_type, target_kind, target_ref);
