use inklings_core::{Lifecycle, Scope};
use schemars::JsonSchema;
use serde::Serialize;

/// A skill that another one needs, directly or through others, or that needs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RelatedSkill {
    /// Slug. Of a skill that doesn't exist, the name as written.
    pub name: String,
    /// Title. Null if the skill doesn't exist.
    pub title: Option<String>,
    pub scope: Option<Scope>,
    pub lifecycle: Option<Lifecycle>,
    pub enabled: Option<bool>,
    /// 1 for a direct relation.
    pub depth: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RelatedSkills {
    /// Nearest first, each once.
    pub skills: Vec<RelatedSkill>,
    /// Slugs of skills that need each other in a circle; the first is also the last. Null if there is no circle.
    pub cycle: Option<Vec<String>>,
}
