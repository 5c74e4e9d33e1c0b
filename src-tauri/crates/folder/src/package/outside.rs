//! The part of a skill that can be shared externally: what it does and when to use it, never its instructions.

use inklings_core::manifest::{self, SkillManifestV1};
use inklings_core::name::Slug;
use inklings_core::skill::Package;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::follow;

/// A skill without its instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalSafeSkill {
    pub slug: Slug,
    /// Title.
    pub name: String,
    /// None if it is only derived from the instructions.
    pub description: Option<String>,
    pub capabilities: Capabilities,
    /// Phrases that trigger it.
    pub triggers: Vec<String>,
    /// Summary by the author for external use.
    pub external_safe_summary: Option<String>,
    /// Whether MCP clients see it. None is unspecified, which means that they do.
    pub expose_via_mcp: Option<bool>,
}

/// What a skill requires, and its approval points.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    pub tools: Vec<String>,
    pub tool_groups: Vec<String>,
    pub integrations: Vec<String>,
    pub actions: Vec<String>,
    /// Number of approval points.
    pub human_gates: usize,
}

/// The part of a skill that can be shared externally.
#[must_use]
pub fn external_safe(package: &Package) -> ExternalSafeSkill {
    let (manifest, _) = manifest::safe(&package.metadata);
    let SkillManifestV1 { required_tools, required_tool_groups, required_integrations, actions, human_gates, evals, interop, .. } =
        manifest;
    let mut triggers = package.triggers.clone();
    triggers.extend(evals.trigger_cases.into_iter().filter(|cue| !package.triggers.contains(cue)));
    ExternalSafeSkill {
        slug: package.slug.clone(),
        name: package.name.clone(),
        // A derived description is the first paragraph of the instructions.
        description: follow::states_description(package).then(|| package.description.clone()),
        capabilities: Capabilities {
            tools: required_tools,
            tool_groups: required_tool_groups,
            integrations: required_integrations.into_iter().map(|integration| integration.integration_id).collect(),
            actions: actions.into_iter().map(|action| action.action_slug).collect(),
            human_gates: human_gates.len(),
        },
        triggers,
        external_safe_summary: interop.external_safe_summary,
        expose_via_mcp: interop.expose_via_mcp,
    }
}

/// Markdown for other agents: the external summary, else the instructions. The bool is whether it contains the instructions.
pub(super) fn markdown(package: &Package) -> (String, bool) {
    let safe = external_safe(package);
    let summary = safe.external_safe_summary.filter(|text| !text.trim().is_empty());
    let instructions = package.main().map(|main| main.content.to_string()).filter(|_| summary.is_none());
    let shows_instructions = instructions.is_some();
    let mut text = format!("# {}\n", one_line(&safe.name));
    let mut paragraph = |content: &str| {
        if !content.trim().is_empty() {
            text.push('\n');
            text.push_str(content.trim());
            text.push('\n');
        }
    };
    paragraph(&safe.description.unwrap_or_default());
    if !safe.triggers.is_empty() {
        let cues: Vec<String> = safe.triggers.iter().map(|cue| format!("- {}", one_line(cue))).collect();
        paragraph(&format!("## When to use\n\n{}", cues.join("\n")));
    }
    paragraph(&summary.or(instructions).unwrap_or_default());
    (text, shows_instructions)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
