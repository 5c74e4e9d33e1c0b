//! Prompt: rendered with the run's values and sent to the model after the instructions and the examples.

use std::collections::HashMap;

use async_trait::async_trait;
use inklings_core::model::{Finish, Message, Request, Role};
use inklings_core::{Artifact, ArtifactKind};
use inklings_prompt::PromptEngine;
use serde_json::Value;

use crate::context::{Conversation, ExecutionContext};
use crate::error::SkillError;
use crate::handler::ArtifactHandler;
use crate::output::ArtifactOutput;

pub(super) struct PromptTemplate;

#[async_trait]
impl ArtifactHandler for PromptTemplate {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::PromptTemplate
    }

    fn needs(&self, artifact: &Artifact, prompts: &PromptEngine) -> Result<Vec<String>, SkillError> {
        super::template_needs(artifact, prompts)
    }

    async fn execute(&self, artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
        let values = super::with_defaults(artifact, context.values);
        let prompt = context
            .prompts
            .render_str(&artifact.content, &values)
            .map_err(|error| SkillError::Template(Box::new(error.to_diagnostic(artifact.path.as_str()))))?;
        let request = request(artifact, &prompt, &context.conversation(), context.prompts);
        context.set_rendered(&request_text(&request));
        let model = context.model().await?;
        let completion = model.complete(&request, &|piece| context.text(piece), context.cancel).await?;
        if completion.finish == Finish::Refused && completion.text.trim().is_empty() {
            return Err(SkillError::Declined { model: completion.model });
        }
        Ok(ArtifactOutput {
            cut_off: completion.finish == Finish::Length,
            text: completion.text,
            tools_used: completion.tool_calls.into_iter().map(|call| call.name).collect(),
            ..ArtifactOutput::default()
        })
    }
}

/// Instructions, each example as an exchange, then the prompt.
fn request(artifact: &Artifact, prompt: &str, conversation: &Conversation, prompts: &PromptEngine) -> Request {
    let mut messages = Vec::with_capacity(conversation.examples.len() * 2 + 1);
    for example in &conversation.examples {
        messages.push(Message::text(Role::User, example_prompt(artifact, &example.input, prompts)));
        messages.push(Message::text(Role::Assistant, text_of(&example.output)));
    }
    messages.push(Message::text(Role::User, prompt));
    Request { system: conversation.system.join("\n\n"), messages, ..Request::default() }
}

/// The user message of an example: the same prompt rendered with the example's values if they suffice, else the input itself.
fn example_prompt(artifact: &Artifact, input: &Value, prompts: &PromptEngine) -> String {
    let rendered = input.as_object().and_then(|values| {
        let values: HashMap<String, Value> = values.clone().into_iter().collect();
        prompts.render_str(&artifact.content, &super::with_defaults(artifact, &values)).ok()
    });
    rendered.unwrap_or_else(|| text_of(input))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// The request as text for the trace, one section per message.
fn request_text(request: &Request) -> String {
    let mut text = String::new();
    let mut section = |role: &str, content: &str| {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str("--- ");
        text.push_str(role);
        text.push_str(" ---\n");
        text.push_str(content);
    };
    if !request.system.is_empty() {
        section("system", &request.system);
    }
    for message in &request.messages {
        let texts: Vec<_> = message
            .parts
            .iter()
            .filter_map(|part| match part {
                inklings_core::model::Part::Text { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        section(if message.role == Role::User { "user" } else { "assistant" }, &texts.join("\n"));
    }
    text
}
