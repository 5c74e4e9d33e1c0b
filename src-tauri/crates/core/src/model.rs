//! Language models: requests, completions and prices. The port of all model calls.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cancel::CancellationToken;
use crate::skill::text_enum;
use crate::variant::model_family;

/// A model of a configured provider, written `provider/model`. The model's own ID may contain slashes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct ModelRef {
    /// Name of the configured provider.
    pub provider: String,
    /// The provider's ID of the model.
    pub model: String,
}

impl ModelRef {
    /// The model family as far as the ID reveals it; [`Models::family`] also considers the provider.
    #[must_use]
    pub fn family(&self) -> String {
        model_family(&self.model)
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

impl From<ModelRef> for String {
    fn from(model: ModelRef) -> Self {
        model.to_string()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} isn't a model name: use provider/model, such as anthropic/claude-sonnet-5")]
pub struct NoModelRef(pub String);

impl FromStr for ModelRef {
    type Err = NoModelRef;

    fn from_str(text: &str) -> Result<Self, NoModelRef> {
        match text.trim().split_once('/') {
            Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                Ok(Self { provider: provider.to_owned(), model: model.to_owned() })
            }
            _ => Err(NoModelRef(text.to_owned())),
        }
    }
}

impl TryFrom<String> for ModelRef {
    type Error = NoModelRef;

    fn try_from(text: String) -> Result<Self, NoModelRef> {
        text.parse()
    }
}

text_enum! {
    Role {
        User = "user",
        Assistant = "assistant",
    }
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    Text {
        text: String,
    },
    /// Only in messages of the assistant.
    ToolCall(ToolCall),
    /// Only in messages of the user.
    ToolResult {
        /// ID of the tool call.
        id: String,
        text: String,
    },
}

/// A model's request to call a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// A JSON object. Empty if the model wrote something else.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub arguments: Value,
    /// What the model wrote instead of a JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid_arguments: Option<String>,
}

impl ToolCall {
    /// Fails if the arguments aren't a JSON object. The error is for the model.
    pub fn check_arguments(&self) -> Result<(), String> {
        self.invalid_arguments.as_ref().map_or(Ok(()), |text| Err(format!("the arguments aren't a JSON object: {text}")))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    pub role: Role,
    pub parts: Vec<Part>,
}

impl Message {
    #[must_use]
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, parts: vec![Part::Text { text: text.into() }] }
    }
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments, which are an object.
    pub parameters: Value,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// Instructions. May be empty.
    pub system: String,
    /// The last message is the user's.
    pub messages: Vec<Message>,
    pub tools: Vec<Tool>,
    /// JSON Schema of the answer, if the provider can enforce it.
    pub schema: Option<Value>,
    /// Maximum number of output tokens; the provider's limit if `None`.
    pub max_tokens: Option<u64>,
    /// Sampling temperature; the provider's default if `None`.
    pub temperature: Option<f64>,
}

/// Tokens as counted by the provider; `None` if it didn't report them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TokenUsage {
    /// Including cached tokens.
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    /// Input tokens from the provider's cache.
    pub cached_tokens: Option<u64>,
}

/// Price in USD per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    pub input: f64,
    pub output: f64,
    /// Of input tokens from the provider's cache; `input` if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
}

impl Price {
    /// Estimated cost in USD; `None` if tokens are unknown.
    #[must_use]
    pub fn of(&self, usage: TokenUsage) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
        let cost = |tokens: u64, price: f64| tokens as f64 * price / 1_000_000.0;
        let (input, output) = (usage.input_tokens?, usage.output_tokens?);
        let cached = usage.cached_tokens.unwrap_or(0).min(input);
        Some(cost(input - cached, self.input) + cost(cached, self.cached.unwrap_or(self.input)) + cost(output, self.output))
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The answer is complete.
    Stop,
    /// The token limit was reached, so the answer is incomplete.
    Length,
    ToolCalls,
    /// The model or its provider declined to answer.
    Refused,
    /// The provider reported no known reason.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Completion {
    /// Empty if the answer has tool calls only.
    pub text: String,
    pub tool_calls: Vec<ToolCall>,
    pub finish: Finish,
    pub usage: TokenUsage,
    /// As reported by the provider, or as requested.
    pub model: String,
}

/// Why a model call failed. Texts of the provider are truncated to 2 KiB and contain no keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No provider is configured, or none is the default.
    #[error("no model is configured")]
    NotConfigured,
    #[error("model provider {name:?} not found")]
    UnknownProvider { name: String },
    /// The provider has no key, or the key store can't be opened.
    #[error("no API key for {provider}: {detail}")]
    NoKey { provider: String, detail: String },
    #[error("{provider} rejected the API key: {detail}")]
    Unauthorized { provider: String, detail: String },
    /// Too many requests, even after retries.
    #[error("rate limit of {provider} reached: {detail}")]
    RateLimited { provider: String, retry_after: Option<Duration>, detail: String },
    /// The provider refused the request: unknown model, too long, not allowed.
    #[error("{provider} rejected the request ({status}): {detail}")]
    Refused { provider: String, status: u16, detail: String },
    /// The provider can't be reached, even after retries.
    #[error("{provider} can't be reached: {detail}")]
    Unavailable { provider: String, detail: String },
    /// The provider answered that it failed, even after retries. `status` is `None` if it gave none.
    #[error("{provider} failed{}: {detail}", .status.map_or_else(String::new, |status| format!(" ({status})")))]
    Failed { provider: String, status: Option<u16>, detail: String },
    /// The connection ended during an answer.
    #[error("the connection to {provider} closed before the response was complete: {detail}")]
    Cut { provider: String, detail: String },
    /// The answer isn't in the provider's format.
    #[error("invalid response from {provider}: {detail}")]
    Malformed { provider: String, detail: String },
    #[error("no response from {provider} within {} s", .after.as_secs())]
    Timeout { provider: String, after: Duration },
    /// The budget of the run is exhausted.
    #[error("{detail}")]
    OverBudget {
        /// The limit that was reached.
        detail: String,
    },
    #[error("stopped")]
    Cancelled,
}

/// Receives text as it arrives.
pub type OnText<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Adapts a request before it is sent, or refuses to send it.
pub type RequestAdapter<'a> = &'a (dyn Fn(&Request) -> Result<Request, ModelError> + Send + Sync);

#[async_trait]
pub trait LanguageModel: Send + Sync {
    fn id(&self) -> &ModelRef;

    /// `None` if unknown. 0 for a local server.
    fn price(&self) -> Option<Price>;

    /// Size of its context in tokens; `None` if unknown.
    fn context_tokens(&self) -> Option<u64> {
        None
    }

    /// Maximum tokens of an answer; `None` if unknown.
    fn output_tokens(&self) -> Option<u64> {
        None
    }

    /// `on_text` receives the text of the answer in chunks. Once it has received one, the
    /// request isn't retried. Dropping the future, or `cancel`, ends the request.
    async fn complete(&self, request: &Request, on_text: OnText<'_>, cancel: &CancellationToken) -> Result<Completion, ModelError>;

    /// Like [`complete`](Self::complete), but also says where the answer is from. Only a request that is sent is prepared; one that a
    /// cache answers is looked up as it is.
    async fn answer(
        &self,
        request: &Request,
        prepare: RequestAdapter<'_>,
        on_text: OnText<'_>,
        cancel: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        Ok(Answer { completion: self.complete(&prepare(request)?, on_text, cancel).await?, replayed: None })
    }
}

/// A completion, perhaps from a cache.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub completion: Completion,
    /// Time that the answer took when it was first given, if it comes from a cache. It isn't paid for again.
    pub replayed: Option<Duration>,
}

#[async_trait]
pub trait Models: Send + Sync {
    /// The requested model, or the default.
    async fn model(&self, wanted: Option<&ModelRef>) -> Result<Arc<dyn LanguageModel>, ModelError>;

    /// The family of a model, which selects variants. Blocks.
    fn family(&self, model: &ModelRef) -> String {
        model.family()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_keeps_slashes_of_the_models_id() {
        let model: ModelRef = "router/anthropic/claude-x".parse().unwrap();
        assert_eq!((model.provider.as_str(), model.model.as_str()), ("router", "anthropic/claude-x"));
        assert_eq!((model.to_string().as_str(), model.family().as_str()), ("router/anthropic/claude-x", "anthropic"));
        for bad in ["", "gpt", "/gpt", "openai/", "  "] {
            assert!(bad.parse::<ModelRef>().is_err(), "{bad}");
        }
    }

    #[test]
    fn unknown_tokens_cost_unknown_money_and_cached_ones_less() {
        let price = Price { input: 3.0, output: 15.0, cached: Some(0.3) };
        assert_eq!(price.of(TokenUsage { input_tokens: Some(1), ..TokenUsage::default() }), None);
        let usage = TokenUsage { input_tokens: Some(1_000_000), output_tokens: Some(100_000), cached_tokens: Some(500_000) };
        let cost = price.of(usage).unwrap();
        assert!((cost - (1.5 + 0.15 + 1.5)).abs() < 1e-9, "{cost}");
    }
}
