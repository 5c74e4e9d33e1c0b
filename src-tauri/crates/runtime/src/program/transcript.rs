//! The model calls of a program as text for the trace.

use std::fmt::Write as _;

use inklings_core::model::{Completion, Part, Request, Role};

/// An optimization calls the model thousands of times.
const MAX_TRANSCRIPT_BYTES: usize = 256 * 1024;

#[derive(Default)]
pub(super) struct Transcript {
    calls: usize,
    truncated: bool,
}

impl Transcript {
    /// Appends a request and its answer to `to`.
    pub(super) fn add(&mut self, to: &mut String, request: &Request, completion: &Completion) {
        self.calls += 1;
        if to.len() >= MAX_TRANSCRIPT_BYTES {
            if !self.truncated {
                to.push_str("\n\n… later calls are omitted");
                self.truncated = true;
            }
            return;
        }
        if !to.is_empty() {
            to.push_str("\n\n");
        }
        // Writing to a String can't fail.
        let _ = write!(to, "===== call {} =====", self.calls);
        let mut section = |role: &str, content: &str| {
            let _ = write!(to, "\n--- {role}\n{}", content.trim_end());
        };
        if !request.system.is_empty() {
            section("system", &request.system);
        }
        for message in &request.messages {
            let role = match message.role {
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            for part in &message.parts {
                match part {
                    Part::Text { text } | Part::ToolResult { text, .. } => section(role, text),
                    Part::ToolCall(call) => section(role, &format!("calls {} {}", call.name, call.arguments)),
                }
            }
        }
        section("answer", &completion.text);
        for call in &completion.tool_calls {
            section("answer", &format!("calls {} {}", call.name, call.arguments));
        }
    }
}

#[cfg(test)]
mod tests {
    use inklings_core::model::{Finish, Message, TokenUsage};

    use super::*;

    fn asked(text: &str) -> (Request, Completion) {
        let request = Request { system: "be brief".to_owned(), messages: vec![Message::text(Role::User, text)], ..Request::default() };
        let answer = Completion {
            text: "yes\n".to_owned(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            usage: TokenUsage::default(),
            model: "m".to_owned(),
        };
        (request, answer)
    }

    #[test]
    fn each_call_is_followed_by_its_answer() {
        let (mut transcript, mut all) = (Transcript::default(), String::new());
        for text in ["one?", "two?"] {
            let (request, answer) = asked(text);
            transcript.add(&mut all, &request, &answer);
        }
        let wanted = "===== call 1 =====\n--- system\nbe brief\n--- user\none?\n--- answer\nyes\n\n\
                      ===== call 2 =====\n--- system\nbe brief\n--- user\ntwo?\n--- answer\nyes";
        assert_eq!(all, wanted);
    }

    #[test]
    fn it_does_not_grow_for_ever() {
        let (mut transcript, mut all) = (Transcript::default(), String::new());
        let (request, answer) = asked(&"x".repeat(100_000));
        for _ in 0..50 {
            transcript.add(&mut all, &request, &answer);
        }
        assert!(all.len() < MAX_TRANSCRIPT_BYTES + 150_000 && all.ends_with("later calls are omitted"));
    }
}
