//! What the scripts of a run may use: the pages of the workspace, the skills that the caller sees, checkpoints.

use std::sync::Arc;

use inklings_core::pages::Pages;
use inklings_core::user::Checkpoints;
use inklings_core::{SandboxLimits, Scope, Skill, SkillCatalog, SkillSummary, StorageError, UserData};
use inklings_runtime::{RunResources, SkillError, SkillSource};

/// Setting that says what one script may use; see [`SandboxLimits`].
pub(crate) const SANDBOX_LIMITS: &str = "sandbox.limits";

/// What the runs of a caller may use. Blocks.
pub(crate) fn resources(
    pages: Option<Arc<dyn Pages>>,
    catalog: SkillCatalog,
    user: &Arc<dyn UserData>,
    workspace: String,
    checkpoints: Arc<dyn Checkpoints>,
) -> Result<RunResources, StorageError> {
    let stored = user.settings()?.remove(SANDBOX_LIMITS);
    // Stored before CPU time was limited in seconds; the other limits still count.
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

/// Whether the person's trust in the workspace is needed before a skill runs, and missing.
pub(crate) fn needs_trust(user: &dyn UserData, workspace: &str, scope: Scope) -> Result<bool, StorageError> {
    Ok(scope == Scope::Workspace && !user.is_trusted(workspace)?)
}

struct VisibleSkills {
    catalog: SkillCatalog,
    user: Arc<dyn UserData>,
    workspace: String,
}

impl SkillSource for VisibleSkills {
    fn list(&self) -> Result<Vec<SkillSummary>, StorageError> {
        let mut all = self.catalog.list_all()?;
        all.retain(|one| one.enabled);
        Ok(all)
    }

    fn load(&self, name: &str) -> Result<Skill, StorageError> {
        self.catalog.require(name, None)
    }

    fn may_run(&self, skill: &Skill) -> Result<(), SkillError> {
        if needs_trust(self.user.as_ref(), &self.workspace, skill.head.scope)? { Err(SkillError::NotTrusted) } else { Ok(()) }
    }
}
