//! Stands between the app and a real process, and alters one line.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

use serde::Deserialize;

/// What is started, and what is altered.
#[derive(Deserialize)]
struct Plan {
    /// A program and its arguments.
    command: Vec<String>,
    #[serde(default)]
    to_app: Option<Change>,
    #[serde(default)]
    to_process: Option<Change>,
}

/// In the first line with `from` that becomes `into`.
#[derive(Deserialize)]
struct Change {
    from: String,
    into: String,
}

/// Passes everything on until the app closes its end, which closes the process's.
pub(crate) fn stand(plan: &str) {
    let Plan { command, to_app, to_process } = serde_json::from_str(plan).unwrap();
    let mut process = Command::new(&command[0]).args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
    let answers = thread::spawn(|| pass(BufReader::new(output), io::stdout(), to_app));
    pass(io::stdin().lock(), input, to_process);
    answers.join().unwrap();
    process.wait().unwrap();
}

fn pass(from: impl BufRead, mut to: impl Write, mut change: Option<Change>) {
    for line in from.lines() {
        let mut line = line.unwrap();
        if let Some(wanted) = change.take_if(|wanted| line.contains(&wanted.from)) {
            line = line.replacen(&wanted.from, &wanted.into, 1);
        }
        // Nobody listens any more.
        if writeln!(to, "{line}").and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}
