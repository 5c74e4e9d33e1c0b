use std::cmp::Reverse;
use std::collections::BTreeMap;

use inklings_core::agent::{AGENT_NOTES_BYTES, Agent, AgentProfile, AssignedSkill};
use inklings_core::{Agents, Slug, StorageError, Time};

use super::api::UpdateAgentParams;
use super::error::AgentError;
use crate::features::tool;

pub(super) const MAX_NAME_CHARS: usize = 60;

pub(crate) fn require(agents: &dyn Agents, name: &str) -> Result<Agent, AgentError> {
    agents.agent(name)?.ok_or_else(|| AgentError::NotFound(name.to_owned()))
}

pub(super) fn create(
    agents: &dyn Agents,
    name: &str,
    profile: AgentProfile,
    skills: Vec<AssignedSkill>,
    now: Time,
) -> Result<Agent, AgentError> {
    let name = checked_name(name)?;
    check(&profile)?;
    let agent = Agent { name, profile, skills: assigned(skills)?, created_at: now, updated_at: now };
    if agents.create_agent(&agent)? { Ok(agent) } else { Err(AgentError::Exists(agent.name)) }
}

pub(super) fn update(agents: &dyn Agents, params: UpdateAgentParams, now: Time) -> Result<Agent, AgentError> {
    let UpdateAgentParams { name, rename, profile, skills } = params;
    let rename = rename.map(|rename| checked_name(&rename)).transpose()?;
    if let Some(profile) = &profile {
        check(profile)?;
    }
    let skills = skills.map(assigned).transpose()?;
    change(agents, &name, now, |agent| {
        if let Some(rename) = &rename {
            agent.name.clone_from(rename);
        }
        if let Some(profile) = &profile {
            agent.profile.clone_from(profile);
        }
        if let Some(skills) = &skills {
            agent.skills.clone_from(skills);
        }
        Ok(())
    })
}

pub(super) fn assign(agents: &dyn Agents, name: &str, skill: &str, priority: i64, now: Time) -> Result<Agent, AgentError> {
    change(agents, name, now, |agent| {
        let mut skills = std::mem::take(&mut agent.skills);
        skills.push(AssignedSkill { slug: skill.to_owned(), priority });
        agent.skills = assigned(skills)?;
        Ok(())
    })
}

/// The skills by priority, each once. The last one of a slug counts.
fn assigned(skills: Vec<AssignedSkill>) -> Result<Vec<AssignedSkill>, AgentError> {
    let mut by_slug = BTreeMap::new();
    for AssignedSkill { slug, priority } in skills {
        let slug = Slug::parse(&slug).map_err(|_| AgentError::Skill(slug))?.to_string();
        by_slug.insert(slug, priority);
    }
    let mut skills: Vec<AssignedSkill> = by_slug.into_iter().map(|(slug, priority)| AssignedSkill { slug, priority }).collect();
    skills.sort_by_key(|skill| Reverse(skill.priority));
    Ok(skills)
}

pub(super) fn unassign(agents: &dyn Agents, name: &str, skill: &str, now: Time) -> Result<Agent, AgentError> {
    change(agents, name, now, |agent| {
        let before = agent.skills.len();
        agent.skills.retain(|one| one.slug != skill);
        if agent.skills.len() == before {
            return Err(AgentError::NotAssigned { agent: name.to_owned(), skill: skill.to_owned() });
        }
        Ok(())
    })
}

fn change(
    agents: &dyn Agents,
    name: &str,
    now: Time,
    mut change: impl FnMut(&mut Agent) -> Result<(), AgentError>,
) -> Result<Agent, AgentError> {
    let mut refusal = None;
    let changed = agents.change_agent(name, &mut |agent| {
        agent.updated_at = now;
        refusal = change(agent).err();
        refusal.is_none()
    });
    match (refusal, changed) {
        (Some(error), _) => Err(error),
        (None, Err(StorageError::Exists { value, .. })) => Err(AgentError::Exists(value)),
        (None, changed) => changed?.ok_or_else(|| AgentError::NotFound(name.to_owned())),
    }
}

fn checked_name(name: &str) -> Result<String, AgentError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(AgentError::Name(name.to_owned()));
    }
    Ok(name.to_owned())
}

fn check(profile: &AgentProfile) -> Result<(), AgentError> {
    if profile.notes.len() > AGENT_NOTES_BYTES {
        return Err(AgentError::LongNotes(profile.notes.len()));
    }
    let known: Vec<String> = tool::names().map(str::to_owned).collect();
    match profile.tools.iter().flatten().find(|name| !known.contains(name)) {
        Some(name) => Err(AgentError::Tool { name: name.clone(), known }),
        None => Ok(()),
    }
}
