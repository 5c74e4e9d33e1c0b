//! `inklings skill exec`

use inklings_app::features::run::{RunScript, ScriptParams, ScriptRunOutcome};
use inklings_app::{Limits, MAX_STDIN_BYTES};
use inklings_core::RunId;

use crate::args::ExecArgs;
use crate::commands::approval::{at_gates, with_approval};
use crate::commands::run::{Live, follow};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::Out;

pub(crate) async fn run(session: &Session, args: ExecArgs, out: &Out) -> Result<(), CliError> {
    let run = RunId::new(uuid::Uuid::now_v7());
    let stdin = args.stdin.map(|path| read_text(&path, MAX_STDIN_BYTES)).transpose()?.unwrap_or_default();
    let params = ScriptParams {
        run: Some(run),
        skill: args.skill.skill,
        scope: args.skill.scope.map(Into::into),
        path: args.path,
        args: args.args,
        stdin,
        limits: Limits { seconds: args.timeout, ..Limits::default() },
        approve: Vec::new(),
    };
    with_approval(args.approve.gates, out, async |approve| execute(session, ScriptParams { approve, ..params.clone() }, run, out).await)
        .await
}

async fn execute(session: &Session, params: ScriptParams, run: RunId, out: &Out) -> Result<(), CliError> {
    let live = if out.is_json() { Live::Log } else { Live::Streams };
    let (outcome, printed) = follow::<RunScript>(session, params, run, live, out).await?;
    if out.is_json() {
        out.result(&outcome, |_| String::new())?;
    } else {
        out.exact(printed.output.rest(Some(&outcome.stdout)).as_bytes())?;
        out.exact_error(&printed.errors.rest(Some(&outcome.stderr)));
    }
    let gates = outcome.gates.clone();
    exit(outcome, out)?;
    at_gates(session, run, gates, out).await
}

/// The script's own exit code. Without one the error says what stopped it.
fn exit(outcome: ScriptRunOutcome, out: &Out) -> Result<(), CliError> {
    match (outcome.exit_code.and_then(|code| u8::try_from(code).ok()), outcome.error) {
        (Some(0) | None, None) => Ok(()),
        (Some(code @ 1..), _) => Err(CliError::Exit(code)),
        (_, Some(_)) if out.is_json() => Err(CliError::Findings),
        (_, Some(error)) => Err(error.into()),
    }
}
