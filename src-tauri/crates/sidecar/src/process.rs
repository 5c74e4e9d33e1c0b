//! The process itself: starting it confined, and its end.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::health::{Health, cut};
use crate::lines::{Lines, ReadLineError};

/// All of the process's environment. The launcher sees to that again.
const ENVIRONMENT: [(&str, &str); 1] = [("LANG", "C.UTF-8")];
/// Bytes of a line of its errors; what is longer is left out.
const MAX_ERROR_LINE_BYTES: usize = 1 << 20;
/// How long the end of its errors is waited for once it is dead.
const STDERR_TIMEOUT: Duration = Duration::from_secs(1);

/// The programs that are started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// `inklings-confine`.
    pub launcher: PathBuf,
    /// `inklings-dspy`, in a folder of its own: all of that folder is readable to it.
    pub program: PathBuf,
}

impl Launch {
    /// Why they can't be started, in a sentence.
    pub(crate) fn missing(&self) -> Option<String> {
        let absent = [&self.launcher, &self.program].into_iter().find(|file| !file.is_file())?;
        Some(format!("{} is missing; install the app again", absent.display()))
    }

    /// The version of DSPy that ships with the program, from the package's own metadata beside it: known without starting anything.
    pub(crate) fn dspy(&self) -> Option<String> {
        let packages = self.program.parent()?.join("_internal").read_dir().ok()?;
        let version = |name: &str| name.strip_prefix("dspy-")?.strip_suffix(".dist-info").map(str::to_owned);
        packages.filter_map(Result::ok).find_map(|entry| version(entry.file_name().to_str()?))
    }
}

/// A process that was started. Dropping it kills it.
pub(crate) struct Process {
    child: Child,
    /// Gives the last line of its errors.
    errors: JoinHandle<Option<String>>,
}

impl Process {
    /// Starts it. It dies with the thread that calls this, so that has to be one that lives as long as it should.
    pub(crate) fn start(launch: &Launch, health: &Arc<Health>) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let (launcher, program) = (std::path::absolute(&launch.launcher)?, std::path::absolute(&launch.program)?);
        let mut command = Command::new(launcher);
        command.arg("--parent").arg(std::process::id().to_string());
        command.arg("--allow").arg(program.parent().unwrap_or(Path::new("/nowhere"))).arg("--").arg(&program);
        command.env_clear().envs(ENVIRONMENT).current_dir("/").kill_on_drop(true);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
            return Err(io::Error::other("it has no pipes"));
        };
        let errors = tokio::spawn(listen(errors, Arc::clone(health)));
        Ok((Self { child, errors }, input, output))
    }

    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits until it ended by itself, for at most `grace`; then kills it. Both of its pipes have to be closed by now.
    pub(crate) async fn end(&mut self, grace: Duration) {
        if timeout(grace, self.child.wait()).await.is_err() {
            self.kill().await;
        }
    }

    /// Kills it, with all that it may have started.
    pub(crate) async fn kill(&mut self) {
        if let Some(group) = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // Fails when it has none yet; it can't have started anything then.
            let _ = kill_process_group(group, Signal::KILL);
        }
        // Fails when it has ended.
        let _ = self.child.kill().await;
    }

    /// How it ended, after its output did: in words, with its last ones.
    pub(crate) async fn exit_description(&mut self, grace: Duration) -> String {
        let how = match timeout(grace, self.child.wait()).await {
            Ok(Ok(status)) => describe(status),
            Ok(Err(_)) => "it ended".to_owned(),
            Err(_) => {
                self.kill().await;
                "it closed its output and was killed".to_owned()
            }
        };
        match timeout(STDERR_TIMEOUT, &mut self.errors).await {
            Ok(Ok(Some(words))) => format!("{how}; its last words: {words}"),
            _ => how,
        }
    }
}

fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended by itself with exit code {code}"),
        (None, Some(signal)) => format!("it was killed by signal {signal}"),
        (None, None) => "it ended".to_owned(),
    }
}

/// Reads its errors for as long as there are any: a full pipe would stop it.
async fn listen(errors: ChildStderr, health: Arc<Health>) -> Option<String> {
    let (mut lines, mut last) = (Lines::new(errors, MAX_ERROR_LINE_BYTES), None);
    loop {
        match lines.next().await {
            Ok(line) => {
                let line = String::from_utf8_lossy(line);
                health.log(&line);
                if !line.trim().is_empty() {
                    last = Some(cut(line.trim()).to_owned());
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
