//! Keys and passphrases.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use zeroize::Zeroize;

use crate::provider::ProviderError;

pub const MAX_KEY_BYTES: usize = 8192;

/// A text that is wiped when it is dropped, and not printed by `Debug`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(transparent)]
pub struct Secret(String);

impl Secret {
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Trims the text. Fails if it isn't valid in an HTTP header.
    pub fn into_key(self) -> Result<Self, ProviderError> {
        let key = self.0.trim();
        if key.is_empty() || key.len() > MAX_KEY_BYTES || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ProviderError::BadKey);
        }
        Ok(Self(key.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_printed_and_a_key_is_clean() {
        let secret = Secret::new("  sk-abc\n");
        assert_eq!(format!("{secret:?}"), "***");
        assert_eq!(secret.into_key().unwrap().expose(), "sk-abc");
        for bad in ["", " ", "a b", "clé", "a\nb"] {
            assert!(Secret::new(bad).into_key().is_err(), "{bad:?}");
        }
    }
}
