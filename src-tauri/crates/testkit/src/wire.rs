//! Wire formats: `OpenAI`'s chat completions and responses, and Anthropic's messages.

use serde_json::{Value, json};

use crate::request::{RequestSummary, rough_tokens};
use crate::script::{Call, Finish, Reply, Tokens};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// `POST /chat/completions`.
    Chat,
    /// `POST /responses`.
    Responses,
    /// `POST /messages`.
    Messages,
}

/// A chunk of a stream, and whether the script's delay applies before it.
pub(crate) type TimedFrame = (bool, String);

impl Format {
    /// The format of an endpoint.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        [("/chat/completions", Self::Chat), ("/responses", Self::Responses), ("/messages", Self::Messages)]
            .into_iter()
            .find_map(|(end, format)| path.ends_with(end).then_some(format))
    }

    /// The whole stream of an answer.
    pub(crate) fn frames(self, request: &RequestSummary, reply: &Reply) -> Vec<TimedFrame> {
        let mut frames = self.beginning(request, reply);
        frames.extend(self.ending(request, reply).into_iter().map(|frame| (false, frame)));
        frames
    }

    /// The stream up to the last chunk of text.
    pub(crate) fn beginning(self, request: &RequestSummary, reply: &Reply) -> Vec<TimedFrame> {
        let pieces = reply.pieces();
        let model = reply.model.as_deref().unwrap_or(&request.model);
        let opening = match self {
            Self::Chat => vec![chat(model, &json!({"role": "assistant", "content": ""}), None)],
            Self::Responses => {
                let response = json!({"id": "resp_1", "object": "response", "status": "in_progress", "model": model, "output": []});
                let mut opening = vec![event(&json!({"type": "response.created", "response": response}))];
                if !pieces.is_empty() {
                    let item = json!({"type": "message", "id": "msg_1", "status": "in_progress", "role": "assistant", "content": []});
                    opening.push(event(&json!({"type": "response.output_item.added", "output_index": 0, "item": item})));
                    opening.push(event(&json!({"type": "response.content_part.added", "item_id": "msg_1", "output_index": 0,
                        "content_index": 0, "part": {"type": "output_text", "text": "", "annotations": []}})));
                }
                opening
            }
            Self::Messages => {
                let counts = tokens(request, reply);
                let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": model,
                    "stop_reason": null, "stop_sequence": null, "usage": anthropic_usage(Tokens { output: 1, ..counts })});
                let mut opening = vec![event(&json!({"type": "message_start", "message": message}))];
                if !pieces.is_empty() {
                    let block = json!({"type": "text", "text": ""});
                    opening.push(event(&json!({"type": "content_block_start", "index": 0, "content_block": block})));
                }
                opening.push(event(&json!({"type": "ping"})));
                opening
            }
        };
        let piece = |text: &String| match self {
            Self::Chat => chat(model, &json!({"content": text}), None),
            Self::Responses => event(&json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0,
                "content_index": 0, "delta": text})),
            Self::Messages => event(&json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})),
        };
        let opening = opening.into_iter().map(|frame| (false, frame));
        opening.chain(pieces.iter().map(|text| (true, piece(text)))).collect()
    }

    fn ending(self, request: &RequestSummary, reply: &Reply) -> Vec<String> {
        match self {
            Self::Chat => chat_ending(request, reply),
            Self::Responses => responses_ending(request, reply),
            Self::Messages => messages_ending(request, reply),
        }
    }

    /// The answer without streaming.
    pub(crate) fn whole(self, request: &RequestSummary, reply: &Reply) -> Value {
        let (text, counts) = (reply.pieces().concat(), tokens(request, reply));
        let model = reply.model.as_deref().unwrap_or(&request.model);
        let calls = reply.tool_calls.iter().enumerate();
        match self {
            Self::Chat => {
                let calls: Vec<Value> = calls.map(|(index, call)| chat_call(index, call, &arguments(call))).collect();
                let mut message = json!({"role": "assistant", "content": text});
                if !calls.is_empty() {
                    message["tool_calls"] = Value::Array(calls);
                }
                json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": model, "usage": chat_usage(counts),
                    "choices": [{"index": 0, "message": message, "finish_reason": chat_finish(reply.finish())}]})
            }
            Self::Responses => responses_whole(request, reply),
            Self::Messages => {
                let mut content = if text.is_empty() { vec![] } else { vec![json!({"type": "text", "text": text})] };
                content.extend(calls.map(
                    |(index, call)| json!({"type": "tool_use", "id": call_id(index, call), "name": call.name, "input": call.arguments}),
                ));
                json!({"id": "msg_1", "type": "message", "role": "assistant", "content": content, "model": model,
                    "stop_reason": messages_finish(reply.finish()), "stop_sequence": null, "usage": anthropic_usage(counts)})
            }
        }
    }
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// An event whose name is also its type.
fn event(value: &Value) -> String {
    format!("event: {}\n{}", value["type"].as_str().unwrap_or_default(), data(value))
}

fn tokens(request: &RequestSummary, reply: &Reply) -> Tokens {
    reply.usage.unwrap_or_else(|| Tokens { input: request.tokens, output: rough_tokens(&reply.pieces().concat()).max(1), cached: 0 })
}

fn arguments(call: &Call) -> String {
    match &call.arguments {
        Value::String(text) => text.clone(),
        Value::Null => "{}".to_owned(),
        other => other.to_string(),
    }
}

fn call_id(index: usize, call: &Call) -> String {
    call.id.clone().unwrap_or_else(|| format!("call_{}", index + 1))
}

/// The arguments in two chunks, as real models send them.
fn halves(call: &Call) -> [String; 2] {
    let text = arguments(call);
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (first, second) = text.split_at(middle);
    [first.to_owned(), second.to_owned()]
}

fn chat(model: &str, delta: &Value, finish: Option<&str>) -> String {
    data(&json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))
}

fn chat_call(index: usize, call: &Call, arguments: &str) -> Value {
    json!({"index": index, "id": call_id(index, call), "type": "function", "function": {"name": call.name, "arguments": arguments}})
}

fn chat_usage(counts: Tokens) -> Value {
    json!({"prompt_tokens": counts.input, "completion_tokens": counts.output, "total_tokens": counts.input + counts.output,
        "prompt_tokens_details": {"cached_tokens": counts.cached}})
}

const fn chat_finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::ToolCalls => "tool_calls",
        Finish::Refused => "content_filter",
    }
}

fn chat_ending(request: &RequestSummary, reply: &Reply) -> Vec<String> {
    let model = reply.model.as_deref().unwrap_or(&request.model);
    let mut frames = Vec::new();
    for (index, call) in reply.tool_calls.iter().enumerate() {
        frames.push(chat(model, &json!({"tool_calls": [chat_call(index, call, "")]}), None));
        frames.extend(
            halves(call).map(|half| chat(model, &json!({"tool_calls": [{"index": index, "function": {"arguments": half}}]}), None)),
        );
    }
    frames.push(chat(model, &json!({}), Some(chat_finish(reply.finish()))));
    if request.usage_in_stream {
        frames.push(data(&json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": model,
            "choices": [], "usage": chat_usage(tokens(request, reply))})));
    }
    frames.push("data: [DONE]\n\n".to_owned());
    frames
}

fn anthropic_usage(counts: Tokens) -> Value {
    json!({"input_tokens": counts.input.saturating_sub(counts.cached), "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": counts.cached, "output_tokens": counts.output})
}

const fn messages_finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "end_turn",
        Finish::Length => "max_tokens",
        Finish::ToolCalls => "tool_use",
        Finish::Refused => "refusal",
    }
}

fn messages_ending(request: &RequestSummary, reply: &Reply) -> Vec<String> {
    let first = usize::from(!reply.pieces().is_empty());
    let mut frames = Vec::new();
    if first == 1 {
        frames.push(event(&json!({"type": "content_block_stop", "index": 0})));
    }
    for (number, call) in reply.tool_calls.iter().enumerate() {
        let index = first + number;
        let block = json!({"type": "tool_use", "id": call_id(number, call), "name": call.name, "input": {}});
        frames.push(event(&json!({"type": "content_block_start", "index": index, "content_block": block})));
        frames.extend(halves(call).map(|half| {
            event(&json!({"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": half}}))
        }));
        frames.push(event(&json!({"type": "content_block_stop", "index": index})));
    }
    let delta = json!({"stop_reason": messages_finish(reply.finish()), "stop_sequence": null});
    frames.push(event(&json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": tokens(request, reply).output}})));
    frames.push(event(&json!({"type": "message_stop"})));
    frames
}

fn responses_call(index: usize, call: &Call) -> Value {
    json!({"type": "function_call", "id": format!("fc_{}", index + 1), "call_id": call_id(index, call), "name": call.name,
        "arguments": arguments(call), "status": "completed"})
}

fn responses_message(text: &str) -> Value {
    json!({"type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn responses_whole(request: &RequestSummary, reply: &Reply) -> Value {
    let (pieces, counts) = (reply.pieces(), tokens(request, reply));
    let mut output = if pieces.is_empty() { vec![] } else { vec![responses_message(&pieces.concat())] };
    output.extend(reply.tool_calls.iter().enumerate().map(|(index, call)| responses_call(index, call)));
    let (status, details) = match reply.finish() {
        Finish::Length => ("incomplete", json!({"reason": "max_output_tokens"})),
        Finish::Refused => ("incomplete", json!({"reason": "content_filter"})),
        Finish::Stop | Finish::ToolCalls => ("completed", Value::Null),
    };
    json!({"id": "resp_1", "object": "response", "created_at": 0, "status": status, "incomplete_details": details, "error": null,
        "model": reply.model.as_deref().unwrap_or(&request.model), "output": output, "tools": [],
        "usage": {"input_tokens": counts.input, "input_tokens_details": {"cached_tokens": counts.cached},
            "output_tokens": counts.output, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": counts.input + counts.output}})
}

fn responses_ending(request: &RequestSummary, reply: &Reply) -> Vec<String> {
    let pieces = reply.pieces();
    let mut frames = Vec::new();
    if !pieces.is_empty() {
        let item = responses_message(&pieces.concat());
        frames.push(event(&json!({"type": "response.output_item.done", "output_index": 0, "item": item})));
    }
    for (number, call) in reply.tool_calls.iter().enumerate() {
        let (index, item) = (number + usize::from(!pieces.is_empty()), responses_call(number, call));
        let mut partial = item.clone();
        partial["arguments"] = json!("");
        frames.push(event(&json!({"type": "response.output_item.added", "output_index": index, "item": partial})));
        frames.extend(halves(call).map(|half| {
            event(&json!({"type": "response.function_call_arguments.delta", "item_id": item["id"], "output_index": index, "delta": half}))
        }));
        frames.push(event(&json!({"type": "response.output_item.done", "output_index": index, "item": item})));
    }
    let response = responses_whole(request, reply);
    let kind = if response["status"] == "incomplete" { "response.incomplete" } else { "response.completed" };
    frames.push(event(&json!({"type": kind, "response": response})));
    frames
}
