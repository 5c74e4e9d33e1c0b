//! Removes secrets from what is stored of an answer.

use std::iter;

use inklings_core::chat::{ChatStep, FileChange, ToolPreview};
use inklings_core::model::ToolCall;
use inklings_runtime::Secrets;
use serde_json::Value;

use crate::features::tool::{is_write, operation_name};

/// The end of the first line of a PEM private key, which is recognized as a secret only once its last line has arrived.
const PRIVATE_KEY: &str = " PRIVATE KEY-----";

pub(super) fn redact_step(secrets: &Secrets, step: &mut ChatStep) {
    match step {
        // Of skills, and of a message that is stored without secrets.
        ChatStep::Recommended { .. } | ChatStep::Decided { .. } => {}
        ChatStep::Text { text, .. } | ChatStep::Notice { text } => redact(secrets, text),
        ChatStep::Question { call, question, options, .. } => {
            if let Some(call) = call {
                redact_call(secrets, call);
            }
            for text in iter::once(question).chain(options) {
                redact(secrets, text);
            }
        }
        ChatStep::Tool { step, .. } => {
            redact_call(secrets, &mut step.call);
            if let Some(preview) = &mut step.preview {
                redact_preview(secrets, preview);
            }
            if let Some(result) = &mut step.result {
                redact(secrets, result);
            }
        }
    }
}

/// The same for a text that is still arriving: what may be the beginning of a secret is left out.
pub(super) fn redact_part(secrets: &Secrets, step: &mut ChatStep) {
    redact_step(secrets, step);
    if let ChatStep::Text { text, .. } = step {
        let end = text.find(PRIVATE_KEY).unwrap_or(text.len());
        text.truncate(text[..end].trim_end_matches(|last: char| last.is_ascii_graphic()).len());
    }
}

pub(super) fn redact_preview(secrets: &Secrets, preview: &mut ToolPreview) {
    redact(secrets, &mut preview.summary);
    for FileChange { path, before, after } in &mut preview.files {
        for text in iter::once(path).chain(before).chain(after) {
            redact(secrets, text);
        }
    }
}

/// What a call is made with. A write has no secrets, so that it does the same after it was stored, to be permitted.
pub(super) fn call_arguments(secrets: &Secrets, call: &ToolCall) -> Value {
    if is_write(call) { secrets.redact_value(&call.arguments) } else { call.arguments.clone() }
}

fn redact_call(secrets: &Secrets, call: &mut ToolCall) {
    if operation_name(&call.name).is_none() {
        redact(secrets, &mut call.name);
    }
    call.arguments = secrets.redact_value(&call.arguments);
    if let Some(text) = &mut call.invalid_arguments {
        redact(secrets, text);
    }
}

fn redact(secrets: &Secrets, text: &mut String) {
    *text = secrets.redact(text);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use inklings_core::chat::{ToolStatus, ToolStep};
    use inklings_runtime::{KnownSecrets, Redactor};
    use serde_json::json;

    use super::*;

    const KEY: &str = "plainkey-one-1234567890";

    struct One;

    impl KnownSecrets for One {
        fn secrets(&self) -> Vec<String> {
            vec![KEY.to_owned()]
        }
    }

    fn secrets() -> Secrets {
        Redactor::new(Arc::new(One)).now()
    }

    fn call(name: &str) -> ToolCall {
        let arguments = json!({ "name": "tea", "lines": [{ KEY: KEY }] });
        ToolCall { id: "a".to_owned(), name: name.to_owned(), arguments, invalid_arguments: Some(KEY.to_owned()) }
    }

    #[test]
    fn no_text_of_a_step_has_a_key() {
        let files = vec![FileChange { path: KEY.to_owned(), before: Some(KEY.to_owned()), after: Some(KEY.to_owned()) }];
        let tool = ToolStep {
            call: call("create_skill"),
            status: ToolStatus::Asked,
            preview: Some(ToolPreview { summary: format!("Create {KEY}"), files, ..ToolPreview::default() }),
            result: Some(format!("Error: {KEY}")),
            change: None,
            run: None,
            proposal: None,
        };
        let (question, options) = (format!("Is it {KEY}?"), vec![KEY.to_owned()]);
        for mut step in [
            ChatStep::Text { round: 0, text: format!("It is {KEY}."), last: true },
            ChatStep::Notice { text: KEY.to_owned() },
            ChatStep::Question { round: 0, call: Some(call(KEY)), question, options },
            ChatStep::Tool { round: 0, step: Box::new(tool) },
        ] {
            redact_step(&secrets(), &mut step);
            let stored = serde_json::to_string(&step).unwrap();
            assert!(stored.contains("[redacted]") && !stored.contains(KEY), "{stored}");
        }
    }

    #[test]
    fn the_beginning_of_a_key_is_not_stored_while_it_arrives() {
        let part = |text: &str| {
            let mut step = ChatStep::Text { round: 0, text: text.to_owned(), last: false };
            redact_part(&secrets(), &mut step);
            let ChatStep::Text { text, .. } = step else { unreachable!("it stays a text") };
            text
        };
        let key = format!("The key is {KEY}");
        for end in 0..=key.len() {
            let stored = part(&key[..end]);
            assert!("The key is ".starts_with(&stored), "{stored}");
        }
        for (text, stored) in [
            ("The key is plainkey-one-1234567890, as I said", "The key is [redacted], as I "),
            ("鍵は、plainkey-one", "鍵は、"),
            ("Here:\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n", "Here:\n-----BEGIN "),
            ("Here:\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nOnce ", "Here:\n[redacted]\nOnce "),
        ] {
            assert_eq!(part(text), stored);
        }
    }

    #[test]
    fn a_write_has_no_secrets_and_what_reads_is_called_as_it_is() {
        assert_eq!(call_arguments(&secrets(), &call("update_skill")), json!({ "name": "tea", "lines": [{ "[redacted]": "[redacted]" }] }));
        assert_eq!(call_arguments(&secrets(), &call("read_skill")), call("read_skill").arguments);
    }
}
