//! `inklings run`

use std::fmt::Write as _;

use anyhow::Context as _;
use inklings_app::ops::run::{CancelRun, PlanRun, RunOutcome, RunParams, RunPlan, RunRef, Start};
use inklings_app::ops::workspace::{Trust, TrustParams};
use inklings_app::{Failure, Happened, Limits, Operation};
use inklings_core::{RunId, Trace, TraceId};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::broadcast::error::RecvError;

use crate::Ended;
use crate::args::{LimitArgs, RunArgs};
use crate::commands::Session;
use crate::commands::values::values;
use crate::out::{Out, raw, table};

pub(crate) async fn run(session: &Session, args: RunArgs, out: &Out) -> Result<(), Ended> {
    let run = RunId::new(uuid::Uuid::now_v7());
    let params = RunParams {
        run: Some(run),
        skill: args.skill.skill,
        scope: args.skill.scope.map(Into::into),
        artifact: args.artifact,
        params: values(&args.values)?,
        model: args.model,
        limits: limits(&args.limits),
    };
    if args.plan {
        return out.result(&session.call::<PlanRun>(params).await?, plan);
    }
    if args.trust {
        // Only for something that is there.
        session.call::<PlanRun>(params.clone()).await?;
        session.call::<Trust>(TrustParams { trusted: true }).await?;
    }
    carry_out::<Start>(session, params, run, args.stream, out).await
}

pub(crate) fn limits(args: &LimitArgs) -> Limits {
    Limits { tokens: args.max_tokens, cost: args.max_cost, seconds: args.timeout }
}

/// Runs to the end, printing what arrives; Ctrl+C stops the run and keeps what it has recorded.
pub(crate) async fn carry_out<T: Operation<Output = RunOutcome>>(
    session: &Session,
    params: T::Params,
    run: RunId,
    stream: bool,
    out: &Out,
) -> Result<(), Ended> {
    let streaming = stream && !out.is_json();
    let (mut printed, mut told) = (Printed::default(), Told::default());
    let heard = |what: &Happened| {
        told.take(what, out);
        // When nobody reads on there is nothing more to pay for.
        !streaming || printed.take(what)
    };
    let outcome = follow::<T>(session, params, run, heard).await?;
    finish(outcome, &printed, out)
}

/// Calls what runs to its end, told of its events meanwhile; Ctrl+C stops it, and so does a listener that gives false.
pub(crate) async fn follow<T: Operation>(
    session: &Session,
    params: T::Params,
    run: RunId,
    mut heard: impl FnMut(&Happened) -> bool,
) -> Result<T::Output, Ended> {
    let mut events = session.run_events();
    // One listener for the whole run: a fresh one at each turn could miss the signal in between.
    let mut interrupts = signal(SignalKind::interrupt()).context("interrupts can't be heard")?;
    let mut going = std::pin::pin!(session.call::<T>(params));
    let mut stop = false;
    let outcome = loop {
        tokio::select! {
            biased;
            event = events.recv() => match event {
                Ok(event) if event.run == run => stop |= !heard(&event.what),
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => break going.await?,
            },
            outcome = &mut going => break outcome?,
            Some(()) = interrupts.recv() => stop = true,
        }
        // Asked again at each event: before its first one the run isn't known yet, and after its last one it no longer is.
        if stop {
            let _ = session.call::<CancelRun>(RunRef { run }).await;
        }
    };
    while let Ok(event) = events.try_recv() {
        if event.run == run {
            heard(&event.what);
        }
    }
    Ok(outcome)
}

/// What was told beside the result.
#[derive(Default)]
pub(crate) struct Told {
    /// How far the present execution said it is.
    progress: Option<(TraceId, u8)>,
}

impl Told {
    /// Prints what an execution writes as it arrives, and how far it is, once for each percent.
    pub(crate) fn take(&mut self, what: &Happened, out: &Out) {
        match what {
            Happened::Log { text, .. } => out.note(text.trim_end_matches('\n')),
            Happened::Progress { trace, fraction, text } => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
                let percent = (fraction.clamp(0.0, 1.0) * 100.0) as u8;
                if self.progress.replace((*trace, percent)) != Some((*trace, percent)) {
                    out.note(format!("{percent:3} %  {text}").trim_end());
                }
            }
            _ => {}
        }
    }
}

/// What was printed while it arrived.
#[derive(Default)]
struct Printed {
    text: String,
    trace: Option<TraceId>,
}

impl Printed {
    /// Prints a piece; the answers of several artifacts stand on lines of their own. Returns whether someone still reads.
    fn take(&mut self, what: &Happened) -> bool {
        let Happened::Text { text, trace } = what else { return true };
        let fresh = self.trace.replace(*trace).is_some_and(|before| before != *trace);
        if fresh && !self.text.ends_with('\n') {
            raw(b"\n");
        }
        self.text.push_str(text);
        raw(text.as_bytes())
    }
}

/// Prints the result, unless it was printed while it arrived, and what was found beside it.
fn finish(outcome: RunOutcome, printed: &Printed, out: &Out) -> Result<(), Ended> {
    if out.is_json() {
        out.result(&outcome, |_| String::new())?;
        return if outcome.error.is_some() { Err(Ended::Findings) } else { Ok(()) };
    }
    match &outcome.text {
        Some(text) if printed.text.is_empty() => out.result(text, Clone::clone)?,
        _ if printed.text.is_empty() || printed.text.ends_with('\n') => {}
        _ => drop(raw(b"\n")),
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
    if error.code == inklings_app::Code::NoModel
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
    if let Some(input) = trace.spent.input_tokens {
        let _ = write!(line, "  {input}+{} tokens", trace.spent.output_tokens.unwrap_or(0));
    }
    if let Some(cost) = trace.spent.cost {
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
