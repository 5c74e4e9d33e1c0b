//! The list of providers in the account's database: one setting, read at each use.

use std::sync::Arc;

use inklings_core::provider::{ModelSettings, ProviderError};
use inklings_core::{StorageError, UserData};
use serde_json::Value;

/// Key of the setting.
const KEY: &str = "models";

/// The stored settings.
pub(crate) struct Settings {
    user: Arc<dyn UserData>,
    origin: String,
}

impl Settings {
    /// In a database; `origin` tells others who changed them.
    pub(crate) fn new(user: Arc<dyn UserData>, origin: String) -> Self {
        Self { user, origin }
    }

    /// As they are now.
    pub(crate) fn read(&self) -> Result<ModelSettings, ProviderError> {
        Ok(parsed(self.user.settings()?.remove(KEY)).0)
    }

    /// Changes them. What fails to change them leaves them; other processes wait.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut ModelSettings) -> Result<T, ProviderError>) -> Result<T, ProviderError> {
        let (mut change, mut result) = (Some(change), None);
        self.user.change_setting(KEY, &self.origin, &mut |stored| {
            let (before, strange) = parsed(stored);
            let mut after = before.clone();
            result = change.take().map(|change| change(&mut after));
            if after == before || !matches!(result, Some(Ok(_))) {
                return None;
            }
            after.providers.sort_by(|a, b| a.name.cmp(&b.name));
            let mut value = serde_json::to_value(&after).ok()?;
            value.get_mut("providers")?.as_array_mut()?.extend(strange);
            Some(value)
        })?;
        let unasked = || StorageError::NotFound { what: "setting", name: KEY.to_owned() };
        result.unwrap_or_else(|| Err(unasked().into()))
    }
}

/// Provider by provider, so that one of a newer version doesn't hide the others; such are given along as they stand.
fn parsed(stored: Option<Value>) -> (ModelSettings, Vec<Value>) {
    let (mut settings, mut strange) = (ModelSettings::default(), Vec::new());
    let stored = stored.unwrap_or_default();
    for value in stored.get("providers").and_then(Value::as_array).into_iter().flatten() {
        match serde_json::from_value(value.clone()) {
            Ok(provider) => settings.providers.push(provider),
            Err(error) => {
                tracing::warn!(%error, "a stored model provider can't be read");
                strange.push(value.clone());
            }
        }
    }
    settings.default = stored.get("default").and_then(|default| serde_json::from_value(default.clone()).ok());
    (settings, strange)
}
