//! What refers to a skill by its name and isn't in its database: saved inputs, kits and actions.

use std::path::Path;
use std::sync::Arc;

use inklings_core::user::workspace_key;
use inklings_core::{Actions, Scope, Slug, UserData};
use inklings_links::RenameFollower;

use super::SkillEditor;
use crate::after_write::after_write;
use crate::features::kit;

fn follow_rename((user, actions): (&dyn UserData, &dyn Actions), origin: &str, workspace: Option<&Path>, from: &Slug, to: &Slug) {
    if from == to {
        return;
    }
    let scope = if workspace.is_some() { Scope::Workspace } else { Scope::Account };
    let key = workspace.map(|folder| workspace_key(Some(folder)));
    after_write("moving its saved inputs", user.move_inputs(key.as_deref(), from, to, origin));
    after_write("renaming it in kits", kit::rename_skill(user, origin, from, to));
    after_write("renaming it in actions", actions.rename_action_skill(scope, from, to));
}

impl SkillEditor<'_> {
    /// Every caller that stores a skill under another name does this afterwards.
    pub(crate) fn follow_rename(&self, scope: Scope, from: &Slug, to: &Slug) {
        let workspace = self.caller.workspace.filter(|_| scope == Scope::Workspace);
        follow_rename((self.user, self.actions), self.caller.origin, workspace, from, to);
    }
}

/// Updates saved inputs, kits and actions when a skill is renamed in its linked folder.
pub struct SkillReferences {
    pub user: Arc<dyn UserData>,
    pub actions: Arc<dyn Actions>,
    /// Id of this process in the change feed.
    pub origin: String,
}

impl RenameFollower for SkillReferences {
    fn follow_rename(&self, workspace: Option<&Path>, from: &Slug, to: &Slug) {
        follow_rename((self.user.as_ref(), self.actions.as_ref()), &self.origin, workspace, from, to);
    }
}
