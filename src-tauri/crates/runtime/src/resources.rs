//! What a run may use beyond its skill: pages, other skills, checkpoints, limits. Whoever starts a run provides it.

use std::sync::Arc;

use inklings_core::pages::Pages;
use inklings_core::user::Checkpoints;
use inklings_core::{SandboxLimits, Skill, SkillSummary, StorageError};

use crate::error::SkillError;

#[derive(Clone)]
pub struct RunResources {
    /// The workspace's pages; none without a workspace.
    pub pages: Option<Arc<dyn Pages>>,
    /// Other skills.
    pub skills: Arc<dyn SkillSource>,
    /// What scripts keep from one run to the next.
    pub checkpoints: Arc<dyn Checkpoints>,
    /// What one script may use.
    pub limits: SandboxLimits,
}

impl std::fmt::Debug for RunResources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunResources").field("pages", &self.pages.is_some()).field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The skills that a run can call and read. Calls block.
pub trait SkillSource: Send + Sync {
    /// All that are switched on, by slug.
    fn list(&self) -> Result<Vec<SkillSummary>, StorageError>;
    /// One by id, slug or title.
    fn load(&self, name: &str) -> Result<Skill, StorageError>;
    /// Refuses a skill that may not run here.
    fn may_run(&self, skill: &Skill) -> Result<(), SkillError>;
}
