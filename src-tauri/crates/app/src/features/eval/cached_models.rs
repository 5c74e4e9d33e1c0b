//! Models whose responses are kept, so that grading again and going on after a crash cost nothing.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use async_trait::async_trait;
use inklings_core::eval::CachedResponse;
use inklings_core::model::{Answer, Completion, Finish, LanguageModel, ModelError, OnText, Price, Request, RequestAdapter};
use inklings_core::{CancellationToken, Digest, ModelRef, Models, ResponseCache, StorageError};
use inklings_runtime::Redactor;
use serde::Serialize;

/// What identifies a response.
#[derive(Serialize)]
struct Key<'a> {
    model: &'a ModelRef,
    /// Repeats get responses of their own.
    sample: &'a str,
    request: &'a Request,
}

pub(super) fn key(model: &ModelRef, sample: &str, request: &Request) -> Result<Digest, serde_json::Error> {
    Ok(Digest::of(&serde_json::to_vec(&Key { model, sample, request })?))
}

#[derive(Clone)]
pub(super) struct CachedModels {
    pub(super) models: Arc<dyn Models>,
    pub(super) responses: Arc<dyn ResponseCache>,
    pub(super) redactor: Redactor,
    pub(super) sample: String,
    /// Keys of the responses so far.
    pub(super) used: Arc<Mutex<Vec<Digest>>>,
}

impl CachedModels {
    /// The keys of the responses so far.
    pub(super) fn keys(&self) -> Vec<Digest> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Models for CachedModels {
    async fn model(&self, wanted: Option<&ModelRef>) -> Result<Arc<dyn LanguageModel>, ModelError> {
        Ok(Arc::new(CachedModel { model: self.models.model(wanted).await?, cache: self.clone() }))
    }

    fn family(&self, model: &ModelRef) -> String {
        self.models.family(model)
    }
}

struct CachedModel {
    model: Arc<dyn LanguageModel>,
    cache: CachedModels,
}

impl CachedModel {
    /// Runs a call to the cache on a blocking thread. A cache that fails is as good as empty.
    async fn cache<T: Default + Send + 'static>(
        &self,
        call: impl FnOnce(&dyn ResponseCache) -> Result<T, StorageError> + Send + 'static,
    ) -> T {
        let responses = self.cache.responses.clone();
        match tokio::task::spawn_blocking(move || call(responses.as_ref())).await {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the cache of responses can't be used");
                T::default()
            }
            Err(error) => {
                tracing::warn!(%error, "the cache of responses can't be used");
                T::default()
            }
        }
    }
}

#[async_trait]
impl LanguageModel for CachedModel {
    fn id(&self) -> &ModelRef {
        self.model.id()
    }

    fn price(&self) -> Option<Price> {
        self.model.price()
    }

    fn context_tokens(&self) -> Option<u64> {
        self.model.context_tokens()
    }

    fn output_tokens(&self) -> Option<u64> {
        self.model.output_tokens()
    }

    async fn complete(&self, request: &Request, on_text: OnText<'_>, cancel: &CancellationToken) -> Result<Completion, ModelError> {
        Ok(self.answer(request, &|request| Ok(request.clone()), on_text, cancel).await?.completion)
    }

    async fn answer(
        &self,
        request: &Request,
        prepare: RequestAdapter<'_>,
        on_text: OnText<'_>,
        cancel: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        let Ok(key) = key(self.model.id(), &self.cache.sample, request) else {
            return self.model.answer(request, prepare, on_text, cancel).await;
        };
        self.cache.used.lock().unwrap_or_else(PoisonError::into_inner).push(key);
        if let Some(CachedResponse { completion, duration }) = self.cache(move |cache| cache.response(key)).await {
            on_text(&completion.text);
            return Ok(Answer { completion, replayed: Some(duration) });
        }
        let begun = Instant::now();
        let sent = prepare(request)?;
        let completion = self.model.complete(&sent, on_text, cancel).await?;
        if completion.finish == Finish::Length && sent.max_tokens != request.max_tokens {
            // With more left to spend, it would be another answer.
            return Ok(Answer { completion, replayed: None });
        }
        let response = CachedResponse { completion: completion.clone(), duration: begun.elapsed() };
        let redactor = self.cache.redactor.clone();
        self.cache(move |cache| {
            // A response with a secret isn't stored: redacted, it would be another response.
            let text = serde_json::to_string(&response.completion).unwrap_or_default();
            if redactor.redact(&text) == text { cache.put_response(key, &response) } else { Ok(()) }
        })
        .await;
        Ok(Answer { completion, replayed: None })
    }
}
