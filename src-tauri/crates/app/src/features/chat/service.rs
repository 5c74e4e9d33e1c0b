use std::collections::HashMap;
use std::path::Path;

use inklings_agent::Conversation;
use inklings_agent::history::{recommended, user_text};
use inklings_agent::skill_index::{DEFAULT_BUDGET, IndexEntry, IndexFormat, SkillIndex, skill_index};
use inklings_agent::system_prompt::{Facts, system_prompt};
use inklings_core::agent::Agent;
use inklings_core::chat::{
    Attachment, ChatChange, ChatMessage, ChatSession, ChatStep, Consent, MessageContent, MessageStatus, RecommendedSkill, ToolStatus,
};
use inklings_core::manifest;
use inklings_core::model::Role;
use inklings_core::{Agents, Chats, Lifecycle, MessageId, Scope, SessionId, SkillCatalog, SkillId, SkillSummary, UserData};

use super::api::{ChatDetail, ChatEntry, Permit, SendParams};
use super::branch::{Versions, branch, newest_end};
use super::error::ChatError;
use crate::features::search::SkillMatch;
use crate::features::tool::consent_name;

/// Of a message and of each attachment.
pub(crate) const MAX_TEXT_BYTES: usize = 256 * 1024;
pub(crate) const MAX_ATTACHMENTS: usize = 20;
const TITLE_CHARS: usize = 60;
/// What the user permits each time, named as its permission is.
const ONE_BY_ONE: [&str; 2] = ["delete_skill", "skill_write merge"];
pub(crate) const NEW_CHAT: &str = "New chat";
/// Setting with the slugs of the skills that come first in the list of skills.
pub(crate) const PINNED_SKILLS: &str = "chat.pinned_skills";
/// Skills that are recommended for a message.
pub(crate) const RECOMMENDED: usize = 5;

pub(crate) fn require(chats: &dyn Chats, workspace: &str, id: SessionId) -> Result<ChatSession, ChatError> {
    chats.chat(id)?.filter(|session| session.workspace == workspace).ok_or(ChatError::NoSession)
}

/// Returns the session after the change.
pub(crate) fn change(chats: &dyn Chats, id: SessionId, change: &ChatChange) -> Result<ChatSession, ChatError> {
    chats.update_chat(id, change)?.ok_or(ChatError::NoSession)
}

/// The agent that answers in a session. None without one.
pub(crate) fn agent_of(agents: &dyn Agents, session: &ChatSession) -> Result<Option<Agent>, ChatError> {
    let Some(name) = &session.agent else { return Ok(None) };
    agents.agent(name)?.map(Some).ok_or_else(|| ChatError::NoAgent(name.clone()))
}

pub(crate) fn detail(chats: &dyn Chats, session: ChatSession, active: bool) -> Result<ChatDetail, ChatError> {
    let messages = chats.chat_messages(session.id)?;
    let versions = Versions::of_all(&messages);
    let entry = |message: &ChatMessage| ChatEntry { message: message.clone(), versions: versions.of(message) };
    let shown = branch(&messages, session.head).into_iter().map(entry).collect();
    Ok(ChatDetail { session, messages: shown, active })
}

pub(crate) fn check(params: &SendParams) -> Result<(), ChatError> {
    if params.text.trim().is_empty() && params.attachments.is_empty() {
        return Err(ChatError::Empty);
    }
    if params.attachments.len() > MAX_ATTACHMENTS {
        return Err(ChatError::TooMany(params.attachments.len()));
    }
    let attached = params.attachments.iter().map(|Attachment { name, text }| (name.clone(), text.len()));
    match attached.chain([("the message".to_owned(), params.text.len())]).find(|(_, bytes)| *bytes > MAX_TEXT_BYTES) {
        Some((what, bytes)) => Err(ChatError::TooLong { what, bytes }),
        None => Ok(()),
    }
}

/// The first line of the first message.
pub(crate) fn title_of(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(NEW_CHAT);
    let mut title: String = line.chars().take(TITLE_CHARS).collect();
    if line.chars().nth(TITLE_CHARS).is_some() {
        title.push('…');
    }
    title
}

/// The parent of a new message of the user.
pub(crate) fn parent_of(messages: &[ChatMessage], session: &ChatSession, edits: Option<MessageId>) -> Result<Option<MessageId>, ChatError> {
    match edits {
        None => Ok(session.head),
        Some(id) => {
            let edited = messages.iter().find(|message| message.id == id).ok_or(ChatError::NoMessage)?;
            if edited.role == Role::User { Ok(edited.parent) } else { Err(ChatError::NotEditable) }
        }
    }
}

/// A skill that the user chose by name must be meant for that.
pub(crate) fn check_chosen(catalog: &SkillCatalog, name: &str) -> Result<String, ChatError> {
    let skill = catalog.require(name, None)?;
    let slug = skill.package.slug.to_string();
    if skill.head.lifecycle == Lifecycle::Archived {
        return Err(ChatError::Archived(slug));
    }
    if !skill.head.enabled {
        return Err(ChatError::Disabled(slug));
    }
    if skill.package.user_invocable { Ok(slug) } else { Err(ChatError::NotInvocable(slug)) }
}

pub(crate) fn recommended_step(skills: Vec<SkillMatch>) -> ChatStep {
    let skills = skills.into_iter().map(|found| RecommendedSkill {
        skill: found.skill,
        scope: found.scope,
        slug: found.slug,
        name: found.name,
        description: found.description,
        score: found.score,
        exact: found.exact,
        terms: found.terms,
    });
    ChatStep::Recommended { skills: skills.collect() }
}

/// What the model is told to answer `answer`, a message of `messages`.
pub(crate) fn conversation(messages: &[ChatMessage], answer: &ChatMessage, system: String) -> Result<Conversation, ChatError> {
    let path = branch(messages, answer.parent);
    let (asked, past) = path.split_last().ok_or(ChatError::NoMessage)?;
    let past = past.iter().map(|message| (*message).clone()).collect();
    Ok(Conversation { system, past, message: user_text(asked, recommended(&answer.steps)) })
}

pub(crate) struct PromptParts<'a> {
    pub(crate) catalog: &'a SkillCatalog,
    pub(crate) agents: &'a dyn Agents,
    pub(crate) agent: Option<&'a Agent>,
    pub(crate) workspace: Option<&'a Path>,
    pub(crate) workspace_key: &'a str,
    /// Slugs of pinned skills.
    pub(crate) pinned: &'a [String],
    pub(crate) recommended: &'a [RecommendedSkill],
    /// Open proposals of the session, as the model reads them.
    pub(crate) proposals: &'a str,
}

pub(crate) fn system(parts: &PromptParts<'_>) -> Result<String, ChatError> {
    let first: Vec<&str> =
        parts.pinned.iter().map(String::as_str).chain(parts.recommended.iter().map(|skill| skill.slug.as_str())).collect();
    let index = index(parts.catalog, parts.agent, &first, IndexFormat::List, DEFAULT_BUDGET)?;
    let name = parts.workspace.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    Ok(system_prompt(&Facts {
        workspace: name.as_deref(),
        account_notes: &parts.agents.notes("")?,
        workspace_notes: &if parts.workspace.is_some() { parts.agents.notes(parts.workspace_key)? } else { String::new() },
        agent_notes: parts.agent.map(|agent| agent.profile.notes.as_str()).unwrap_or_default(),
        proposals: parts.proposals,
        skill_index: &index.text,
    }))
}

/// Slugs of the skills that the user pinned, in their order. None if the setting has another form.
pub(crate) fn pinned(user: &dyn UserData) -> Result<Vec<String>, inklings_core::StorageError> {
    inklings_core::user::setting(user, PINNED_SKILLS)
}

/// The list of skills: those assigned to the agent, then those of `first`, then the rest by slug.
pub(crate) fn index(
    catalog: &SkillCatalog,
    agent: Option<&Agent>,
    first: &[&str],
    format: IndexFormat,
    budget: usize,
) -> Result<SkillIndex, inklings_core::StorageError> {
    let assigned: Vec<&str> = agent.map(|agent| agent.skills.iter().map(|skill| skill.slug.as_str()).collect()).unwrap_or_default();
    let position = |order: &[&str], slug: &str| order.iter().position(|one| *one == slug).unwrap_or(usize::MAX);
    let mut skills = catalog.list_all()?;
    skills.retain(|skill| skill.is_current() && agent.is_none_or(|agent| agent.knows(skill.slug.as_str())));
    skills.sort_by_cached_key(|skill| {
        let slug = skill.slug.as_str();
        (position(&assigned, slug), position(first, slug), slug.to_owned())
    });
    let mut manifests = if format == IndexFormat::Detailed { manifest_lines(catalog, &skills, budget)? } else { HashMap::new() };
    let entries: Vec<IndexEntry> = skills
        .into_iter()
        .map(|skill| IndexEntry {
            manifest: manifests.remove(&(skill.scope, skill.id)),
            slug: skill.slug.to_string(),
            title: skill.name,
            description: skill.description,
            tags: skill.tags,
        })
        .collect();
    Ok(skill_index(&entries, format, budget))
}

/// What the manifests of the skills that may fit the budget add to their entries.
fn manifest_lines(
    catalog: &SkillCatalog,
    skills: &[SkillSummary],
    budget: usize,
) -> Result<HashMap<(Scope, SkillId), String>, inklings_core::StorageError> {
    // An entry has at least one token.
    let skills = &skills[..skills.len().min(budget)];
    let mut lines = HashMap::new();
    for scope in [Scope::Account, Scope::Workspace] {
        let ids: Vec<SkillId> = skills.iter().filter(|skill| skill.scope == scope).map(|skill| skill.id).collect();
        let Some(repository) = catalog.repository(scope).filter(|_| !ids.is_empty()) else { continue };
        for facts in repository.skill_facts(&ids)? {
            let line = manifest::prompt_line(&manifest::summarize(&manifest::safe(&facts.metadata).0));
            lines.extend(line.map(|line| ((scope, facts.id), line)));
        }
    }
    Ok(lines)
}

/// Stores the user's consent to a call of a tool that asks. Returns the answer after it, which goes on once no tool asks.
pub(crate) fn permit(
    chats: &dyn Chats,
    session: &ChatSession,
    answer: &ChatMessage,
    call: &str,
    permit: Permit,
) -> Result<ChatMessage, ChatError> {
    let mut answer = answer.clone();
    let asked = answer.steps.iter_mut().find_map(|step| match step {
        ChatStep::Tool { step, .. } if step.call.id == call && step.status == ToolStatus::Asked => Some(step),
        _ => None,
    });
    let step = asked.ok_or(ChatError::NotAsked)?;
    let skill = step.preview.as_ref().and_then(|preview| preview.skill.as_ref()).map(|skill| skill.consent_key(&session.workspace));
    let skill = skill.as_deref();
    let name = consent_name(&step.call).into_owned();
    match permit {
        Permit::Once | Permit::Deny => {}
        Permit::Session => chats.grant(Consent { tool: &name, skill, session: Some(session.id) })?,
        Permit::Always if skill.is_some() && !ONE_BY_ONE.contains(&name.as_str()) => {
            chats.grant(Consent { tool: &name, skill, session: None })?;
        }
        Permit::Always => return Err(ChatError::NotForAlways),
    }
    step.status = if permit == Permit::Deny { ToolStatus::Denied } else { ToolStatus::Allowed };
    if !answer.steps.iter().any(|step| matches!(step, ChatStep::Tool { step, .. } if step.status == ToolStatus::Asked)) {
        answer.status = MessageStatus::Running;
    }
    Ok(answer)
}

/// The end of an answer that waits for a permission, since the user sends another message instead.
pub(crate) fn abandoned(answer: &ChatMessage) -> ChatMessage {
    let mut answer = answer.clone();
    for step in &mut answer.steps {
        let ChatStep::Tool { step, .. } = step else { continue };
        if matches!(step.status, ToolStatus::Asked | ToolStatus::Allowed) && step.result.is_none() {
            step.status = ToolStatus::Denied;
            step.result = Some("The user sent another message instead of permitting this.".to_owned());
        }
    }
    answer.status = MessageStatus::Done;
    answer
}

/// Refuses a second answer at a time. One that is running here is known without the store; another process has its own.
pub(crate) fn ensure_idle(messages: &[ChatMessage], session: &ChatSession) -> Result<(), ChatError> {
    let running = last_message(messages, session).is_some_and(|last| last.status == MessageStatus::Running);
    if running { Err(ChatError::Busy) } else { Ok(()) }
}

/// The message that a session ends with.
pub(crate) fn last_message<'a>(messages: &'a [ChatMessage], session: &ChatSession) -> Option<&'a ChatMessage> {
    messages.iter().find(|message| Some(message.id) == session.head)
}

/// Stores how a session goes on from its last message. Refused if another process was faster.
pub(crate) fn continue_chat(
    chats: &dyn Chats,
    session: &ChatSession,
    last: Option<&ChatMessage>,
    messages: &[ChatMessage],
) -> Result<(), ChatError> {
    if chats.continue_chat(session, last, messages)? {
        return Ok(());
    }
    require(chats, &session.workspace, session.id)?;
    Err(ChatError::Busy)
}

pub(crate) fn select(chats: &dyn Chats, session: &ChatSession, message: MessageId) -> Result<ChatSession, ChatError> {
    let messages = chats.chat_messages(session.id)?;
    if !messages.iter().any(|one| one.id == message) {
        return Err(ChatError::NoMessage);
    }
    change(chats, session.id, &ChatChange { head: Some(newest_end(&messages, message)), ..ChatChange::default() })
}

/// A new answer to a message of the user.
pub(crate) fn new_answer(id: MessageId, session: SessionId, parent: MessageId, now: inklings_core::Time) -> ChatMessage {
    ChatMessage {
        id,
        session,
        parent: Some(parent),
        role: Role::Assistant,
        status: MessageStatus::Running,
        created_at: now,
        content: MessageContent::default(),
        steps: Vec::new(),
    }
}
