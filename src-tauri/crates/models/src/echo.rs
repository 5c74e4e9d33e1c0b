//! Removes API keys that a server echoes from answers, as they are removed from errors.

use inklings_core::Secret;
use inklings_core::model::Completion;
use serde_json::Value;

pub(crate) const REDACTED: &str = "***";
/// Shorter keys are not replaced: they are placeholders for servers without authentication, such as
/// "ollama", which an answer may contain for other reasons.
const MIN_KEY_BYTES: usize = 12;

/// Removes the key from streamed text. A key may arrive in pieces, so a possible beginning of it is held back.
pub(crate) struct Cleaner<'k> {
    key: Option<&'k str>,
    held: String,
}

impl<'k> Cleaner<'k> {
    pub(crate) fn new(key: &'k Secret) -> Self {
        Self { key: Some(key.expose()).filter(|key| key.len() >= MIN_KEY_BYTES), held: String::new() }
    }

    /// The text that can be passed on after `text` arrived.
    pub(crate) fn next(&mut self, text: &str) -> String {
        let Some(key) = self.key else { return text.to_owned() };
        self.held.push_str(text);
        let mut clean = self.held.replace(key, REDACTED);
        let begun = key.char_indices().rev().map(|(at, _)| at).find(|at| clean.ends_with(&key[..*at])).unwrap_or(0);
        self.held = clean.split_off(clean.len() - begun);
        clean
    }

    /// The text that was held back.
    pub(crate) fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    pub(crate) fn completion(&self, completion: Completion) -> Completion {
        let Some(key) = self.key else { return completion };
        let mut completion = completion;
        for text in [&mut completion.text, &mut completion.model] {
            clean(text, key);
        }
        for call in &mut completion.tool_calls {
            clean(&mut call.id, key);
            clean(&mut call.name, key);
            clean_value(&mut call.arguments, key);
            if let Some(text) = &mut call.invalid_arguments {
                clean(text, key);
            }
        }
        completion
    }
}

fn clean(text: &mut String, key: &str) {
    if text.contains(key) {
        *text = text.replace(key, REDACTED);
    }
}

fn clean_value(value: &mut Value, key: &str) {
    match value {
        Value::String(text) => clean(text, key),
        Value::Array(items) => items.iter_mut().for_each(|item| clean_value(item, key)),
        Value::Object(members) => {
            *members = std::mem::take(members)
                .into_iter()
                .map(|(mut name, mut value)| {
                    clean(&mut name, key);
                    clean_value(&mut value, key);
                    (name, value)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(key: &str, pieces: &[&str]) -> Vec<String> {
        let key = Secret::new(key);
        let mut cleaner = Cleaner::new(&key);
        let mut got: Vec<String> = pieces.iter().map(|piece| cleaner.next(piece)).collect();
        got.push(cleaner.rest());
        got
    }

    #[test]
    fn a_key_is_taken_out_however_it_is_cut() {
        let key = "sk-test-0123456789";
        let text = format!("a {key}{key} sk-test-0 é {key}");
        for cut in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            for second in (cut..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let got = cleaned(key, &[&text[..cut], &text[cut..second], &text[second..]]).concat();
                assert_eq!(got, "a ****** sk-test-0 é ***", "{cut} {second}");
            }
        }
        assert_eq!(cleaned(key, &["sk-t", "est"]), ["", "", "sk-test"]);
        assert_eq!(cleaned("ollama", &["ask ollama"]), ["ask ollama", ""]);
        assert_eq!(cleaned("", &["a"]), ["a", ""]);
    }
}
