//! A proxy between the app and a real process that alters one line.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

use serde::Deserialize;

/// The program to start, and the alteration.
#[derive(Deserialize)]
struct Plan {
    /// A program and its arguments.
    command: Vec<String>,
    #[serde(default)]
    to_app: Option<Change>,
    #[serde(default)]
    to_process: Option<Change>,
}

/// Replaced by `into` in the first line that contains it.
#[derive(Deserialize)]
struct Change {
    from: String,
    into: String,
}

/// Forwards all lines until the app closes its end, then closes the process's input.
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
        // The reader has disconnected.
        if writeln!(to, "{line}").and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}
