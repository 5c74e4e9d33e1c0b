//! The DSPy process: the adapter for [`inklings_core::program`].
//!
//! [`DspyProcess`] starts it with the first job, confined by a launcher, speaks [`protocol`] with it, and ends it after ten idle
//! minutes. One thread owns the process, its pipes and its table of jobs; a caller's future answers the requests of its own job,
//! so nothing outlives a dropped future. Deliberately absent: what programs are, models, capabilities.

mod built;
mod connection;
mod health;
mod jobs;
mod lines;
mod message;
mod process;
pub mod protocol;
mod restarts;
mod supervisor;
mod timeouts;

use std::fmt;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use inklings_core::program::{
    Execution, Optimization, OptimizationResult, Prediction, ProgramError, ProgramHost, ProgramManifest, ProgramRunner, ProgramStatus,
};
use inklings_core::{CancellationToken, Clock};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

pub use self::built::find_built;
use self::health::Health;
use self::jobs::NoopHost;
pub use self::process::Launch;
use self::protocol::JOBS;
use self::supervisor::Supervisor;
pub use self::timeouts::Timeouts;

/// Runs programs in the DSPy process. Dropping it ends the process.
pub struct DspyProcess {
    launch: Option<Launch>,
    timeouts: Timeouts,
    health: Arc<Health>,
    /// Permits for jobs, as many as the process accepts.
    job_permits: Semaphore,
    supervisor: OnceLock<Result<Supervisor, String>>,
}

impl fmt::Debug for DspyProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DspyProcess").field("launch", &self.launch).finish_non_exhaustive()
    }
}

impl DspyProcess {
    /// Without `launch` nothing runs, and `unavailable` says why. Doesn't start the process.
    #[must_use]
    pub fn new(launch: Option<Launch>, clock: Arc<dyn Clock>, timeouts: Timeouts) -> Self {
        let health = Arc::new(Health::new(clock, timeouts.first_pause, launch.as_ref().and_then(Launch::dspy)));
        Self { launch, timeouts, health, job_permits: Semaphore::new(JOBS), supervisor: OnceLock::new() }
    }

    /// Why the process can't be started, if a program is missing.
    fn missing(&self) -> Option<String> {
        match &self.launch {
            None => Some("not installed; reinstall the app".to_owned()),
            Some(launch) => launch.missing(),
        }
    }

    fn supervisor(&self) -> Result<&Supervisor, ProgramError> {
        if let Some(why) = self.unavailable() {
            return Err(ProgramError::Unavailable(why));
        }
        let start = || {
            let launch = self.launch.clone().ok_or_else(|| "not installed".to_owned())?;
            Supervisor::start(launch, self.timeouts, Arc::clone(&self.health))
        };
        self.supervisor.get_or_init(start).as_ref().map_err(|why| ProgramError::Unavailable(why.clone()))
    }

    async fn job<T: DeserializeOwned>(
        &self,
        method: &'static str,
        job: &(impl Serialize + Sync),
        host: &dyn ProgramHost,
        cancel: &CancellationToken,
    ) -> Result<T, ProgramError> {
        let work = async {
            // The semaphore is never closed.
            let _permit = self.job_permits.acquire().await.map_err(|_| ProgramError::Cancelled)?;
            jobs::run(self.supervisor()?, method, job, host).await
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ProgramError::Cancelled),
            done = work => done,
        }
    }
}

#[async_trait]
impl ProgramRunner for DspyProcess {
    fn unavailable(&self) -> Option<String> {
        self.missing().or_else(|| self.health.given_up())
    }

    fn status(&self) -> ProgramStatus {
        self.health.status(self.missing())
    }

    fn retry(&self) {
        self.health.retry();
        if let Some(Ok(supervisor)) = self.supervisor.get() {
            supervisor.retry();
        }
    }

    async fn manifest(&self) -> Result<ProgramManifest, ProgramError> {
        if let Some(known) = self.health.manifest() {
            return Ok(known);
        }
        // Doesn't wait for a job permit.
        let manifest: ProgramManifest = jobs::run(self.supervisor()?, "manifest", &Map::<String, Value>::new(), &NoopHost).await?;
        self.health.set_manifest(&manifest);
        Ok(manifest)
    }

    async fn execute(&self, job: &Execution, host: &dyn ProgramHost, cancel: &CancellationToken) -> Result<Prediction, ProgramError> {
        self.job("execute", job, host, cancel).await
    }

    async fn optimize(
        &self,
        job: &Optimization,
        host: &dyn ProgramHost,
        cancel: &CancellationToken,
    ) -> Result<OptimizationResult, ProgramError> {
        self.job("optimize", job, host, cancel).await
    }
}
