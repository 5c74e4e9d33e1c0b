use inklings_core::provider::{MODEL_SETTINGS, ModelSettings};
use inklings_core::trace::{Retention, TRACE_RETENTION};
use inklings_core::{SandboxLimits, Slug, UserData};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::api::MAX_VALUE_BYTES;
use super::error::SettingError;
use crate::features::chat::PINNED_SKILLS;
use crate::features::kit::{self, KITS};
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

/// Checks a value, and gives the default for the message.
type Check = (fn(&Value) -> Result<(), serde_json::Error>, fn() -> Value);

/// The settings that something other than a front end reads, with the check of their values and their defaults: readers would silently use
/// the default, or leave out a part, instead of a value that they can't use.
const CHECKS: &[(&str, Check)] = &[
    (SANDBOX_LIMITS, (is::<SandboxLimits>, default::<SandboxLimits>)),
    (TRACE_RETENTION, (is::<Retention>, default::<Retention>)),
    (PINNED_SKILLS, (is::<Vec<Slug>>, default::<Vec<Slug>>)),
    (MARKETPLACE_SETTINGS, (is::<MarketplaceSettings>, default::<MarketplaceSettings>)),
    (SERVER_SETTINGS, (is::<ServerSettings>, default::<ServerSettings>)),
    (MODEL_SETTINGS, (is::<ModelSettings>, default::<ModelSettings>)),
    (KITS, (kit::check, || json!({}))),
];

fn is<T: DeserializeOwned>(value: &Value) -> Result<(), serde_json::Error> {
    serde_json::from_value::<T>(value.clone()).map(drop)
}

fn default<T: Default + Serialize>() -> Value {
    json!(T::default())
}

fn check_value(key: &str, value: &Value) -> Result<(), SettingError> {
    let Some((_, (check, default))) = CHECKS.iter().find(|(known, _)| *known == key && !value.is_null()) else { return Ok(()) };
    check(value).map_err(|source| SettingError::Value { key: key.to_owned(), default: default(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_its_reader_cannot_use_is_refused() {
        for (key, (check, default)) in CHECKS {
            assert!(check(&default()).is_ok(), "the default of {key}");
            for value in [json!("x"), json!(1)] {
                assert!(matches!(check_value(key, &value), Err(SettingError::Value { .. })), "{key} {value}");
            }
            assert!(check_value(key, &Value::Null).is_ok(), "{key}");
        }
        for kits in [json!([]), json!({ "mine": "a" }), json!({ "mine": ["Not a slug"] }), json!({ "": ["a"] })] {
            assert!(check_value(KITS, &kits).is_err(), "{kits}");
        }
        assert!(check_value(KITS, &json!({ "mine": ["a", "b"] })).is_ok());
        assert!(check_value("ui.theme", &json!("x")).is_ok());
    }
}
