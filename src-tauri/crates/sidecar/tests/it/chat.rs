//! A model that answers in the chat adapter's format with all requested fields.

use inklings_core::model::{Completion, Part, Request, Role};

use crate::support::completion;

/// Every field gets a value of its type: texts are `Paris`.
pub(crate) fn answer(request: &Request) -> Completion {
    let asked = request.messages.iter().rev().find(|message| message.role == Role::User).map(|message| &message.parts[..]);
    let text: String =
        asked.unwrap_or_default().iter().filter_map(|part| if let Part::Text { text } = part { Some(&**text) } else { None }).collect();
    let Some((_, wanted)) = text.rsplit_once("Respond with the corresponding output fields") else {
        // A reflection asks for instructions in a block.
        return completion("```\nName the city and nothing else.\n```");
    };
    let fields = wanted.split("`[[ ## ").skip(1).filter_map(|field| field.split_once(" ## ]]`"));
    let values = fields.map(|(name, hint)| format!("[[ ## {name} ## ]]\n{}", value(name, hint)));
    completion(&values.collect::<Vec<_>>().join("\n\n"))
}

fn value(name: &str, hint: &str) -> String {
    let hint = hint.split("`[[").next().unwrap_or_default();
    match name {
        "completed" => String::new(),
        "next_tool_name" => "finish".to_owned(),
        "problems" => "[]".to_owned(),
        _ if hint.contains("list[") => "[\"Paris\"]".to_owned(),
        _ if hint.contains("dict[") => "{}".to_owned(),
        _ if hint.contains("bool") => "True".to_owned(),
        _ if hint.contains("int") || hint.contains("float") => "1".to_owned(),
        _ => "Paris".to_owned(),
    }
}
