//! Which skills the tools of a caller know and use. Agents and other programs aren't told of all.

use std::collections::HashSet;

use inklings_core::chat::MessageContent;
use inklings_core::manifest::is_exposed_via_mcp;
use inklings_core::{Origin, Scope, Skill, SkillCatalog, SkillId, SkillSummary, StorageError};

use super::error::ToolError;
use super::service::{ensure_runnable, summaries};

pub(crate) enum KnownSkills<'a> {
    All,
    /// Slugs of the skills that an agent may use, if it uses no others.
    Assigned(Vec<String>),
    /// The exposed ones: those that agents are offered and those that the caller created, or in any state.
    Exposed {
        actor: &'a str,
        in_any_state: bool,
    },
}

impl KnownSkills<'_> {
    /// The skill of that name, or the error that there is none or that the caller may not use it.
    pub(crate) fn require(&self, catalog: &SkillCatalog, name: &str, scope: Option<Scope>) -> Result<Skill, ToolError> {
        let skill = catalog.require(name, scope)?;
        let is_known = match self {
            Self::All => true,
            Self::Assigned(slugs) => slugs.iter().any(|slug| slug == skill.package.slug.as_str()),
            Self::Exposed { .. } => is_exposed_via_mcp(&skill.package.metadata),
        };
        if !is_known {
            return Err(StorageError::NotFound { what: "skill", name: name.to_owned() }.into());
        }
        if matches!(self, Self::Exposed { in_any_state: false, .. }) && !self.is_author(&skill) {
            ensure_usable(catalog, &skill, None)?;
        }
        Ok(skill)
    }

    /// The known skills, or those of one scope.
    pub(crate) fn list(&self, catalog: &SkillCatalog, scope: Option<Scope>) -> Result<Vec<SkillSummary>, StorageError> {
        let mut all = summaries(catalog, scope)?;
        match self {
            Self::All => {}
            Self::Assigned(slugs) => all.retain(|skill| slugs.iter().any(|slug| slug == skill.slug.as_str())),
            Self::Exposed { in_any_state, .. } => {
                if !in_any_state {
                    let mut offered = all.clone();
                    catalog.retain_offered(&mut offered)?;
                    let offered: HashSet<(Scope, SkillId)> = offered.iter().map(|skill| (skill.scope, skill.id)).collect();
                    let mut known = Vec::with_capacity(all.len());
                    for skill in all {
                        if offered.contains(&(skill.scope, skill.id)) || self.is_author_of_new(catalog, &skill)? {
                            known.push(skill);
                        }
                    }
                    all = known;
                }
                let facts = catalog.facts(&all)?;
                all.retain(|skill| facts.get(&(skill.scope, skill.id)).is_some_and(|facts| is_exposed_via_mcp(&facts.metadata)));
            }
        }
        Ok(all)
    }

    /// Whether the caller is the program that created the skill. It may use it before anybody has reviewed it.
    pub(crate) fn is_author(&self, skill: &Skill) -> bool {
        matches!(self, Self::Exposed { actor, .. } if skill.head.created_by.as_deref() == Some(*actor))
    }

    /// The same of a skill in a list. Reads only those of programs and models that may be used.
    fn is_author_of_new(&self, catalog: &SkillCatalog, skill: &SkillSummary) -> Result<bool, StorageError> {
        if skill.origin != Origin::Llm || !skill.is_current() {
            return Ok(false);
        }
        let values = catalog.holder(skill.id, skill.scope)?.get_values_by_name(&skill.id.to_string())?;
        Ok(values.is_some_and(|skill| self.is_author(&skill)))
    }
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

#[cfg(test)]
mod tests {
    use inklings_core::{Head, Package, Slug, Source, Time};

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
