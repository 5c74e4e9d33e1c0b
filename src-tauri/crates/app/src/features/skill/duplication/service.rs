//! No transaction spans both databases. A skill that changes scope is therefore copied first and then deleted; if that fails, both exist and
//! the result has the failure.

use std::collections::BTreeSet;

use inklings_core::binding::Bindings;
use inklings_core::trace::TracedSkill;
use inklings_core::user::{DraftKey, DraftMove};
use inklings_core::{ChangeSet, Expected, Head, Scope, Skill, SkillFormat as _, SkillPath, Source, StorageError, TreeFile};
use inklings_links::{LinkedScope, Links, forget_folder};

use super::api::MovedSkill;
use super::error::MoveError;
use crate::after_write::after_write;
use crate::editing::{EditError, SkillEditor, ensure_unlocked, forks_to_workspace};
use crate::features::draft::DraftMigration;
use crate::features::link::LinkFailure;
use crate::provenance::Provenance;
use crate::wire::{PartialFailure, SkillDetail};

/// Copies an account's skill into the open workspace as an override, unless a program does. Otherwise duplicates it in its scope.
pub(crate) fn fork(editor: &SkillEditor<'_>, parent: &Skill) -> Result<SkillDetail, StorageError> {
    store_copy(editor, parent, forks_to_workspace(editor.caller, parent))
}

pub(crate) fn duplicate(editor: &SkillEditor<'_>, parent: &Skill) -> Result<SkillDetail, StorageError> {
    store_copy(editor, parent, false)
}

fn store_copy(editor: &SkillEditor<'_>, parent: &Skill, overriding: bool) -> Result<SkillDetail, StorageError> {
    let (copy, why) = editor.unsaved_copy(parent, overriding)?;
    let skill = editor.store_new(copy.head, copy.package, &why)?;
    let (from, to) = (&parent.package.slug, &skill.package.slug);
    if from != to {
        let workspace = (skill.head.scope == Scope::Workspace).then(|| editor.caller.workspace_key());
        after_write("copying its saved inputs", editor.user.copy_inputs(workspace.as_deref(), from, to, editor.caller.origin));
    }
    Ok(editor.written_detail(&skill))
}

/// Copies a skill into the other scope, and deletes the original unless `keep` is set. `references` are those of the open workspace, which
/// move with the skill; `linked` is the scope that it leaves.
pub(crate) fn move_skill(
    editor: &SkillEditor<'_>,
    references: Option<&dyn Bindings>,
    links: &Links,
    linked: &LinkedScope,
    from: &Skill,
    to: Scope,
    keep: bool,
) -> Result<MovedSkill, MoveError> {
    let slug = &from.package.slug;
    if from.head.scope == to {
        return Err(MoveError::SameScope { slug: slug.clone(), scope: to });
    }
    editor.ensure_trusted(from.head.scope, to)?;
    if !keep {
        ensure_unlocked(from)?;
    }
    let target = editor.catalog.repository(to).ok_or(EditError::NoWorkspace)?;
    if target.has_slug(slug)? {
        return Err(MoveError::NameTaken { slug: slug.clone(), scope: to });
    }
    let mut package = from.package.clone();
    editor.renew_ids(&mut package);
    editor.folder.sync_sources_strictly(&mut package)?;
    let new = editor.new_head(to, Source::User);
    // That the original was reviewed says nothing of a copy which a program then changes.
    let reviewed = if keep && editor.caller.is_supervised { &new } else { &from.head };
    let (origin, lifecycle, trust_tier) = (reviewed.origin, reviewed.lifecycle, reviewed.trust_tier);
    // Only the account's skills are installed ones.
    let head = Head { id: new.id, scope: to, revision: 0, origin, lifecycle, trust_tier, package: None, ..from.head.clone() };
    let mut head = if keep {
        // The copy isn't locked, and the caller may change it.
        Head { source: new.source, parent_skill_id: Some(from.head.id), created_by: new.created_by, created_at: new.created_at, ..head }
    } else {
        head
    };
    forget_folder(&mut head);
    Provenance::set_base(&mut head, is_as_imported(editor, from)?.then_some(1));
    let verb = if keep { "copied" } else { "moved" };
    let why = format!("{verb} from the {} (revision {})", from.head.scope, from.head.revision);
    let stored = if keep { editor.store_new(head, package, &why)? } else { editor.store_moved(head, package, &why)? };
    let (mut unlinked, mut failure) = (None, None);
    if !keep {
        let removal = end_link(links, linked, from).and_then(|folder| {
            unlinked = folder;
            Ok(remove_original(editor, from, &stored)?)
        });
        failure = removal.err().map(PartialFailure::from);
    }
    let removed = !keep && failure.is_none();
    if removed && let Some(references) = references {
        after_write("moving its references", references.move_references(from.head.id, &TracedSkill::of(&stored)));
    }
    Ok(MovedSkill { removed, unlinked, failure, skill: editor.written_detail(&stored) })
}

/// Whether the files of an imported skill weren't changed since. Only then does the first revision of its copy have them.
fn is_as_imported(editor: &SkillEditor<'_>, skill: &Skill) -> Result<bool, StorageError> {
    let Some(number) = Provenance::base(&skill.head) else { return Ok(false) };
    // The revision may have been pruned.
    Ok(editor.repository_of(skill)?.revision_tree(skill.head.id, number).is_ok_and(|tree| tree == skill.package.tree()))
}

/// Ends the link of a skill, so that deleting the skill doesn't delete the files in its folder. Returns the folder.
fn end_link(links: &Links, scope: &LinkedScope, skill: &Skill) -> Result<Option<String>, MoveError> {
    let Some(link) = links.store().active_link(&scope.key(), skill.head.id)? else { return Ok(None) };
    links.deactivate(scope, skill.head.id).map_err(LinkFailure::from)?;
    Ok(Some(link.folder.display().to_string()))
}

/// Moves the drafts and deletes the original.
fn remove_original(editor: &SkillEditor<'_>, from: &Skill, to: &Skill) -> Result<(), StorageError> {
    let tree = to.package.tree();
    let key = |skill: &Skill, path: &SkillPath| DraftKey {
        workspace: editor.caller.draft_key(skill.head.scope),
        skill: skill.head.id,
        path: path.clone(),
    };
    // Files without a draft may get one before the original is deleted.
    let drafted = editor.draft_paths(from)?;
    let paths: BTreeSet<&SkillPath> = tree.keys().chain(&drafted).collect();
    let moves = paths.into_iter().map(|path| DraftMove {
        from: key(from, path),
        to: key(to, path),
        base: Some((to.head.revision, tree.get(path).map(TreeFile::digest))),
    });
    let drafts = DraftMigration::begin(editor.user, moves.collect())?;
    let why = format!("moved to the {}", to.head.scope);
    let change = ChangeSet::between(Some(from), None, from.head.id, editor.caller.actor, why);
    match editor.repository_of(from)?.commit(&change, Expected::Revision(from.head.revision)) {
        Ok(_) => {
            drafts.commit();
            Ok(())
        }
        Err(error) => {
            drafts.roll_back();
            Err(error)
        }
    }
}
