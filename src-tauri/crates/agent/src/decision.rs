//! What a model decides to do about a message: read from its tool calls, or from a JSON object if it can't call tools.

use std::fmt::Write as _;

use inklings_core::chat::DecisionKind;
use inklings_core::model::{Request, Tool, ToolCall};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::history::Calling;

/// The tool by which the model asks the user; its call ends the turn.
pub const ASK_USER: &str = "ask_user";

const READ_SKILL: &str = "read_skill";
const VIEW_ARTIFACT: &str = "view_skill_artifact";
const SEARCH: &str = "workspace_search";
const GET_PAGE: &str = "get_page";

pub(crate) fn ask_user() -> Tool {
    Tool {
        name: ASK_USER.to_owned(),
        description: "Asks the user a question, if you can't go on without the answer. Ends your turn.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "question": {"type": "string"},
                "options": {"type": "array", "items": {"type": "string"}, "description": "Short answers to choose from."},
            },
            "required": ["question"],
            "additionalProperties": false,
        }),
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct AskUser {
    pub(crate) question: String,
    #[serde(default)]
    pub(crate) options: Vec<String>,
}

pub(crate) fn kind_of(calls: &[ToolCall]) -> DecisionKind {
    match calls.first().map(|call| call.name.as_str()) {
        None => DecisionKind::Respond,
        Some(READ_SKILL | VIEW_ARTIFACT) => DecisionKind::Activate,
        Some(SEARCH | GET_PAGE) => DecisionKind::Research,
        Some(ASK_USER) => DecisionKind::Clarify,
        Some(_) => DecisionKind::Act,
    }
}

/// A model's answer without tool calling.
#[derive(Debug, Deserialize)]
#[serde(tag = "decision", rename_all = "lowercase")]
enum Structured {
    Respond {
        text: String,
    },
    Activate {
        skill: String,
        #[serde(default)]
        artifacts: Vec<String>,
    },
    Research {
        #[serde(default)]
        query: Option<String>,
        #[serde(default)]
        page: Option<String>,
    },
    Clarify {
        question: String,
        #[serde(default)]
        options: Vec<String>,
    },
    Act {
        tool: String,
        #[serde(default)]
        arguments: Map<String, Value>,
    },
}

/// Adds the tools to a request: as such, or as instructions for a JSON object.
pub(crate) fn offer(request: &mut Request, tools: Vec<Tool>, calling: Calling) {
    match calling {
        Calling::Tools => request.tools = tools,
        Calling::Text => {
            request.system.push_str(&instructions(&tools));
            request.schema = Some(schema());
        }
    }
}

/// JSON Schema of [`Structured`]. Flat, since small models and some providers don't know `oneOf`.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "decision": {"type": "string", "enum": ["respond", "activate", "research", "clarify", "act"]},
            "text": {"type": "string"},
            "skill": {"type": "string"},
            "artifacts": {"type": "array", "items": {"type": "string"}},
            "query": {"type": "string"},
            "page": {"type": "string"},
            "question": {"type": "string"},
            "options": {"type": "array", "items": {"type": "string"}},
            "tool": {"type": "string"},
            "arguments": {"type": "object"},
        },
        "required": ["decision"],
    })
}

/// How a model without tool calling answers, as a part of the system prompt.
fn instructions(tools: &[Tool]) -> String {
    let mut text = String::from(
        "\n\n# Format of your responses\n\nRespond with one JSON object and nothing else:\n\
         - `{\"decision\": \"respond\", \"text\": \"...\"}` to answer in Markdown.\n\
         - `{\"decision\": \"activate\", \"skill\": \"NAME\", \"artifacts\": [\"path\"]}` to read a skill and some of its files.\n\
         - `{\"decision\": \"research\", \"query\": \"...\"}` to search the workspace's pages, or with `\"page\"` instead to read one.\n\
         - `{\"decision\": \"clarify\", \"question\": \"...\", \"options\": [\"...\"]}` to ask the user.\n\
         - `{\"decision\": \"act\", \"tool\": \"NAME\", \"arguments\": {}}` to call one of these tools:\n",
    );
    for tool in tools {
        let _ = writeln!(text, "  - {}: {} Arguments: {}", tool.name, tool.description, tool.parameters);
    }
    text
}

/// What a response of a model without tool calling contains: text, and the calls that it stands for.
#[derive(Debug, PartialEq)]
pub(crate) struct Parsed {
    pub(crate) text: String,
    pub(crate) calls: Vec<ToolCall>,
}

/// Reads a JSON object, which may be fenced or surrounded by prose. Text without an object is an answer. `round` makes the ids of the
/// calls unique.
pub(crate) fn parse(response: &str, round: u32) -> Result<Parsed, String> {
    let Some(object) = object_in(response) else {
        return Ok(Parsed { text: response.trim().to_owned(), calls: Vec::new() });
    };
    let decision: Structured = serde_json::from_str(object).map_err(|error| error.to_string())?;
    let mut calls = Vec::new();
    let mut add = |name: &str, arguments: Value| {
        let id = format!("call_{round}_{}", calls.len());
        calls.push(ToolCall { id, name: name.to_owned(), arguments, invalid_arguments: None });
    };
    let mut text = String::new();
    match decision {
        Structured::Respond { text: answer } => text = answer,
        Structured::Activate { skill, artifacts } => {
            add(READ_SKILL, json!({"name": skill}));
            for path in artifacts {
                add(VIEW_ARTIFACT, json!({"skill": skill, "path": path}));
            }
        }
        Structured::Research { page: Some(page), .. } => add(GET_PAGE, json!({"slug": page})),
        Structured::Research { query: Some(query), page: None } => add(SEARCH, json!({"query": query})),
        Structured::Research { query: None, page: None } => return Err("\"research\" requires \"query\" or \"page\"".to_owned()),
        Structured::Clarify { question, options } => add(ASK_USER, json!({"question": question, "options": options})),
        Structured::Act { tool, arguments } => add(&tool, Value::Object(arguments)),
    }
    Ok(Parsed { text, calls })
}

/// From the first brace to the last one.
fn object_in(text: &str) -> Option<&str> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    // Braces in the middle of prose belong to code that it quotes.
    let is_object = text[start + 1..].trim_start().starts_with(['"', '}']);
    (start < end && is_object).then(|| &text[start..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(response: &str) -> Vec<(String, Value)> {
        parse(response, 0).unwrap().calls.into_iter().map(|call| (call.name, call.arguments)).collect()
    }

    #[test]
    fn each_decision_becomes_text_or_calls() {
        let answer = parse("```json\n{\"decision\": \"respond\", \"text\": \"Four {4}.\"}\n```", 3).unwrap();
        assert_eq!(answer, Parsed { text: "Four {4}.".to_owned(), calls: vec![] });
        let activate = calls(r#"{"decision": "activate", "skill": "minutes", "artifacts": ["a.j2", "b.j2"]}"#);
        assert_eq!(activate[0], ("read_skill".to_owned(), json!({"name": "minutes"})));
        assert_eq!(activate[2], ("view_skill_artifact".to_owned(), json!({"skill": "minutes", "path": "b.j2"})));
        assert_eq!(calls(r#"{"decision": "research", "query": "q"}"#), [("workspace_search".to_owned(), json!({"query": "q"}))]);
        assert_eq!(calls(r#"{"decision": "research", "page": "p"}"#), [("get_page".to_owned(), json!({"slug": "p"}))]);
        assert_eq!(
            calls(r#"{"decision": "clarify", "question": "Which?"}"#),
            [("ask_user".to_owned(), json!({"question": "Which?", "options": []}))]
        );
        assert_eq!(calls(r#"{"decision": "act", "tool": "list_skills"}"#), [("list_skills".to_owned(), json!({}))]);
    }

    #[test]
    fn prose_is_an_answer_and_a_broken_object_an_error() {
        assert_eq!(parse("Use `fn f() { 1 }` here.", 0).unwrap().text, "Use `fn f() { 1 }` here.");
        for bad in [r#"{"decision": "guess"}"#, r#"{"text": "no decision"}"#, r#"{"decision": "research"}"#, r#"{"decision": "respond"}"#] {
            assert!(parse(bad, 0).is_err(), "{bad}");
        }
    }
}
