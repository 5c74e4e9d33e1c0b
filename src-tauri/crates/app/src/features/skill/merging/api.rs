use inklings_core::chat::FileChange;
use inklings_core::{Scope, SkillPath, SkillSummary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::Names;
use crate::wire::{PartialFailure, SkillDetail};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeParams {
    /// The skill that is kept: ID, slug or title.
    pub target: String,
    /// Scope of the target. [default: workspace, then account]
    #[serde(default)]
    pub target_scope: Option<Scope>,
    /// The skill that is archived: ID, slug or title.
    pub source: String,
    /// Scope of the source. [default: workspace, then account]
    #[serde(default)]
    pub source_scope: Option<Scope>,
    /// Revision of the target that the decision was based on; fails if it was changed since. [default: any]
    #[serde(default)]
    pub expected: Option<i64>,
}

impl MergeParams {
    pub(crate) fn names(&self) -> Names<'_> {
        [(&self.target, self.target_scope), (&self.source, self.source_scope)]
    }
}

/// What a merge would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MergePreview {
    /// The files of the target that would change.
    pub files: Vec<FileChange>,
    /// Files of the source that the target has others for. They stay with the archived source.
    pub omitted: Vec<SkillPath>,
    /// Slugs of the skills that need the source.
    pub dependents: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MergedSkill {
    pub skill: SkillDetail,
    pub source: SkillSummary,
    /// Files of the source that the target has others for. They stay with the archived source.
    pub omitted: Vec<SkillPath>,
    /// Why the source isn't archived. Null if it is.
    pub failure: Option<PartialFailure>,
}
