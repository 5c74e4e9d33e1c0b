//! A model of a configured provider: streaming, limits, retries.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use inklings_core::model::{Completion, OnText, Price, Request};
use inklings_core::provider::ProviderKind;
use inklings_core::{CancellationToken, LanguageModel, ModelError, ModelRef, Secret};
use rig::ProviderError;
use rig::completion::CompletionRequest;
use rig::streaming::{Item, PartKind, StreamEvent};
use serde_json::json;

use crate::connect::Connection;
use crate::convert;
use crate::echo::Cleaner;
use crate::failure::{ErrorContext, RequestFailure};
use crate::prices;
use crate::sleeper::{Sleeper, backoff};

const MAX_ATTEMPTS: u32 = 4;
/// A longer `Retry-After` is an error.
const MAX_RETRY_WAIT: Duration = Duration::from_mins(1);
/// For Anthropic, whose API requires a limit, if neither the request nor the catalog has one.
const DEFAULT_MAX_TOKENS: u64 = 8192;

const MAX_TOOL_CALLS: usize = 256;
/// Of one answer. The longest answers have about one event for each of 128,000 tokens.
const MAX_EVENTS: usize = 500_000;

/// Builds a failure, given whether text was streamed before it.
type FailureFn<'a> = Box<dyn FnOnce(bool) -> RequestFailure + Send + 'a>;

pub(crate) struct ConnectedModel {
    pub(crate) id: ModelRef,
    pub(crate) kind: ProviderKind,
    pub(crate) price: Option<Price>,
    pub(crate) key: Secret,
    pub(crate) connection: Connection,
    pub(crate) sleeper: Sleeper,
}

impl fmt::Debug for ConnectedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectedModel").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl ConnectedModel {
    fn error_context(&self) -> ErrorContext<'_> {
        ErrorContext { provider: &self.id.provider, key: &self.key }
    }

    /// Sends the request once. The bool of an error is whether text was streamed before it.
    async fn attempt(&self, request: CompletionRequest, on_text: OnText<'_>) -> Result<Completion, (RequestFailure, bool)> {
        let (mut streamed, mut cleaner) = (false, Cleaner::new(&self.key));
        let pass_on = |text: String| {
            if !text.is_empty() {
                on_text(&text);
            }
        };
        let answer = self.stream(request, |text| {
            streamed = true;
            pass_on(cleaner.next(text));
        });
        let answer = answer.await;
        pass_on(cleaner.rest());
        answer.map(|completion| cleaner.completion(completion)).map_err(|failure| (failure(streamed), streamed))
    }

    /// Sends the request once and passes on each piece of text as it arrived.
    async fn stream(&self, request: CompletionRequest, mut on_text: impl FnMut(&str)) -> Result<Completion, FailureFn<'_>> {
        let error_context = self.error_context();
        let failed = |error: ProviderError| -> FailureFn<'_> { Box::new(move |streamed| error_context.failure(&error, streamed)) };
        let malformed = |detail: String| -> FailureFn<'_> { Box::new(move |_| error_context.malformed(&detail)) };
        let mut answer = self.connection.model(&self.id.model).stream(request).map_err(failed)?;
        let (mut events, mut calls) = (0_usize, 0_usize);
        while let Some(item) = answer.next().await {
            events += 1;
            match item.map_err(failed)? {
                Item::Event(StreamEvent::Text { text, .. }) if !text.is_empty() => on_text(&text),
                Item::Event(StreamEvent::Start { kind: PartKind::ToolCall, .. }) => calls += 1,
                _ => {}
            }
            if calls > MAX_TOOL_CALLS {
                return Err(malformed(format!("the answer calls more than {MAX_TOOL_CALLS} tools")));
            }
            if events > MAX_EVENTS {
                return Err(malformed(format!("the answer has more than {MAX_EVENTS} events")));
            }
        }
        let response = answer.finish().await.map_err(failed)?;
        Ok(convert::completion(&response, &self.id.model))
    }

    async fn attempts(&self, request: &Request, on_text: OnText<'_>) -> Result<Completion, ModelError> {
        let mut converted = convert::request(request).map_err(|error| self.error_context().unsent(&error.to_string()).error)?;
        let limited = converted.max_tokens.is_some() || self.output_tokens().is_some();
        if self.kind == ProviderKind::Anthropic && !limited {
            converted.max_tokens = Some(DEFAULT_MAX_TOKENS);
        }
        if self.kind == ProviderKind::OpenAi {
            // OpenAI's Responses API stores conversations by default.
            converted = converted.additional_params(json!({"store": false}));
        }
        let mut attempt = 1;
        loop {
            let (failure, streamed) = match self.attempt(converted.clone(), on_text).await {
                Ok(completion) => return Ok(completion),
                Err(failed) => failed,
            };
            if streamed || !failure.retry || attempt >= MAX_ATTEMPTS {
                return Err(failure.error);
            }
            let wait = match failure.retry_after {
                Some(wait) if wait > MAX_RETRY_WAIT => return Err(rate_limited(failure.error, wait)),
                Some(wait) => wait,
                None => backoff(attempt),
            };
            tracing::debug!(provider = %self.id.provider, attempt, ?wait, error = %failure.error, "retrying a model request");
            self.sleeper.sleep(wait).await;
            attempt += 1;
        }
    }
}

/// The error of a provider that asks for a wait of more than [`MAX_RETRY_WAIT`].
fn rate_limited(error: ModelError, wait: Duration) -> ModelError {
    match error {
        ModelError::Failed { provider, detail, .. } | ModelError::RateLimited { provider, detail, .. } => {
            ModelError::RateLimited { provider, retry_after: Some(wait), detail }
        }
        other => other,
    }
}

#[async_trait]
impl LanguageModel for ConnectedModel {
    fn id(&self) -> &ModelRef {
        &self.id
    }

    fn price(&self) -> Option<Price> {
        self.price
    }

    fn context_tokens(&self) -> Option<u64> {
        prices::context_tokens(self.kind, &self.id.model)
    }

    fn output_tokens(&self) -> Option<u64> {
        prices::output_tokens(self.kind, &self.id.model)
    }

    async fn complete(&self, request: &Request, on_text: OnText<'_>, cancel: &CancellationToken) -> Result<Completion, ModelError> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ModelError::Cancelled),
            answer = self.attempts(request, on_text) => answer,
        }
    }
}
