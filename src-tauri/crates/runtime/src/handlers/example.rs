//! Example: pairs of input and output, shown to the model as earlier exchanges.

use inklings_core::{Artifact, ArtifactKind};
use serde_json::Value;

use crate::context::{self, Conversation};
use crate::handler::ArtifactHandler;

pub(super) struct Example;

impl ArtifactHandler for Example {
    fn kind(&self) -> ArtifactKind {
        ArtifactKind::Example
    }

    fn accompany(&self, artifact: &Artifact, conversation: &mut Conversation) {
        match pairs(&artifact.content) {
            Some(pairs) => conversation.examples.extend(pairs),
            // Not pairs: passed on as instructions.
            None => conversation.instruct(&artifact.content),
        }
    }
}

/// Reads `{"input": .., "output": ..}`, a list of these, or JSON lines.
fn pairs(text: &str) -> Option<Vec<context::Example>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let values = match serde_json::from_str(text) {
        Ok(Value::Array(values)) => values,
        Ok(value) => vec![value],
        Err(_) => text.lines().map(str::trim).filter(|line| !line.is_empty()).map(serde_json::from_str).collect::<Result<_, _>>().ok()?,
    };
    let pairs: Option<Vec<_>> = values
        .into_iter()
        .map(|mut value| {
            let fields = value.as_object_mut()?;
            Some(context::Example { input: fields.remove("input")?, output: fields.remove("output")? })
        })
        .collect();
    pairs.filter(|pairs| !pairs.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_in_each_form() {
        let one = r#"{"input": {"a": 1}, "output": "x"}"#;
        for (text, count) in [(one.to_owned(), 1), (format!("[{one}, {one}]"), 2), (format!("{one}\n\n{one}\n"), 2)] {
            assert_eq!(pairs(&text).map(|pairs| pairs.len()), Some(count), "{text}");
        }
        for text in ["", "[]", "plain words", r#"{"input": 1}"#, "[1]"] {
            assert_eq!(pairs(text), None, "{text}");
        }
    }
}
