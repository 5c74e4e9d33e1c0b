use inklings_core::ProgramRunner;
use inklings_core::program::ProgramStatus;

/// Starts the process again, whatever failed before.
pub(super) async fn restart(programs: &dyn ProgramRunner) -> ProgramStatus {
    programs.retry();
    // The status says whether the process started.
    let _ = programs.manifest().await;
    programs.status()
}
