use std::slice;
use std::sync::Arc;

use inklings_core::chat::{Attachment, ChatChange, ChatMessage, ChatSession, MessageContent, MessageStatus};
use inklings_core::model::Role;
use inklings_core::reliability::Judgement;
use inklings_core::{MessageId, SessionId};
use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::active::ActiveChat;
use super::api::{
    AttachParams, AttachedFiles, ChatDetail, ChatList, ChatRef, CreateChatParams, ListChatsParams, MarkParams, MessageRef, PermitParams,
    SendParams, UpdateChatParams, WithdrawnPermissions,
};
use super::error::ChatError;
use super::{attaching, service};
use crate::answering::answer;
use crate::app::App;
use crate::features::agent;
use crate::features::search::{SkillMatch, recommend};

const DEFAULT_LIMIT: usize = 200;
const MAX_LIMIT: usize = 1_000;

fn list(app: &App, cx: &CallContext, params: ListChatsParams) -> Result<ChatList, Failure> {
    let limit = params.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT);
    Ok(ChatList { sessions: app.chats.chats(&cx.workspace_key(), params.text.trim(), limit)? })
}

fn create(app: &App, cx: &CallContext, params: CreateChatParams) -> Result<ChatSession, Failure> {
    if let Some(name) = &params.agent {
        agent::require(app.agents.as_ref(), name)?;
    }
    let now = app.clock.now();
    let title = params.title.map(|title| app.redactor.redact(title.trim())).filter(|title| !title.is_empty());
    let session = ChatSession {
        id: SessionId::new(app.ids.uuid()),
        workspace: cx.workspace_key(),
        title: title.unwrap_or_else(|| service::NEW_CHAT.to_owned()),
        agent: params.agent,
        model: params.model,
        head: None,
        created_at: now,
        updated_at: now,
    };
    app.chats.create_chat(&session)?;
    Ok(session)
}

fn get(app: &App, cx: &CallContext, params: ChatRef) -> Result<ChatDetail, Failure> {
    shown(app, cx, params.session)
}

fn shown(app: &App, cx: &CallContext, id: SessionId) -> Result<ChatDetail, Failure> {
    let session = service::require(app.chats.as_ref(), &cx.workspace_key(), id)?;
    Ok(service::detail(app.chats.as_ref(), session, app.active_chats.contains(id))?)
}

fn update(app: &App, cx: &CallContext, params: UpdateChatParams) -> Result<ChatSession, Failure> {
    let session = service::require(app.chats.as_ref(), &cx.workspace_key(), params.session)?;
    let title = params.title.map(|title| app.redactor.redact(title.trim()));
    if title.as_ref().is_some_and(String::is_empty) {
        return Err(ChatError::NoTitle.into());
    }
    if let Some(Some(name)) = &params.agent {
        agent::require(app.agents.as_ref(), name)?;
    }
    let change = ChatChange { title, agent: params.agent, model: params.model, head: None };
    Ok(service::change(app.chats.as_ref(), session.id, &change)?)
}

fn delete(app: &App, cx: &CallContext, params: ChatRef) -> Result<Done, Failure> {
    let session = service::require(app.chats.as_ref(), &cx.workspace_key(), params.session)?;
    app.active_chats.cancel(session.id);
    app.chats.delete_chat(session.id)?;
    Ok(Done {})
}

fn attach(_: &App, _: &CallContext, params: AttachParams) -> Result<AttachedFiles, Failure> {
    Ok(attaching::attach(&params.paths))
}

async fn send(app: Arc<App>, cx: CallContext, params: SendParams) -> Result<ChatDetail, Failure> {
    // Entered before anything is stored, so that of two messages at once one is refused.
    let active = app.active_chats.enter(params.session, cx.cancel.clone())?;
    let context = cx.clone();
    let prepare = move |app: &App| prepare_message(app, &context, params);
    let (session, begun) = app.blocking(prepare).await?;
    finish(&app, cx, active, session, begun).await
}

fn prepare_message(app: &App, cx: &CallContext, params: SendParams) -> Result<(ChatSession, ChatMessage), Failure> {
    service::check(&params)?;
    let chats = app.chats.as_ref();
    let mut session = service::require(chats, &cx.workspace_key(), params.session)?;
    let messages = chats.chat_messages(session.id)?;
    service::ensure_idle(&messages, &session)?;
    let parent = service::parent_of(&messages, &session, params.edits)?;
    let catalog = app.catalog(cx)?;
    let skill = params.skill.as_deref().map(|name| service::check_chosen(&catalog, name)).transpose()?;
    let secrets = app.redactor.now();
    let clean = |Attachment { name, text }| Attachment { name: secrets.redact(&name), text: secrets.redact(&text) };
    let (text, attachments) = (secrets.redact(&params.text), params.attachments.into_iter().map(clean).collect());
    let title = (session.head.is_none() && session.title == service::NEW_CHAT).then(|| service::title_of(&text));
    let message = ChatMessage {
        id: MessageId::new(app.ids.uuid()),
        session: session.id,
        parent,
        role: Role::User,
        status: MessageStatus::Done,
        created_at: app.clock.now(),
        content: MessageContent { text, attachments, skill, ..MessageContent::default() },
        steps: Vec::new(),
    };
    let begun = answer_to(app, cx, &session, &message);
    let last = service::last_message(&messages, &session);
    let abandoned = last.filter(|last| last.status == MessageStatus::Waiting).map(service::abandoned);
    let next: Vec<_> = abandoned.into_iter().chain([message, begun.clone()]).collect();
    service::continue_chat(chats, &session, last, &next)?;
    if title.is_some() {
        match service::change(chats, session.id, &ChatChange { title, ..ChatChange::default() }) {
            Ok(titled) => session = titled,
            // Nothing may fail once the answer has begun.
            Err(error) => tracing::warn!(%error, "can't name a chat after its first message"),
        }
    }
    Ok((session, begun))
}

/// An answer to a message, with the skills that fit it. Not stored yet.
fn answer_to(app: &App, cx: &CallContext, session: &ChatSession, message: &ChatMessage) -> ChatMessage {
    let mut answer = service::new_answer(MessageId::new(app.ids.uuid()), message.session, message.id, app.clock.now());
    if message.content.skill.is_none() && !message.content.text.trim().is_empty() {
        // An answer is possible without them.
        match recommended_for(app, cx, session, &message.content.text) {
            Ok(skills) if !skills.is_empty() => answer.steps.push(service::recommended_step(skills)),
            Ok(_) => {}
            Err(error) => tracing::warn!(error = error.message, "no skills can be recommended"),
        }
    }
    answer
}

fn recommended_for(app: &App, cx: &CallContext, session: &ChatSession, message: &str) -> Result<Vec<SkillMatch>, Failure> {
    let agent = service::agent_of(app.agents.as_ref(), session)?;
    // Skills that the agent doesn't know may fit better than its own.
    let limit = if agent.as_ref().is_some_and(|agent| agent.profile.only) { usize::MAX } else { service::RECOMMENDED };
    let mut found = recommend(&app.search, cx.workspace.as_deref(), &app.catalog(cx)?, message, limit)?;
    found.retain(|one| agent.as_ref().is_none_or(|agent| agent.knows(one.slug.as_str())));
    found.truncate(service::RECOMMENDED);
    Ok(found)
}

/// Writes the answer, and returns the session afterwards.
async fn finish(
    app: &Arc<App>,
    cx: CallContext,
    active: ActiveChat<'_>,
    session: ChatSession,
    begun: ChatMessage,
) -> Result<ChatDetail, Failure> {
    let id = session.id;
    answer(app.clone(), cx.clone(), active, session, begun).await?;
    app.blocking(move |app| shown(app, &cx, id)).await
}

async fn retry(app: Arc<App>, cx: CallContext, params: MessageRef) -> Result<ChatDetail, Failure> {
    let active = app.active_chats.enter(params.session, cx.cancel.clone())?;
    let context = cx.clone();
    let prepare = move |app: &App| {
        let session = service::require(app.chats.as_ref(), &context.workspace_key(), params.session)?;
        let messages = app.chats.chat_messages(session.id)?;
        service::ensure_idle(&messages, &session)?;
        let found = messages.iter().find(|message| message.id == params.message).ok_or(ChatError::NoMessage)?;
        if found.role != Role::Assistant {
            return Err(ChatError::NotAnAnswer("written again").into());
        }
        let asked = messages.iter().find(|message| Some(message.id) == found.parent).ok_or(ChatError::NoMessage)?;
        let begun = answer_to(app, &context, &session, asked);
        let last = service::last_message(&messages, &session);
        service::continue_chat(app.chats.as_ref(), &session, last, slice::from_ref(&begun))?;
        Ok((session, begun))
    };
    let (session, begun) = app.blocking(prepare).await?;
    finish(&app, cx, active, session, begun).await
}

async fn resume(app: Arc<App>, cx: CallContext, params: ChatRef) -> Result<ChatDetail, Failure> {
    let active = app.active_chats.enter(params.session, cx.cancel.clone())?;
    let context = cx.clone();
    let prepare = move |app: &App| {
        let session = service::require(app.chats.as_ref(), &context.workspace_key(), params.session)?;
        let messages = app.chats.chat_messages(session.id)?;
        service::ensure_idle(&messages, &session)?;
        let resumable =
            |last: &&ChatMessage| matches!(last.status, MessageStatus::Stopped | MessageStatus::Failed | MessageStatus::Interrupted);
        let last = service::last_message(&messages, &session).filter(resumable).ok_or(ChatError::NothingToResume)?;
        let mut answer = ChatMessage { status: MessageStatus::Running, ..last.clone() };
        answer.content.error = None;
        service::continue_chat(app.chats.as_ref(), &session, Some(last), slice::from_ref(&answer))?;
        Ok((session, answer))
    };
    let (session, begun) = app.blocking(prepare).await?;
    finish(&app, cx, active, session, begun).await
}

async fn permit(app: Arc<App>, cx: CallContext, params: PermitParams) -> Result<ChatDetail, Failure> {
    let id = params.session;
    let active = app.active_chats.enter(id, cx.cancel.clone())?;
    let context = cx.clone();
    let prepare = move |app: &App| {
        let session = service::require(app.chats.as_ref(), &context.workspace_key(), params.session)?;
        let messages = app.chats.chat_messages(session.id)?;
        let waiting = |last: &&ChatMessage| last.status == MessageStatus::Waiting;
        let last = service::last_message(&messages, &session).filter(waiting).ok_or(ChatError::NotAsked)?;
        let answer = service::permit(app.chats.as_ref(), &session, last, &params.call, params.permit)?;
        service::continue_chat(app.chats.as_ref(), &session, Some(last), slice::from_ref(&answer))?;
        Ok((session, answer))
    };
    let (session, answer) = app.blocking(prepare).await?;
    if answer.status == MessageStatus::Running {
        return finish(&app, cx, active, session, answer).await;
    }
    drop(active);
    app.blocking(move |app| shown(app, &cx, id)).await
}

fn stop(app: &App, _: &CallContext, params: ChatRef) -> Result<Done, Failure> {
    app.active_chats.cancel(params.session);
    Ok(Done {})
}

fn select(app: &App, cx: &CallContext, params: MessageRef) -> Result<ChatDetail, Failure> {
    let session = service::require(app.chats.as_ref(), &cx.workspace_key(), params.session)?;
    if app.active_chats.contains(session.id) {
        return Err(ChatError::Busy.into());
    }
    let session = service::select(app.chats.as_ref(), &session, params.message)?;
    Ok(service::detail(app.chats.as_ref(), session, false)?)
}

fn mark(app: &App, cx: &CallContext, params: MarkParams) -> Result<Done, Failure> {
    let session = service::require(app.chats.as_ref(), &cx.workspace_key(), params.session)?;
    let messages = app.chats.chat_messages(session.id)?;
    let message = messages.iter().find(|message| message.id == params.message).ok_or(ChatError::NoMessage)?;
    if message.role != Role::Assistant {
        return Err(ChatError::NotAnAnswer("marked").into());
    }
    // Counted first: nothing may fail once the mark is stored, and to count it again changes nothing.
    app.catalog(cx)?.judge_loads(message.id, Judgement::Marked(params.feedback))?;
    if app.chats.set_feedback(message.id, params.feedback)? { Ok(Done {}) } else { Err(ChatError::NoMessage.into()) }
}

fn withdraw(app: &App, _: &CallContext, _: NoParams) -> Result<WithdrawnPermissions, Failure> {
    Ok(WithdrawnPermissions { count: app.chats.withdraw_grants()? })
}

operations! { App;
    ListChats = "chat/list", Read, blocking list(ListChatsParams) -> ChatList;
    CreateChat = "chat/create", Write["chat"], blocking create(CreateChatParams) -> ChatSession;
    GetChat = "chat/get", Read, blocking get(ChatRef) -> ChatDetail;
    UpdateChat = "chat/update", Write["chat"], blocking update(UpdateChatParams) -> ChatSession;
    DeleteChat = "chat/delete", Write["chat"], blocking delete(ChatRef) -> Done;
    AttachFiles = "chat/attach", Local, blocking attach(AttachParams) -> AttachedFiles;
    /// Returns when the answer has ended or a tool needs a permission; events report its progress. A model's failure is in the answer.
    SendMessage = "chat/send", Run["chat", "run", "skill"], async send(SendParams) -> ChatDetail;
    /// Writes another answer to the same message. Both stay, as branches.
    RetryAnswer = "chat/retry", Run["chat", "run", "skill"], async retry(MessageRef) -> ChatDetail;
    /// Goes on with the last answer, if it was stopped, failed or was interrupted.
    ResumeAnswer = "chat/resume", Run["chat", "run", "skill"], async resume(ChatRef) -> ChatDetail;
    /// Answers a tool that asks for permission, and goes on once none asks.
    PermitTool = "chat/permit", Run["chat", "run", "skill"], async permit(PermitParams) -> ChatDetail;
    /// Stops the answer that this process is writing, if there is one.
    StopAnswer = "chat/stop", Run["chat"], blocking stop(ChatRef) -> Done;
    /// Shows the newest branch through a message.
    SelectBranch = "chat/select", Write["chat"], blocking select(MessageRef) -> ChatDetail;
    /// Asks again for what was permitted for always.
    WithdrawPermissions = "chat/withdraw", Write["chat"], blocking withdraw(NoParams) -> WithdrawnPermissions;
    /// Marks an answer as good or bad. It counts for the skills that the answer loaded.
    MarkAnswer = "chat/mark", Write["chat", "skill"], blocking mark(MarkParams) -> Done;
}
