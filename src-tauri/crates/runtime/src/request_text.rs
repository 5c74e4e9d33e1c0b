//! Requests as text for the trace, one section per message.

use inklings_core::model::{Message, Part, Request, Role};

/// As in a trace.
#[must_use]
pub fn request_text(request: &Request) -> String {
    let mut text = String::new();
    if !request.system.is_empty() {
        section(&mut text, "system", &request.system);
    }
    append_messages(&mut text, &request.messages);
    text
}

pub(crate) fn append_messages(text: &mut String, messages: &[Message]) {
    for message in messages {
        let parts: Vec<_> = message.parts.iter().map(part_text).collect();
        section(text, if message.role == Role::User { "user" } else { "assistant" }, &parts.join("\n"));
    }
}

fn part_text(part: &Part) -> String {
    match part {
        Part::Text { text } | Part::ToolResult { text, .. } => text.clone(),
        Part::ToolCall(call) => format!("calls {} {}", call.name, call.arguments),
    }
}

fn section(text: &mut String, role: &str, content: &str) {
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str("--- ");
    text.push_str(role);
    text.push_str(" ---\n");
    text.push_str(content);
}

/// Estimated tokens of all texts of a request, counted with one encoding for all models.
#[must_use]
pub fn request_tokens(request: &Request) -> usize {
    let parts = request.messages.iter().flat_map(|message| &message.parts).map(part_text);
    let texts: usize = parts.map(|text| inklings_prompt::tokens::count(&text)).sum();
    inklings_prompt::tokens::count(&request.system) + texts
}
