//! Maps each provider kind to one of rig's clients. To add a kind, add an arm here.

use inklings_core::Secret;
use inklings_core::provider::ProviderKind;
use rig::ProviderError;
use rig::driver::DynModel;
use rig::operation::Completion;
use rig::providers::openai::wire::{Auth, Dialect, LLAMACPP, MISTRAL, OPENAI, OPENROUTER};
use rig::providers::{anthropic, gemini, ollama, openai};
use url::Url;

use crate::transport::Transport;

/// Not among rig's dialects.
const LM_STUDIO: Dialect = Dialect::gateway("lmstudio", "", "");
/// Any other server with the OpenAI API.
const COMPATIBLE: Dialect = Dialect::gateway("openai-compatible", "", "");

pub(crate) enum Connection {
    OpenAi(Box<openai::OpenAI>),
    Anthropic(anthropic::Anthropic),
    Gemini(gemini::Gemini),
    Ollama(ollama::Ollama),
}

impl Connection {
    /// Opens no connection before the first request.
    pub(crate) fn new(kind: ProviderKind, address: &Url, key: &Secret, transport: Transport) -> Self {
        let (base, key) = (base_url(kind, address), key.expose());
        let compatible = |dialect: &Dialect, transport: Transport| {
            // Servers without authentication refuse an empty bearer token.
            let auth = if kind.needs_key() { Auth::Bearer } else { Auth::OptionalBearer };
            let config = openai::OpenAIConfig::with_key(dialect, key).with_base_url(base.clone()).with_auth(auth);
            Self::OpenAi(Box::new(config.connect(transport)))
        };
        match kind {
            ProviderKind::OpenAi => compatible(&OPENAI, transport),
            ProviderKind::Mistral => compatible(&MISTRAL, transport),
            ProviderKind::OpenRouter => compatible(&OPENROUTER, transport),
            ProviderKind::LlamaCpp => compatible(&LLAMACPP, transport),
            ProviderKind::LmStudio => compatible(&LM_STUDIO, transport),
            ProviderKind::OpenAiCompatible => compatible(&COMPATIBLE, transport),
            ProviderKind::Anthropic => Self::Anthropic(anthropic::AnthropicConfig::new(key).with_base_url(base).connect(transport)),
            ProviderKind::Gemini => Self::Gemini(gemini::GeminiConfig::new(key).with_base_url(base).connect(transport)),
            ProviderKind::Ollama => Self::Ollama(ollama::OllamaConfig::new().with_base_url(base).with_api_key(key).connect(transport)),
        }
    }

    pub(crate) fn model(&self, id: &str) -> DynModel<Completion> {
        match self {
            Self::OpenAi(client) => client.completion(id).erase(),
            Self::Anthropic(client) => client.completion(id).erase(),
            Self::Gemini(client) => client.completion(id).erase(),
            Self::Ollama(client) => client.completion(id).erase(),
        }
    }

    /// The model ids that the provider lists.
    pub(crate) async fn models(&self) -> Result<Vec<String>, ProviderError> {
        let list = match self {
            Self::OpenAi(client) => client.list_models().await,
            Self::Anthropic(client) => client.list_models().await,
            Self::Gemini(client) => client.list_models().await,
            Self::Ollama(client) => client.list_models().await,
        };
        Ok(list?.data.into_iter().map(|model| model.id).collect())
    }
}

/// The base URL as rig's client expects it. People write it with and without `/v1`, and rig's clients differ in whether
/// they add it.
fn base_url(kind: ProviderKind, address: &Url) -> String {
    let text = address.as_str().trim_end_matches('/');
    match kind {
        ProviderKind::Anthropic | ProviderKind::Mistral | ProviderKind::Ollama => text.trim_end_matches("/v1").to_owned(),
        ProviderKind::Gemini => text.trim_end_matches("/v1beta").to_owned(),
        ProviderKind::OpenRouter => text.to_owned(),
        ProviderKind::OpenAi | ProviderKind::LlamaCpp | ProviderKind::LmStudio | ProviderKind::OpenAiCompatible => {
            if address.path() == "/" { format!("{text}/v1") } else { text.to_owned() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_with_and_without_the_version() {
        let base = |kind, text: &str| base_url(kind, &text.parse().unwrap());
        for text in ["http://localhost:1234", "http://localhost:1234/", "http://localhost:1234/v1", "http://localhost:1234/v1/"] {
            assert_eq!(base(ProviderKind::LmStudio, text), "http://localhost:1234/v1");
            assert_eq!(base(ProviderKind::Ollama, text), "http://localhost:1234");
            assert_eq!(base(ProviderKind::Anthropic, text), "http://localhost:1234");
        }
        assert_eq!(base(ProviderKind::OpenAiCompatible, "https://example.org/api/openai/"), "https://example.org/api/openai");
    }
}
