//! `inklings chat`

mod stream;

use std::fmt::Write as _;
use std::path::Path;

use inklings_app::features::chat::{
    ChatDetail, ChatEntry, ChatList, ChatRef, CreateChat, CreateChatParams, DeleteChat, GetChat, ListChats, ListChatsParams, MarkAnswer,
    MarkParams, MessageRef, Permit, PermitParams, PermitTool, ResumeAnswer, RetryAnswer, SelectBranch, SendMessage, SendParams, UpdateChat,
    UpdateChatParams, WithdrawPermissions,
};
use inklings_core::SessionId;
use inklings_core::chat::{Attachment, ChatStep, Feedback, MessageStatus, ToolStatus, ToolStep};
use inklings_core::model::Role;
use inklings_rpc::{Code, Failure, NoParams};

use self::stream::{AnswerStream, recommended_text};
use crate::args::{AnswererArgs, ChatCommand, MarkArg, PermitArg, SendArgs};
use crate::commands::common::{NamedText, unified};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::{Out, table};

const MAX_MESSAGE_BYTES: usize = 256 * 1024;

pub(crate) async fn run(session: &Session, command: ChatCommand, out: &Out) -> Result<(), CliError> {
    match command {
        ChatCommand::Send(args) => send(session, args, out).await,
        ChatCommand::List { text } => {
            let params = ListChatsParams { text: text.unwrap_or_default(), ..ListChatsParams::default() };
            out.result(&session.call::<ListChats>(params).await?, list)
        }
        ChatCommand::Show { session: id } => out.result(&session.call::<GetChat>(ChatRef { session: id }).await?, transcript),
        ChatCommand::Permit { session: id, call, permit } => {
            let mut stream = AnswerStream::begin(session, id, known_steps(session, id).await?, out);
            let params = PermitParams { session: id, call, permit: permit.into() };
            let detail = stream.follow::<PermitTool>(params).await?;
            finish(stream, &detail, out).await
        }
        ChatCommand::Retry { session: id, message, by } => {
            choose_answerer(session, id, by).await?;
            let message = match message {
                Some(message) => message,
                None => last_answer(&session.call::<GetChat>(ChatRef { session: id }).await?)?,
            };
            let mut stream = AnswerStream::begin(session, id, 0, out);
            let detail = stream.follow::<RetryAnswer>(MessageRef { session: id, message }).await?;
            finish(stream, &detail, out).await
        }
        ChatCommand::Resume { session: id, by } => {
            choose_answerer(session, id, by).await?;
            let mut stream = AnswerStream::begin(session, id, known_steps(session, id).await?, out);
            let detail = stream.follow::<ResumeAnswer>(ChatRef { session: id }).await?;
            finish(stream, &detail, out).await
        }
        ChatCommand::Select { session: id, message } => {
            out.result(&session.call::<SelectBranch>(MessageRef { session: id, message }).await?, transcript)
        }
        ChatCommand::Rename { session: id, title } => {
            let params = UpdateChatParams { session: id, title: Some(title), agent: None, model: None };
            out.result(&session.call::<UpdateChat>(params).await?, |chat| format!("renamed to {}", chat.title))
        }
        ChatCommand::Mark { session: id, message, mark } => {
            let feedback = match mark {
                MarkArg::Up => Some(Feedback::Up),
                MarkArg::Down => Some(Feedback::Down),
                MarkArg::None => None,
            };
            let done = session.call::<MarkAnswer>(MarkParams { session: id, message, feedback }).await?;
            out.result(&done, |_| "marked".to_owned())
        }
        ChatCommand::ResetPermissions => {
            let withdrawn = session.call::<WithdrawPermissions>(NoParams {}).await?;
            out.result(&withdrawn, |withdrawn| format!("withdrew {} permissions", withdrawn.count))
        }
        ChatCommand::Delete { session: id } => {
            out.result(&session.call::<DeleteChat>(ChatRef { session: id }).await?, |_| format!("deleted {id}"))
        }
    }
}

impl From<PermitArg> for Permit {
    fn from(permit: PermitArg) -> Self {
        match permit {
            PermitArg::Once => Self::Once,
            PermitArg::Session => Self::Session,
            PermitArg::Always => Self::Always,
            PermitArg::Deny => Self::Deny,
        }
    }
}

async fn send(session: &Session, args: SendArgs, out: &Out) -> Result<(), CliError> {
    let text = if args.message == ["-"] { read_text("-".as_ref(), MAX_MESSAGE_BYTES)? } else { args.message.join(" ") };
    let attachments = args.attach.iter().map(|path| attachment(path)).collect::<Result<Vec<_>, _>>()?;
    let id = if let Some(id) = args.session {
        choose_answerer(session, id, args.by).await?;
        id
    } else {
        let params = CreateChatParams { title: None, agent: args.by.agent, model: args.by.model };
        session.call::<CreateChat>(params).await?.id
    };
    let params = SendParams { session: id, text, attachments, skill: args.skill, edits: args.edit };
    let mut stream = AnswerStream::begin(session, id, 0, out);
    let mut detail = stream.follow::<SendMessage>(params).await?;
    loop {
        let allowed = asked(&detail).find(|step| args.allow.contains(&step.call.name)).map(|step| step.call.id.clone());
        let Some(call) = allowed else { break };
        detail = stream.follow::<PermitTool>(PermitParams { session: id, call, permit: Permit::Once }).await?;
    }
    finish(stream, &detail, out).await
}

/// Changes the agent and the model of a chat as far as they are given.
async fn choose_answerer(session: &Session, id: SessionId, by: AnswererArgs) -> Result<(), CliError> {
    let agent = if by.no_agent { Some(None) } else { by.agent.map(Some) };
    let params = UpdateChatParams { session: id, title: None, agent, model: by.model.map(Some) };
    if params.agent.is_some() || params.model.is_some() {
        session.call::<UpdateChat>(params).await?;
    }
    Ok(())
}

fn attachment(path: &Path) -> Result<Attachment, CliError> {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    Ok(Attachment { name, text: read_text(path, MAX_MESSAGE_BYTES)? })
}

fn answer(detail: &ChatDetail) -> Option<&ChatEntry> {
    detail.messages.last().filter(|entry| entry.message.role == Role::Assistant)
}

fn last_answer(detail: &ChatDetail) -> Result<inklings_core::MessageId, CliError> {
    let last = answer(detail).map(|entry| entry.message.id);
    Ok(last.ok_or_else(|| Failure::new(Code::NotFound, "the chat has no answer").hint("send a message"))?)
}

/// Tool calls that wait for a permission.
fn asked(detail: &ChatDetail) -> impl Iterator<Item = &ToolStep> {
    answer(detail).into_iter().flat_map(|entry| &entry.message.steps).filter_map(|step| match step {
        ChatStep::Tool { step, .. } if step.status == ToolStatus::Asked => Some(step.as_ref()),
        _ => None,
    })
}

/// Number of steps of the answer that a command goes on with.
async fn known_steps(session: &Session, id: SessionId) -> Result<usize, CliError> {
    let detail = session.call::<GetChat>(ChatRef { session: id }).await?;
    Ok(answer(&detail).map_or(0, |entry| entry.message.steps.len()))
}

/// Prints the rest of the answer, or all as JSON. An answer that isn't complete is an error.
async fn finish(stream: AnswerStream<'_>, detail: &ChatDetail, out: &Out) -> Result<(), CliError> {
    stream.end(detail).await?;
    if out.is_json() {
        out.result(detail, |_| String::new())?;
    }
    let id = detail.session.id;
    match answer(detail).map(|entry| (entry.message.status, &entry.message.content.error)) {
        Some((MessageStatus::Done, _)) => Ok(()),
        Some((MessageStatus::Waiting, _)) => {
            for step in asked(detail) {
                out.note(&tool_text(step));
                out.note(&format!("`inklings chat permit {id} {} once` permits it", step.call.id));
            }
            Err(CliError::Findings)
        }
        Some((_, Some(error))) => {
            let hint = format!("`inklings chat resume {id}` tries again; --agent, --no-agent or --model changes who answers");
            Err(Failure::new(Code::Model, error.message.clone()).hint(hint).into())
        }
        _ => Err(CliError::Findings),
    }
}

fn answer_text(entry: &ChatEntry) -> String {
    let mut text = String::new();
    for step in &entry.message.steps {
        // Writing to a String can't fail.
        let _ = match step {
            ChatStep::Recommended { skills } => writeln!(text, "[{}]", recommended_text(skills)),
            ChatStep::Decided { .. } => Ok(()),
            ChatStep::Text { text: said, .. } => writeln!(text, "{}", said.trim_end()),
            ChatStep::Question { question, options, .. } => writeln!(text, "{}", question_text(question, options)),
            ChatStep::Tool { step, .. } => writeln!(text, "{}", tool_text(step)),
            ChatStep::Notice { text: notice } => writeln!(text, "[{notice}]"),
        };
    }
    text.trim_end().to_owned()
}

fn question_text(question: &str, options: &[String]) -> String {
    let lines = std::iter::once(question.to_owned()).chain(options.iter().map(|option| format!("- {option}")));
    lines.collect::<Vec<_>>().join("\n")
}

fn tool_text(step: &ToolStep) -> String {
    let mut text = format!("[{} {}: {}]", step.call.name, step.call.arguments, step.status.as_str());
    if step.status == ToolStatus::Asked
        && let Some(preview) = &step.preview
    {
        let _ = write!(text, "\n{}?", preview.summary);
        for file in &preview.files {
            let before = file.before.as_deref().unwrap_or_default();
            let after = file.after.as_deref().unwrap_or_default();
            let named = |text| NamedText { name: &file.path, text };
            let _ = write!(text, "\n{}", unified(named(before), named(after)).trim_end());
        }
    }
    text
}

fn transcript(detail: &ChatDetail) -> String {
    let mut parts = vec![format!("{} ({})", detail.session.title, detail.session.id)];
    for entry in &detail.messages {
        let message = &entry.message;
        let text = if message.role == Role::User { message.content.text.clone() } else { answer_text(entry) };
        let status = if message.status == MessageStatus::Done { String::new() } else { format!(", {}", message.status.as_str()) };
        let versions = if entry.versions.len() > 1 { format!(", one of {}", entry.versions.len()) } else { String::new() };
        parts.push(format!("\n{} {}{status}{versions}\n{text}", message.role.as_str(), message.id));
    }
    parts.join("\n")
}

fn list(list: &ChatList) -> String {
    if list.sessions.is_empty() {
        return "no chats".to_owned();
    }
    let rows = list.sessions.iter().map(|one| {
        vec![
            one.session.id.to_string(),
            one.session.updated_at.to_string(),
            format!("{} messages", one.messages),
            one.session.title.clone(),
        ]
    });
    table(&rows.collect::<Vec<_>>())
}
