//! The configured providers: one setting in the account's database, read on each use.

use std::sync::Arc;

use inklings_core::provider::{MODEL_SETTINGS, ModelSettings, ProviderError};
use inklings_core::{StorageError, UserData};
use serde_json::Value;

pub(crate) struct SettingsStore {
    user: Arc<dyn UserData>,
    origin: String,
}

impl SettingsStore {
    /// `origin` is the origin of changes in the change feed.
    pub(crate) fn new(user: Arc<dyn UserData>, origin: String) -> Self {
        Self { user, origin }
    }

    pub(crate) fn read(&self) -> Result<ModelSettings, ProviderError> {
        Ok(parse(self.user.settings()?.remove(MODEL_SETTINGS)).0)
    }

    /// Changes the settings in one transaction. An error of `change` leaves them unchanged.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut ModelSettings) -> Result<T, ProviderError>) -> Result<T, ProviderError> {
        let (mut change, mut result) = (Some(change), None);
        self.user.change_setting(MODEL_SETTINGS, &self.origin, &mut |stored| {
            let (before, unknown) = parse(stored);
            let mut after = before.clone();
            result = change.take().map(|change| change(&mut after));
            if after == before || !matches!(result, Some(Ok(_))) {
                return None;
            }
            after.providers.sort_by(|a, b| a.name.cmp(&b.name));
            let mut value = serde_json::to_value(&after).ok()?;
            value.get_mut("providers")?.as_array_mut()?.extend(unknown);
            Some(value)
        })?;
        let not_called = || StorageError::NotFound { what: "setting", name: MODEL_SETTINGS.to_owned() };
        result.unwrap_or_else(|| Err(not_called().into()))
    }
}

/// Parses each provider on its own, so that an unreadable one doesn't hide the others. Unreadable ones are returned unchanged.
fn parse(stored: Option<Value>) -> (ModelSettings, Vec<Value>) {
    let (mut settings, mut unknown) = (ModelSettings::default(), Vec::new());
    let stored = stored.unwrap_or_default();
    for value in stored.get("providers").and_then(Value::as_array).into_iter().flatten() {
        match serde_json::from_value(value.clone()) {
            Ok(provider) => settings.providers.push(provider),
            Err(error) => {
                tracing::warn!(%error, "can't read a stored model provider");
                unknown.push(value.clone());
            }
        }
    }
    settings.default = stored.get("default").and_then(|default| serde_json::from_value(default.clone()).ok());
    (settings, unknown)
}
