//! The history of a page: from git if the folder is in a repository, else the file's modification time.
//!
//! The repository is untrusted: `git log` runs with fixed arguments, without a shell, and with no configuration
//! except the repository's own, of which all settings that start programs are overridden. Deliberately absent: uncommitted
//! changes (finding them would run the repository's filters), and any command except `log`.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use inklings_core::Time;
use inklings_core::pages::{HistoryEntry, PageSummary};

/// Maximum number of entries.
const MAX_ENTRIES: usize = 500;
/// Time limit for git.
const GIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum bytes of git's output.
const MAX_OUTPUT_BYTES: u64 = 1024 * 1024;

/// The last changes of a page, newest first.
pub(crate) fn history(root: &Path, page: &PageSummary, limit: usize) -> Vec<HistoryEntry> {
    let limit = limit.min(MAX_ENTRIES);
    let committed = if limit > 0 && in_repository(root) { log(root, &page.path, limit) } else { Vec::new() };
    if !committed.is_empty() || limit == 0 {
        return committed;
    }
    vec![HistoryEntry { id: String::new(), time: page.modified, author: String::new(), summary: "last modified".to_owned() }]
}

fn in_repository(root: &Path) -> bool {
    root.ancestors().any(|folder| folder.join(".git").exists())
}

fn command(root: &Path, path: &str, limit: usize) -> Command {
    let mut git = Command::new("git");
    git.env_clear();
    // The location of git.
    git.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    for (name, value) in [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        // Never fetches missing objects of a partial clone.
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_ALLOW_PROTOCOL", "none"),
        ("LC_ALL", "C.UTF-8"),
    ] {
        git.env(name, value);
    }
    for setting in [
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.pager=cat",
        "core.sshCommand=false",
        "core.attributesFile=/dev/null",
        "diff.external=",
        "gpg.program=false",
        "gpg.ssh.program=false",
        "gpg.x509.program=false",
        "log.showSignature=false",
        "protocol.allow=never",
    ] {
        git.args(["-c", setting]);
    }
    git.args(["--no-pager", "--no-replace-objects", "--literal-pathspecs", "-C"]).arg(root);
    git.args(["log", "--follow", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-decorate", "--no-notes"]);
    git.args(["--no-patch", "--encoding=UTF-8", "-z", "--format=%H%x00%at%x00%an%x00%s"]);
    git.arg(format!("--max-count={limit}")).arg("--").arg(path);
    git.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    git
}

fn log(root: &Path, path: &str, limit: usize) -> Vec<HistoryEntry> {
    match command(root, path, limit).spawn().map(|child| output(child, GIT_TIMEOUT)) {
        Ok(Some(bytes)) => entries(&bytes),
        Ok(None) => {
            tracing::warn!(workspace = %root.display(), path, "git history timed out");
            Vec::new()
        }
        Err(error) => {
            tracing::debug!(%error, "git can't be started");
            Vec::new()
        }
    }
}

/// Standard output, if the program succeeds within the time limit.
fn output(mut child: Child, timeout: Duration) -> Option<Vec<u8>> {
    let (send, received) = mpsc::channel();
    let stdout = child.stdout.take()?;
    let read = move || {
        let mut bytes = Vec::new();
        let outcome = stdout.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
        // The receiver is gone after a timeout.
        let _ = send.send(outcome.map(|_| bytes));
    };
    std::thread::spawn(read);
    let bytes = received.recv_timeout(timeout).ok().and_then(Result::ok);
    if bytes.as_ref().is_none_or(|bytes| bytes.len() as u64 == MAX_OUTPUT_BYTES) {
        // It may have exited by itself.
        let _ = child.kill();
    }
    // The program has closed its output or was killed, so this returns soon.
    let ended = child.wait().ok()?;
    bytes.filter(|bytes| ended.success() || bytes.len() as u64 == MAX_OUTPUT_BYTES)
}

/// Parses four NUL-terminated fields per commit. No field can contain NUL.
fn entries(bytes: &[u8]) -> Vec<HistoryEntry> {
    let text = String::from_utf8_lossy(bytes);
    let fields: Vec<&str> = text.split('\0').collect();
    let read = |of: &[&str]| {
        let [id, seconds, author, summary] = of else { return None };
        let time = Time::from_millis(seconds.parse::<i64>().ok()?.saturating_mul(1_000));
        Some(HistoryEntry { id: (*id).to_owned(), time, author: (*author).to_owned(), summary: (*summary).to_owned() })
    };
    fields.chunks_exact(4).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_takes_too_long_is_ended() {
        // It waits for input that never arrives.
        let child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        assert_eq!(output(child, Duration::from_millis(20)), None);
    }

    #[test]
    fn entries_are_read_from_four_fields() {
        let entries = entries(b"abc\x001700000000\0Mara\0a: b\0def\x00x\0Bad\0time\0ghi\x001\0\0\0");
        assert_eq!(entries.len(), 2);
        assert_eq!((entries[0].id.as_str(), entries[0].author.as_str(), entries[0].summary.as_str()), ("abc", "Mara", "a: b"));
        assert_eq!(entries[0].time.to_string(), "2023-11-14T22:13:20.000Z");
    }
}
