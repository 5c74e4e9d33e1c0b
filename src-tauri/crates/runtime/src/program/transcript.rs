//! Every question of a program to the model and its answer, as the trace shows them.

use std::fmt::Write as _;

use inklings_core::model::{Completion, Part, Request, Role};

/// Bytes that are kept; an optimisation asks thousands of times.
const MAX_TRANSCRIPT_BYTES: usize = 256 * 1024;

/// How the questions so far are written down.
#[derive(Default)]
pub(super) struct Transcript {
    questions: usize,
    left_out: bool,
}

impl Transcript {
    /// Adds a question and its answer to the text.
    pub(super) fn add(&mut self, to: &mut String, request: &Request, completion: &Completion) {
        self.questions += 1;
        if to.len() >= MAX_TRANSCRIPT_BYTES {
            if !self.left_out {
                to.push_str("\n\n… later questions are left out");
                self.left_out = true;
            }
            return;
        }
        if !to.is_empty() {
            to.push_str("\n\n");
        }
        // Writing to a text doesn't fail.
        let _ = write!(to, "===== question {} =====", self.questions);
        let mut put = |who: &str, said: &str| {
            let _ = write!(to, "\n--- {who}\n{}", said.trim_end());
        };
        if !request.system.is_empty() {
            put("system", &request.system);
        }
        for message in &request.messages {
            let who = match message.role {
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            for part in &message.parts {
                match part {
                    Part::Text { text } | Part::ToolResult { text, .. } => put(who, text),
                    Part::ToolCall(call) => put(who, &format!("calls {} {}", call.name, call.arguments)),
                }
            }
        }
        put("answer", &completion.text);
        for call in &completion.tool_calls {
            put("answer", &format!("calls {} {}", call.name, call.arguments));
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
    fn questions_stand_one_after_the_other_with_their_answers() {
        let (mut transcript, mut all) = (Transcript::default(), String::new());
        for text in ["one?", "two?"] {
            let (request, answer) = asked(text);
            transcript.add(&mut all, &request, &answer);
        }
        let wanted = "===== question 1 =====\n--- system\nbe brief\n--- user\none?\n--- answer\nyes\n\n\
                      ===== question 2 =====\n--- system\nbe brief\n--- user\ntwo?\n--- answer\nyes";
        assert_eq!(all, wanted);
    }

    #[test]
    fn it_does_not_grow_for_ever() {
        let (mut transcript, mut all) = (Transcript::default(), String::new());
        let (request, answer) = asked(&"x".repeat(100_000));
        for _ in 0..50 {
            transcript.add(&mut all, &request, &answer);
        }
        assert!(all.len() < MAX_TRANSCRIPT_BYTES + 150_000 && all.ends_with("later questions are left out"));
    }
}
