//! Converts requests to rig's types and answers back.

use std::collections::BTreeMap;

use inklings_core::model::{Completion, Finish, Message, Part, Request, Role, TokenUsage, ToolCall};
use rig::completion::{CompletionRequest, CompletionResponse, FinishReason, ToolDefinition};
use rig::message::{
    AssistantContent, AssistantMessage, CallId, Message as RigMessage, ToolFunction, ToolName, ToolResultContent, UserContent,
};
use rig::schemars::Schema;
use serde_json::json;

/// A request that no provider accepts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnsupportedInput {
    #[error("the request has no content")]
    Empty,
    #[error("a tool has no name")]
    NamelessTool,
    #[error("the output schema must be a JSON object")]
    Schema,
    #[error("tool results must be in user messages, tool calls in assistant messages")]
    Role,
}

pub(crate) fn request(request: &Request) -> Result<CompletionRequest, UnsupportedInput> {
    // Some formats require the tool's name with its result, which only the call has.
    let mut called: BTreeMap<&str, &str> = BTreeMap::new();
    let mut history = Vec::new();
    for message in &request.messages {
        for part in &message.parts {
            if let Part::ToolCall(call) = part {
                called.insert(&call.id, &call.name);
            }
        }
        history.extend(turn(message, &called)?);
    }
    if history.is_empty() {
        return Err(UnsupportedInput::Empty);
    }
    let tools =
        request.tools.iter().map(|tool| Ok(ToolDefinition::new(tool_name(&tool.name)?, tool.description.clone(), tool.parameters.clone())));
    let tools = tools.collect::<Result<Vec<_>, UnsupportedInput>>()?;
    let schema = request.schema.clone().map(|schema| {
        // `true` is a valid schema, but no provider accepts it.
        Schema::try_from(schema).ok().filter(|schema| schema.as_object().is_some()).ok_or(UnsupportedInput::Schema)
    });
    let mut rig = CompletionRequest::from(history)
        .tools(tools)
        .temperature(request.temperature)
        .max_tokens(request.max_tokens)
        .output_schema(schema.transpose()?)
        .accept_unknown_finish_reasons(true);
    if !request.system.is_empty() {
        rig = rig.preamble(request.system.clone());
    }
    Ok(rig)
}

fn tool_name(name: &str) -> Result<ToolName, UnsupportedInput> {
    ToolName::new(name).map_err(|_| UnsupportedInput::NamelessTool)
}

fn turn(message: &Message, called: &BTreeMap<&str, &str>) -> Result<Option<RigMessage>, UnsupportedInput> {
    Ok(match message.role {
        Role::User => {
            let parts = message.parts.iter().filter(|part| !matches!(part, Part::Text { text } if text.is_empty()));
            let content = parts.map(|part| match part {
                Part::Text { text } => Ok(UserContent::text(text.clone())),
                Part::ToolResult { id, text } => {
                    let name = called.get(id.as_str()).copied().unwrap_or("tool");
                    let result = ToolResultContent::text(text.clone());
                    Ok(UserContent::tool_result(CallId::from_wire(id.clone()), tool_name(name)?, vec![result]))
                }
                Part::ToolCall(_) => Err(UnsupportedInput::Role),
            });
            let content = content.collect::<Result<Vec<_>, _>>()?;
            (!content.is_empty()).then_some(RigMessage::User { content })
        }
        Role::Assistant => {
            let parts = message.parts.iter().filter(|part| !matches!(part, Part::Text { text } if text.is_empty()));
            let content = parts.map(|part| match part {
                Part::Text { text } => Ok(AssistantContent::text(text.clone())),
                Part::ToolCall(call) => {
                    let function = ToolFunction::new(tool_name(&call.name)?, call.arguments.clone());
                    Ok(AssistantContent::ToolCall(rig::message::ToolCall::from_wire(call.id.clone(), function)))
                }
                Part::ToolResult { .. } => Err(UnsupportedInput::Role),
            });
            let content = content.collect::<Result<Vec<_>, _>>()?;
            (!content.is_empty()).then(|| RigMessage::Assistant(AssistantMessage::new(content)))
        }
    })
}

/// Bounded so that sums can't overflow, whatever a provider reports.
fn plausible(tokens: u64) -> u64 {
    tokens.min(1 << 40)
}

pub(crate) fn completion(response: &CompletionResponse, asked: &str) -> Completion {
    let finish = match response.finish_reason() {
        Some(FinishReason::Stop) => Finish::Stop,
        Some(FinishReason::Length) => Finish::Length,
        Some(FinishReason::ToolCalls) => Finish::ToolCalls,
        Some(FinishReason::ContentFilter) => Finish::Refused,
        _ => Finish::Unknown,
    };
    let mut tool_calls = Vec::new();
    for call in response.tool_calls() {
        let (arguments, invalid_arguments) = match &call.function.invalid_arguments {
            None => (call.function.arguments_value(), None),
            // An answer that was cut off at its token limit omits its incomplete call.
            Some(_) if finish == Finish::Length => continue,
            // Not what could be read of them: nobody may take it for the model's.
            Some(text) => (json!({}), Some(text.clone())),
        };
        let (id, name) = (call.id.wire().into_owned(), call.function.name.as_str().to_owned());
        tool_calls.push(ToolCall { id, name, arguments, invalid_arguments });
    }
    Completion {
        text: response.text(),
        tool_calls,
        finish,
        usage: TokenUsage {
            input_tokens: response.usage.input_tokens.map(plausible),
            output_tokens: response.usage.output_tokens.map(plausible),
            cached_tokens: response.usage.cached_input_tokens.map(plausible),
        },
        model: response.model().unwrap_or(asked).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use inklings_core::model::Tool;

    use super::*;

    #[test]
    fn what_no_provider_takes_is_refused_here() {
        let hello = Message::text(Role::User, "hello");
        let base = Request { messages: vec![hello.clone()], ..Request::default() };
        let tool = Tool { name: String::new(), description: String::new(), parameters: json!({}) };
        let result = Message { role: Role::Assistant, parts: vec![Part::ToolResult { id: "1".to_owned(), text: String::new() }] };
        let cases = [
            (Request { messages: vec![Message::text(Role::User, "")], ..Request::default() }, UnsupportedInput::Empty),
            (Request { schema: Some(json!("no")), ..base.clone() }, UnsupportedInput::Schema),
            (Request { schema: Some(json!(true)), ..base.clone() }, UnsupportedInput::Schema),
            (Request { tools: vec![tool], ..base.clone() }, UnsupportedInput::NamelessTool),
            (Request { messages: vec![hello, result], ..Request::default() }, UnsupportedInput::Role),
        ];
        for (bad, why) in cases {
            assert_eq!(request(&bad).unwrap_err(), why);
        }
        assert!(request(&base).is_ok());
    }
}
