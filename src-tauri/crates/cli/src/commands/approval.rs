//! Asks for the gates of a skill that must be approved before and after it runs.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use inklings_app::features::run::{DecideGate, DecideGateParams, RunGate};
use inklings_core::RunId;
use inklings_rpc::{Code, Failure, NextStep};
use serde_json::{Value, json};

use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::Out;

/// Calls with the gates that are approved; once more if more are needed and the user approves them.
pub(crate) async fn with_approval(
    given: Vec<String>,
    out: &Out,
    mut call: impl AsyncFnMut(Vec<String>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    match call(given.clone()).await {
        Err(CliError::Operation(failure)) if failure.code == Code::ApprovalRequired && std::io::stdin().is_terminal() => {
            let approved = ask(&failure, out)?;
            if approved.is_empty() { Err(CliError::Operation(failure)) } else { call(given.into_iter().chain(approved).collect()).await }
        }
        other => other,
    }
}

/// Asks for the gates that a run reached with its output. Fails if it still waits, or its output was rejected.
pub(crate) async fn at_gates(session: &Session, run: RunId, gates: Vec<RunGate>, out: &Out) -> Result<(), CliError> {
    let mut open: Vec<_> = gates.into_iter().filter(|gate| gate.decision.is_none()).collect();
    if !out.is_json() && std::io::stdin().is_terminal() {
        while let Some(gate) = open.first() {
            if !agrees(&gate.label, out)? {
                break;
            }
            session.call::<DecideGate>(DecideGateParams { run, gate: gate.key.clone(), approved: true, reason: None }).await?;
            open.remove(0);
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    if out.is_json() {
        return Err(CliError::Findings);
    }
    let labels = open.iter().map(|gate| gate.label.as_str()).collect::<Vec<_>>().join("; ");
    let failure = Failure::new(Code::ApprovalRequired, format!("the output of run {run} waits for approval: {labels}"));
    Err(failure.next_step(NextStep::DecideGates).fields(json!({ "run": run })).into())
}

pub(crate) fn agrees(question: &str, out: &Out) -> Result<bool, CliError> {
    out.exact_error(&format!("{question} [y/N] "));
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).context("can't read the answer")?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Keys of the gates if all were approved.
fn ask(failure: &Failure, out: &Out) -> Result<Vec<String>, CliError> {
    let gates = failure.fields.as_ref().and_then(|fields| fields["gates"].as_array()).map(Vec::as_slice).unwrap_or_default();
    let text = |gate: &Value, key: &str| gate[key].as_str().unwrap_or_default().to_owned();
    let mut keys = Vec::new();
    for gate in gates {
        if !agrees(&text(gate, "label"), out)? {
            return Ok(Vec::new());
        }
        keys.push(text(gate, "key"));
    }
    Ok(keys)
}
