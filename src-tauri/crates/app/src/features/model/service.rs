use inklings_core::ModelRef;
use inklings_core::provider::{KeySource, KeyState, ProviderConfig, ProviderError, ProviderKind, ProviderRegistry, Secret, with_scheme};

use super::api::{KeyReport, KindInfo, ModelSetup, ProviderInfo, ProviderParams};

pub(super) fn setup(registry: &dyn ProviderRegistry) -> Result<ModelSetup, ProviderError> {
    let settings = registry.settings()?;
    let kinds = ProviderKind::ALL.into_iter().map(|kind| KindInfo {
        kind,
        title: kind.title().to_owned(),
        base_url: kind.default_base_url().map(str::to_owned),
        key_variable: kind.key_variable().map(str::to_owned),
        local: kind.is_local(),
    });
    Ok(ModelSetup {
        default_price: settings.default.as_ref().map(|model| registry.price(model)).transpose()?.flatten(),
        default: settings.default,
        providers: settings.providers.into_iter().map(|provider| provider_info(registry, provider)).collect(),
        key_location: registry.key_location(),
        kinds: kinds.collect(),
    })
}

pub(super) fn provider(params: ProviderParams) -> ProviderConfig {
    let defaults = ProviderConfig::new(params.name, params.kind);
    ProviderConfig {
        base_url: params.base_url.map(|url| with_scheme(url.trim())).filter(|url| !url.is_empty()),
        key: params.key.unwrap_or(defaults.key),
        models: params.models,
        prices: params.prices,
        timeout_seconds: params.timeout_seconds,
        ..defaults
    }
}

/// Whether a stored key or an environment variable would be sent where it isn't sent yet.
pub(super) fn sends_key_elsewhere(registry: &dyn ProviderRegistry, provider: &ProviderConfig) -> Result<bool, ProviderError> {
    let settings = registry.settings()?;
    let known = settings.provider(&provider.name);
    let is_same = |known: &ProviderConfig| (&known.key, known.kind, known.address()) == (&provider.key, provider.kind, provider.address());
    Ok(provider.key != KeySource::None && !known.is_some_and(is_same))
}

/// Stores a provider. The first model of the first provider becomes the default.
pub(super) fn put(registry: &dyn ProviderRegistry, provider: ProviderConfig) -> Result<ProviderInfo, ProviderError> {
    registry.put(provider.clone())?;
    if registry.settings()?.default.is_none()
        && let Some(model) = provider.models.first()
    {
        registry.set_default(Some(ModelRef { provider: provider.name.clone(), model: model.clone() }))?;
    }
    Ok(provider_info(registry, provider))
}

pub(super) fn remove(registry: &dyn ProviderRegistry, name: &str) -> Result<(), ProviderError> {
    if registry.remove(name)? { Ok(()) } else { Err(ProviderError::Unknown { name: name.to_owned() }) }
}

pub(super) fn set_key(registry: &dyn ProviderRegistry, name: &str, key: Option<Secret>) -> Result<KeyReport, ProviderError> {
    registry.set_key(name, key)?;
    Ok(KeyReport { key_state: registry.key_state(name)? })
}

fn provider_info(registry: &dyn ProviderRegistry, provider: ProviderConfig) -> ProviderInfo {
    ProviderInfo {
        address: provider.address().map(str::to_owned),
        // A key store that can't be opened must not hide the list; a run reports it.
        key_state: registry.key_state(&provider.name).unwrap_or(KeyState::Missing),
        name: provider.name,
        kind: provider.kind,
        base_url: provider.base_url,
        key: provider.key,
        models: provider.models,
        prices: provider.prices,
        timeout_seconds: provider.timeout_seconds,
    }
}
