//! Creating and changing stored skills: files through [`SkillEditor::save`], values through [`SkillEditor::change_values`]. The use
//! cases of all families write through these and through nothing else.

mod copy;
mod error;
mod ids;
mod renames;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use inklings_core::edit::{self, Commit, SaveError, Saved, TreeEdit, edits_between};
use inklings_core::user::{Draft, workspace_key};
use inklings_core::{
    Actions, ChangeSet, Clock, Diagnostic, Digest, Expected, Head, IdSource, Origin, Package, Scope, Skill, SkillCatalog, SkillFormat as _,
    SkillPath, SkillStorageRepository, Slug, Source, StorageError, Tree, TreeFile, UserData,
};
use inklings_evals::cases::is_case_file;
use inklings_folder::Folder;

pub(crate) use copy::forks_to_workspace;
pub(crate) use error::{EditError, from_save_errors};
pub use renames::SkillReferences;

use crate::after_write::after_write;
use crate::check_cache::CheckCache;
use crate::features::run::resources::needs_trust;
use crate::own_skills;
use crate::wire::{EditResult, SkillDetail, detail, is_in_both_scopes};

/// Attempts to change values before a conflict with another writer is reported.
const MAX_ATTEMPTS: usize = 20;

/// Who writes, and from where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    /// Folder of the open workspace.
    pub(crate) workspace: Option<&'a Path>,
    /// Recorded as the author.
    pub(crate) actor: &'a str,
    /// Id of the calling process or window in the change feed.
    pub(crate) origin: &'a str,
    /// Whether it may change only skills that it created.
    pub(crate) is_limited_to_own_skills: bool,
    /// Whether it may change nothing of the account.
    pub(crate) is_limited_to_workspace: bool,
    /// Whether it is a program that keeps its own texts: only the user's refused texts become drafts.
    pub(crate) is_remote: bool,
    /// Whether somebody else reviews what it creates.
    pub(crate) is_supervised: bool,
}

impl Caller<'_> {
    /// For changes that aren't one write: a repository refuses a write, but what precedes it would stay.
    pub(crate) fn ensure_may_change(&self, skill: &Skill) -> Result<(), StorageError> {
        if self.is_limited_to_workspace {
            return own_skills::ensure_in_workspace(skill);
        }
        if self.is_limited_to_own_skills { own_skills::ensure_owned(skill, self.actor) } else { Ok(()) }
    }

    /// See [`workspace_key`].
    pub(crate) fn workspace_key(&self) -> String {
        workspace_key(self.workspace)
    }

    /// What the drafts of a scope's skills are filed under.
    pub(crate) fn draft_key(&self, scope: Scope) -> String {
        match scope {
            Scope::Account => String::new(),
            Scope::Workspace => self.workspace_key(),
        }
    }

    /// The scope of a new skill: `scope`, or the open workspace, or the account.
    pub(crate) fn target_scope(&self, scope: Option<Scope>) -> Result<Scope, EditError> {
        match (scope, self.workspace) {
            (Some(Scope::Workspace), None) => Err(EditError::NoWorkspace),
            (Some(scope), _) => Ok(scope),
            (None, Some(_)) => Ok(Scope::Workspace),
            (None, None) => Ok(Scope::Account),
        }
    }
}

/// Creates and changes the skills that a caller sees.
pub(crate) struct SkillEditor<'a> {
    pub(crate) catalog: SkillCatalog,
    pub(crate) folder: &'a Folder,
    pub(crate) checks: &'a CheckCache,
    pub(crate) user: &'a dyn UserData,
    pub(crate) actions: &'a dyn Actions,
    pub(crate) ids: &'a dyn IdSource,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) caller: Caller<'a>,
}

impl SkillEditor<'_> {
    pub(crate) fn repository_of(&self, skill: &Skill) -> Result<&Arc<dyn SkillStorageRepository>, StorageError> {
        self.catalog.holder(skill.head.id, skill.head.scope)
    }

    /// Refuses to bring files of an untrusted workspace into the account, whose skills run without being asked about.
    pub(crate) fn ensure_trusted(&self, from: Scope, to: Scope) -> Result<(), EditError> {
        if to == Scope::Account && needs_trust(self.user, &self.caller.workspace_key(), from)? {
            return Err(EditError::NotTrusted);
        }
        Ok(())
    }

    /// Changes the files of a skill as it was at revision `expected`.
    pub(crate) fn save(&self, skill: &Skill, edits: &[TreeEdit], expected: i64, why: &str) -> Result<Saved, SaveError> {
        let repository = self.repository_of(skill)?;
        self.save_through(skill, edits, expected, why, &mut |writes| repository.commit_together(writes))
    }

    /// [`Self::save`] with a commit of the caller's.
    fn save_through(
        &self,
        skill: &Skill,
        edits: &[TreeEdit],
        expected: i64,
        why: &str,
        commit: &mut Commit<'_>,
    ) -> Result<Saved, SaveError> {
        let repository = self.repository_of(skill)?;
        let saved = edit::save_through(repository.as_ref(), skill.head.id, edits, expected, self.caller.actor, why, &mut |writes| {
            refuse_new_assertion_faults(repository.as_ref(), writes)?;
            self.ensure_renamed_hides_nothing(skill, writes)?;
            commit(writes)
        })?;
        self.follow_rename(skill.head.scope, &skill.package.slug, &saved.skill.package.slug);
        Ok(saved)
    }

    fn ensure_renamed_hides_nothing(&self, before: &Skill, writes: &[(ChangeSet, Expected)]) -> Result<(), StorageError> {
        let after = writes.first().and_then(|(change, _)| change.after.as_ref());
        let renamed = after.map(|after| &after.package.slug).filter(|slug| **slug != before.package.slug);
        renamed.map_or(Ok(()), |slug| self.ensure_hides_nothing(before.head.scope, slug))
    }

    /// Changes the values of a skill and saves the resulting changes of its files. `change` is called again on the newer revision if
    /// another writer changed the same file.
    pub(crate) fn change_values<E: From<SaveError> + From<StorageError>>(
        &self,
        skill: &Skill,
        why: &str,
        change: impl FnMut(&mut Package) -> Result<(), E>,
    ) -> Result<Saved, E> {
        let repository = self.repository_of(skill)?;
        self.change_values_through(skill, why, change, &mut |writes| repository.commit_together(writes))
    }

    /// [`Self::change_values`] of a skill that must be at revision `expected`.
    pub(crate) fn change_values_at<E: From<SaveError> + From<StorageError>>(
        &self,
        skill: &Skill,
        expected: i64,
        why: &str,
        change: impl FnOnce(&mut Package) -> Result<(), E>,
    ) -> Result<Saved, E> {
        ensure_revision(skill, Some(expected))?;
        let mut after = skill.package.clone();
        change(&mut after)?;
        self.folder.sync_sources_strictly(&mut after)?;
        let edits = edits_between(&skill.package.tree(), &after.tree());
        Ok(self.save(skill, &edits, expected, why)?)
    }

    /// [`Self::change_values`] with a commit of the caller's.
    pub(crate) fn change_values_through<E: From<SaveError> + From<StorageError>>(
        &self,
        skill: &Skill,
        why: &str,
        mut change: impl FnMut(&mut Package) -> Result<(), E>,
        commit: &mut Commit<'_>,
    ) -> Result<Saved, E> {
        let mut skill = Cow::Borrowed(skill);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let mut after = skill.package.clone();
            change(&mut after)?;
            self.folder.sync_sources_strictly(&mut after)?;
            let edits = edits_between(&skill.package.tree(), &after.tree());
            match self.save_through(&skill, &edits, skill.head.revision, why, commit) {
                Err(SaveError::Conflict(_)) if attempt < MAX_ATTEMPTS => {
                    skill = Cow::Owned(self.repository_of(&skill)?.present(skill.head.id)?);
                }
                saved => return Ok(saved?),
            }
        }
    }

    /// The head of a skill that the caller creates.
    pub(crate) fn new_head(&self, scope: Scope, source: Source) -> Head {
        let mut head = Head::new(self.ids.skill(), scope, source, Origin::Human, self.clock.now());
        // Nobody knows who wrote what a program stores, so it isn't offered to agents before a person has reviewed it.
        if self.caller.is_supervised {
            head.origin = Origin::Llm;
            (head.lifecycle, head.trust_tier) = Head::defaults(Source::User, Origin::Llm);
        }
        Head { created_by: Some(self.caller.actor.to_owned()), ..head }
    }

    /// Refuses a name with which a skill that nobody has reviewed would hide one of the account: agents would be offered neither.
    pub(crate) fn ensure_hides_nothing(&self, scope: Scope, slug: &Slug) -> Result<(), StorageError> {
        if self.caller.is_supervised
            && scope == Scope::Workspace
            && let Some(account) = self.catalog.repository(Scope::Account)
            && account.has_slug(slug)?
        {
            return Err(StorageError::Exists { what: "slug", value: slug.to_string() });
        }
        Ok(())
    }

    /// Stores a new skill and reads it back.
    pub(crate) fn store_new(&self, head: Head, package: Package, why: &str) -> Result<Skill, StorageError> {
        self.ensure_hides_nothing(head.scope, &package.slug)?;
        self.store_moved(head, package, why)
    }

    /// [`Self::store_new`] of a skill whose original in the other scope is deleted next.
    pub(crate) fn store_moved(&self, head: Head, package: Package, why: &str) -> Result<Skill, StorageError> {
        let id = head.id;
        let repository = self.catalog.holder(id, head.scope)?;
        let mut skill = Skill { head, package };
        let change = ChangeSet::between(None, Some(skill.clone()), id, self.caller.actor, why);
        skill.head.revision = repository.commit(&change, Expected::Absent)?;
        Ok(after_write("reading the skill back", repository.get_skill(id)).unwrap_or(skill))
    }

    /// Replaces the ids in a package that was copied from another skill.
    pub(crate) fn renew_ids(&self, package: &mut Package) {
        for artifact in &mut package.artifacts {
            artifact.id = self.ids.artifact();
        }
        self.folder.forget_id(package);
    }

    /// The drafts of a skill's files, newest first.
    pub(crate) fn drafts(&self, skill: &Skill) -> Result<Vec<Draft>, StorageError> {
        self.user.drafts(&self.caller.draft_key(skill.head.scope), skill.head.id)
    }

    /// Paths of the files that have a draft.
    pub(crate) fn draft_paths(&self, skill: &Skill) -> Result<Vec<SkillPath>, StorageError> {
        let drafts = self.user.draft_marks(&self.caller.draft_key(skill.head.scope))?;
        Ok(drafts.into_iter().filter(|draft| draft.skill == skill.head.id).map(|draft| draft.path).collect())
    }

    pub(crate) fn skill_detail(&self, skill: &Skill) -> Result<SkillDetail, StorageError> {
        Ok(detail(skill, is_in_both_scopes(&self.catalog, skill)?, &self.draft_paths(skill)?, self.check(skill)))
    }

    /// The detail of a skill that was just written.
    pub(crate) fn written_detail(&self, skill: &Skill) -> SkillDetail {
        let in_both = after_write("looking for it in the other scope", is_in_both_scopes(&self.catalog, skill));
        let drafts = after_write("listing its drafts", self.draft_paths(skill));
        detail(skill, in_both, &drafts, self.check(skill))
    }

    pub(crate) fn edit_result(&self, saved: Saved) -> EditResult {
        EditResult {
            skill: self.written_detail(&saved.skill),
            revision: saved.skill.head.revision,
            before: saved.applied_to,
            rebased: saved.rebased,
            diagnostics: saved.diagnostics,
        }
    }

    fn check(&self, skill: &Skill) -> Vec<Diagnostic> {
        self.checks.of_skill(self.folder, self.caller.workspace, skill).to_vec()
    }
}

/// The hash of a file at a revision; none if it didn't exist. A draft is based on it: another hash later means a newer file.
pub(crate) fn base_hash(catalog: &SkillCatalog, skill: &Skill, revision: i64, path: &SkillPath) -> Result<Option<Digest>, StorageError> {
    if revision == skill.head.revision {
        return Ok(skill.package.tree().get(path).map(TreeFile::digest));
    }
    let repository = catalog.holder(skill.head.id, skill.head.scope)?;
    Ok(repository.revision_file(skill.head.id, revision, path)?.map(|file| file.digest()))
}

fn refuse_new_assertion_faults(repository: &dyn SkillStorageRepository, writes: &[(ChangeSet, Expected)]) -> Result<(), StorageError> {
    let Some(after) = writes.first().and_then(|(change, _)| change.after.as_ref()) else { return Ok(()) };
    let new = new_assertion_faults(&after.package, || repository.present(after.head.id).map(|skill| Some(skill.package)))?;
    if new.is_empty() { Ok(()) } else { Err(StorageError::Invalid(new)) }
}

/// The assertions that can't be evaluated, which would look as if they held. Saves and imports refuse them. Those in `before`, which older
/// versions and linked folders may have stored, stay until they are changed.
pub(crate) fn new_assertion_faults(
    after: &Package,
    before: impl FnOnce() -> Result<Option<Package>, StorageError>,
) -> Result<Vec<Diagnostic>, StorageError> {
    // An eval case with one isn't graded.
    let is_of_case = |one: &Diagnostic| one.file.as_deref().is_some_and(is_case_file);
    let is_fault = move |one: &Diagnostic| one.is_error() && one.rule.starts_with("assertion/") && !is_of_case(one);
    let faults = |package| inklings_lint::check_package(package).into_iter().filter(is_fault);
    let mut new: Vec<Diagnostic> = faults(after).collect();
    if !new.is_empty()
        && let Some(before) = before()?
    {
        let known: Vec<String> = faults(&before).map(|one| one.message).collect();
        new.retain(|one| !known.contains(&one.message));
    }
    Ok(new)
}

/// `SKILL.md` in a tree of the skill, as its frontmatter, including the line end, and its body.
pub(crate) fn body_of(folder: &Folder, known: &Package, tree: &Tree) -> Result<(String, String), StorageError> {
    let package = folder.read(tree, known.slug.as_str(), Some(known)).map_err(StorageError::Invalid)?.package;
    let text = tree.get(&package.main_path).and_then(TreeFile::text).unwrap_or_default();
    let front = package.sources.frontmatter.as_deref().unwrap_or_default();
    Ok((front.to_owned(), text.strip_prefix(front).unwrap_or(text).to_owned()))
}

pub(crate) fn ensure_unlocked(skill: &Skill) -> Result<(), EditError> {
    if skill.head.source.is_locked() { Err(EditError::Locked(skill.package.slug.clone())) } else { Ok(()) }
}

/// `expected`: the revision that a caller has seen; none for any.
pub(crate) fn ensure_revision(skill: &Skill, expected: Option<i64>) -> Result<(), StorageError> {
    let (slug, actual) = (&skill.package.slug, skill.head.revision);
    match expected {
        Some(expected) if expected != actual => Err(StorageError::RevisionConflict { slug: slug.clone(), expected, actual }),
        _ => Ok(()),
    }
}
