//! Prints an answer while it is written: its text on standard output, what else happens on standard error.

use inklings_app::features::chat::{ChatDetail, ChatRef, GetChat, StopAnswer};
use inklings_app::{ChatEvent, ChatEventKind};
use inklings_core::SessionId;
use inklings_core::chat::{ChatStep, RecommendedSkill, ToolStatus, ToolStep};
use inklings_rpc::Operation;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::watch;

use super::{answer, question_text};
use crate::commands::live::{LivePrinter, OutputPiece};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::interrupt::interrupts;
use crate::out::Out;

pub(super) struct AnswerStream<'a> {
    session: &'a Session,
    id: SessionId,
    /// Nothing is printed as JSON, whose result has the same information.
    quiet: bool,
    printer: LivePrinter,
    printed: PrintedAnswer,
    has_begun: bool,
    /// The first step whose tool wasn't announced.
    next_call: usize,
    interrupts: watch::Receiver<()>,
}

impl<'a> AnswerStream<'a> {
    /// `known_steps` is the number of steps that the answer already has, which aren't printed again.
    pub(super) fn begin(session: &'a Session, id: SessionId, known_steps: usize, out: &Out) -> Self {
        let printed = PrintedAnswer { known_steps, ..PrintedAnswer::default() };
        let has_begun = known_steps > 0;
        let live = LivePrinter::start(out);
        Self { session, id, quiet: out.is_json(), printer: live, printed, has_begun, next_call: 0, interrupts: interrupts() }
    }

    /// Calls an operation that writes the answer, or goes on with it. Ctrl+C and a closed pipe stop the answer.
    pub(super) async fn follow<T: Operation<App = inklings_app::App, Output = ChatDetail>>(
        &mut self,
        params: T::Params,
    ) -> Result<ChatDetail, CliError> {
        let session = self.session;
        let mut events = session.chat_events();
        let mut active = Box::pin(session.call::<T>(params));
        let mut is_closed = false;
        let detail = loop {
            let stops = tokio::select! {
                biased;
                event = events.recv() => {
                    match event {
                        Ok(event) => self.on_event(event).await?,
                        Err(RecvError::Lagged(_)) => self.printed.is_incomplete = true,
                        Err(RecvError::Closed) => break active.await,
                    }
                    false
                }
                detail = &mut active => break detail,
                () = self.printer.closed(), if !is_closed => {
                    is_closed = true;
                    true
                }
                Ok(()) = self.interrupts.changed() => true,
            };
            if stops {
                session.call::<StopAnswer>(ChatRef { session: self.id }).await?;
            }
        };
        loop {
            match events.try_recv() {
                Ok(event) => self.on_event(event).await?,
                Err(TryRecvError::Lagged(_)) => self.printed.is_incomplete = true,
                Err(_) => return Ok(detail?),
            }
        }
    }

    async fn on_event(&mut self, event: ChatEvent) -> Result<(), CliError> {
        if self.quiet || event.session != self.id {
            return Ok(());
        }
        match event.what {
            ChatEventKind::Began if !std::mem::replace(&mut self.has_begun, true) => {
                let detail = self.session.call::<GetChat>(ChatRef { session: self.id }).await?;
                if let Some(ChatStep::Recommended { skills }) = answer(&detail).and_then(|entry| entry.message.steps.first()) {
                    self.note(recommended_text(skills));
                }
            }
            ChatEventKind::Text { position, text } => self.text(position, &text),
            ChatEventKind::Step { position, step } => match *step {
                ChatStep::Question { question, options, .. } => self.text(position, &question_text(&question, &options)),
                ChatStep::Tool { step, .. } => self.tool(position, &step),
                ChatStep::Notice { text } => self.note(text),
                ChatStep::Recommended { .. } | ChatStep::Decided { .. } | ChatStep::Text { .. } => {}
            },
            ChatEventKind::Began | ChatEventKind::Ended { .. } => {}
        }
        Ok(())
    }

    fn text(&mut self, position: usize, text: &str) {
        if let Some(piece) = self.printed.next(position, text) {
            self.printer.print(OutputPiece::Text(piece));
        }
    }

    fn tool(&mut self, position: usize, step: &ToolStep) {
        match step.status {
            ToolStatus::Running if position >= self.next_call => {
                self.next_call = position + 1;
                self.note(format!("calling {}", step.call.name));
            }
            ToolStatus::Failed => {
                let why = step.result.as_deref().and_then(|result| result.lines().next()).unwrap_or_default();
                self.note(format!("{} failed: {why}", step.call.name));
            }
            _ => {}
        }
    }

    fn note(&self, text: String) {
        self.printer.print(OutputPiece::Note(text));
    }

    /// Prints what is missing, and waits until everything is written. Ctrl+C ends the wait.
    pub(super) async fn end(self, detail: &ChatDetail) -> Result<(), CliError> {
        if !self.quiet {
            let steps = answer(detail).map(|entry| entry.message.steps.as_slice()).unwrap_or_default();
            let rest = self.printed.rest(steps);
            if !rest.is_empty() {
                self.printer.print(OutputPiece::Text(rest));
            }
        }
        drop(self.interrupts);
        self.printer.end().await
    }
}

pub(super) fn recommended_text(skills: &[RecommendedSkill]) -> String {
    let names: Vec<&str> = skills.iter().map(|skill| skill.slug.as_str()).collect();
    format!("skills that fit: {}", names.join(", "))
}

/// Text that was printed while it arrived.
#[derive(Default)]
struct PrintedAnswer {
    /// Number of steps that aren't printed.
    known_steps: usize,
    text: String,
    /// Of the step that it ends with.
    position: Option<usize>,
    /// An event was lost; nothing more is printed until the end.
    is_incomplete: bool,
}

impl PrintedAnswer {
    /// The text to print; each step starts on a new line.
    fn next(&mut self, position: usize, text: &str) -> Option<String> {
        if self.is_incomplete || position < self.known_steps || text.is_empty() {
            return None;
        }
        let before = self.text.len();
        if self.position.replace(position).is_some_and(|before| before != position) {
            end_line(&mut self.text);
        }
        self.text.push_str(text);
        Some(self.text[before..].to_owned())
    }

    /// What is missing of an answer with these steps, with the end of its line.
    fn rest(&self, steps: &[ChatStep]) -> String {
        let mut missing = if self.text.is_empty() || self.is_incomplete {
            let whole = text_of(steps.get(self.known_steps..).unwrap_or_default());
            whole.strip_prefix(self.text.as_str()).map_or_else(|| format!("\n{whole}"), str::to_owned)
        } else {
            String::new()
        };
        let last = if missing.is_empty() { &self.text } else { &missing };
        if !last.is_empty() && !last.ends_with('\n') {
            missing.push('\n');
        }
        missing
    }
}

fn text_of(steps: &[ChatStep]) -> String {
    let mut text = String::new();
    for step in steps {
        let said = match step {
            ChatStep::Text { text, .. } => text.clone(),
            ChatStep::Question { question, options, .. } => question_text(question, options),
            _ => continue,
        };
        if !said.is_empty() {
            end_line(&mut text);
            text.push_str(&said);
        }
    }
    text
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> ChatStep {
        ChatStep::Text { round: 0, text: text.to_owned(), last: false }
    }

    #[test]
    fn an_answer_is_printed_once() {
        let steps = [said("one two"), ChatStep::Notice { text: "n".to_owned() }, said("three")];
        let mut printed = PrintedAnswer::default();
        assert_eq!(printed.rest(&steps), "one two\nthree\n", "nothing was printed yet");
        assert_eq!(printed.next(0, "one ").as_deref(), Some("one "));
        assert_eq!(printed.next(0, "two").as_deref(), Some("two"));
        assert_eq!(printed.next(2, "three").as_deref(), Some("\nthree"));
        assert_eq!(printed.rest(&steps), "\n");
    }

    #[test]
    fn what_was_missed_is_printed_at_the_end() {
        let mut printed = PrintedAnswer::default();
        printed.next(0, "one ");
        printed.is_incomplete = true;
        assert_eq!(printed.next(0, "three"), None, "nothing is printed behind a gap");
        assert_eq!(printed.rest(&[said("one two three\n")]), "two three\n");
        assert_eq!(printed.rest(&[said("another")]), "\nanother\n");
    }

    #[test]
    fn steps_of_an_earlier_command_are_not_printed_again() {
        let mut printed = PrintedAnswer { known_steps: 1, ..PrintedAnswer::default() };
        assert_eq!(printed.next(0, "old"), None);
        assert_eq!(printed.rest(&[said("old"), said("new")]), "new\n");
        assert_eq!(printed.rest(&[said("old")]), "");
    }
}
