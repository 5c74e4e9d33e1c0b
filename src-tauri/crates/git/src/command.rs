//! How `git` is started: without prompts, without what a repository configures, and by known transports only.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Set for each command. Hooks, file system monitors, submodules and transports that run programs are off.
const SETTINGS: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.autocrlf=false",
    "submodule.recurse=false",
    "advice.detachedHead=false",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.http.allow=always",
    "protocol.ssh.allow=always",
    "protocol.git.allow=always",
    "protocol.file.allow=always",
    // A connection without data ends after a minute.
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
];

/// Of a calling `git`, for another repository.
const INHERITED: &[&str] = &["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE"];

pub(crate) fn git<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new("git");
    command.args(SETTINGS.iter().flat_map(|setting| ["-c", setting])).args(args);
    for name in INHERITED {
        command.env_remove(name);
    }
    // Messages are read, so they must not be translated.
    command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_LFS_SKIP_SMUDGE", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}
