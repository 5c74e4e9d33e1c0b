use std::cmp::Reverse;

use inklings_core::user;
use inklings_core::{Clock, Package, Scope, Skill, SkillCatalog, SkillId, SkillPath, StorageError, Time, UserData};

use super::api::{DraftList, SaveDraftResult, SkillDrafts};
use crate::editing::{Caller, base_hash};
use crate::wire::{Draft, DraftMark};

/// Drafts of the skills that a caller sees.
pub(crate) struct Drafts<'a> {
    pub(crate) catalog: SkillCatalog,
    pub(crate) user: &'a dyn UserData,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) caller: Caller<'a>,
}

impl Drafts<'_> {
    /// A skill that the caller sees, or a deleted one by its ID: an editor may have it open, and its drafts stay for when it is restored.
    pub(crate) fn skill(&self, name: &str, scope: Option<Scope>) -> Result<Skill, StorageError> {
        let missing = match self.catalog.require(name, scope) {
            Err(missing @ StorageError::NotFound { .. }) => missing,
            found => return found,
        };
        let Ok(id) = name.parse::<SkillId>() else { return Err(missing) };
        for scope in [Scope::Workspace, Scope::Account].into_iter().filter(|one| scope.is_none_or(|wanted| wanted == *one)) {
            let Some(repository) = self.catalog.repository(scope) else { continue };
            if let Some(deleted) = repository.deleted(id)? {
                // Without files: no revision is the present one, so hashes come from the history.
                return Ok(Skill { head: deleted.head, package: Package::new(deleted.slug, String::new(), String::new()) });
            }
        }
        Err(missing)
    }

    /// `base_revision` is the revision that the text is based on.
    pub(crate) fn save(
        &self,
        skill: &Skill,
        path: SkillPath,
        base_revision: i64,
        content: String,
    ) -> Result<SaveDraftResult, StorageError> {
        let updated_at = self.clock.now();
        self.user.put_draft(&user::Draft {
            workspace: self.caller.draft_key(skill.head.scope),
            skill: skill.head.id,
            base_sha256: base_hash(&self.catalog, skill, base_revision, &path)?,
            path,
            base_revision,
            content,
            updated_at,
        })?;
        Ok(SaveDraftResult { updated_at })
    }

    /// The drafts of the account, if the caller sees more of it than its skills, and of the open workspace.
    pub(crate) fn list(&self) -> Result<DraftList, StorageError> {
        let mut drafts = if self.caller.is_limited_to_workspace { Vec::new() } else { self.user.draft_marks("")? };
        if self.caller.workspace.is_some() {
            drafts.append(&mut self.user.draft_marks(&self.caller.workspace_key())?);
        }
        drafts.sort_by_key(|draft| Reverse(draft.updated_at));
        Ok(DraftList { drafts: drafts.into_iter().map(wire_mark).collect() })
    }

    pub(crate) fn of_skill(&self, skill: &Skill) -> Result<SkillDrafts, StorageError> {
        let drafts = self.user.drafts(&self.caller.draft_key(skill.head.scope), skill.head.id)?;
        Ok(SkillDrafts { drafts: drafts.into_iter().map(wire_draft).collect() })
    }

    /// `updated_at` is when the draft to discard was stored: a newer one stays. Any draft if `None`.
    pub(crate) fn discard(&self, skill: &Skill, path: SkillPath, updated_at: Option<Time>) -> Result<(), StorageError> {
        let (workspace, skill) = (self.caller.draft_key(skill.head.scope), skill.head.id);
        match updated_at {
            Some(updated_at) => {
                let key = user::DraftKey { workspace, skill, path };
                self.user.discard_unchanged_drafts(&[user::DraftStamp { key, updated_at }])
            }
            None => self.user.discard_draft(&workspace, skill, Some(&path)).map(drop),
        }
    }
}

fn wire_mark(draft: user::DraftMark) -> DraftMark {
    DraftMark { skill_id: draft.skill, scope: scope_of(&draft.workspace), path: draft.path, updated_at: draft.updated_at }
}

pub(crate) fn wire_draft(draft: user::Draft) -> Draft {
    Draft {
        skill_id: draft.skill,
        scope: scope_of(&draft.workspace),
        path: draft.path,
        base_revision: draft.base_revision,
        base_sha256: draft.base_sha256,
        text: draft.content,
        updated_at: draft.updated_at,
    }
}

fn scope_of(workspace: &str) -> Scope {
    if workspace.is_empty() { Scope::Account } else { Scope::Workspace }
}
