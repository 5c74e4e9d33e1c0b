//! The tools of a chat: the operations of the family `tool`, with the user's permissions.

use std::sync::Arc;

use async_trait::async_trait;
use inklings_agent::{Outcome, Review, ToolBox};
use inklings_core::StorageError;
use inklings_core::agent::AgentProfile;
use inklings_core::chat::{Consent, ToolPreview};
use inklings_core::model::{Tool, ToolCall};
use inklings_core::proposal::Approval;
use inklings_rpc::{AnswerRef, CallContext, Failure, Role};
use serde_json::Value;

use super::preview::preview;
use super::redaction::{call_arguments, redact_preview};
use super::skill_rules::SkillRules;
use crate::app::App;
use crate::features::tool::{self, ToolSet, consent_name, is_write, native_name, operation_name};
use crate::registry::dispatch;

/// Recorded as the author of what a model writes.
const ACTOR: &str = "assistant";

pub(super) struct ChatTools {
    app: Arc<App>,
    cx: CallContext,
    answer: AnswerRef,
    tools: Vec<Tool>,
    /// Names of the tools that the agent may call. `None` for all.
    allowed: Option<Vec<String>>,
    rules: Arc<SkillRules>,
    /// Who permits calls.
    user: String,
}

impl ChatTools {
    pub(super) fn new(app: Arc<App>, cx: &CallContext, answer: AnswerRef, profile: Option<&AgentProfile>, rules: SkillRules) -> Self {
        let allowed = profile.and_then(|profile| profile.tools.clone());
        // A profile may name tools that models aren't told of else.
        let set = if allowed.is_some() { ToolSet::All } else { ToolSet::Default };
        let tools = tool::descriptions(set).filter(|tool| {
            allowed.as_ref().is_none_or(|allowed| allowed.contains(&tool.name))
                && (cx.workspace.is_some() || !tool::needs_workspace(&tool.name))
        });
        let user = cx.actor.clone();
        let cx = CallContext { actor: ACTOR.to_owned(), role: Role::Assistant, answer: Some(answer), ..cx.clone() };
        Self { tools: tools.collect(), allowed, app, cx, answer, rules: Arc::new(rules), user }
    }

    fn preview(&self, call: &ToolCall) -> impl Future<Output = Result<Option<ToolPreview>, Failure>> + use<> {
        let (app, cx, call) = (self.app.clone(), self.cx.clone(), call.clone());
        let look = move |app: &App| {
            let secrets = app.redactor.now();
            let mut found = preview(app, &cx, &call.name, &call_arguments(&secrets, &call))?;
            // As it is stored, since both are compared when the call is permitted.
            if let Some(found) = &mut found {
                redact_preview(&secrets, found);
            }
            Ok(found)
        };
        async move { app.blocking(look).await }
    }

    /// The rules of a skill that is used apply from the next request on. What was written behind gates was approved.
    fn note_use(&self, call: &ToolCall) -> impl Future<Output = Result<(), Failure>> + use<> {
        let (app, cx, call, rules) = (self.app.clone(), self.cx.clone(), call.clone(), self.rules.clone());
        let (answer, user) = (self.answer.message, self.user.clone());
        async move {
            let note = move |app: &App| {
                if is_write(&call) {
                    for label in rules.before_write() {
                        let approval = Approval { actor: &user, reason: Some(&label) };
                        app.approvals.put_decision(&format!("{answer} {}", call.id), true, approval)?;
                    }
                }
                Ok(rules.note(&app.catalog(&cx)?, &call)?)
            };
            app.blocking(note).await
        }
    }

    fn is_granted(&self, call: &ToolCall, preview: &ToolPreview) -> impl Future<Output = Result<bool, Failure>> + use<> {
        let (app, session, tool) = (self.app.clone(), self.answer.session, consent_name(call).into_owned());
        let skill = preview.skill.as_ref().map(|skill| skill.consent_key(&self.cx.workspace_key()));
        async move {
            let look = move |app: &App| -> Result<bool, StorageError> {
                app.chats.is_granted(Consent { tool: &tool, skill: skill.as_deref(), session: Some(session) })
            };
            app.blocking(move |app| Ok(look(app)?)).await
        }
    }
}

#[async_trait]
impl ToolBox for ChatTools {
    fn tools(&self) -> Vec<Tool> {
        self.tools.iter().filter(|tool| !self.rules.forbids(&tool.name)).cloned().collect()
    }

    fn accepts(&self, call: &ToolCall) -> bool {
        let names = [call.name.as_str(), native_name(call)];
        operation_name(&call.name).is_some()
            && (self.cx.workspace.is_some() || !tool::needs_workspace(&call.name))
            && self.allowed.as_ref().is_none_or(|allowed| allowed.iter().any(|name| names.contains(&name.as_str())))
            && !names.iter().any(|name| self.rules.forbids(name))
    }

    async fn review(&self, call: &ToolCall) -> Result<Review, String> {
        let preview = self.preview(call).await.map_err(|failure| failure.text())?;
        let Some(mut preview) = preview else { return Ok(Review::Free) };
        if is_write(call) {
            preview.gates.extend(self.rules.before_write());
        }
        // A gate asks each time, whatever was allowed for always.
        if !preview.gates.is_empty() {
            return Ok(Review::Ask(preview));
        }
        let granted = self.is_granted(call, &preview).await.map_err(|failure| failure.text())?;
        Ok(if granted { Review::Granted(preview) } else { Review::Ask(preview) })
    }

    async fn call(&self, call: &ToolCall) -> Outcome {
        let Some(operation) = operation_name(&call.name) else {
            return Outcome::failed(format!("there is no tool {:?}", call.name));
        };
        let arguments = call_arguments(&self.app.redactor.now(), call);
        let called = dispatch(self.app.clone(), self.cx.clone(), operation, arguments).await;
        let mut value = match called {
            Ok(value) => value,
            Err(failure) => return Outcome::failed(failure.text()),
        };
        if let Err(failure) = self.note_use(call).await {
            return Outcome::failed(failure.text());
        }
        let change =
            value.as_object_mut().and_then(|object| object.remove("change")).and_then(|change| serde_json::from_value(change).ok());
        let run = value.get("run").and_then(Value::as_str).and_then(|run| run.parse().ok());
        let proposal = value.get("proposal").and_then(Value::as_str).and_then(|proposal| proposal.parse().ok());
        let failed = run.is_some() && value.get("error").is_some_and(|error| !error.is_null())
            || proposal.is_some() && value.get("repair").and_then(Value::as_bool) == Some(true);
        let text = self.app.redactor.redact(&value.to_string());
        Outcome { result: if failed { Err(text) } else { Ok(text) }, change, run, proposal }
    }
}
