//! The script of a model server, as JSON and as Rust types.
//!
//! A script is `{"steps": [...]}`. A request takes the first matching step with uses left; without one, it is
//! answered with an echo. Unknown fields are refused, so that a typo doesn't make a step match everything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The steps, in order of precedence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    #[serde(default)]
    pub steps: Vec<Step>,
}

impl Script {
    #[must_use]
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().collect() }
    }
}

/// One answer: `{"when": {...}, "repeat": 2, "then": {"reply": {...}}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Which requests it matches [default: all].
    #[serde(default)]
    pub when: When,
    /// Number of requests that it answers; 0 is unlimited.
    #[serde(default = "once")]
    pub repeat: u32,
    pub then: Action,
}

const fn once() -> u32 {
    1
}

impl From<Action> for Step {
    fn from(then: Action) -> Self {
        Self { when: When::default(), repeat: 1, then }
    }
}

impl Step {
    /// Answers this many requests; 0 is unlimited.
    #[must_use]
    pub fn repeat(mut self, repeat: u32) -> Self {
        self.repeat = repeat;
        self
    }

    /// Matches only requests whose last user message contains this text.
    #[must_use]
    pub fn when_user(mut self, text: &str) -> Self {
        self.when.user = Some(text.to_owned());
        self
    }

    /// Matches only requests that contain this text anywhere.
    #[must_use]
    pub fn when_anywhere(mut self, text: &str) -> Self {
        self.when.anywhere = Some(text.to_owned());
        self
    }
}

/// Conditions of a step. All of them must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// Text in the last user message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Text in the system prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Text anywhere in the request, e.g. in an example.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anywhere: Option<String>,
    /// The exact model name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// How to answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// An answer of the model in the wire format of the request.
    Reply(Reply),
    /// A plain HTTP response: an error, a redirect.
    Status(Status),
    /// The beginning of an answer, then the connection is closed.
    Cut(PartialReply),
    /// The beginning of an answer, then invalid data.
    Garbage(PartialReply),
    /// The beginning of an answer, then silence. Without chunks not even headers are sent.
    Hang(PartialReply),
}

/// An answer of the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reply {
    /// Text in one chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Text in several chunks, before `text`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chunks: Vec<String>,
    /// Delay in milliseconds before each chunk.
    pub delay_ms: u64,
    /// Whether it waits for `ScriptedModel::release`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Tool calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Call>,
    /// Token usage [default: estimated].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Tokens>,
    /// `stop`, `length`, `tool_calls` or `refused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
    /// Reported model [default: the requested one].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Reply {
    /// A text in chunks.
    #[must_use]
    pub fn chunks<'a>(chunks: impl IntoIterator<Item = &'a str>) -> Self {
        Self { chunks: chunks.into_iter().map(str::to_owned).collect(), ..Self::default() }
    }

    /// The chunks of the text.
    pub(crate) fn pieces(&self) -> Vec<String> {
        if self.chunks.is_empty() { self.text.clone().into_iter().collect() } else { self.chunks.clone() }
    }

    /// The finish reason.
    pub(crate) fn finish(&self) -> Finish {
        self.finish.unwrap_or(if self.tool_calls.is_empty() { Finish::Stop } else { Finish::ToolCalls })
    }
}

impl From<&str> for Action {
    fn from(text: &str) -> Self {
        Self::Reply(Reply { text: Some(text.to_owned()), ..Reply::default() })
    }
}

impl From<Reply> for Action {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Id [default: numbered].
    #[serde(default)]
    pub id: Option<String>,
    /// Name of the tool.
    pub name: String,
    /// A string is sent verbatim and needn't be JSON.
    #[serde(default)]
    pub arguments: Value,
}

/// Token usage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tokens {
    /// Input tokens, including cached ones.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Input tokens from the cache.
    pub cached: u64,
}

/// Finish reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    Stop,
    /// The token limit was reached.
    Length,
    ToolCalls,
    Refused,
}

/// A plain HTTP response.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    pub status: u16,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// A string is sent verbatim, anything else as JSON.
    #[serde(default)]
    pub body: Value,
}

impl Status {
    /// An error response in the common JSON shape.
    #[must_use]
    pub fn error(status: u16, message: &str) -> Self {
        let body = serde_json::json!({"type": "error", "error": {"type": "scripted_error", "message": message}});
        Self { status, headers: BTreeMap::new(), body }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.to_owned());
        self
    }
}

impl From<Status> for Action {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

/// An incomplete answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PartialReply {
    /// The chunks of text before it ends.
    pub chunks: Vec<String>,
}

impl PartialReply {
    #[must_use]
    pub fn with<'a>(chunks: impl IntoIterator<Item = &'a str>) -> Self {
        Self { chunks: chunks.into_iter().map(str::to_owned).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_json_is_read() {
        let text = r#"{"steps": [
            {"when": {"user": "hello", "system": "terse", "model": "m"}, "repeat": 0, "then": {"reply": {"chunks": ["a", "b"], "delay_ms": 5}}},
            {"then": {"reply": {"tool_calls": [{"name": "look", "arguments": {"q": 1}}], "usage": {"input": 9, "output": 2, "cached": 3}}}},
            {"then": {"status": {"status": 429, "headers": {"retry-after": "1"}, "body": {"error": {"message": "slow down"}}}}},
            {"then": {"cut": {"chunks": ["half"]}}},
            {"then": {"hang": {}}}
        ]}"#;
        let script: Script = serde_json::from_str(text).unwrap();
        assert_eq!(script.steps.len(), 5);
        assert_eq!((script.steps[0].repeat, script.steps[1].repeat), (0, 1));
        assert_eq!(serde_json::from_value::<Script>(serde_json::to_value(&script).unwrap()).unwrap(), script);
    }

    #[test]
    fn a_misspelt_field_is_refused() {
        for text in [
            r#"{"steps": [{"when": {"usr": "x"}, "then": {"reply": {}}}]}"#,
            r#"{"steps": [{"then": {"replay": {}}}]}"#,
            r#"{"steps": [{"then": {"reply": {"txt": ""}}}]}"#,
            r#"{"step": []}"#,
        ] {
            assert!(serde_json::from_str::<Script>(text).is_err(), "{text}");
        }
    }
}
