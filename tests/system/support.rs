//! An account and a workspace in a temporary folder, and the command.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The command under test.
pub(crate) const INKLINGS: &str = env!("CARGO_BIN_EXE_inklings");

/// Account folder and workspace of one test.
pub(crate) struct World {
    pub(crate) root: tempfile::TempDir,
    /// The command.
    program: PathBuf,
}

/// A finished command.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) ok: bool,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { root: tempfile::tempdir().unwrap(), program: PathBuf::from(INKLINGS) };
        std::fs::create_dir(world.workspace()).unwrap();
        world
    }

    /// With the command alone in a folder, as if the DSPy process were missing in the installation.
    pub(crate) fn without_the_process() -> Self {
        let mut world = Self::new();
        world.program = world.root.path().join("inklings");
        std::fs::copy(INKLINGS, &world.program).unwrap();
        world
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// The user's home folder.
    pub(crate) fn person(&self) -> PathBuf {
        self.root.path().join("person")
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.root.path().join("notes")
    }

    /// The command with this world's account folder.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .arg("--home")
            .arg(self.home())
            .stdin(Stdio::null())
            .env_remove("INKLINGS_WORKSPACE")
            .env("NO_COLOR", "1")
            // Skills in the folders of agents are linked, and those of whoever runs the tests must stay as they are, as must the
            // configuration of AI clients.
            .env("HOME", self.person())
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            .env_remove("GEMINI_CLI_HOME")
            .env_remove("VSCODE_APPDATA")
            .env_remove("VSCODE_PORTABLE")
            .env("INKLINGS_KEYS", "file");
        command
    }

    /// Runs in the workspace, with JSON output.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let run = finish(self.command().arg("--json").arg("--workspace").arg(self.workspace()).args(args));
        assert!(run.ok, "{args:?}: {run:?}");
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"))
    }

    /// Runs in the workspace and expects an error.
    pub(crate) fn refused(&self, args: &[&str]) -> Value {
        let run = finish(self.command().arg("--json").arg("--workspace").arg(self.workspace()).args(args));
        assert_eq!(run.code, Some(1), "{args:?}: {run:?}");
        serde_json::from_str(&run.stderr).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"))
    }

    /// Writes a file in the world's root folder.
    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }
}

pub(crate) fn finish(command: &mut Command) -> Run {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { ok: status.success(), code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

/// A path as an argument.
pub(crate) fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whether slow tests are enabled.
pub(crate) fn full() -> bool {
    std::env::var_os("INKLINGS_FULL").is_some()
}

/// A deterministic random number generator.
pub(crate) struct Seeded(pub u64);

impl Seeded {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Like [`finish`], but with a timeout, after which the command is killed and the test fails.
pub(crate) fn finish_soon(command: &mut Command) -> Run {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    end_soon(child, command)
}

/// Like [`finish_soon`], for a command that was started. Its standard input stays open until it ends.
pub(crate) fn end_soon(mut child: Child, command: &Command) -> Run {
    const LIMIT: std::time::Duration = std::time::Duration::from_mins(1);
    let begun = std::time::Instant::now();
    // The output of these commands fits into a pipe.
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("still not done after {} s: {command:?}: {:?}", LIMIT.as_secs(), child.wait_with_output());
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { ok: status.success(), code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

/// Like [`finish`], on a terminal, whose output is in `stdout` with its line ends.
pub(crate) fn in_terminal(command: &mut Command) -> Run {
    finish(&mut terminal(command))
}

/// The command on a terminal that gets standard input as its keys.
pub(crate) fn terminal(command: &Command) -> Command {
    let quoted = |part: &std::ffi::OsStr| format!("'{}'", part.to_str().unwrap().replace('\'', r"'\''"));
    let line: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted).collect();
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line.join(" "), "/dev/null"]).stdin(Stdio::null()).env("TERM", "xterm");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => script.env(name, value),
            None => script.env_remove(name),
        };
    }
    script
}
