//! Prices and known models, from rig's built-in catalog.

use inklings_core::model::Price;
use inklings_core::provider::{ProviderConfig, ProviderKind};
use rig::catalog::{Catalog, ModelSpec};
use rig::providers::registry::ProviderId;
use rig::providers::{anthropic, gemini, mistral, openai, openrouter};

/// The catalog's id of a provider kind. None for kinds that serve arbitrary models.
fn vendor(kind: ProviderKind) -> Option<ProviderId> {
    let name = match kind {
        ProviderKind::Anthropic => anthropic::PROVIDER_NAME,
        ProviderKind::OpenAi => openai::PROVIDER_NAME,
        ProviderKind::Gemini => gemini::PROVIDER_NAME,
        ProviderKind::Mistral => mistral::PROVIDER_NAME,
        ProviderKind::OpenRouter => openrouter::PROVIDER_NAME,
        ProviderKind::Ollama | ProviderKind::LlamaCpp | ProviderKind::LmStudio | ProviderKind::OpenAiCompatible => return None,
    };
    ProviderId::catalog(name)
}

fn spec(kind: ProviderKind, model: &str) -> Option<&'static ModelSpec> {
    Catalog::builtin().find(vendor(kind)?, model)
}

pub(crate) fn output_tokens(kind: ProviderKind, model: &str) -> Option<u64> {
    spec(kind, model)?.max_output_tokens.map(u64::from)
}

pub(crate) fn context_tokens(kind: ProviderKind, model: &str) -> Option<u64> {
    spec(kind, model)?.context_window.map(u64::from)
}

/// The configured price, else 0 for a local server, else the catalog's.
pub(crate) fn price(config: &ProviderConfig, model: &str) -> Option<Price> {
    if let Some(price) = config.prices.get(model) {
        return Some(*price);
    }
    let address = config.address().and_then(|address| url::Url::parse(address).ok());
    if config.kind.is_local() && address.as_ref().is_some_and(inklings_core::provider::is_loopback) {
        return Some(Price { input: 0.0, output: 0.0, cached: None });
    }
    let pricing = spec(config.kind, model)?.pricing?;
    Some(Price { input: pricing.input, output: pricing.output, cached: pricing.cache_read })
}

/// Model ids in the catalog, without deprecated ones.
pub(crate) fn known_models(kind: ProviderKind) -> Vec<String> {
    let Some(vendor) = vendor(kind) else { return Vec::new() };
    let specs = Catalog::builtin().iter().filter(|spec| spec.provider == vendor && spec.input.text && !spec.deprecated);
    specs.map(|spec| spec.id.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_service_is_in_the_catalog_with_prices() {
        for kind in ProviderKind::ALL.into_iter().filter(|kind| kind.needs_key()) {
            let config = ProviderConfig::new("x", kind);
            let models = known_models(kind);
            assert!(models.iter().any(|model| price(&config, model).is_some_and(|price| price.output > 0.0)), "{kind}");
        }
        assert!(known_models(ProviderKind::Ollama).is_empty());
    }

    #[test]
    fn unknown_is_none_local_is_nothing_and_the_configured_price_wins() {
        let mine = Price { input: 1.0, output: 2.0, cached: None };
        for kind in ProviderKind::ALL {
            let mut config = ProviderConfig::new("x", kind);
            let known = price(&config, "no-such-model");
            assert_eq!(known.map(|price| price.input), kind.is_local().then_some(0.0), "{kind}");
            config.prices.insert("no-such-model".to_owned(), mine);
            assert_eq!(price(&config, "no-such-model"), Some(mine), "{kind}");
        }
    }
}
