//! Starts the process confined, and ends it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::health::{Health, truncate};
use crate::lines::{Lines, ReadLineError};

/// The whole environment of the process. The launcher sets it again.
const ENVIRONMENT: [(&str, &str); 1] = [("LANG", "C.UTF-8")];
/// Longer lines of its standard error are skipped.
const MAX_STDERR_LINE_BYTES: usize = 1 << 20;
/// Wait for the end of its standard error after it ended.
const STDERR_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// `inklings-confine`.
    pub launcher: PathBuf,
    /// `inklings-dspy`. It can read everything in its folder.
    pub program: PathBuf,
}

impl Launch {
    pub(crate) fn missing(&self) -> Option<String> {
        let absent = [&self.launcher, &self.program].into_iter().find(|file| !file.is_file())?;
        Some(format!("{} not found; reinstall the app", absent.display()))
    }

    /// The shipped version of DSPy, from the metadata of the package beside the program.
    pub(crate) fn dspy(&self) -> Option<String> {
        let packages = self.program.parent()?.join("_internal").read_dir().ok()?;
        let version = |name: &str| name.strip_prefix("dspy-")?.strip_suffix(".dist-info").map(str::to_owned);
        packages.filter_map(Result::ok).find_map(|entry| version(entry.file_name().to_str()?))
    }
}

/// Dropping it kills the process.
pub(crate) struct Process {
    child: Child,
    /// Resolves to the last line of its standard error.
    last_error_line: JoinHandle<Option<String>>,
}

impl Process {
    /// The kernel kills the process when the calling thread ends, so that thread has to live as long as the process.
    pub(crate) fn start(launch: &Launch, health: &Arc<Health>) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let (launcher, program) = (std::path::absolute(&launch.launcher)?, std::path::absolute(&launch.program)?);
        let mut command = Command::new(launcher);
        command.arg("--parent").arg(std::process::id().to_string());
        command.arg("--allow").arg(program.parent().unwrap_or(Path::new("/nowhere"))).arg("--").arg(&program);
        command.env_clear().envs(ENVIRONMENT).current_dir("/").kill_on_drop(true);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let last_error_line = tokio::spawn(read_stderr(errors, Arc::clone(health)));
        Ok((Self { child, last_error_line }, input, output))
    }

    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for at most `grace` until it ends, then kills it. Its pipes must be closed by now.
    pub(crate) async fn end(&mut self, grace: Duration) {
        if timeout(grace, self.child.wait()).await.is_err() {
            self.kill().await;
        }
    }

    /// Kills its process group.
    pub(crate) async fn kill(&mut self) {
        if let Some(group) = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // Fails before the process has created its group.
            let _ = kill_process_group(group, Signal::KILL);
        }
        // Fails if it has ended.
        let _ = self.child.kill().await;
    }

    /// How it ended, with the last line of its standard error. Called after the end of its output.
    pub(crate) async fn exit_description(&mut self, grace: Duration) -> String {
        let exit = match timeout(grace, self.child.wait()).await {
            Ok(Ok(status)) => describe(status),
            Ok(Err(_)) => "exited".to_owned(),
            Err(_) => {
                self.kill().await;
                "closed its output and was killed".to_owned()
            }
        };
        match timeout(STDERR_TIMEOUT, &mut self.last_error_line).await {
            Ok(Ok(Some(line))) => format!("{exit}: {line}"),
            _ => exit,
        }
    }
}

fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "exited".to_owned(),
    }
}

/// Reads until the end, since a full pipe would block the process.
async fn read_stderr(errors: ChildStderr, health: Arc<Health>) -> Option<String> {
    let (mut lines, mut last) = (Lines::new(errors, MAX_STDERR_LINE_BYTES), None);
    loop {
        match lines.next().await {
            Ok(line) => {
                let line = String::from_utf8_lossy(line);
                health.log(&line);
                if !line.trim().is_empty() {
                    last = Some(truncate(line.trim()).to_owned());
                }
            }
            Err(ReadLineError::TooLong) => lines.skip(),
            Err(ReadLineError::End | ReadLineError::Failed(_)) => return last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_that_ships_is_known_without_a_start() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("inklings-dspy");
        let launch = Launch { launcher: folder.path().join("inklings-confine"), program };
        assert_eq!(launch.dspy(), None);
        for name in ["dspy", "dspy_extras-9.0.dist-info", "dspy-3.4.1.dist-info", "orjson-3.0.dist-info"] {
            std::fs::create_dir_all(folder.path().join("_internal").join(name)).unwrap();
        }
        assert_eq!(launch.dspy().as_deref(), Some("3.4.1"));
    }
}
