use inklings_core::{Skill, SkillSummary};

use super::api::{CatalogEntry, InspectedSkill, LoadedInstructions, LoadedSkill, SkillReadCall, SkillReadResult};
use crate::editing::SkillEditor;
use crate::features::tool::error::ToolError;
use crate::features::tool::known_skills::KnownSkills;
use crate::features::tool::service::{state_warning, text_body, warning};
use crate::wire::{is_in_both_scopes, summary};

const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 500;

pub(crate) fn load(editor: &SkillEditor<'_>, skill: &Skill) -> Result<LoadedSkill, ToolError> {
    let (head, package) = (&skill.head, &skill.package);
    Ok(LoadedSkill {
        name: package.slug.to_string(),
        title: package.name.clone(),
        description: package.description.clone(),
        content: text_body(editor, skill)?,
        steps: package.steps.clone(),
        lifecycle: head.lifecycle,
        trust_tier: head.trust_tier,
        quality: editor.catalog.usage_of(head)?.quality(head.lifecycle),
        version: head.revision,
        warning: warning(skill),
    })
}

pub(crate) fn instructions(editor: &SkillEditor<'_>, skill: &Skill) -> Result<LoadedInstructions, ToolError> {
    let instructions = text_body(editor, skill)?;
    Ok(LoadedInstructions { name: skill.package.name.clone(), instructions, warning: warning(skill) })
}

/// Inspects a skill, or lists those that match.
pub(crate) fn read(editor: &SkillEditor<'_>, known: &KnownSkills<'_>, call: &SkillReadCall) -> Result<SkillReadResult, ToolError> {
    let catalog = &editor.catalog;
    let usage = catalog.usage()?;
    let entry = |summary: SkillSummary, reason: Option<&str>| {
        let signals = usage.get(&(summary.scope, summary.id)).copied().unwrap_or_default();
        CatalogEntry {
            quality: signals.quality(summary.lifecycle),
            warning: state_warning(summary.lifecycle, summary.enabled, reason),
            name: summary.slug.to_string(),
            title: summary.name,
            description: summary.description,
            scope: summary.scope,
            origin: summary.origin,
            lifecycle: summary.lifecycle,
            trust_tier: summary.trust_tier,
            version: summary.revision,
            enabled: summary.enabled,
        }
    };
    if let Some(name) = &call.name {
        let skill = known.require(catalog, name, call.scope)?;
        let summary = summary(&skill, is_in_both_scopes(catalog, &skill)?);
        let inspected = InspectedSkill {
            entry: entry(summary, skill.head.deprecated_reason.as_deref()),
            content: Some(text_body(editor, &skill)?),
            steps: Some(skill.package.steps.clone()),
        };
        return Ok(SkillReadResult { skills: vec![inspected], total: 1 });
    }
    let mut all = known.list(catalog, call.scope)?;
    all.retain(|skill| {
        call.origin.is_none_or(|origin| skill.origin == origin) && call.lifecycle.is_none_or(|lifecycle| skill.lifecycle == lifecycle)
    });
    let total = all.len();
    all.truncate(call.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT));
    let skills = all.into_iter().map(|skill| InspectedSkill { entry: entry(skill, None), content: None, steps: None });
    Ok(SkillReadResult { skills: skills.collect(), total })
}
