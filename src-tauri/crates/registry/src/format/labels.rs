//! Short texts: ids of registries, and what is shown of packages.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;

use super::FormatError;
use crate::limits;
use crate::text::serde_as_text;

/// Identifies a registry: 1 to 64 lowercase ASCII letters, digits, and single inner hyphens or dots, as in `skills.example.org`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String", inline)]
pub struct RegistryId(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} isn't a registry ID: use lowercase letters, digits, hyphens and dots, at most 64")]
pub struct ParseIdError(String);

impl RegistryId {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RegistryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RegistryId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_label = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if text.len() <= limits::REGISTRY_ID_CHARS && text.split(['-', '.']).all(is_label) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseIdError(text.chars().take(limits::REGISTRY_ID_CHARS).collect()))
        }
    }
}

serde_as_text!(RegistryId);

/// Checks a text that is shown to people: not empty, of limited length, and without control characters and characters that change the
/// direction of the text around them.
pub(crate) fn check_text(what: &'static str, text: &str, max: usize) -> Result<(), FormatError> {
    let chars = text.chars().count();
    if chars > max {
        return Err(FormatError::invalid(what, format_args!("it has {chars} characters (maximum {max})")));
    }
    if text.trim().is_empty() {
        return Err(FormatError::invalid(what, "it is empty"));
    }
    match text.chars().find(|ch| is_hidden(*ch)) {
        Some(ch) => Err(FormatError::invalid(what, format_args!("it contains the character {ch:?}"))),
        None => Ok(()),
    }
}

fn is_hidden(ch: char) -> bool {
    let is_control = ch.is_control() && !matches!(ch, '\n' | '\t');
    is_control || matches!(ch, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_safe_in_paths_and_signatures() {
        for good in ["a", "main", "skills.example.org", "team-1", &"a".repeat(64)] {
            assert_eq!(good.parse::<RegistryId>().unwrap().as_str(), good);
        }
        for bad in ["", ".", "..", "a..b", "-a", "a-", "A", "a/b", "a b", "a\n", "ä", &"a".repeat(65)] {
            assert!(bad.parse::<RegistryId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn shown_texts_have_no_hidden_characters() {
        assert_eq!(check_text("title", "Größe 1", 7), Ok(()));
        assert_eq!(check_text("title", "two\nlines", 20), Ok(()));
        for bad in ["", " ", "12345678", "a\u{0}", "a\u{1b}[", "a\u{202e}b", "a\u{2066}", "a\u{e0041}"] {
            assert!(check_text("title", bad, 7).is_err(), "{bad:?}");
        }
    }
}
