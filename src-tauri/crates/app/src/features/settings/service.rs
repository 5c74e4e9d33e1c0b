use inklings_core::trace::{Retention, TRACE_RETENTION};
use inklings_core::{SandboxLimits, Slug, UserData};
use serde_json::{Value, json};

use super::api::MAX_VALUE_BYTES;
use super::error::SettingError;
use crate::features::chat::PINNED_SKILLS;
use crate::features::registry::{MARKETPLACE_SETTINGS, MarketplaceSettings};
use crate::features::run::resources::SANDBOX_LIMITS;
use crate::features::server::{SERVER_SETTINGS, ServerSettings};

const MAX_KEY_BYTES: usize = 120;

/// Sets a setting; null removes it.
pub(super) fn set(user: &dyn UserData, key: &str, value: &Value, origin: &str) -> Result<(), SettingError> {
    let is_plain = |ch: char| ch.is_ascii_lowercase() || ch.is_ascii_digit() || matches!(ch, '.' | '_' | '-');
    if key.is_empty() || key.len() > MAX_KEY_BYTES || !key.chars().all(is_plain) {
        return Err(SettingError::Key(key.to_owned()));
    }
    if value.to_string().len() > MAX_VALUE_BYTES {
        return Err(SettingError::TooLarge(key.to_owned()));
    }
    check_value(key, value)?;
    Ok(user.put_setting(key, value, origin)?)
}

/// Refuses a value that couldn't be used: its readers would silently use the default instead.
fn check_value(key: &str, value: &Value) -> Result<(), SettingError> {
    let (parsed, default) = match key {
        _ if value.is_null() => return Ok(()),
        SANDBOX_LIMITS => (serde_json::from_value::<SandboxLimits>(value.clone()).map(drop), json!(SandboxLimits::default())),
        TRACE_RETENTION => (serde_json::from_value::<Retention>(value.clone()).map(drop), json!(Retention::default())),
        PINNED_SKILLS => (serde_json::from_value::<Vec<Slug>>(value.clone()).map(drop), json!([])),
        MARKETPLACE_SETTINGS => {
            (serde_json::from_value::<MarketplaceSettings>(value.clone()).map(drop), json!(MarketplaceSettings::default()))
        }
        SERVER_SETTINGS => (serde_json::from_value::<ServerSettings>(value.clone()).map(drop), json!(ServerSettings::default())),
        _ => return Ok(()),
    };
    parsed.map_err(|source| SettingError::Value { key: key.to_owned(), default, source })
}
