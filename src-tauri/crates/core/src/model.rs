//! Language models: what is asked, what comes back, what it costs. The port that every call to a model goes through.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cancel::CancellationToken;
use crate::variant::model_family;

/// A model of a configured provider, written `provider/model`; the model's own id may have slashes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct ModelRef {
    /// Name of the configured provider.
    pub provider: String,
    /// The provider's id of the model.
    pub model: String,
}

impl ModelRef {
    /// The maker of the model as far as its id tells; [`Models::family`] also knows its provider.
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

/// A text that names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no model: write provider/model, as in anthropic/claude-sonnet-5")]
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

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or the program in the person's place.
    User,
    /// The model.
    Assistant,
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// The model asks for a tool; only in the assistant's messages.
    ToolCall(ToolCall),
    /// What a tool gave; only in the user's messages.
    ToolResult {
        /// The call that this answers.
        id: String,
        /// The result as text.
        text: String,
    },
}

/// A model's request to call a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// Id of the call.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// Arguments, an object.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub arguments: Value,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub parts: Vec<Part>,
}

impl Message {
    /// A text of one role.
    #[must_use]
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, parts: vec![Part::Text { text: text.into() }] }
    }
}

/// A tool that the model may ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of the arguments, an object.
    pub parameters: Value,
}

/// What is asked of a model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// Instructions; none when empty.
    pub system: String,
    /// The conversation; the last message is the user's.
    pub messages: Vec<Message>,
    /// Tools on offer.
    pub tools: Vec<Tool>,
    /// JSON Schema that the answer must follow, where the provider can hold the model to it.
    pub schema: Option<Value>,
    /// Most tokens of the answer; the provider's limit without it.
    pub max_tokens: Option<u64>,
    /// Sampling temperature; the provider's default without it.
    pub temperature: Option<f64>,
}

/// Tokens as the provider counted them; none where it didn't say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TokenUsage {
    /// Tokens read, cached ones included.
    pub input_tokens: Option<u64>,
    /// Tokens written.
    pub output_tokens: Option<u64>,
    /// Of the tokens read, those from the provider's cache.
    pub cached_tokens: Option<u64>,
}

/// Price in USD for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// Of tokens read.
    pub input: f64,
    /// Of tokens written.
    pub output: f64,
    /// Of tokens read from the provider's cache; the input's price without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
}

impl Price {
    /// Estimated cost in USD; none where tokens are unknown.
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
    /// It was done.
    Stop,
    /// The limit of tokens was reached: the answer is cut off.
    Length,
    /// It asks for tools.
    ToolCalls,
    /// It or its provider declined.
    Refused,
    /// The provider didn't say, or said something unknown.
    Unknown,
}

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Completion {
    /// The text; empty when it only asks for tools.
    pub text: String,
    /// Tools that it asks for.
    pub tool_calls: Vec<ToolCall>,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens.
    pub usage: TokenUsage,
    /// The model's id as the provider reported it, else as it was asked for.
    pub model: String,
}

/// What a call to a model can fail with. Provider texts in it are cut to 2 KiB and free of keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No provider is configured, or none is the default.
    #[error("no model is set up")]
    NotConfigured,
    /// A provider's name that isn't configured.
    #[error("there is no model provider {name:?}")]
    UnknownProvider {
        /// The name.
        name: String,
    },
    /// The provider has no key, or the place of keys can't be opened.
    #[error("no key for {provider}: {detail}")]
    NoKey {
        /// Its name.
        provider: String,
        /// Why.
        detail: String,
    },
    /// The provider refused the key.
    #[error("{provider} refused the key: {detail}")]
    Unauthorized {
        /// Its name.
        provider: String,
        /// What it said.
        detail: String,
    },
    /// Too many requests, after the retries.
    #[error("{provider} takes no more requests for now: {detail}")]
    RateLimited {
        /// Its name.
        provider: String,
        /// When it said to try again.
        retry_after: Option<Duration>,
        /// What it said.
        detail: String,
    },
    /// The provider refused the request: unknown model, too long, not allowed.
    #[error("{provider} refused the request ({status}): {detail}")]
    Refused {
        /// Its name.
        provider: String,
        /// The HTTP status.
        status: u16,
        /// What it said.
        detail: String,
    },
    /// The provider can't be reached, or fails, after the retries.
    #[error("{provider} can't be reached: {detail}")]
    Unavailable {
        /// Its name.
        provider: String,
        /// Why.
        detail: String,
    },
    /// The connection ended in the middle of an answer.
    #[error("{provider} broke off in the middle of its answer: {detail}")]
    Cut {
        /// Its name.
        provider: String,
        /// Why.
        detail: String,
    },
    /// The answer isn't in the format that the provider promises.
    #[error("{provider} sent something that can't be read: {detail}")]
    Malformed {
        /// Its name.
        provider: String,
        /// What is wrong with it.
        detail: String,
    },
    /// No answer in time.
    #[error("{provider} gave no answer within {} s", .after.as_secs())]
    Timeout {
        /// Its name.
        provider: String,
        /// How long it was given.
        after: Duration,
    },
    /// The run may not use more.
    #[error("{detail}")]
    OverBudget {
        /// Which limit was reached.
        detail: String,
    },
    /// The caller stopped waiting.
    #[error("stopped")]
    Cancelled,
}

/// Hears text as it arrives.
pub type OnText<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// One model that can be asked.
#[async_trait]
pub trait LanguageModel: Send + Sync {
    /// Which one it is.
    fn id(&self) -> &ModelRef;

    /// Its price; none when unknown. A local server's is 0.
    fn price(&self) -> Option<Price>;

    /// Asks it. `on_text` hears the answer's text piece by piece, and again from the start never: once a piece was heard the
    /// request isn't retried. Dropping the future, or `cancel`, ends the request.
    async fn complete(&self, request: &Request, on_text: OnText<'_>, cancel: &CancellationToken) -> Result<Completion, ModelError>;
}

/// The configured models.
#[async_trait]
pub trait Models: Send + Sync {
    /// The model to use: the one asked for, else the default.
    async fn model(&self, wanted: Option<&ModelRef>) -> Result<Arc<dyn LanguageModel>, ModelError>;

    /// The family of a model, by which variants are chosen. Blocks.
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
