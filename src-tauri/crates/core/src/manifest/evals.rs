//! How a manifest declares the evaluation and optimization of a skill.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::review_mode::ReviewMode;
use super::string_enum::string_enum;

/// How the skill is evaluated and optimized.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Evals {
    /// Requests that should trigger the skill.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trigger_cases: Vec<String>,
    /// Situations that its work is evaluated in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functional_scenarios: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub success_criteria: Vec<String>,
    /// Metrics observed over real runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tracked_metrics: Vec<String>,
    /// Criteria sets whose dimensions join the rubric.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria_set_refs: Vec<String>,
    /// The skill that candidates are compared with. Read for older manifests; `optimization.baselineSkillSlug` wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_skill_slug: Option<String>,
    /// How the skill may be optimized.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimization: Option<Optimization>,
}

impl Evals {
    /// Whether nothing is declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What candidates are compared with, wherever it is declared.
    #[must_use]
    pub fn baseline(&self) -> Option<&str> {
        let optimization = self.optimization.as_ref();
        let declared = optimization.and_then(|policy| policy.baseline_skill_slug.as_ref().or(policy.baseline_candidate_slug.as_ref()));
        declared.or(self.baseline_skill_slug.as_ref()).map(String::as_str)
    }

    /// Whether it declares criteria, cases, metrics or a baseline, not only a policy.
    #[must_use]
    pub fn has_contract(&self) -> bool {
        !(self.trigger_cases.is_empty()
            && self.functional_scenarios.is_empty()
            && self.success_criteria.is_empty()
            && self.tracked_metrics.is_empty()
            && self.criteria_set_refs.is_empty())
            || self.baseline().is_some()
    }
}

/// The source of candidates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CandidateStrategy {
    /// A person writes them.
    #[default]
    Manual,
    /// A model edits the instructions.
    LlmRewrite,
    /// Former name of the `BootstrapFewShot` optimizer.
    DspyBootstrap,
    /// A DSPy optimizer by name: `dspy:<optimizer>`.
    Dspy(String),
}

impl fmt::Display for CandidateStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Manual => f.write_str("manual"),
            Self::LlmRewrite => f.write_str("llm_rewrite"),
            Self::DspyBootstrap => f.write_str("dspy_bootstrap"),
            Self::Dspy(optimizer) => write!(f, "dspy:{optimizer}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown strategy {0:?}: expected manual, llm_rewrite, dspy_bootstrap or dspy:<optimizer>")]
pub struct UnknownStrategy(String);

impl FromStr for CandidateStrategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "manual" => Ok(Self::Manual),
            "llm_rewrite" => Ok(Self::LlmRewrite),
            "dspy_bootstrap" => Ok(Self::DspyBootstrap),
            _ => match text.strip_prefix("dspy:") {
                Some(name) if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) => Ok(Self::Dspy(name.to_owned())),
                _ => Err(UnknownStrategy(text.to_owned())),
            },
        }
    }
}

impl Serialize for CandidateStrategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CandidateStrategy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for CandidateStrategy {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "CandidateStrategy".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "anyOf": [{ "enum": ["manual", "llm_rewrite", "dspy_bootstrap"] }, { "pattern": "^dspy:[A-Za-z0-9]+$" }]
        })
    }
}

/// How the skill may be optimized.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Optimization {
    /// Supervised by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_mode: Option<ReviewMode>,
    /// Manual by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate_strategy: Option<CandidateStrategy>,
    /// The skill that candidates are compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_skill_slug: Option<String>,
    /// The candidate that others are compared with. `baselineSkillSlug` takes precedence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_candidate_slug: Option<String>,
    /// The candidate being worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_candidate_slug: Option<String>,
    /// 3 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub max_iterations: Option<u32>,
    /// By default, a person promotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<Promotion>,
}

string_enum! {
    /// Who promotes.
    PromotionMode {
        /// A person.
        HumanGate,
        /// A score on held-out cases.
        AutonomousThreshold,
    }
}

/// How a candidate becomes canonical.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Promotion {
    /// A person by default.
    #[serde(default = "human_gate")]
    pub mode: PromotionMode,
    /// The score that a candidate must reach. Required unless a person promotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_overall_score: Option<f64>,
}

const fn human_gate() -> PromotionMode {
    PromotionMode::HumanGate
}
