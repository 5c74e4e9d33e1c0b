use inklings_core::agent::{Agent, AgentProfile, AssignedSkill};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AgentList {
    /// By name.
    pub agents: Vec<Agent>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateAgentParams {
    pub name: String,
    #[serde(default)]
    pub profile: AgentProfile,
    #[serde(default)]
    pub skills: Vec<AssignedSkill>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateAgentParams {
    pub name: String,
    /// New name. [default: keep it]
    #[serde(default)]
    pub rename: Option<String>,
    /// Replaces the profile. [default: keep it]
    #[serde(default)]
    pub profile: Option<AgentProfile>,
    /// Replaces the assigned skills. [default: keep them]
    #[serde(default)]
    pub skills: Option<Vec<AssignedSkill>>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentRef {
    pub name: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssignParams {
    pub agent: String,
    /// Slug. The skill need not exist in every workspace.
    pub skill: String,
    /// Skills of higher priority are listed first.
    #[serde(default)]
    pub priority: i64,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnassignParams {
    pub agent: String,
    /// Slug.
    pub skill: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AssignedSkills {
    /// Highest priority first.
    pub skills: Vec<AssignedSkill>,
}
