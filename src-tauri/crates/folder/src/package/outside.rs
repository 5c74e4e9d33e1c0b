//! What outsiders may see of a skill: what it can do and when to use it, never its instructions.

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
    /// Key.
    pub slug: Slug,
    /// Title.
    pub name: String,
    /// What it does; none where it is only read from the instructions.
    pub description: Option<String>,
    /// What it needs and where people decide.
    pub capabilities: Capabilities,
    /// Requests that it answers to.
    pub triggers: Vec<String>,
    /// What its author wrote for outsiders.
    pub external_safe_summary: Option<String>,
    /// Whether MCP clients see it; null is "not said", which means they do.
    pub expose_via_mcp: Option<bool>,
}

/// What a skill needs and where people decide.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    /// Tools.
    pub tools: Vec<String>,
    /// Groups of tools.
    pub tool_groups: Vec<String>,
    /// Ids of outside systems.
    pub integrations: Vec<String>,
    /// Slugs of actions.
    pub actions: Vec<String>,
    /// Number of points where a person decides.
    pub human_gates: usize,
}

/// The part of a skill that may be shown outside.
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
        // One that stands in for a missing one is the instructions' first paragraph.
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

/// Markdown for agents elsewhere: the summary for outsiders, else the instructions. Tells whether it was the instructions.
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
