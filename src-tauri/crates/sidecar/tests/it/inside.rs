//! What code inside the frozen process can do: a program with the same files that makes attempts instead of running jobs.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::real::built;
use crate::support::peer;

const SECRET: &str = "inklings-test-secret-4f1c";
const NAME: &str = "inklings-dspy-inside";

/// The outcome of each attempt, without and with the process's own guard.
type Outcomes = BTreeMap<String, (String, String)>;

/// In a separate folder beside the process.
fn program() -> PathBuf {
    let program = built().program.ancestors().nth(2).unwrap().join(NAME).join(NAME);
    assert!(program.is_file(), "`cargo xtask sidecar` makes {}", program.display());
    program
}

/// Starts it from an app with a secret in its environment, and makes all attempts of these groups.
fn tried(launcher: &Path, program: &Path, private: &Path, groups: &[&str]) -> (Outcomes, Value) {
    let listening = private.with_file_name("listening");
    let _listens = UnixListener::bind(&listening).unwrap();
    let values = json!({ "private": private, "listening": listening, "groups": groups });
    let mut app = Command::new(peer());
    app.arg("host").arg(launcher).arg(program).arg(values.to_string()).env("OPENAI_API_KEY", SECRET).env("PYTHONPATH", "/tmp");
    let done = app.stdin(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said: Value = serde_json::from_slice(&done.stdout).unwrap();
    let outcome = |when: &str, name: &str| said[when][name].as_str().unwrap().to_owned();
    let names = said["before"].as_object().unwrap().keys();
    let outcomes = names.map(|name| (name.clone(), (outcome("before", name), outcome("after", name)))).collect();
    fs::remove_file(listening).unwrap();
    (outcomes, said)
}

fn private() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.md");
    fs::write(&file, SECRET).unwrap();
    (folder, file)
}

#[test]
fn nothing_is_reached() {
    let (folder, file) = private();
    let groups = ["families", "sockets", "reading", "writing", "processes"];
    let (outcomes, said) = tried(&built().launcher, &program(), &file, &groups);
    assert!(outcomes.len() > 220, "{}", outcomes.len());
    for (name, (before, after)) in &outcomes {
        // Name resolution needs files that can't be read and servers that can't be reached.
        let refused: &[&str] = if name == "socket for a name" { &["unknown name"] } else { &["EPERM", "EACCES"] };
        assert!(refused.contains(&&**before), "{name}, with the launcher alone: {before}");
        assert!(matches!(&**after, "guard" | "EPERM" | "EACCES"), "{name}: {after}");
        let python = ["socket of family", "write ", "fork", "execute", "spawn", "a process"].iter().any(|start| name.starts_with(start));
        if python && !name.contains("C library") && !name.contains("memory") {
            assert_eq!(after, "guard", "{name}");
        }
    }
    let all = said.to_string();
    assert!(!all.contains(SECRET), "{all}");
    let environment = said["environment"].as_object().unwrap().keys();
    let strange: Vec<_> =
        environment.filter(|name| !matches!(&***name, "LANG" | "LD_LIBRARY_PATH") && !name.starts_with("_PYI_")).collect();
    assert!(strange.is_empty(), "{strange:?}");
    assert_eq!(said["arguments"].as_array().unwrap().len(), 1);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!((left, fs::read_to_string(&file).unwrap().as_str()), (vec!["page.md".into()], SECRET));
}

#[test]
fn the_attempts_would_succeed_without_a_launcher() {
    let (folder, file) = private();
    let plan = folder.path().join("plan");
    fs::write(&plan, json!({ "command": [program()] }).to_string()).unwrap();
    let (outcomes, _) = tried(&peer(), &plan, &file, &["sockets", "reading", "allowed"]);
    let socket = "socket of the C library";
    for name in [socket, "socket that waits", "socket for a name", "list /", "read /etc/passwd", "read with the C library"] {
        assert_eq!(outcomes[name].0, "done", "{name}");
    }
    assert_eq!(outcomes[&format!("read {}", file.display())].0, "done");
    // The guard covers Python's operations, the launcher all system calls.
    assert_eq!((&*outcomes["socket that waits"].1, &*outcomes[socket].1), ("guard", "done"));
}

#[test]
fn what_it_needs_works() {
    let (_folder, file) = private();
    let (outcomes, _) = tried(&built().launcher, &program(), &file, &["allowed"]);
    assert!(outcomes.len() >= 3 && outcomes.values().all(|(before, after)| before == "done" && after == "done"), "{outcomes:?}");
}

#[test]
fn it_is_the_process_with_another_beginning_and_doesnt_ship() {
    let shipped = built().program;
    let (ours, theirs) = (contents(program().parent().unwrap()), contents(shipped.parent().unwrap()));
    assert!(theirs.len() > 50 && theirs.keys().all(|path| !path.to_string_lossy().contains(NAME)), "{}", theirs.len());
    let but_itself = |mut files: BTreeMap<PathBuf, u64>, name: &str| files.remove(Path::new(name)).map(|_| files).unwrap();
    assert_eq!(but_itself(ours, NAME), but_itself(theirs, "inklings-dspy"));
}

/// The sizes of the files in a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let (mut found, mut waiting) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            if about.is_dir() {
                waiting.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), about.len());
            }
        }
    }
    found
}
