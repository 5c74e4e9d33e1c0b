//! `program/*`: the process that runs DSPy programs.

use std::sync::Arc;

use inklings_core::ProgramError;
use inklings_core::program::{ProgramManifest, ProgramStatus};
use inklings_rpc::{CallContext, Code, Failure, NoParams, operations};

use crate::app::App;

fn status(app: &App, _: &CallContext, _: NoParams) -> Result<ProgramStatus, Failure> {
    Ok(app.programs.status())
}

async fn manifest(app: Arc<App>, _: CallContext, _: NoParams) -> Result<ProgramManifest, Failure> {
    app.programs.manifest().await.map_err(failed)
}

async fn retry(app: Arc<App>, _: CallContext, _: NoParams) -> Result<ProgramStatus, Failure> {
    app.programs.retry();
    // Whether it came up is what the status says.
    let _ = app.programs.manifest().await;
    Ok(app.programs.status())
}

fn failed(error: ProgramError) -> Failure {
    Failure::new(Code::NotInstalled, error.to_string()).hint("Settings says how the DSPy process is, and tries again")
}

operations! { App;
    /// How the process is; starts nothing.
    Status = "program/status", Read, blocking status(NoParams) -> ProgramStatus;
    /// Templates and optimisers; starts the process if it isn't there yet.
    Manifest = "program/manifest", Read, async manifest(NoParams) -> ProgramManifest;
    /// Forgets earlier failures of the process, and starts it.
    Retry = "program/retry", Run["program"], async retry(NoParams) -> ProgramStatus;
}
