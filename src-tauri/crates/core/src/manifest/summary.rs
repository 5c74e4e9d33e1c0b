//! A flat summary of a manifest for lists, badges and the prompt index, without instructions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evals::PromotionMode;
use super::model::{ExportFormat, SkillManifestV1};
use super::review_mode::ReviewMode;

/// Trigger cues in a prompt line.
const MAX_CUES: usize = 3;
/// Names of one kind in a prompt line; the others are counted.
const MAX_NAMES: usize = 8;
/// Characters of one cue or name in a prompt line.
const MAX_ITEM_CHARS: usize = 120;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillManifestSummary {
    /// Whether the manifest declares anything at all.
    pub declared: bool,
    /// Requests that should trigger the skill.
    pub triggers: Vec<String>,
    pub required_tools: Vec<String>,
    pub required_tool_groups: Vec<String>,
    pub forbidden_tools: Vec<String>,
    /// IDs of required external systems.
    pub integrations: Vec<String>,
    /// Slugs of its actions.
    pub actions: Vec<String>,
    /// Number of governed steps.
    pub deterministic_steps: usize,
    /// Slugs of the agents that parts of the work are delegated to.
    pub delegates: Vec<String>,
    /// Number of points where a person decides.
    pub human_gates: usize,
    /// Number of gates that require a decision.
    pub required_gates: usize,
    /// Whether it declares how to work on a goal.
    pub goal_loop: bool,
    pub review_mode: Option<ReviewMode>,
    /// Number of typed relations.
    pub bindings: usize,
    pub evals: EvalSummary,
    /// Whether MCP clients see it. Null means true.
    pub expose_via_mcp: Option<bool>,
    /// Allowed export formats. Null means all.
    pub export_formats: Option<Vec<ExportFormat>>,
    /// Shown to others instead of the instructions.
    pub external_safe_summary: Option<String>,
}

/// Summary of the evaluation that a manifest declares.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvalSummary {
    /// Whether it declares criteria, cases, metrics or a baseline.
    pub contract: bool,
    /// Number of requests that should trigger the skill.
    pub trigger_cases: usize,
    /// Number of situations that its work is evaluated in.
    pub functional_scenarios: usize,
    /// Number of criteria.
    pub success_criteria: usize,
    /// Number of observed metrics.
    pub tracked_metrics: usize,
    /// What candidates are compared with.
    pub baseline: Option<String>,
    /// Whether a score is sufficient to promote a candidate.
    pub autonomous_promotion: bool,
}

/// The flat form of a manifest.
#[must_use]
pub fn summarize(manifest: &SkillManifestV1) -> SkillManifestSummary {
    let evals = &manifest.evals;
    let optimization = evals.optimization.as_ref();
    let promotion = optimization.and_then(|policy| policy.promotion.as_ref());
    let goal_review = manifest.goal_loop.as_ref().and_then(|goal| goal.default_review_mode);
    SkillManifestSummary {
        declared: *manifest != SkillManifestV1::default(),
        triggers: evals.trigger_cases.clone(),
        required_tools: manifest.required_tools.clone(),
        required_tool_groups: manifest.required_tool_groups.clone(),
        forbidden_tools: manifest.forbidden_tools.clone(),
        integrations: manifest.required_integrations.iter().map(|integration| integration.integration_id.clone()).collect(),
        actions: manifest.actions.iter().map(|action| action.action_slug.clone()).collect(),
        deterministic_steps: manifest.deterministic_steps.len(),
        delegates: manifest.delegation.iter().map(|delegate| delegate.agent_slug.clone()).collect(),
        human_gates: manifest.human_gates.len(),
        required_gates: manifest.human_gates.iter().filter(|gate| gate.required).count(),
        goal_loop: manifest.goal_loop.is_some(),
        review_mode: goal_review.or_else(|| optimization.and_then(|policy| policy.review_mode)),
        bindings: manifest.bindings.len(),
        evals: EvalSummary {
            contract: evals.has_contract(),
            trigger_cases: evals.trigger_cases.len(),
            functional_scenarios: evals.functional_scenarios.len(),
            success_criteria: evals.success_criteria.len(),
            tracked_metrics: evals.tracked_metrics.len(),
            baseline: evals.baseline().map(str::to_owned),
            autonomous_promotion: promotion.is_some_and(|promotion| promotion.mode == PromotionMode::AutonomousThreshold),
        },
        expose_via_mcp: manifest.interop.expose_via_mcp,
        export_formats: manifest.interop.export_formats.clone(),
        external_safe_summary: manifest.interop.external_safe_summary.clone(),
    }
}

/// The lines that the skill index adds below the line of a skill, indented, without a trailing newline; `None` if there is nothing
/// to add. Every text is put on one line and truncated, so that a manifest can't inject text into the
/// surrounding prompt.
#[must_use]
pub fn prompt_line(summary: &SkillManifestSummary) -> Option<String> {
    let mut lines = Vec::new();
    let cues: Vec<String> = summary.triggers.iter().map(|cue| one_line(cue)).filter(|cue| !cue.is_empty()).take(MAX_CUES).collect();
    if !cues.is_empty() {
        lines.push(format!("  - when to use: {}", cues.join("; ")));
    }
    let needs: Vec<String> =
        [("tools", &summary.required_tools), ("groups", &summary.required_tool_groups), ("integrations", &summary.integrations)]
            .into_iter()
            .filter_map(|(what, names)| summarize_names(what, names))
            .collect();
    if !needs.is_empty() {
        lines.push(format!("  - needs: {}", needs.join(" · ")));
    }
    let gates = (summary.human_gates > 0).then(|| counted(summary.human_gates, "human gate"));
    let review: Vec<String> = gates.into_iter().chain(summary.review_mode.map(|mode| review_word(mode).to_owned())).collect();
    if !review.is_empty() {
        lines.push(format!("  - review: {}", review.join(" · ")));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn summarize_names(what: &str, names: &[String]) -> Option<String> {
    let mut shown: Vec<String> = names.iter().map(|name| one_line(name)).filter(|name| !name.is_empty()).collect();
    if shown.is_empty() {
        return None;
    }
    if shown.len() > MAX_NAMES {
        let more = shown.split_off(MAX_NAMES).len();
        shown.push(format!("{more} more"));
    }
    Some(format!("{what}[{}]", shown.join(", ")))
}

fn one_line(text: &str) -> String {
    let plain: Vec<&str> = text.split(|ch: char| ch.is_whitespace() || ch.is_control()).filter(|word| !word.is_empty()).collect();
    let plain = plain.join(" ");
    match plain.char_indices().nth(MAX_ITEM_CHARS) {
        Some((end, _)) => format!("{}…", plain[..end].trim_end()),
        None => plain,
    }
}

const fn review_word(mode: ReviewMode) -> &'static str {
    match mode {
        ReviewMode::Supervised => "supervised",
        ReviewMode::Autonomous => "autonomous",
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Selects the icon of a badge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum BadgeKind {
    /// Tools and groups of tools.
    Tools,
    /// Outside systems.
    Integrations,
    /// Points where a person decides.
    Gates,
    /// Works on a goal.
    GoalLoop,
}

/// A compact mark on a skill's card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Badge {
    pub kind: BadgeKind,
    /// E.g. `2 tools`.
    pub label: String,
    /// Names for the tooltip.
    pub names: Vec<String>,
}

/// In display order.
#[must_use]
pub fn badges(summary: &SkillManifestSummary) -> Vec<Badge> {
    let tools: Vec<String> = summary.required_tools.iter().chain(&summary.required_tool_groups).cloned().collect();
    let mut badges = Vec::new();
    if !tools.is_empty() {
        badges.push(Badge { kind: BadgeKind::Tools, label: counted(tools.len(), "tool"), names: tools });
    }
    if !summary.integrations.is_empty() {
        let names = summary.integrations.clone();
        badges.push(Badge { kind: BadgeKind::Integrations, label: counted(names.len(), "integration"), names });
    }
    if summary.human_gates > 0 {
        badges.push(Badge { kind: BadgeKind::Gates, label: counted(summary.human_gates, "gate"), names: Vec::new() });
    }
    if summary.goal_loop {
        badges.push(Badge { kind: BadgeKind::GoalLoop, label: "goal loop".to_owned(), names: Vec::new() });
    }
    badges
}
