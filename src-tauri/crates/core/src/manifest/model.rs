//! The types of the manifest. Field names in JSON are camelCase; empty fields are omitted.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::evals::Evals;
use super::review_mode::ReviewMode;
use super::string_enum::string_enum;
use crate::skill::text_enum;

/// The number 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Version1;

impl Serialize for Version1 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(1)
    }
}

impl<'de> Deserialize<'de> for Version1 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            1 => Ok(Self),
            other => Err(serde::de::Error::custom(format!("manifest version {other} isn't supported"))),
        }
    }
}

impl JsonSchema for Version1 {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Version1".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": 1 })
    }
}

/// What a skill declares: requirements, governance, measurement and exposure. It executes nothing by itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct SkillManifestV1 {
    /// Always 1.
    pub version: Version1,
    /// Tools that the skill expects to use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub required_tools: Vec<String>,
    /// Groups of tools that must be available.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub required_tool_groups: Vec<String>,
    /// Tools that are unavailable while the skill is active.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub forbidden_tools: Vec<String>,
    /// External systems that must be connected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_integrations: Vec<RequiredIntegration>,
    /// Actions that the skill runs or recommends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<RequiredAction>,
    /// Governed steps around the agent's work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deterministic_steps: Vec<DeterministicStep>,
    /// Agents that parts of the work are delegated to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub delegation: Vec<Delegation>,
    /// Points where a person decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub human_gates: Vec<HumanGate>,
    /// Defaults for working on a goal over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal_loop: Option<GoalLoop>,
    /// How the skill is evaluated and optimized.
    #[serde(default, skip_serializing_if = "Evals::is_empty")]
    pub evals: Evals,
    /// Typed relations to other entities.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<ManifestBinding>,
    /// How the skill is exposed to other systems.
    #[serde(default, skip_serializing_if = "Interop::is_empty")]
    pub interop: Interop,
}

/// An external system that must be connected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct RequiredIntegration {
    #[schemars(length(min = 1))]
    pub integration_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection_preset: Option<String>,
    /// Resources that must be accessible through it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_resources: Vec<String>,
}

text_enum! {
    /// How an action is started.
    ActionMode {
        /// Started by hand.
        Manual = "manual",
        /// Started by an event.
        Trigger = "trigger",
        /// Taken from a queue.
        Queue = "queue",
        /// Started by the loop of a goal.
        GoalLoop = "goal_loop",
    }
}

/// An action that the skill runs or recommends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct RequiredAction {
    #[schemars(length(min = 1))]
    pub action_slug: String,
    #[serde(default = "manual")]
    pub mode: ActionMode,
    /// Whether the skill needs it. Readiness considers required actions only.
    #[serde(default)]
    pub required: bool,
}

const fn manual() -> ActionMode {
    ActionMode::Manual
}

string_enum! {
    /// What a governed step calls.
    StepKind {
        /// A tool.
        Tool,
        /// A governed script.
        Script,
        /// Synchronizing the data of an integration.
        IntegrationSync,
    }
}

string_enum! {
    /// When a governed step runs.
    StepMoment {
        /// Before the agent's work.
        Before,
        /// After the agent's work.
        After,
        /// After approval.
        OnApproval,
        /// On a schedule.
        OnSchedule,
    }
}

/// A governed step around the agent's work: a fixed call without a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct DeterministicStep {
    /// Unique in the manifest.
    #[schemars(length(min = 1))]
    pub key: String,
    /// What it calls.
    pub kind: StepKind,
    /// Which tool, script or integration.
    #[serde(rename = "ref")]
    #[schemars(length(min = 1))]
    pub reference: String,
    /// When it runs.
    pub when: StepMoment,
    /// Shown to people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Parameters of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<Map<String, Value>>,
    /// Whether the work stops when it fails.
    #[serde(default)]
    pub required: bool,
}

/// An agent that a part of the work goes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Delegation {
    /// The agent's slug.
    #[schemars(length(min = 1))]
    pub agent_slug: String,
    /// What it does there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// What it must hand back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_outputs: Vec<String>,
}

string_enum! {
    /// When a gate pauses the run.
    GateMoment {
        /// Before anything runs.
        BeforeRun,
        /// Before anything is written.
        BeforeWrite,
        /// After a draft is made.
        AfterDraft,
        /// After an assertion warned.
        LowConfidence,
    }
}

/// A point where a person decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct HumanGate {
    /// Unique in the manifest.
    #[schemars(length(min = 1))]
    pub key: String,
    /// Shown to the person who decides.
    #[schemars(length(min = 1))]
    pub label: String,
    pub when: GateMoment,
    /// Whether the run can't continue without a decision. True by default.
    #[serde(default = "yes")]
    pub required: bool,
}

const fn yes() -> bool {
    true
}

/// Defaults for working on a goal over time.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct GoalLoop {
    /// How often progress is reviewed, e.g. `daily`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_in_cadence: Option<String>,
    /// When the goal is reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub success_criteria: Vec<String>,
    /// When to stop or ask.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_conditions: Vec<String>,
    /// Whether a person reviews each iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_review_mode: Option<ReviewMode>,
}

string_enum! {
    /// Kind of target of a binding.
    BindingTarget {
        /// An agent.
        Agent,
        /// A tool.
        Tool,
        /// An action.
        Action,
        /// An integration.
        Integration,
        /// A workstream.
        Workstream,
        /// A procedure for people.
        Sop,
        /// A task.
        Task,
        /// A goal.
        Goal,
        /// A workspace page.
        Entity,
        /// A kind of page.
        EntityType,
        /// A view.
        View,
        /// A governed script.
        Script,
        /// A file.
        Document,
    }
}

string_enum! {
    /// Meaning of a binding.
    Relationship {
        /// Background material.
        References,
        /// The skill needs the target.
        Requires,
        /// The skill does what the target describes.
        Implements,
        /// The skill helps with the target.
        Supports,
    }
}

/// A typed relation to another entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct ManifestBinding {
    pub target_kind: BindingTarget,
    /// A slug, path or ID.
    #[schemars(length(min = 1))]
    pub target_ref: String,
    /// References by default.
    #[serde(default = "references")]
    pub relationship_type: Relationship,
    /// Shown to people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

const fn references() -> Relationship {
    Relationship::References
}

/// An export format of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// Everything, as JSON.
    Amble,
    /// `SKILL.md`.
    Markdown,
    /// `<slug>/SKILL.md`.
    ClaudeSkill,
    /// Text file with the public summary.
    OpenaiGpt,
    /// Text file with the public summary.
    Cowork,
}

/// How the skill is exposed to other systems.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Interop {
    /// Whether MCP clients see it. True by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expose_via_mcp: Option<bool>,
    /// Allowed export formats. All if omitted, none if empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export_formats: Option<Vec<ExportFormat>>,
    /// Shown to others instead of the instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_safe_summary: Option<String>,
}

impl Interop {
    /// Whether nothing is declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether MCP clients see the skill.
    #[must_use]
    pub fn exposed_via_mcp(&self) -> bool {
        self.expose_via_mcp != Some(false)
    }

    #[must_use]
    pub fn allows(&self, format: ExportFormat) -> bool {
        self.export_formats.as_ref().is_none_or(|formats| formats.contains(&format))
    }
}
