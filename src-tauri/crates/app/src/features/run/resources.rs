//! What the scripts of a run may use: the pages of the workspace, the caller's skills, checkpoints.

use std::sync::Arc;

use super::gates::{ApprovedGates, ensure_open};
use inklings_core::pages::Pages;
use inklings_core::user::Checkpoints;
use inklings_core::{Lifecycle, SandboxLimits, Scope, Skill, SkillCatalog, SkillSummary, StorageError, UserData};
use inklings_runtime::{RunResources, SkillError, SkillSource};

/// Setting with the [`SandboxLimits`] of scripts.
pub(crate) const SANDBOX_LIMITS: &str = "sandbox.limits";

/// Blocks.
pub(crate) fn resources(
    pages: Option<Arc<dyn Pages>>,
    catalog: SkillCatalog,
    user: &Arc<dyn UserData>,
    workspace: String,
    checkpoints: Arc<dyn Checkpoints>,
) -> Result<RunResources, StorageError> {
    let stored = user.settings()?.remove(SANDBOX_LIMITS);
    // Older versions limited CPU time by fuel. The other limits still apply.
    let stored = stored.map(|mut value| {
        value.as_object_mut().and_then(|limits| limits.remove("fuel"));
        value
    });
    let limits: Option<SandboxLimits> = stored.and_then(|value| serde_json::from_value(value).ok());
    Ok(RunResources {
        pages,
        skills: Arc::new(VisibleSkills { catalog, user: user.clone(), workspace }),
        checkpoints,
        limits: limits.unwrap_or_default().sound(),
    })
}

/// Whether the skill's workspace must be trusted before it runs. Reading and editing need no trust, and skills of the account run while an
/// untrusted workspace is open.
pub(crate) fn needs_trust(user: &dyn UserData, workspace: &str, scope: Scope) -> Result<bool, StorageError> {
    Ok(scope == Scope::Workspace && !user.is_trusted(workspace)?)
}

pub(super) fn ensure_not_archived(skill: &Skill) -> Result<(), SkillError> {
    if skill.head.lifecycle == Lifecycle::Archived { Err(SkillError::Archived(skill.package.slug.clone())) } else { Ok(()) }
}

struct VisibleSkills {
    catalog: SkillCatalog,
    user: Arc<dyn UserData>,
    workspace: String,
}

impl SkillSource for VisibleSkills {
    fn list(&self) -> Result<Vec<SkillSummary>, StorageError> {
        let mut all = self.catalog.list_all()?;
        all.retain(|one| one.enabled && one.lifecycle != Lifecycle::Archived);
        Ok(all)
    }

    fn load(&self, name: &str) -> Result<Skill, StorageError> {
        self.catalog.require(name, None)
    }

    fn may_run(&self, skill: &Skill) -> Result<(), SkillError> {
        if needs_trust(self.user.as_ref(), &self.workspace, skill.head.scope)? {
            return Err(SkillError::NotTrusted);
        }
        ensure_not_archived(skill)?;
        // Nobody is asked in the middle of another skill's run.
        ensure_open(&skill.package, &ApprovedGates::default()).map(drop)
    }
}
