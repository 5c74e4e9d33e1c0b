//! What the scripts of a run can reach: the pages of the workspace, the skills that the call sees, what they kept.

use std::sync::Arc;

use inklings_core::{SandboxLimits, Scope, Skill, SkillCatalog, SkillSummary, StorageError, UserData};
use inklings_runtime::{RunResources, SkillError, SkillSource};

use crate::app::App;
use inklings_rpc::{CallContext, Failure};

/// Setting that says what one script may use; see [`SandboxLimits`].
pub(crate) const SANDBOX_LIMITS: &str = "sandbox.limits";

/// What the runs of a call can reach. Blocks.
pub(crate) fn reach(app: &App, cx: &CallContext) -> Result<RunResources, Failure> {
    let set = app.user.settings()?.remove(SANDBOX_LIMITS);
    // Stored before CPU time was limited in seconds; the other limits still count.
    let set = set.map(|mut value| {
        value.as_object_mut().and_then(|limits| limits.remove("fuel"));
        value
    });
    let limits: Option<SandboxLimits> = set.and_then(|value| serde_json::from_value(value).ok());
    Ok(RunResources {
        pages: cx.workspace.as_deref().map(|path| app.scopes.pages(path)).transpose()?,
        skills: Arc::new(Visible { catalog: app.catalog(cx)?, user: app.user.clone(), workspace: cx.workspace_key() }),
        checkpoints: app.checkpoints.clone(),
        limits: limits.unwrap_or_default().sound(),
    })
}

/// Whether the person's trust in the workspace is needed before a skill runs, and missing.
pub(crate) fn needs_trust(user: &dyn UserData, workspace: &str, scope: Scope) -> Result<bool, StorageError> {
    Ok(scope == Scope::Workspace && !user.is_trusted(workspace)?)
}

/// The skills that a call sees.
struct Visible {
    catalog: SkillCatalog,
    user: Arc<dyn UserData>,
    workspace: String,
}

impl SkillSource for Visible {
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
