//! Slugs, which identify skills, and titles.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::digest::Digest;
use crate::limits;

/// Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(with = "String", inline)]
pub struct Slug(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SlugError {
    #[error("the name is empty")]
    Empty,
    /// Longer than 64 characters.
    #[error("the name is too long: {0} characters (maximum 64)")]
    TooLong(usize),
    /// Not a lowercase letter, digit or hyphen.
    #[error("the name contains {0:?}: use only lowercase letters, digits and hyphens")]
    Character(char),
    /// A hyphen at an edge, or two in a row.
    #[error("the name can't start or end with a hyphen, or contain two in a row")]
    Hyphen,
}

impl Slug {
    /// Checks `text` after NFKC normalization.
    pub fn parse(text: &str) -> Result<Self, SlugError> {
        // Fast path for lists of thousands of slugs: ASCII is already normalized.
        let slug: String = if text.is_ascii() { text.to_owned() } else { text.nfkc().collect() };
        let chars = slug.chars().count();
        if chars == 0 {
            return Err(SlugError::Empty);
        }
        if chars > limits::SLUG_CHARS {
            return Err(SlugError::TooLong(chars));
        }
        if let Some(bad) = slug.chars().find(|ch| !is_slug_char(*ch)) {
            return Err(SlugError::Character(bad));
        }
        if slug.starts_with('-') || slug.ends_with('-') || slug.contains("--") {
            return Err(SlugError::Hyphen);
        }
        Ok(Self(slug))
    }

    /// The slug of a title: [`slugify`] with the fallback word `skill`.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        Self(slugify(name, "skill"))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The default title of a slug: `link-auditor` is "Link Auditor".
    #[must_use]
    pub fn humanised(&self) -> String {
        humanise(&self.0)
    }

    /// This slug with `-n` at its end, shortened so that it stays valid.
    #[must_use]
    pub fn numbered(&self, n: usize) -> Self {
        self.with_suffix(&n.to_string())
    }

    /// This slug with `-suffix` at its end (ASCII), shortened so that it stays valid.
    #[must_use]
    pub fn with_suffix(&self, suffix: &str) -> Self {
        let keep: String = self.0.chars().take(limits::SLUG_CHARS.saturating_sub(suffix.len() + 1)).collect();
        Self(format!("{}-{suffix}", keep.trim_end_matches('-')))
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Slug {
    type Err = SlugError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl Borrow<str> for Slug {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Slug {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

fn is_slug_char(ch: char) -> bool {
    if ch.is_ascii() {
        return ch.is_ascii_lowercase() || ch.is_ascii_digit() || ch == '-';
    }
    is_letter_or_number(ch) && ch.to_lowercase().eq(std::iter::once(ch))
}

/// Whether a character is a letter or a number of any script; marks are neither.
#[must_use]
pub fn is_letter_or_number(ch: char) -> bool {
    matches!(ch.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// Turns any text into an ASCII slug: NFKD, marks dropped, lower-case, every other run a hyphen, 64 at most.
/// Text without a usable character gives `<fallback>-` and 8 hex digits of its SHA-256.
#[must_use]
pub fn slugify(text: &str, fallback: &str) -> String {
    let mut slug = String::new();
    for ch in text.nfkd().filter(|ch| ch.general_category_group() != GeneralCategoryGroup::Mark).flat_map(char::to_lowercase) {
        if ch.is_ascii_alphanumeric() {
            slug.push(ch);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(limits::SLUG_CHARS);
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { format!("{fallback}-{}", Digest::of(text.as_bytes()).short()) } else { slug.to_owned() }
}

/// The key of an artifact's output in templates, as in `outputs.check_prompt`. Hyphens would be minus signs.
#[must_use]
pub fn output_key(artifact: &str) -> String {
    slugify(artifact, "artifact").replace('-', "_")
}

/// `link-auditor` as "Link Auditor".
#[must_use]
pub fn humanise(slug: &str) -> String {
    slug.split('-')
        .map(|word| {
            let mut chars = word.chars();
            chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default()
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Normalizes a title for comparison: NFC, case-folded.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.nfc().flat_map(char::to_lowercase).nfc().collect() }
}

/// Normalizes a query for comparison with slugs: `_` and spaces become `-`.
#[must_use]
pub fn lookup_key(text: &str) -> String {
    text.trim().nfkc().flat_map(char::to_lowercase).map(|ch| if ch == '_' || ch.is_whitespace() { '-' } else { ch }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn slugs_follow_the_standard() {
        for good in ["a", "consistency-checker", "größe", "技能", "a1-b2"] {
            assert_eq!(Slug::parse(good).unwrap().as_str(), good);
        }
        assert_eq!(Slug::parse("ﬁle").unwrap().as_str(), "file");
        for (bad, why) in [
            ("", SlugError::Empty),
            ("A", SlugError::Character('A')),
            ("a_b", SlugError::Character('_')),
            ("-a", SlugError::Hyphen),
            ("a--b", SlugError::Hyphen),
        ] {
            assert_eq!(Slug::parse(bad), Err(why), "{bad}");
        }
        assert_eq!(Slug::parse(&"x".repeat(65)), Err(SlugError::TooLong(65)));
    }

    #[test]
    fn slugify_drops_marks_and_falls_back_to_a_hash() {
        assert_eq!(slugify("Consistency Checker", "skill"), "consistency-checker");
        assert_eq!(slugify("  Größe: prüfen!  ", "skill"), "große-prufen".replace('ß', "-").replace("gro--e", "gro-e"));
        assert_eq!(slugify("技能", "skill"), "skill-99aea2f9");
        assert_eq!(Slug::of_name("Link Auditor").humanised(), "Link Auditor");
    }

    proptest! {
        #[test]
        fn ascii_is_folded_as_any_text_is(text in "[ -~]{0,40}") {
            let whole: String = text.nfc().flat_map(char::to_lowercase).nfc().collect();
            prop_assert_eq!(fold(&text), whole);
            prop_assert_eq!(text.nfkc().collect::<String>(), text);
        }

        #[test]
        fn slugify_always_gives_a_valid_slug(text in ".{0,90}", n in 2_usize..2000) {
            let slug = Slug::parse(&slugify(&text, "skill")).unwrap();
            prop_assert!(Slug::parse(slug.numbered(n).as_str()).is_ok());
        }
    }
}
