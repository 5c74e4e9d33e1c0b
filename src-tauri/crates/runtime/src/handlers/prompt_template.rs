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
use crate::request_text::request_text;

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
        let request = request(artifact, context.values, &context.conversation(), context.prompts)?;
        context.set_rendered(&request_text(&request));
        let model = context.model().await?;
        let completion = model.complete(&request, &|piece| context.text(piece), context.cancel).await?;
        if completion.finish == Finish::Refused && completion.text.trim().is_empty() {
            return Err(SkillError::Declined { model: completion.model });
        }
        Ok(ArtifactOutput {
            cut_off: matches!(completion.finish, Finish::Length | Finish::Refused),
            text: completion.text,
            tools_used: completion.tool_calls.into_iter().map(|call| call.name).collect(),
            ..ArtifactOutput::default()
        })
    }
}

/// Instructions, each example as an exchange, then the rendered prompt.
pub(crate) fn request(
    artifact: &Artifact,
    values: &HashMap<String, Value>,
    conversation: &Conversation,
    prompts: &PromptEngine,
) -> Result<Request, SkillError> {
    let prompt = prompts
        .render_str(&artifact.content, &super::with_defaults(artifact, values))
        .map_err(|error| SkillError::Template(Box::new(error.to_diagnostic(artifact.path.as_str()))))?;
    let mut messages = Vec::with_capacity(conversation.examples.len() * 2 + 1);
    for example in &conversation.examples {
        messages.push(Message::text(Role::User, example_prompt(artifact, &example.input, prompts)));
        messages.push(Message::text(Role::Assistant, text_of(&example.output)));
    }
    messages.push(Message::text(Role::User, prompt));
    Ok(Request { system: conversation.system.join("\n\n"), messages, ..Request::default() })
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
