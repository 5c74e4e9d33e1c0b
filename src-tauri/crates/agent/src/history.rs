//! Messages of a chat as messages of a model request, within the size of the model's context.

use std::fmt::Write as _;

use inklings_core::chat::{Attachment, ChatMessage, ChatStep, RecommendedSkill, ToolStep};
use inklings_core::model::{Message, Part, Role};
use inklings_prompt::tokens;

/// Result of a call for which there is none, since every call needs one.
const NO_RESULT: &str = "The call was not made.";
const ANSWERED_BELOW: &str = "The user's answer is the next message.";
const OMITTED: &str = "[left out to save space; call the tool again if you need it]";

/// Whether the model can call tools, or writes JSON objects instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calling {
    Tools,
    Text,
}

/// A message of the user and its answer.
pub type Exchange = Vec<Message>;

/// The exchanges of a branch, without the answer that is being written. `branch` begins with a message of the user.
#[must_use]
pub fn exchanges(branch: &[ChatMessage], calling: Calling) -> Vec<Exchange> {
    let mut all: Vec<Exchange> = Vec::new();
    for (index, message) in branch.iter().enumerate() {
        match message.role {
            Role::User => {
                let answer = branch.get(index + 1).map(|answer| answer.steps.as_slice()).unwrap_or_default();
                all.push(vec![Message::text(Role::User, user_text(message, recommended(answer)))]);
            }
            Role::Assistant => {
                let rounds = rounds(&message.steps, calling);
                match all.last_mut() {
                    Some(exchange) if !rounds.is_empty() => exchange.extend(rounds),
                    _ => {}
                }
            }
        }
    }
    all
}

/// The skills that were recommended for the message.
#[must_use]
pub fn recommended(steps: &[ChatStep]) -> &[RecommendedSkill] {
    steps
        .iter()
        .find_map(|step| if let ChatStep::Recommended { skills } = step { Some(skills.as_slice()) } else { None })
        .unwrap_or_default()
}

/// A message of the user as the model reads it.
#[must_use]
pub fn user_text(message: &ChatMessage, recommended: &[RecommendedSkill]) -> String {
    let mut text = message.content.text.clone();
    for Attachment { name, text: attached } in &message.content.attachments {
        let _ = write!(text, "\n\n<attachment name={name:?}>\n{attached}\n</attachment>");
    }
    if let Some(skill) = &message.content.skill {
        let _ = write!(text, "\n\nUse the skill {skill} for this.");
    } else if !recommended.is_empty() {
        text.push_str("\n\n<fitting-skills>\n");
        for skill in recommended {
            let _ = writeln!(text, "- {}: {}", skill.slug, skill.description.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        text.push_str("</fitting-skills>");
    }
    text
}

/// The steps of an answer as the model wrote them, each response with the results of its calls.
#[must_use]
pub fn rounds(steps: &[ChatStep], calling: Calling) -> Vec<Message> {
    let mut messages = Vec::new();
    let last = steps.iter().filter_map(round_of).max();
    for round in 0..=last.unwrap_or_default() {
        let (mut said, mut results) = (Vec::new(), Vec::new());
        for step in steps.iter().filter(|step| round_of(step) == Some(round)) {
            match step {
                ChatStep::Text { text, .. } => said.push(Part::Text { text: text.clone() }),
                ChatStep::Question { call: Some(call), .. } if calling == Calling::Tools => {
                    said.push(Part::ToolCall(call.clone()));
                    results.push(Part::ToolResult { id: call.id.clone(), text: ANSWERED_BELOW.to_owned() });
                }
                ChatStep::Question { question, .. } => said.push(Part::Text { text: question.clone() }),
                ChatStep::Tool { step, .. } => {
                    let (call, result) = exchange_of(step, calling);
                    said.push(call);
                    results.push(result);
                }
                _ => {}
            }
        }
        let spoken = |part: &Part| !matches!(part, Part::Text { text } if text.is_empty());
        if said.iter().any(spoken) {
            messages.push(Message { role: Role::Assistant, parts: said });
        }
        if !results.is_empty() {
            messages.push(Message { role: Role::User, parts: results });
        }
    }
    messages
}

pub(crate) const fn round_of(step: &ChatStep) -> Option<u32> {
    match step {
        ChatStep::Text { round, .. } | ChatStep::Question { round, .. } | ChatStep::Tool { round, .. } => Some(*round),
        _ => None,
    }
}

fn exchange_of(step: &ToolStep, calling: Calling) -> (Part, Part) {
    let call = &step.call;
    let result = step.result.as_deref().unwrap_or(NO_RESULT);
    match calling {
        Calling::Tools => (Part::ToolCall(call.clone()), Part::ToolResult { id: call.id.clone(), text: result.to_owned() }),
        Calling::Text => {
            let said = serde_json::json!({"decision": "act", "tool": call.name, "arguments": call.arguments});
            (Part::Text { text: said.to_string() }, Part::Text { text: format!("Result of {}:\n{result}", call.name) })
        }
    }
}

/// Tokens of a message, as far as they can be counted without the provider.
#[must_use]
pub fn size(message: &Message) -> usize {
    const OVERHEAD: usize = 4;
    let part = |part: &Part| match part {
        Part::Text { text } | Part::ToolResult { text, .. } => tokens::count(text),
        Part::ToolCall(call) => tokens::count(&call.name) + tokens::count(&call.arguments.to_string()),
    };
    message.parts.iter().map(part).sum::<usize>() + OVERHEAD
}

/// What fits: the oldest exchanges are dropped first, then the oldest results of tools of the current one.
#[derive(Debug, PartialEq)]
pub struct Fitted {
    pub messages: Vec<Message>,
    /// Number of exchanges that were left out.
    pub dropped: usize,
}

/// `current` is the exchange that is being answered. Its texts are never left out.
#[must_use]
pub fn fit(exchanges: &[Exchange], mut current: Vec<Message>, budget: usize) -> Fitted {
    let mut used: usize = current.iter().map(size).sum();
    if used > budget {
        used = omit_results(&mut current, used, budget);
    }
    let mut kept = Vec::new();
    for exchange in exchanges.iter().rev() {
        let size: usize = exchange.iter().map(size).sum();
        if used + size > budget {
            break;
        }
        used += size;
        kept.push(exchange);
    }
    let dropped = exchanges.len() - kept.len();
    Fitted { messages: alternating(kept.into_iter().rev().flatten().cloned().chain(current)), dropped }
}

/// Joins messages of the same role, which providers don't accept in a row.
fn alternating(messages: impl Iterator<Item = Message>) -> Vec<Message> {
    let mut all: Vec<Message> = Vec::new();
    for message in messages {
        match all.last_mut() {
            Some(last) if last.role == message.role => last.parts.extend(message.parts),
            _ => all.push(message),
        }
    }
    all
}

/// Leaves out results, oldest first but for the last message's. Returns the size afterwards.
fn omit_results(messages: &mut [Message], mut used: usize, budget: usize) -> usize {
    let last = messages.len().saturating_sub(1);
    for part in messages[..last].iter_mut().flat_map(|message| &mut message.parts) {
        if used <= budget {
            break;
        }
        if let Part::ToolResult { text, .. } = part {
            let saved = tokens::count(text).saturating_sub(tokens::count(OMITTED));
            if saved > 0 {
                OMITTED.clone_into(text);
                used -= saved;
            }
        }
    }
    used
}
