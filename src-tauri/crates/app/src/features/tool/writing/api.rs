use inklings_core::chat::ToolChange;
use inklings_core::{Lifecycle, Scope, SkillStep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::features::skill::RelatedSkill;

/// Changes a skill: creates, updates or deletes it, merges another one into it, promotes or deprecates it. Also lists the skills that need
/// it (dependents) and those that it needs (dependencies).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillWriteCall {
    pub operation: SkillWriteOperation,
    /// Slug of the skill.
    pub name: String,
    /// For merge: slug of the skill to keep. [default: name]
    #[serde(default)]
    pub target: Option<String>,
    /// For merge: slug of the skill whose content is added to the target. It is archived.
    #[serde(default)]
    pub source: Option<String>,
    /// For deprecate: why, and what to use instead.
    #[serde(default)]
    pub reason: Option<String>,
    /// For create and update: what the skill does and when to use it.
    #[serde(default)]
    pub description: Option<String>,
    /// For create and update: instructions in Markdown, without frontmatter, replacing all.
    #[serde(default)]
    pub content: Option<String>,
    /// For create and update: the steps of the procedure, replacing all.
    #[serde(default)]
    pub steps: Option<Vec<StepCall>>,
    /// For create and update: tags, replacing all.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// For create and update: slugs of the skills that it needs, replacing all.
    #[serde(default)]
    pub depends_on: Option<Vec<String>>,
    /// For create and update: slugs of the skills that must not be used together with it, replacing all.
    #[serde(default)]
    pub conflicts_with: Option<Vec<String>>,
    /// [default: workspace, then account; for create, the workspace if one is open]
    #[serde(default)]
    pub scope: Option<Scope>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SkillWriteOperation {
    Create,
    Update,
    Delete,
    Merge,
    Promote,
    Deprecate,
    Dependents,
    Dependencies,
}

impl SkillWriteOperation {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Merge => "merge",
            Self::Promote => "promote",
            Self::Deprecate => "deprecate",
            Self::Dependents => "dependents",
            Self::Dependencies => "dependencies",
        }
    }

    pub(crate) const fn is_write(self) -> bool {
        !matches!(self, Self::Dependents | Self::Dependencies)
    }
}

/// One step of the procedure.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepCall {
    /// Position, from 1. [default: the order of the list]
    #[serde(default)]
    pub step: Option<u32>,
    /// Short name of the action.
    pub action: String,
    #[serde(default)]
    pub description: String,
    /// Tool to use.
    #[serde(default)]
    pub tool: Option<String>,
    /// The tool's parameters.
    #[serde(default)]
    pub params: Option<Map<String, Value>>,
}

impl StepCall {
    /// `position` counts from 1.
    pub(crate) fn at(self, position: u32) -> SkillStep {
        let Self { step, action, description, tool, params } = self;
        SkillStep { step: step.unwrap_or(position), action, description, tool, params }
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SkillWriteResult {
    Written(WrittenState),
    Related {
        /// Nearest first.
        skills: Vec<RelatedSkill>,
        /// Slugs of skills that need each other in a circle.
        cycle: Option<Vec<String>>,
    },
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WrittenState {
    pub ok: bool,
    pub name: String,
    /// Number of the revision.
    pub version: i64,
    /// Of a deleted skill, the one that it had.
    pub lifecycle: Lifecycle,
    /// Null if no file was changed.
    pub change: Option<ToolChange>,
    /// What is wrong with the skill now.
    pub problems: Vec<String>,
    /// What wasn't done.
    pub warning: Option<String>,
}
