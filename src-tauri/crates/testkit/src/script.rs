//! What a scripted model is told to do, as JSON and as Rust.
//!
//! A script is `{"steps": [...]}`. A request takes the first step that matches it and still has uses left; without one it is
//! answered with an echo. Unknown fields are refused, so that a misspelt step doesn't silently match everything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What to answer, in order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The steps.
    #[serde(default)]
    pub steps: Vec<Step>,
}

impl Script {
    /// A script of these steps.
    #[must_use]
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().collect() }
    }
}

/// One answer: `{"when": {...}, "repeat": 2, "then": {"reply": {...}}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Which requests it is for; all of them when empty.
    #[serde(default)]
    pub when: When,
    /// How many requests it answers; 0 is without end.
    #[serde(default = "once")]
    pub repeat: u32,
    /// The answer.
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
    /// Answers this many requests; 0 is without end.
    #[must_use]
    pub fn repeat(mut self, repeat: u32) -> Self {
        self.repeat = repeat;
        self
    }

    /// Answers only requests whose last user message has this text.
    #[must_use]
    pub fn when_user(mut self, text: &str) -> Self {
        self.when.user = Some(text.to_owned());
        self
    }

    /// Answers only requests that have this text anywhere.
    #[must_use]
    pub fn when_anywhere(mut self, text: &str) -> Self {
        self.when.anywhere = Some(text.to_owned());
        self
    }
}

/// Which requests a step is for. All that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// Text in the last user message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Text in the system prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Text anywhere in the request, e.g. in an example that was shown to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anywhere: Option<String>,
    /// The model, in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// What to answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// An answer in the wire format of the request.
    Reply(Reply),
    /// A plain HTTP answer: an error, a redirect.
    Status(Status),
    /// The beginning of an answer, then the connection breaks.
    Cut(Begun),
    /// The beginning of an answer, then something that is no answer.
    Garbage(Begun),
    /// The beginning of an answer, then nothing more. Without chunks not even a head.
    Hang(Begun),
}

/// An answer of the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reply {
    /// Its text in one piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its text in several; stands before `text`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chunks: Vec<String>,
    /// Milliseconds before each piece.
    pub delay_ms: u64,
    /// Tools that it asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Call>,
    /// Tokens; counted roughly without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Tokens>,
    /// Why it stops: `stop`, `length`, `tool_calls`, `refused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
    /// The model that it says it is; the one asked for without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Reply {
    /// A text in pieces.
    #[must_use]
    pub fn chunks<'a>(chunks: impl IntoIterator<Item = &'a str>) -> Self {
        Self { chunks: chunks.into_iter().map(str::to_owned).collect(), ..Self::default() }
    }

    /// The pieces of the text.
    pub(crate) fn pieces(&self) -> Vec<String> {
        if self.chunks.is_empty() { self.text.clone().into_iter().collect() } else { self.chunks.clone() }
    }

    /// Why it stops.
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

/// A tool that the model asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Id; numbered without it.
    #[serde(default)]
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// Its arguments; a string is sent as it stands, which needn't be JSON.
    #[serde(default)]
    pub arguments: Value,
}

/// Token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tokens {
    /// Read, cached ones included.
    pub input: u64,
    /// Written.
    pub output: u64,
    /// Of those read, from the cache.
    pub cached: u64,
}

/// Why a model stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// Done.
    Stop,
    /// Out of tokens.
    Length,
    /// Wants tools.
    ToolCalls,
    /// Declines.
    Refused,
}

/// A plain HTTP answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// The status.
    pub status: u16,
    /// Its headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Its body: a string as it stands, anything else as JSON.
    #[serde(default)]
    pub body: Value,
}

impl Status {
    /// An answer with an error in the shape that providers use.
    #[must_use]
    pub fn error(status: u16, message: &str) -> Self {
        let body = serde_json::json!({"type": "error", "error": {"type": "scripted_error", "message": message}});
        Self { status, headers: BTreeMap::new(), body }
    }

    /// With one more header.
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

/// An answer that doesn't end as it should.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Begun {
    /// The pieces of text before that.
    pub chunks: Vec<String>,
}

impl Begun {
    /// These pieces.
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
