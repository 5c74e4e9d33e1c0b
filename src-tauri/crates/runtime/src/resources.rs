//! Resources of a run besides its skill, provided by its caller.

use std::sync::Arc;

use inklings_core::pages::Pages;
use inklings_core::user::Checkpoints;
use inklings_core::{SandboxLimits, Skill, SkillSummary, StorageError};

use crate::error::SkillError;

#[derive(Clone)]
pub struct RunResources {
    /// None without a workspace.
    pub pages: Option<Arc<dyn Pages>>,
    pub skills: Arc<dyn SkillSource>,
    pub checkpoints: Arc<dyn Checkpoints>,
    /// Limits of each script.
    pub limits: SandboxLimits,
}

impl std::fmt::Debug for RunResources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunResources").field("pages", &self.pages.is_some()).field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The skills that a run can call and read. Calls block.
pub trait SkillSource: Send + Sync {
    /// All enabled skills, by slug.
    fn list(&self) -> Result<Vec<SkillSummary>, StorageError>;
    /// `name` is an id, slug or title.
    fn load(&self, name: &str) -> Result<Skill, StorageError>;
    /// An error if the skill isn't allowed to run here.
    fn may_run(&self, skill: &Skill) -> Result<(), SkillError>;
}
