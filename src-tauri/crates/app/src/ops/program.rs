//! `program/*`: the process that runs DSPy programs.

use std::sync::Arc;

use inklings_core::ProgramError;
use inklings_core::program::{ProgramManifest, ProgramStatus};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::{Code, Failure};
use crate::operation::{Blocking, Effect, Entry, Operation};
use crate::wire::NoParams;

/// `program/status`: how the process is; starts nothing.
pub struct Status;

impl Blocking for Status {
    const NAME: &'static str = "program/status";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = NoParams;
    type Output = ProgramStatus;

    fn run(app: &App, _: &CallContext, _: NoParams) -> Result<ProgramStatus, Failure> {
        Ok(app.programs.status())
    }
}

/// `program/manifest`: templates and optimisers; starts the process if it isn't there yet.
pub struct Manifest;

impl Operation for Manifest {
    const NAME: &'static str = "program/manifest";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = NoParams;
    type Output = ProgramManifest;

    async fn call(app: Arc<App>, _: CallContext, _: NoParams) -> Result<ProgramManifest, Failure> {
        app.programs.manifest().await.map_err(failed)
    }
}

/// `program/retry`: forgets earlier failures of the process, and starts it.
pub struct Retry;

impl Operation for Retry {
    const NAME: &'static str = "program/retry";
    const NEEDS: Permission = Permission::Run;
    const EFFECT: Effect = Effect::Writes(&["program"]);
    type Params = NoParams;
    type Output = ProgramStatus;

    async fn call(app: Arc<App>, _: CallContext, _: NoParams) -> Result<ProgramStatus, Failure> {
        app.programs.retry();
        // Whether it came up is what the status says.
        let _ = app.programs.manifest().await;
        Ok(app.programs.status())
    }
}

fn failed(error: ProgramError) -> Failure {
    Failure::new(Code::NotInstalled, error.to_string()).hint("Settings says how the DSPy process is, and tries again")
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<Status>(), Entry::of::<Manifest>(), Entry::of::<Retry>()];
