use std::sync::Arc;

use inklings_core::ProgramError;
use inklings_core::program::{ProgramManifest, ProgramStatus};
use inklings_rpc::{CallContext, Code, Failure, NextStep, NoParams, operations};

use super::service;
use crate::app::App;

fn status(app: &App, _: &CallContext, _: NoParams) -> Result<ProgramStatus, Failure> {
    Ok(app.programs.status())
}

async fn manifest(app: Arc<App>, _: CallContext, _: NoParams) -> Result<ProgramManifest, Failure> {
    app.programs.manifest().await.map_err(unavailable)
}

async fn retry(app: Arc<App>, _: CallContext, _: NoParams) -> Result<ProgramStatus, Failure> {
    Ok(service::restart(app.programs.as_ref()).await)
}

fn unavailable(error: ProgramError) -> Failure {
    Failure::new(Code::NotInstalled, error.to_string()).next_step(NextStep::CheckDspy)
}

operations! { App;
    /// Doesn't start the process.
    Status = "program/status", Read, blocking status(NoParams) -> ProgramStatus;
    /// Module types and optimizers. Starts the process if it isn't running.
    Manifest = "program/manifest", Read, async manifest(NoParams) -> ProgramManifest;
    /// Starts the process again, whatever failed before.
    Retry = "program/retry", Run["program"], async retry(NoParams) -> ProgramStatus;
}
