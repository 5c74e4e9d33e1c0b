//! Writes answers in chats: prepares what the model is told, runs the turn with the operations as tools, and records how it ended.
//!
//! An answer is a message, and a sibling of other answers to the same message. Its steps are rows: the skills that fit, which are searched before
//! any model is asked; the model's texts; its tool calls with status, preview and result; its questions. [`Turn`] reads nothing but these
//! steps, so that the same code begins an answer and resumes it after a permission, an error or a kill. A call that was running when the process
//! died isn't repeated: the model is told that it may have taken effect.
//!
//! Reading is free. For other tools [`preview`] makes the change without storing it; the user sees the difference, and the call is made only
//! if it would still do the same. Consent is stored by tool and skill, for a session or for always. The key of a workspace's skill includes its
//! folder, since its database may claim any ID.
//!
//! The system prompt lists assigned skills first, then pinned ones, those that fit the message, and the rest, each as a whole or not at all.
//!
//! If a provider refuses tools, the turn continues with JSON objects (`inklings_agent::decision`), which become the same calls. Text that is left
//! out of a request, because the model's context is too small, is mentioned in the answer.

mod journal;
mod preview;
mod redaction;
mod skill_rules;
mod tools;

use std::sync::Arc;

use inklings_agent::history::{Calling, recommended};
use inklings_agent::{Turn, TurnEnd};
use inklings_core::chat::{ChatError as AnswerError, ChatMessage, ChatSession, ChatStep, MessageStatus};
use inklings_core::{LanguageModel, ModelError};
use inklings_rpc::{AnswerRef, CallContext, Failure};

use self::journal::ChatJournal;
use self::skill_rules::SkillRules;
use self::tools::ChatTools;
use crate::app::App;
use crate::features::chat::service::{self, PromptParts};
use crate::features::chat::{ActiveChat, ChatEventKind};

const NO_MODEL: &str = "No model is connected, so there is no answer. Skills that fit are above: those with scripts run without a model.";

/// Goes on with `answer`, which is stored as running, and stores it as it ended.
pub(crate) async fn answer(
    app: Arc<App>,
    cx: CallContext,
    active: ActiveChat<'_>,
    session: ChatSession,
    mut answer: ChatMessage,
) -> Result<(), Failure> {
    let journal = ChatJournal { app: app.clone(), session: session.id, message: answer.id };
    journal.publish(ChatEventKind::Began);
    let (status, error) = match write(&app, &cx, &session, &mut answer, &journal).await {
        Ok(TurnEnd::Done) => (MessageStatus::Done, None),
        Ok(TurnEnd::Waiting) => (MessageStatus::Waiting, None),
        Ok(TurnEnd::Stopped) => (MessageStatus::Stopped, None),
        Ok(TurnEnd::Failed(error)) => (MessageStatus::Failed, Some(error)),
        Err(failure) => {
            let hint = failure.hint.map(|hint| format!(". {hint}")).unwrap_or_default();
            (MessageStatus::Failed, Some(AnswerError { message: format!("{}{hint}", failure.message), retry: true }))
        }
    };
    answer.status = status;
    let end = move |app: &App| {
        let secrets = app.redactor.now();
        answer.content.error = error.map(|error| AnswerError { message: secrets.redact(&error.message), ..error });
        answer.content.model = answer.content.model.take().map(|model| secrets.redact(&model));
        Ok(app.chats.put_chat_message(&answer)?)
    };
    app.blocking(end).await?;
    drop(active);
    journal.publish(ChatEventKind::Ended { status });
    Ok(())
}

async fn write(
    app: &Arc<App>,
    cx: &CallContext,
    session: &ChatSession,
    answer: &mut ChatMessage,
    journal: &ChatJournal,
) -> Result<TurnEnd, Failure> {
    let asked = session.clone();
    let agent = app.blocking(move |app| Ok(service::agent_of(app.agents.as_ref(), &asked)?)).await?;
    let profile = agent.as_ref().map(|agent| &agent.profile);
    let wanted = session.model.clone().or_else(|| profile.and_then(|profile| profile.model.clone()));
    let model: Arc<dyn LanguageModel> = match app.models.model(wanted.as_ref()).await {
        Ok(model) => model,
        Err(ModelError::NotConfigured) => {
            let notice = ChatStep::Notice { text: NO_MODEL.to_owned() };
            if !answer.steps.contains(&notice) {
                answer.steps.push(notice);
                let position = answer.steps.len() - 1;
                inklings_agent::Journal::put(journal, position, &answer.steps[position]).await?;
            }
            return Ok(TurnEnd::Done);
        }
        Err(error) => return Err(error.into()),
    };
    let calling = if app.active_chats.lacks_tools(model.id()) { Calling::Text } else { Calling::Tools };
    let (context, session_id, current) = (cx.clone(), session.id, answer.clone());
    let answering = agent.clone();
    let prepare = move |app: &App| {
        let editor = app.editor(&context)?;
        let proposals = app.composer(&editor, &context).outline(session_id)?;
        let system = service::system(&PromptParts {
            catalog: &editor.catalog,
            agents: app.agents.as_ref(),
            agent: answering.as_ref(),
            workspace: context.workspace.as_deref(),
            workspace_key: &context.workspace_key(),
            pinned: &service::pinned(app.user.as_ref())?,
            recommended: recommended(&current.steps),
            proposals: &proposals,
        })?;
        let messages = app.chats.chat_messages(session_id)?;
        let asked = current.parent.and_then(|parent| messages.iter().find(|message| message.id == parent));
        let chosen = asked.and_then(|asked| asked.content.skill.as_deref());
        let rules = SkillRules::of(&editor.catalog, &current.steps, chosen)?;
        Ok((service::conversation(&messages, &current, system)?, rules))
    };
    let (conversation, rules) = app.blocking(prepare).await?;
    let tools = ChatTools::new(app.clone(), cx, AnswerRef { session: session.id, message: answer.id }, profile, rules);
    let turn = Turn { model: model.as_ref(), tools: &tools, journal, conversation: &conversation, calling, cancel: &cx.cancel };
    let report = turn.run(&mut answer.steps).await;
    if report.calling == Calling::Text && calling == Calling::Tools {
        app.active_chats.note_lacking_tools(model.id());
    }
    answer.content.usage.add(report.usage);
    answer.content.model = report.model.or_else(|| answer.content.model.take());
    Ok(report.end)
}
