//! Asks for the gates of a skill that must be approved before it runs.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use inklings_rpc::{Code, Failure};
use serde_json::Value;

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

/// Keys of the gates if all were approved.
fn ask(failure: &Failure, out: &Out) -> Result<Vec<String>, CliError> {
    let gates = failure.fields.as_ref().and_then(|fields| fields["gates"].as_array()).map(Vec::as_slice).unwrap_or_default();
    let text = |gate: &Value, key: &str| gate[key].as_str().unwrap_or_default().to_owned();
    let mut keys = Vec::new();
    for gate in gates {
        out.exact_error(&format!("{} [y/N] ", text(gate, "label")));
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer).context("can't read the answer")?;
        if !matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
            return Ok(Vec::new());
        }
        keys.push(text(gate, "key"));
    }
    Ok(keys)
}
