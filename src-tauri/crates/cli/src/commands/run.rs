//! `inklings run`

use std::borrow::Cow;
use std::fmt::Write as _;

use inklings_app::features::run::{CancelRun, PlanRun, RunOutcome, RunParams, RunPlan, RunRef, Start};
use inklings_app::features::workspace::{Trust, TrustParams};
use inklings_app::{Limits, MESSAGE, RunEventKind};
use inklings_core::{RunId, Trace, TraceId};
use inklings_rpc::{Failure, Operation};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use crate::args::{LimitArgs, RunArgs};
use crate::commands::approval::{at_gates, with_approval};
use crate::commands::common::skill_ref;
use crate::commands::live::{LivePrinter, OutputPiece};
use crate::commands::session::Session;
use crate::commands::values::values;
use crate::error::CliError;
use crate::interrupt::interrupts;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, args: RunArgs, out: &Out) -> Result<(), CliError> {
    let run = RunId::new(uuid::Uuid::now_v7());
    let mut given = values(session, &args.values, Some(skill_ref(args.skill.clone())), args.artifact.as_deref()).await?;
    if let Some(message) = args.message {
        given.insert(MESSAGE.to_owned(), message.into());
    }
    let params = RunParams {
        run: Some(run),
        skill: args.skill.skill,
        scope: args.skill.scope.map(Into::into),
        artifact: args.artifact,
        revision: args.revision,
        params: given,
        model: args.model,
        limits: limits(&args.limits),
        approve: Vec::new(),
    };
    if args.plan {
        return out.result(&session.call::<PlanRun>(params).await?, plan);
    }
    if args.trust {
        // Trusts the workspace only if the skill exists.
        session.call::<PlanRun>(params.clone()).await?;
        session.call::<Trust>(TrustParams { trusted: true, path: None }).await?;
    }
    let call = async |approve| run_to_end::<Start>(session, RunParams { approve, ..params.clone() }, run, args.stream, out).await;
    with_approval(args.approve.gates, out, call).await
}

pub(crate) fn limits(args: &LimitArgs) -> Limits {
    args.usage.limits(args.timeout)
}

pub(crate) async fn run_to_end<T: Operation<App = inklings_app::App, Output = RunOutcome>>(
    session: &Session,
    params: T::Params,
    run: RunId,
    stream: bool,
    out: &Out,
) -> Result<(), CliError> {
    let live = if stream && !out.is_json() { Live::Answers } else { Live::Log };
    let (outcome, printed) = follow::<T>(session, params, run, live, out).await?;
    end_run(session, run, outcome, &printed, out).await
}

/// Prints what wasn't printed yet, and asks for the gates that the run reached.
pub(crate) async fn end_run(session: &Session, run: RunId, outcome: RunOutcome, printed: &Printed, out: &Out) -> Result<(), CliError> {
    let gates = outcome.gates.clone();
    finish(outcome, &printed.output, out)?;
    at_gates(session, run, gates, out).await
}

/// What of a run is printed as it arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Live {
    /// Log and progress, as notes.
    Log,
    /// Also the answers.
    Answers,
    /// The streams of a script file, unchanged.
    Streams,
}

/// Calls an operation that runs a skill. Ctrl+C and a closed pipe cancel the run.
pub(crate) async fn follow<T: Operation<App = inklings_app::App>>(
    session: &Session,
    params: T::Params,
    run: RunId,
    live: Live,
    out: &Out,
) -> Result<(T::Output, Printed), CliError> {
    let mut events = session.run_events();
    let mut interrupts = interrupts();
    let mut live = LiveOutput { live, printer: LivePrinter::start(out), progress: ProgressLine::default(), printed: Printed::default() };
    let mut active = Box::pin(session.call::<T>(params));
    let mut stop = false;
    let outcome = loop {
        tokio::select! {
            biased;
            event = events.recv() => match event {
                Ok(event) if event.run == run => live.on_event(&event.what),
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => live.printed.missed(),
                Err(RecvError::Closed) => break active.await,
            },
            outcome = &mut active => break outcome,
            // The reader closed the pipe.
            () = live.printer.closed(), if !stop => stop = true,
            Ok(()) = interrupts.changed() => stop = true,
        }
        // Repeated on each event: before its first event the run isn't registered yet.
        if stop {
            let _ = session.call::<CancelRun>(RunRef { run }).await;
        }
    };
    loop {
        match events.try_recv() {
            Ok(event) if event.run == run => live.on_event(&event.what),
            Ok(_) => {}
            Err(TryRecvError::Lagged(_)) => live.printed.missed(),
            Err(_) => break,
        }
    }
    let LiveOutput { printer, printed, .. } = live;
    // Ctrl+C also ends the wait for a blocked reader.
    drop(interrupts);
    printer.end().await?;
    Ok((outcome?, printed))
}

/// Turns the events of a run into output.
struct LiveOutput {
    live: Live,
    printer: LivePrinter,
    progress: ProgressLine,
    printed: Printed,
}

impl LiveOutput {
    fn on_event(&mut self, what: &RunEventKind) {
        let piece = match what {
            RunEventKind::Text { text, trace } if self.live != Live::Log => self.printed.output.next(*trace, text).map(OutputPiece::Text),
            RunEventKind::Log { text, trace } if self.live == Live::Streams => {
                self.printed.errors.next(*trace, text).map(OutputPiece::Error)
            }
            other if self.live != Live::Streams => self.progress.next(other).map(OutputPiece::Note),
            _ => None,
        };
        if let Some(piece) = piece {
            self.printer.print(piece);
        }
    }
}

/// What was printed while it arrived.
#[derive(Default)]
pub(crate) struct Printed {
    pub(crate) output: PrintedText,
    /// Of a script's standard error.
    pub(crate) errors: PrintedText,
}

impl Printed {
    const fn missed(&mut self) {
        self.output.missed();
        self.errors.missed();
    }
}

#[derive(Default)]
struct ProgressLine {
    /// The last step and percentage.
    last: Option<(TraceId, u8)>,
}

impl ProgressLine {
    /// The log text, or the progress once per percent.
    fn next(&mut self, what: &RunEventKind) -> Option<String> {
        match what {
            RunEventKind::Log { text, .. } => Some(text.trim_end_matches('\n').to_owned()),
            RunEventKind::Progress { trace, fraction, text } => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
                let percent = (fraction.clamp(0.0, 1.0) * 100.0) as u8;
                let is_new = self.last.replace((*trace, percent)) != Some((*trace, percent));
                is_new.then(|| format!("{percent:3}%  {text}").trim_end().to_owned())
            }
            _ => None,
        }
    }
}

/// Text that was printed while it arrived.
#[derive(Default)]
pub(crate) struct PrintedText {
    /// The text of the current step.
    text: String,
    trace: Option<TraceId>,
    /// An event was lost; nothing more is printed until the end.
    incomplete: bool,
}

impl PrintedText {
    /// The text to print; answers of different steps start on new lines.
    fn next(&mut self, trace: TraceId, text: &str) -> Option<String> {
        if self.incomplete {
            return None;
        }
        let mut piece = String::new();
        if self.trace.replace(trace).is_some_and(|before| before != trace) {
            if !self.text.ends_with('\n') {
                piece.push('\n');
            }
            self.text.clear();
        }
        self.text.push_str(text);
        piece.push_str(text);
        Some(piece)
    }

    const fn missed(&mut self) {
        self.incomplete = true;
    }

    /// The part of the last answer that wasn't printed yet.
    pub(crate) fn rest<'a>(&self, answer: Option<&'a str>) -> Cow<'a, str> {
        let answer = answer.unwrap_or_default();
        match answer.strip_prefix(self.text.as_str()) {
            _ if self.trace.is_none() => Cow::Borrowed(answer),
            _ if !self.incomplete => Cow::Borrowed(""),
            Some(rest) => Cow::Borrowed(rest),
            // The printed text belongs to an earlier answer.
            None => Cow::Owned(format!("\n{answer}")),
        }
    }
}

/// Prints the rest of the result, the steps and the error.
fn finish(outcome: RunOutcome, printed: &PrintedText, out: &Out) -> Result<(), CliError> {
    if out.is_json() {
        out.result(&outcome, |_| String::new())?;
        return if outcome.error.is_some() { Err(CliError::Findings) } else { Ok(()) };
    }
    let rest = printed.rest(outcome.text.as_deref());
    out.exact(rest.as_bytes())?;
    let last = if rest.is_empty() { printed.text.as_str() } else { rest.as_ref() };
    if !last.is_empty() && !last.ends_with('\n') {
        out.exact(b"\n")?;
    }
    for trace in &outcome.traces {
        out.note(&step_line(trace));
    }
    match outcome.error {
        Some(error) => {
            let last = outcome.traces.last();
            if let Some(traceback) = last.and_then(|trace| trace.detail.as_ref()).and_then(|detail| detail.traceback.as_ref()) {
                out.note(traceback);
            }
            show_prompt(&error, last, out);
            Err(error.into())
        }
        None => Ok(()),
    }
}

/// Without a model, shows the rendered prompt.
fn show_prompt(error: &Failure, last: Option<&Trace>, out: &Out) {
    if error.code == inklings_rpc::Code::NoModel
        && let Some(rendered) = last.and_then(|trace| trace.rendered_input.as_deref())
    {
        out.note(&format!("rendered prompt:\n{rendered}\n"));
    }
}

/// `step <id>  ok  Check Prompt  812 ms  310+22 tokens  $0.0004  2/3 assertions`, and the assertions that didn't pass.
pub(crate) fn step_line(trace: &Trace) -> String {
    let mut line = format!("step {}  {}  {}", trace.id, trace.status.as_str(), trace.artifact_name);
    // Writing to a String can't fail.
    if let Some(took) = trace.duration_ms {
        let _ = write!(line, "  {took} ms");
    }
    if let Some(input) = trace.usage.input_tokens {
        let _ = write!(line, "  {input}+{} tokens", trace.usage.output_tokens.unwrap_or(0));
    }
    if let Some(cost) = trace.usage.cost {
        let _ = write!(line, "  ${cost:.4}");
    }
    if trace.cut_off {
        line.push_str("  cut off at the token limit, or by the provider");
    }
    if !trace.verdicts.is_empty() {
        let _ = write!(line, "  {}/{} assertions", trace.assertions_passed, trace.assertions_run);
    }
    for verdict in trace.verdicts.iter().filter(|verdict| verdict.outcome != inklings_core::trace::Outcome::Passed) {
        let _ = write!(line, "\n  {}: {}: {}", verdict.outcome.as_str().replace('_', " "), verdict.description, verdict.explanation);
    }
    line
}

fn plan(plan: &RunPlan) -> String {
    let steps = plan.steps.iter().map(|step| {
        let remark = match (&step.unavailable, &step.fallback) {
            (Some(why), Some(fallback)) => format!("{why}; {fallback} runs instead"),
            (Some(why), None) => why.clone(),
            _ if step.context => "context".to_owned(),
            _ => String::new(),
        };
        vec![step.kind.as_str().to_owned(), step.name.clone(), step.path.to_string(), remark]
    });
    let mut text = table(&steps.collect::<Vec<_>>());
    for left in &plan.left_out {
        let _ = write!(text, "\nskipped: {}: {}", left.name, left.reason);
    }
    for gap in &plan.missing {
        let _ = write!(text, "\nmissing: {} needs {:?}", gap.artifact, gap.variable);
    }
    match &plan.model {
        Some(model) => drop(write!(text, "\nmodel: {model}")),
        None => text.push_str("\nmodel: none"),
    }
    if let Some(tokens) = plan.input_tokens {
        let cost = plan.input_cost.map_or_else(String::new, |cost| format!(", estimated ${cost:.4}"));
        let _ = write!(text, "\ninput: at least {tokens} tokens{cost}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_missed_is_printed_at_the_end() {
        let [first, second] = [1, 2].map(|id| TraceId::new(uuid::Uuid::from_u128(id)));
        let mut printed = PrintedText::default();
        assert_eq!(printed.rest(Some("all")), "all");
        assert_eq!(printed.next(first, "one").as_deref(), Some("one"));
        assert_eq!(printed.next(second, "two ").as_deref(), Some("\ntwo "));
        assert_eq!(printed.rest(Some("two three")), "", "what arrived whole is printed already");
        printed.missed();
        assert_eq!(printed.next(second, "four"), None, "nothing is printed behind a gap");
        assert_eq!(printed.rest(Some("two three four")), "three four");
        assert_eq!(printed.rest(Some("of a later artifact")), "\nof a later artifact");
    }
}
