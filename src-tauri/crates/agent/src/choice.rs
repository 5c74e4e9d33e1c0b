//! Which skill a model chooses for a message, as its first step would be in a chat. Nothing is called.

use inklings_core::model::{Completion, Message, Request, Role, Tool, ToolCall};
use inklings_core::{CancellationToken, LanguageModel, ModelError};
use serde_json::Value;

use crate::decision;
use crate::history::Calling;
use crate::turn::{Conversation, lacks_tools};

/// Tools whose call means that the skill is used, with the argument that names it.
const USES: [(&str, &str); 7] = [
    ("read_skill", "name"),
    ("run_skill", "name"),
    ("view_skill_artifact", "skill"),
    ("execute_plugin_script", "skill"),
    ("load_skill", "name"),
    ("loadSkill", "slug"),
    ("skill_read", "name"),
];

#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Slug of the skill; None if the model does without.
    pub skill: Option<String>,
    pub completion: Completion,
    /// [`Calling::Text`] if the model turned out to be unable to call tools.
    pub calling: Calling,
}

/// Asks the model once, or twice if it turns out to be unable to call tools.
pub async fn choose_skill(
    model: &dyn LanguageModel,
    conversation: &Conversation,
    tools: &[Tool],
    mut calling: Calling,
    cancel: &CancellationToken,
) -> Result<Choice, ModelError> {
    loop {
        let completion = match model.complete(&request(conversation, tools, calling), &|_| {}, cancel).await {
            Err(error) if calling == Calling::Tools && lacks_tools(&error) => {
                calling = Calling::Text;
                continue;
            }
            completed => completed?,
        };
        let calls = match calling {
            Calling::Tools => completion.tool_calls.clone(),
            Calling::Text => decision::parse(&completion.text, 0).map(|parsed| parsed.calls).unwrap_or_default(),
        };
        return Ok(Choice { skill: calls.iter().find_map(used_skill), completion, calling });
    }
}

fn request(conversation: &Conversation, tools: &[Tool], calling: Calling) -> Request {
    let tools: Vec<Tool> = tools.iter().cloned().chain([decision::ask_user()]).collect();
    let mut request = Request {
        system: conversation.system.clone(),
        messages: vec![Message::text(Role::User, conversation.message.as_str())],
        ..Request::default()
    };
    decision::offer(&mut request, tools, calling);
    request
}

/// The slug of the skill that a call uses; None for other calls.
#[must_use]
pub fn used_skill(call: &ToolCall) -> Option<String> {
    let (_, argument) = USES.iter().find(|(tool, _)| *tool == call.name)?;
    call.arguments.get(argument).and_then(Value::as_str).map(str::to_owned)
}
