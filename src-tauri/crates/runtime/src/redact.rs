//! Removes secrets from text before it is stored: known keys, and text in the form of a key.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use serde_json::{Map, Value};

pub(crate) const REDACTED: &str = "[redacted]";
/// Replacing shorter secrets would damage ordinary words.
const MIN_SECRET_CHARS: usize = 4;

pub trait KnownSecrets: Send + Sync {
    /// The secrets in use, in plain text.
    fn secrets(&self) -> Vec<String>;
}

#[derive(Debug, Clone, Copy)]
pub struct NoSecrets;

impl KnownSecrets for NoSecrets {
    fn secrets(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Key formats as documented by their vendors.
static KEY_FORMS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = [
        r"sk-(?:ant-|proj-|or-v1-)?[A-Za-z0-9_-]{20,}",
        r"AIza[0-9A-Za-z_-]{35}",
        r"(?:AKIA|ASIA)[0-9A-Z]{16}",
        r"gh[pousr]_[A-Za-z0-9]{36,}",
        r"github_pat_[A-Za-z0-9_]{50,}",
        r"glpat-[A-Za-z0-9_-]{20,}",
        r"xox[abeprs]-[A-Za-z0-9-]{10,}",
        r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----",
    ];
    Regex::new(&format!(r"\b(?:{})|{}", forms[..8].join("|"), forms[8])).ok()
});

#[derive(Clone)]
pub struct Redactor {
    known: Arc<dyn KnownSecrets>,
}

impl Redactor {
    /// Reads the known secrets anew for each text, since they change while the app runs.
    #[must_use]
    pub fn new(known: Arc<dyn KnownSecrets>) -> Self {
        Self { known }
    }

    #[must_use]
    pub fn is_redacted(text: &str) -> bool {
        text.contains(REDACTED)
    }

    /// The current secrets, for redacting several texts: reading them may access the keychain.
    #[must_use]
    pub fn now(&self) -> Secrets {
        let mut secrets = self.known.secrets();
        secrets.retain(|secret| secret.len() >= MIN_SECRET_CHARS);
        // Longest first: a key that is a prefix of another must not leave the rest of the other.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Secrets(secrets)
    }

    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.now().redact(text)
    }
}

/// A snapshot of the secrets, longest first.
pub struct Secrets(Vec<String>);

impl Secrets {
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        let mut text = Cow::Borrowed(text);
        for secret in &self.0 {
            if text.contains(secret) {
                text = Cow::Owned(text.replace(secret, REDACTED));
            }
        }
        match KEY_FORMS.as_ref() {
            Some(forms) => forms.replace_all(&text, REDACTED).into_owned(),
            None => text.into_owned(),
        }
    }

    /// The value with each text in it redacted, and the names of fields.
    #[must_use]
    pub fn redact_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.redact(text).into(),
            Value::Array(items) => items.iter().map(|item| self.redact_value(item)).collect(),
            Value::Object(fields) => self.redact_fields(fields).into(),
            other => other.clone(),
        }
    }

    #[must_use]
    pub(crate) fn redact_fields(&self, fields: &Map<String, Value>) -> Map<String, Value> {
        fields.iter().map(|(name, value)| (self.redact(name), self.redact_value(value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static str);

    impl KnownSecrets for One {
        fn secrets(&self) -> Vec<String> {
            vec![self.0.to_owned(), format!("{}-and-more", self.0), "abc".to_owned()]
        }
    }

    #[test]
    fn known_keys_and_forms_of_keys_are_replaced() {
        let redactor = Redactor::new(Arc::new(One("correct-horse-battery")));
        for (text, clean) in [
            ("use correct-horse-battery here", "use [redacted] here"),
            ("correct-horse-battery-and-more", "[redacted]"),
            ("abc", "abc"),
            (concat!("sk-ant-", "api03-abcdefghijklmnopqrstuvwxyz"), "[redacted]"),
            ("key: AKIAABCDEFGHIJKLMNOP.", "key: [redacted]."),
            ("a task-list of sk-ills", "a task-list of sk-ills"),
            ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nrest", "[redacted]\nrest"),
        ] {
            assert_eq!(redactor.redact(text), clean);
        }
    }

    #[test]
    fn the_forms_are_readable_patterns() {
        assert!(KEY_FORMS.is_some());
    }
}
