//! `inklings run`

use std::borrow::Cow;
use std::fmt::Write as _;

use anyhow::Context as _;
use inklings_app::features::run::{CancelRun, PlanRun, RunOutcome, RunParams, RunPlan, RunRef, Start};
use inklings_app::features::workspace::{Trust, TrustParams};
use inklings_app::{Limits, RunEventKind};
use inklings_core::{RunId, Trace, TraceId};
use inklings_rpc::{Failure, Operation};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::Ended;
use crate::args::{LimitArgs, RunArgs};
use crate::commands::Session;
use crate::commands::values::values;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, args: RunArgs, out: &Out) -> Result<(), Ended> {
    let run = RunId::new(uuid::Uuid::now_v7());
    let given = values(session, &args.values, &args.skill, args.artifact.as_deref()).await?;
    let params = RunParams {
        run: Some(run),
        skill: args.skill.skill,
        scope: args.skill.scope.map(Into::into),
        artifact: args.artifact,
        params: given,
        model: args.model,
        limits: limits(&args.limits),
    };
    if args.plan {
        return out.result(&session.call::<PlanRun>(params).await?, plan);
    }
    if args.trust {
        // Only for something that is there.
        session.call::<PlanRun>(params.clone()).await?;
        session.call::<Trust>(TrustParams { trusted: true, path: None }).await?;
    }
    carry_out::<Start>(session, params, run, args.stream, out).await
}

pub(crate) fn limits(args: &LimitArgs) -> Limits {
    Limits { tokens: args.max_tokens, cost: args.max_cost, seconds: args.timeout }
}

/// Runs to the end, printing what arrives; Ctrl+C stops the run and keeps what it has recorded.
pub(crate) async fn carry_out<T: Operation<App = inklings_app::App, Output = RunOutcome>>(
    session: &Session,
    params: T::Params,
    run: RunId,
    stream: bool,
    out: &Out,
) -> Result<(), Ended> {
    let (outcome, printed) = follow::<T>(session, params, run, stream && !out.is_json(), out).await?;
    finish(outcome, &printed, out)
}

/// Calls what runs to its end and shows what it tells meanwhile; with `stream` also the text of its answers. Ctrl+C stops it, and so
/// does a reader who is gone.
pub(crate) async fn follow<T: Operation<App = inklings_app::App>>(
    session: &Session,
    params: T::Params,
    run: RunId,
    stream: bool,
    out: &Out,
) -> Result<(T::Output, Printed), Ended> {
    let mut events = session.run_events();
    // One listener for the whole run: a fresh one at each turn could miss the signal in between.
    let mut interrupts = signal(SignalKind::interrupt()).context("interrupts can't be heard")?;
    // A reader may be slower than the model, or stop for a while. Events wait in a queue of their own rather than in the broadcast,
    // which forgets what nobody takes, and rather than in front of Ctrl+C.
    let (sender, receiver) = unbounded_channel();
    let printer = tokio::task::spawn_blocking({
        let out = out.clone();
        move || print_pieces(receiver, &out)
    });
    let mut live = Live { stream, sender, told: Told::default(), printed: Printed::default() };
    let mut going = Box::pin(session.call::<T>(params));
    let mut stop = false;
    let outcome = loop {
        tokio::select! {
            biased;
            event = events.recv() => match event {
                Ok(event) if event.run == run => live.hear(&event.what),
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => live.printed.missed(),
                Err(RecvError::Closed) => break going.await,
            },
            outcome = &mut going => break outcome,
            // When nobody reads on there is nothing more to pay for.
            () = live.sender.closed(), if !stop => stop = true,
            Some(()) = interrupts.recv() => stop = true,
        }
        // Asked again at each event: before its first one the run isn't known yet, and after its last one it no longer is.
        if stop {
            let _ = session.call::<CancelRun>(RunRef { run }).await;
        }
    };
    loop {
        match events.try_recv() {
            Ok(event) if event.run == run => live.hear(&event.what),
            Ok(_) => {}
            Err(TryRecvError::Lagged(_)) => live.printed.missed(),
            Err(_) => break,
        }
    }
    let Live { sender, printed, .. } = live;
    drop(sender);
    tokio::select! {
        written = printer => written.context("what arrived can't be printed")??,
        // A reader who never goes on must not keep the command.
        Some(()) = interrupts.recv() => return Err(Ended::Findings),
    }
    Ok((outcome?, printed))
}

/// What is printed while a run goes on.
enum Piece {
    /// Of an answer.
    Text(String),
    /// A remark beside it.
    Note(String),
}

/// Prints pieces until there are no more, or nobody reads them.
fn print_pieces(mut pieces: UnboundedReceiver<Piece>, out: &Out) -> Result<(), Ended> {
    while let Some(piece) = pieces.blocking_recv() {
        match piece {
            Piece::Text(text) => {
                if !out.exact(text.as_bytes())? {
                    break;
                }
            }
            Piece::Note(text) => out.note(&text),
        }
    }
    Ok(())
}

/// Turns the events of a run into what is printed.
struct Live {
    stream: bool,
    sender: UnboundedSender<Piece>,
    told: Told,
    printed: Printed,
}

impl Live {
    fn hear(&mut self, what: &RunEventKind) {
        let text = if self.stream { self.printed.take(what) } else { None };
        let pieces = [self.told.take(what).map(Piece::Note), text.map(Piece::Text)];
        for piece in pieces.into_iter().flatten() {
            // Without a printer the run is being stopped.
            let _ = self.sender.send(piece);
        }
    }
}

/// What was told beside the result.
#[derive(Default)]
struct Told {
    /// How far the present execution said it is.
    progress: Option<(TraceId, u8)>,
}

impl Told {
    /// What an execution writes as it arrives, and how far it is, once for each percent.
    fn take(&mut self, what: &RunEventKind) -> Option<String> {
        match what {
            RunEventKind::Log { text, .. } => Some(text.trim_end_matches('\n').to_owned()),
            RunEventKind::Progress { trace, fraction, text } => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
                let percent = (fraction.clamp(0.0, 1.0) * 100.0) as u8;
                let is_new = self.progress.replace((*trace, percent)) != Some((*trace, percent));
                is_new.then(|| format!("{percent:3} %  {text}").trim_end().to_owned())
            }
            _ => None,
        }
    }
}

/// What was printed while it arrived.
#[derive(Default)]
pub(crate) struct Printed {
    /// The text of the present execution.
    text: String,
    trace: Option<TraceId>,
    /// A piece didn't arrive; nothing is printed from there on.
    incomplete: bool,
}

impl Printed {
    /// The next piece to print; the answers of several artifacts stand on lines of their own.
    fn take(&mut self, what: &RunEventKind) -> Option<String> {
        let RunEventKind::Text { text, trace } = what else { return None };
        if self.incomplete {
            return None;
        }
        let mut piece = String::new();
        if self.trace.replace(*trace).is_some_and(|before| before != *trace) {
            if !self.text.ends_with('\n') {
                piece.push('\n');
            }
            self.text.clear();
        }
        self.text.push_str(text);
        piece.push_str(text);
        Some(piece)
    }

    /// Some events were lost.
    const fn missed(&mut self) {
        self.incomplete = true;
    }

    /// What of the last answer is still to be printed.
    fn rest<'a>(&self, answer: Option<&'a str>) -> Cow<'a, str> {
        let answer = answer.unwrap_or_default();
        match answer.strip_prefix(self.text.as_str()) {
            _ if self.trace.is_none() => Cow::Borrowed(answer),
            _ if !self.incomplete => Cow::Borrowed(""),
            Some(rest) => Cow::Borrowed(rest),
            // What was printed is of an earlier answer.
            None => Cow::Owned(format!("\n{answer}")),
        }
    }
}

/// Prints the result, as far as it wasn't printed while it arrived, and what was found beside it.
fn finish(outcome: RunOutcome, printed: &Printed, out: &Out) -> Result<(), Ended> {
    if out.is_json() {
        out.result(&outcome, |_| String::new())?;
        return if outcome.error.is_some() { Err(Ended::Findings) } else { Ok(()) };
    }
    let rest = printed.rest(outcome.text.as_deref());
    out.exact(rest.as_bytes())?;
    let last = if rest.is_empty() { printed.text.as_str() } else { rest.as_ref() };
    if !last.is_empty() && !last.ends_with('\n') {
        out.exact(b"\n")?;
    }
    for trace in &outcome.traces {
        out.note(&noted(trace));
    }
    match outcome.error {
        Some(error) => {
            let last = outcome.traces.last();
            if let Some(traceback) = last.and_then(|trace| trace.detail.as_ref()).and_then(|detail| detail.traceback.as_ref()) {
                out.note(traceback);
            }
            show_unsent(&error, last, out);
            Err(error.into())
        }
        None => Ok(()),
    }
}

/// Without a model, what would have been sent is what there is to see.
fn show_unsent(error: &Failure, last: Option<&Trace>, out: &Out) {
    if error.code == inklings_rpc::Code::NoModel
        && let Some(rendered) = last.and_then(|trace| trace.rendered_input.as_deref())
    {
        out.note(&format!("what would be sent:\n{rendered}\n"));
    }
}

/// One line on an execution: `trace <id>  ok  Check Prompt  812 ms  310+22 tokens  ~$0.0004  2/3 assertions`.
pub(crate) fn noted(trace: &Trace) -> String {
    let mut line = format!("trace {}  {}  {}", trace.id, trace.status.as_str(), trace.artifact_name);
    // Writing to a string can't fail.
    if let Some(took) = trace.duration_ms {
        let _ = write!(line, "  {took} ms");
    }
    if let Some(input) = trace.usage.input_tokens {
        let _ = write!(line, "  {input}+{} tokens", trace.usage.output_tokens.unwrap_or(0));
    }
    if let Some(cost) = trace.usage.cost {
        let _ = write!(line, "  about ${cost:.4}");
    }
    if trace.cut_off {
        line.push_str("  cut off at the model's limit of tokens");
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
            (Some(why), Some(fallback)) => format!("{why}: {fallback} runs instead"),
            (Some(why), None) => why.clone(),
            _ if step.context => "goes along with every prompt".to_owned(),
            _ => String::new(),
        };
        vec![step.kind.as_str().to_owned(), step.name.clone(), step.path.to_string(), remark]
    });
    let mut text = table(&steps.collect::<Vec<_>>());
    for left in &plan.left_out {
        let _ = write!(text, "\nleft out: {}: {}", left.name, left.reason);
    }
    for gap in &plan.missing {
        let _ = write!(text, "\nmissing: {} needs {:?}", gap.artifact, gap.variable);
    }
    match &plan.model {
        Some(model) => drop(write!(text, "\nmodel: {model}")),
        None => text.push_str("\nmodel: none is set up"),
    }
    if let Some(tokens) = plan.input_tokens {
        let cost = plan.input_cost.map_or_else(String::new, |cost| format!(", about ${cost:.4}"));
        let _ = write!(text, "\nat least {tokens} tokens are sent{cost}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_missed_is_printed_at_the_end() {
        let [first, second] = [1, 2].map(|id| TraceId::new(uuid::Uuid::from_u128(id)));
        let piece = |trace, text: &str| RunEventKind::Text { trace, text: text.to_owned() };
        let mut printed = Printed::default();
        assert_eq!(printed.rest(Some("all")), "all");
        assert_eq!(printed.take(&piece(first, "one")).as_deref(), Some("one"));
        assert_eq!(printed.take(&piece(second, "two ")).as_deref(), Some("\ntwo "));
        assert_eq!(printed.rest(Some("two three")), "", "what arrived whole is printed already");
        printed.missed();
        assert_eq!(printed.take(&piece(second, "four")), None, "nothing is printed behind a gap");
        assert_eq!(printed.rest(Some("two three four")), "three four");
        assert_eq!(printed.rest(Some("of a later artifact")), "\nof a later artifact");
    }
}
