use inklings_core::chat::MessageContent;
use inklings_core::{Skill, SkillCatalog, SkillSummary};

use super::api::{CatalogEntry, InspectedSkill, LoadedInstructions, LoadedSkill, SkillReadCall, SkillReadResult};
use crate::editing::SkillEditor;
use crate::features::tool::error::ToolError;
use crate::features::tool::service::{ensure_runnable, state_warning, summaries, text_body, warning};
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

/// Refuses to use a skill that agents must not use, and one of a model that nobody reviewed and that hasn't proved itself, unless the user
/// asked for it.
pub(crate) fn ensure_usable(catalog: &SkillCatalog, skill: &Skill, asked: Option<&MessageContent>) -> Result<(), ToolError> {
    ensure_runnable(skill)?;
    let head = &skill.head;
    let is_asked_for = || asked.is_some_and(|message| asks_for(message, skill));
    if catalog.usage_of(head)?.is_reliable(head.origin, head.lifecycle, head.trust_tier) || is_asked_for() {
        Ok(())
    } else {
        Err(ToolError::Unproven(skill.package.slug.clone()))
    }
}

/// Whether the user chose the skill for a message, or writes in it "the NAME skill" or "skill NAME".
fn asks_for(message: &MessageContent, skill: &Skill) -> bool {
    let slug = skill.package.slug.as_str();
    if message.skill.as_deref() == Some(slug) {
        return true;
    }
    let text = words(&message.text);
    let says = |name: String| text.contains(&format!("{name}skill ")) || text.contains(&format!(" skill{name}"));
    [slug, skill.package.name.as_str()].into_iter().map(words).any(|name| name != " " && says(name))
}

/// The words in lower case, with a space before and after each.
fn words(text: &str) -> String {
    let mut words = " ".to_owned();
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.push_str(&word.to_lowercase());
        words.push(' ');
    }
    words
}

/// Inspects a skill, or lists those that match.
pub(crate) fn read(editor: &SkillEditor<'_>, call: &SkillReadCall) -> Result<SkillReadResult, ToolError> {
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
        let skill = catalog.require(name, call.scope)?;
        let summary = summary(&skill, is_in_both_scopes(catalog, &skill)?);
        let inspected = InspectedSkill {
            entry: entry(summary, skill.head.deprecated_reason.as_deref()),
            content: Some(text_body(editor, &skill)?),
            steps: Some(skill.package.steps.clone()),
        };
        return Ok(SkillReadResult { skills: vec![inspected], total: 1 });
    }
    let mut all = summaries(catalog, call.scope)?;
    all.retain(|skill| {
        call.origin.is_none_or(|origin| skill.origin == origin) && call.lifecycle.is_none_or(|lifecycle| skill.lifecycle == lifecycle)
    });
    let total = all.len();
    all.truncate(call.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT));
    let skills = all.into_iter().map(|skill| InspectedSkill { entry: entry(skill, None), content: None, steps: None });
    Ok(SkillReadResult { skills: skills.collect(), total })
}

#[cfg(test)]
mod tests {
    use inklings_core::id::SkillId;
    use inklings_core::{Head, Origin, Package, Scope, Slug, Source, Time};

    use super::*;

    #[test]
    fn the_user_asks_for_a_skill_by_choosing_or_naming_it() {
        let head = Head::new(SkillId::new(uuid::Uuid::nil()), Scope::Account, Source::User, Origin::Llm, Time::from_millis(0));
        let skill = Skill { head, package: Package::new(Slug::parse("tea-maker").unwrap(), "Tea for two", "") };
        let says = |text: &str| asks_for(&MessageContent { text: text.to_owned(), ..MessageContent::default() }, &skill);
        assert!(says("Please use the Tea Maker skill.") && says("use skill tea-maker") && says("The “tea for two” skill, please"));
        assert!(
            !says("Make tea.") && !says("I like the tea maker") && !says("use the tea makers skill") && !says("the skill of a tea maker")
        );
        assert!(asks_for(&MessageContent { skill: Some("tea-maker".to_owned()), ..MessageContent::default() }, &skill));
    }
}
