//! Runs programs with a time limit, captures their output and displays it on a terminal or in a log.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::paths::Paths;

/// Builds and tests use exactly this selection, since any other one rebuilds dependencies. The feature
/// makes the window load the embedded UI, as the packaged app does.
pub(crate) const FEATURES: [&str; 2] = ["--features", "inklings-studio/custom-protocol"];

/// How long the descendants of a finished program may keep its output open before reading stops.
const DRAIN: Duration = Duration::from_secs(3);
const HEARTBEAT: Duration = Duration::from_mins(1);

/// The output and exit status of a program.
pub(crate) struct Finished {
    pub(crate) ok: bool,
    pub(crate) output: String,
}

/// Whether lines are displayed while they arrive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// As they arrive; in a log, compile steps and passing tests are counted instead of listed.
    Live,
    /// The caller reports.
    Quiet,
}

/// Cargo on the shared target folder, free of what the outer `cargo xtask` put into the environment.
pub(crate) fn cargo(paths: &Paths) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&paths.root).env("CARGO_TARGET_DIR", paths.target());
    for (name, _) in env::vars_os() {
        if is_outer_cargo(&name) {
            command.env_remove(name);
        }
    }
    command.env("CARGO_TERM_COLOR", if io::stdout().is_terminal() { "always" } else { "never" });
    command
}

/// Variables that differ between `cargo xtask` and a plain `cargo`, and would make build scripts run again.
fn is_outer_cargo(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"].iter().any(|prefix| name.starts_with(prefix))
            || name == "LD_LIBRARY_PATH"
    })
}

/// npm in `folder`, on the shared cache.
pub(crate) fn npm(paths: &Paths, folder: &Path) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder).env("npm_config_cache", paths.cache.join("npm"));
    command.env("NO_UPDATE_NOTIFIER", "1").env("npm_config_fund", "false").env("npm_config_audit", "false");
    command
}

/// The first line that `program args` prints; None if it is missing or fails.
pub(crate) fn first_line(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// The result of a thread, whose panic goes on in this one.
pub(crate) fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Runs with the terminal inherited; an error names the failed command.
pub(crate) fn check(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {what}"))?;
    if !status.success() {
        bail!("{what} failed ({status})");
    }
    Ok(())
}

/// Runs to the end or to `limit`. All lines are written to `log` and returned.
pub(crate) fn run(mut command: Command, view: View, limit: Duration, log: &Path) -> Result<Finished> {
    let name = command.get_program().to_string_lossy().into_owned();
    let (reader, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
    // The command holds the pipe's writing end; without this the reader would never reach the end.
    drop(command);

    let lines = read_lines(reader);
    let mut show = Show::new(view);
    let mut output = String::new();
    let mut log = fs::File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let started = Instant::now();
    let mut ended: Option<(ExitStatus, Instant)> = None;
    let mut overdue = false;
    loop {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(line) => {
                writeln!(log, "{line}")?;
                show.line(&line);
                output.push_str(&line);
                output.push('\n');
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => show.tick(),
        }
        if ended.is_none() {
            ended = child.try_wait()?.map(|status| (status, Instant::now()));
        }
        if ended.is_some_and(|(_, at)| at.elapsed() > DRAIN) {
            break;
        }
        if ended.is_none() && !overdue && started.elapsed() > limit {
            overdue = true;
            end_tree(&mut child);
        }
    }
    let status = match ended {
        Some((status, _)) => status,
        None => child.wait()?,
    };
    if overdue {
        let line = format!("stopped at its time limit of {} s", limit.as_secs());
        writeln!(log, "{line}")?;
        output.push_str(&line);
    }
    Ok(Finished { ok: status.success() && !overdue, output })
}

fn read_lines(reader: io::PipeReader) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
            bytes.clear();
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Kills `child` and its descendants.
fn end_tree(child: &mut Child) {
    let mut command = Command::new("kill");
    command.arg("-KILL").args(descendants(child.id(), &parents()).iter().map(u32::to_string));
    // The process may have exited in the meantime.
    let _ = command.stderr(Stdio::null()).status();
    let _ = child.kill();
}

/// All processes with their parents.
fn parents() -> BTreeMap<u32, u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // The name in parentheses may contain spaces and parentheses.
            let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
            Some((process, parent))
        })
        .collect()
}

fn descendants(top: u32, parents: &BTreeMap<u32, u32>) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([top]);
    loop {
        let more: Vec<u32> =
            parents.iter().filter(|(id, parent)| found.contains(parent) && !found.contains(id)).map(|(id, _)| *id).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Decides which lines are displayed.
struct Show {
    view: View,
    terminal: bool,
    started: Instant,
    last: Instant,
    hidden: usize,
}

impl Show {
    fn new(view: View) -> Self {
        let now = Instant::now();
        Self { view, terminal: io::stdout().is_terminal(), started: now, last: now, hidden: 0 }
    }

    fn line(&mut self, line: &str) {
        if self.view == View::Quiet {
            return;
        }
        if !self.terminal && is_routine(line) {
            self.hidden += 1;
            self.tick();
        } else {
            println!("{line}");
            self.last = Instant::now();
        }
    }

    /// In a log, reports progress once a minute.
    fn tick(&mut self) {
        if self.view == View::Live && !self.terminal && self.last.elapsed() > HEARTBEAT {
            println!("  ... {} steps, {} s", self.hidden, self.started.elapsed().as_secs());
            self.last = Instant::now();
        }
    }
}

/// Lines to omit from a log: compile steps, passed tests, empty test binaries.
fn is_routine(line: &str) -> bool {
    let text = line.trim_start();
    let verbs = ["Compiling ", "Checking ", "Downloading ", "Downloaded ", "Fresh ", "Adding ", "Updating ", "Locking ", "Blocking "];
    text.is_empty()
        || verbs.iter().any(|verb| text.starts_with(verb))
        || (text.starts_with("test ") && text.ends_with("... ok"))
        || text.starts_with("running ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Finished {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, View::Quiet, limit, &folder.path().join("log")).unwrap()
    }

    #[test]
    fn both_streams_arrive_in_order_with_the_outcome() {
        let done = shell("echo one; echo two >&2; printf three; exit 3", Duration::from_secs(20));
        assert_eq!(done.output, "one\ntwo\nthree\n");
        assert!(!done.ok);
        assert!(shell("true", Duration::from_secs(20)).ok);
    }

    #[test]
    fn a_program_over_its_limit_is_ended_with_its_children() {
        let started = Instant::now();
        let done = shell("sleep 300 & sleep 300; echo never", Duration::from_millis(200));
        assert!(!done.ok);
        assert!(done.output.contains("stopped at its time limit"));
        assert!(!done.output.contains("never"));
        assert!(started.elapsed() < Duration::from_mins(1));
    }

    #[test]
    fn descendants_follow_every_generation_and_nothing_else() {
        let parents = BTreeMap::from([(2, 1), (3, 2), (4, 3), (5, 1), (6, 5)]);
        assert_eq!(descendants(2, &parents), BTreeSet::from([2, 3, 4]));
    }

    #[test]
    fn routine_lines_are_recognized() {
        for line in ["   Compiling serde v1.0.0", "test skill::keeps_order ... ok", "running 0 tests", ""] {
            assert!(is_routine(line), "{line}");
        }
        for line in ["test skill::keeps_order ... FAILED", "error: no", "test result: ok. 1 passed; 0 failed;", "warning: unused"] {
            assert!(!is_routine(line), "{line}");
        }
    }

    #[test]
    fn the_outer_cargo_leaves_no_trace() {
        assert!(is_outer_cargo(OsStr::new("CARGO_PKG_NAME")));
        assert!(is_outer_cargo(OsStr::new("CARGO_MANIFEST_DIR")));
        assert!(!is_outer_cargo(OsStr::new("CARGO_HOME")));
        assert!(!is_outer_cargo(OsStr::new("CARGO_NET_OFFLINE")));
    }
}
