//! The program and the process that started it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{PYTHON, confined};

/// Starts the rest of its command line as a child that it is the parent of, says its id, and waits for ever.
const PARENT: &str = "
import os, subprocess, sys, threading
command = [word if word != 'PARENT' else str(os.getpid()) for word in sys.argv[1:]]
child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
threading.Event().wait()
";

/// Whether the process does anything yet: one that nobody has asked for its exit code doesn't.
fn lives(id: u32) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z")))
}

/// Killed whatever the test ends with.
struct Parent(Child);

impl Drop for Parent {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

#[test]
fn it_dies_with_its_parent() {
    let inner = confined("import threading; print(1, flush=True); threading.Event().wait()");
    let mut command = Command::new(&PYTHON.0);
    command.args(["-I", "-c", PARENT]).arg(inner.get_program()).args(["--parent", "PARENT"]).args(inner.get_args());
    let mut parent = Parent(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(parent.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let id = line.trim().parse().unwrap();
    assert!(lives(id));
    drop(parent);
    let started = Instant::now();
    while lives(id) {
        assert!(started.elapsed() < Duration::from_secs(10), "{id} lives on");
        thread::yield_now();
    }
}

#[test]
fn a_parent_that_ended_already_is_noticed() {
    let inner = confined("print(1)");
    let mut command = Command::new(inner.get_program());
    // Some other process.
    let output = command.args(["--parent", "1"]).args(inner.get_args()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(126), 0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("has ended"));
}
