//! The list of providers in the account's database: one setting, read at each use.

use std::sync::{Arc, Mutex, PoisonError};

use inklings_core::UserData;
use inklings_core::provider::{ModelSettings, ProviderError};
use serde_json::Value;

/// Key of the setting.
const KEY: &str = "models";

/// The stored settings.
pub(crate) struct Settings {
    user: Arc<dyn UserData>,
    origin: String,
    changing: Mutex<()>,
}

impl Settings {
    /// In a database; `origin` tells others who changed them.
    pub(crate) fn new(user: Arc<dyn UserData>, origin: String) -> Self {
        Self { user, origin, changing: Mutex::new(()) }
    }

    /// As they are now.
    pub(crate) fn read(&self) -> Result<ModelSettings, ProviderError> {
        match self.user.settings()?.remove(KEY) {
            None | Some(Value::Null) => Ok(ModelSettings::default()),
            Some(value) => serde_json::from_value(value).map_err(|source| ProviderError::Unreadable { source }),
        }
    }

    /// Changes them. What fails to change them leaves them.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut ModelSettings) -> Result<T, ProviderError>) -> Result<T, ProviderError> {
        let _alone = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.read()?;
        let mut after = before.clone();
        let result = change(&mut after)?;
        if after != before {
            after.providers.sort_by(|a, b| a.name.cmp(&b.name));
            let value = serde_json::to_value(&after).map_err(|source| ProviderError::Unreadable { source })?;
            self.user.put_setting(KEY, &value, &self.origin)?;
        }
        Ok(result)
    }
}
