//! The manifest's types. Field names in JSON are camelCase; what is empty is left out when written.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::evals::Evals;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant),+ }
    };
}
pub(super) use words;

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
            other => Err(serde::de::Error::custom(format!("manifest version {other} is not supported"))),
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
    /// Tools that are taken away while the skill is active.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub forbidden_tools: Vec<String>,
    /// Outside systems that must be connected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_integrations: Vec<RequiredIntegration>,
    /// Actions that the skill runs or recommends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<RequiredAction>,
    /// Governed steps around the agent's work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deterministic_steps: Vec<DeterministicStep>,
    /// Agents that parts of the work go to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub delegation: Vec<Delegation>,
    /// Points where a person decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub human_gates: Vec<HumanGate>,
    /// Defaults for working on a goal over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal_loop: Option<GoalLoop>,
    /// What is measured, and how the skill may be improved.
    #[serde(default, skip_serializing_if = "Evals::is_empty")]
    pub evals: Evals,
    /// Typed relations to other things.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<ManifestBinding>,
    /// How the skill shows itself outside.
    #[serde(default, skip_serializing_if = "Interop::is_empty")]
    pub interop: Interop,
}

/// An outside system that must be connected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct RequiredIntegration {
    /// Its id.
    #[schemars(length(min = 1))]
    pub integration_id: String,
    /// A named way of connecting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection_preset: Option<String>,
    /// What must be reachable through it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_resources: Vec<String>,
}

words! {
    /// How an action is started.
    ActionMode {
        /// By hand.
        Manual,
        /// By an event.
        Trigger,
        /// From a queue.
        Queue,
        /// By a goal's loop.
        GoalLoop,
    }
}

/// An action that the skill runs or recommends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct RequiredAction {
    /// Its slug.
    #[schemars(length(min = 1))]
    pub action_slug: String,
    /// How it is meant to start.
    #[serde(default = "manual")]
    pub mode: ActionMode,
    /// Whether the skill can't do without it; only such actions count for readiness.
    #[serde(default)]
    pub required: bool,
}

const fn manual() -> ActionMode {
    ActionMode::Manual
}

words! {
    /// What a governed step calls.
    StepKind {
        /// A tool.
        Tool,
        /// A governed script.
        Script,
        /// Bringing an integration's data up to date.
        IntegrationSync,
    }
}

words! {
    /// When a governed step runs.
    StepMoment {
        /// Before the agent's work.
        Before,
        /// After it.
        After,
        /// Once a person has approved.
        OnApproval,
        /// At set times.
        OnSchedule,
    }
}

/// A governed step around the agent's work: always the same call, no model involved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct DeterministicStep {
    /// Its name, unique in the manifest.
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

words! {
    /// When a gate holds the run.
    GateMoment {
        /// Before anything runs.
        BeforeRun,
        /// Before anything is written.
        BeforeWrite,
        /// When there is a draft.
        AfterDraft,
        /// When an assertion warned.
        LowConfidence,
    }
}

/// A point where a person decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct HumanGate {
    /// Its name, unique in the manifest.
    #[schemars(length(min = 1))]
    pub key: String,
    /// Shown to the person who decides.
    #[schemars(length(min = 1))]
    pub label: String,
    /// When it holds the run.
    pub when: GateMoment,
    /// Whether the run can't go on without an answer; yes unless said.
    #[serde(default = "yes")]
    pub required: bool,
}

const fn yes() -> bool {
    true
}

words! {
    /// Whether a person looks at each round.
    ReviewMode {
        /// A person does.
        Supervised,
        /// Nobody needs to.
        Autonomous,
    }
}

/// Defaults for working on a goal over time.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct GoalLoop {
    /// How often progress is looked at, e.g. `daily`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_in_cadence: Option<String>,
    /// When the goal is reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub success_criteria: Vec<String>,
    /// When to give up or ask.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_conditions: Vec<String>,
    /// Whether a person looks at each round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_review_mode: Option<ReviewMode>,
}

words! {
    /// What a binding points at.
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

words! {
    /// What a binding means.
    Relationship {
        /// Background material.
        References,
        /// Can't do without it.
        Requires,
        /// Does what it describes.
        Implements,
        /// Helps with it.
        Supports,
    }
}

/// A typed relation to another thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct ManifestBinding {
    /// What it points at.
    pub target_kind: BindingTarget,
    /// Which one: a slug, path or id.
    #[schemars(length(min = 1))]
    pub target_ref: String,
    /// What the relation means; references unless said.
    #[serde(default = "references")]
    pub relationship_type: Relationship,
    /// Shown to people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

const fn references() -> Relationship {
    Relationship::References
}

/// A form that a skill can be handed out in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// Everything, as JSON.
    Amble,
    /// `SKILL.md`.
    Markdown,
    /// `<slug>/SKILL.md`.
    ClaudeSkill,
    /// Text that is safe outside.
    OpenaiGpt,
    /// Text that is safe outside.
    Cowork,
}

/// How the skill shows itself outside.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Interop {
    /// Whether MCP clients see it. Not said: they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expose_via_mcp: Option<bool>,
    /// The only forms it may be handed out in. Not said: all; an empty list: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export_formats: Option<Vec<ExportFormat>>,
    /// What outsiders read instead of the instructions.
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

    /// Whether the skill may be handed out in this form.
    #[must_use]
    pub fn allows(&self, format: ExportFormat) -> bool {
        self.export_formats.as_ref().is_none_or(|formats| formats.contains(&format))
    }
}
