//! `skill/move`, `skill/revert`: what the tree does with a skill as a whole.

use std::collections::BTreeSet;

use inklings_core::user::{DraftKey, DraftMove};
use inklings_core::{Head, Scope, Skill, SkillCatalog, SkillFormat as _, SkillPath, StorageError, TreeFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::features::draft::DraftMigration;
use crate::features::reference::hand_over;
use crate::ops::skill::{EditResult, result};
use crate::ops::{after_write, draft_key, draft_paths, edits, home, save, unlocked, written};
pub use crate::wire::Left;
use crate::wire::SkillDetail;
use inklings_rpc::{CallContext, Code, Failure, operations};

/// A skill that goes to the other scope.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveSkillParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Where it goes.
    pub to: Scope,
    /// Leave the original where it is.
    #[serde(default)]
    pub keep: bool,
}

/// A skill in the other scope.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MovedSkill {
    /// The skill where it is now.
    pub skill: SkillDetail,
    /// Whether the original is gone.
    pub removed: bool,
    /// Why the original is still there although it should go.
    pub left: Option<Left>,
}

fn move_skill(app: &App, cx: &CallContext, params: MoveSkillParams) -> Result<MovedSkill, Failure> {
    let catalog = app.catalog(cx)?;
    let from = catalog.require(&params.skill, params.scope)?;
    let slug = &from.package.slug;
    if from.head.scope == params.to {
        return Err(Failure::invalid(format!("{slug} is in the {} already", params.to)));
    }
    if !params.keep {
        unlocked(&from)?;
    }
    let there = catalog
        .repository(params.to)
        .ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder, or use the account scope"))?;
    if there.has_slug(slug)? {
        return Err(
            Failure::new(Code::Exists, format!("the {} has a skill {slug} already", params.to)).hint("rename or delete one of them first")
        );
    }
    let mut package = from.package.clone();
    app.editor(cx)?.renew_ids(&mut package);
    app.folder.sync_sources_strictly(&mut package)?;
    let head = Head {
        id: app.ids.skill(),
        scope: params.to,
        revision: 0,
        // A copy that can be changed is the person's own.
        source: if params.keep { inklings_core::Source::User } else { from.head.source },
        parent_skill_id: if params.keep { Some(from.head.id) } else { from.head.parent_skill_id },
        ..from.head.clone()
    };
    let verb = if params.keep { "copied" } else { "moved" };
    let why = format!("{verb} from the {} (revision {})", from.head.scope, from.head.revision);
    let stored = app.editor(cx)?.store_new(head, package, &why)?;
    let left = if params.keep { None } else { leave(app, cx, &catalog, &from, &stored).err().map(Left::from) };
    let removed = !params.keep && left.is_none();
    if removed {
        after_write("moving its references", hand_over(app, cx, from.head.id, &stored));
    }
    Ok(MovedSkill { removed, left, skill: written(app, cx, &catalog, &stored) })
}

/// Takes the unsaved typing along and removes the original.
fn leave(app: &App, cx: &CallContext, catalog: &SkillCatalog, from: &Skill, to: &Skill) -> Result<(), Failure> {
    let tree = to.package.tree();
    let key =
        |skill: &Skill, path: &SkillPath| DraftKey { workspace: draft_key(cx, skill.head.scope), skill: skill.head.id, path: path.clone() };
    // Files without a draft now may have one by the time that the original goes.
    let typed = draft_paths(app, cx, from)?;
    let paths: BTreeSet<&SkillPath> = tree.keys().chain(&typed).collect();
    let moves = paths.into_iter().map(|path| DraftMove {
        from: key(from, path),
        to: key(to, path),
        base: Some((to.head.revision, tree.get(path).map(TreeFile::digest))),
    });
    let drafts = DraftMigration::begin(app.user.as_ref(), moves.collect())?;
    let expected = inklings_core::Expected::Revision(from.head.revision);
    let change =
        inklings_core::ChangeSet::between(Some(from), None, from.head.id, cx.actor.as_str(), format!("moved to the {}", to.head.scope));
    match home(catalog, from)?.commit(&change, expected) {
        Ok(_) => {
            drafts.commit();
            Ok(())
        }
        Err(error) => {
            drafts.roll_back();
            Err(error.into())
        }
    }
}

/// Takes one stretch of a skill's history back, or makes it again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevertParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that the stretch led to.
    pub from: i64,
    /// The revision that it began at.
    pub to: i64,
}

fn revert(app: &App, cx: &CallContext, params: RevertParams) -> Result<EditResult, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    unlocked(&skill)?;
    let repository = home(&catalog, &skill)?;
    let tree = |number| repository.revision_tree(skill.head.id, number);
    let (from, to) = (tree(params.from)?, tree(params.to)?);
    let edits = edits(&from, &to);
    let why = format!("revision {} taken back", params.from);
    match save(app, cx, &catalog, &skill, (&edits, params.from, &why)) {
        Ok(saved) => Ok(result(app, cx, &catalog, saved)),
        Err(inklings_core::edit::SaveError::Conflict(conflict)) => {
            Err(Failure::new(Code::RevisionConflict, format!("{} was changed since", conflict.path))
                .hint("compare the revisions in the skill's history")
                .fields(serde_json::json!({ "path": conflict.path, "revision": conflict.revision })))
        }
        Err(inklings_core::edit::SaveError::Storage(StorageError::NotFound { .. })) => {
            Err(Failure::new(Code::NotFound, "history doesn't reach back to that revision any more"))
        }
        Err(error) => Err(error.into()),
    }
}

operations! { App;
    MoveSkill = "skill/move", Write["skill", "draft"], blocking move_skill(MoveSkillParams) -> MovedSkill;
    /// Unlike a rollback, what was written since to other files stays.
    Revert = "skill/revert", Write["skill"], blocking revert(RevertParams) -> EditResult;
}
