//! Scripts that try to escape or to exceed limits: the first line of each file in `tests/hostile` states how it must end.
//!
//! All run sequentially in one process, and after each a well-behaved script must be unaffected. Their own output
//! isn't trusted: [`Outside`] detects escapes, and the process's memory is measured.

use std::fs;
use std::path::{Path, PathBuf};

use inklings_core::sandbox::{HostError, SandboxLimits, Script, ScriptError};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::outside::Outside;
use crate::support::{Host, LOW, alone, forget_peak, memory, run, run_on};

/// Looks for leftovers of other runs, and does some typical work.
const GOOD: &str = r#"
import builtins, json, re, sys
assert not any(hasattr(module, "MARK") for module in (builtins, json, sys)) and "marked" not in sys.modules and callable(print)
assert re.sub("b+", "-", json.dumps(["abbc"])) == '["a-c"]'
inklings.submit(sum(range(100)))
"#;

/// Memory of a run besides the script's own: its stack, and in the host the arguments and values of a call, and the log.
const BESIDE_MIB: f64 = 64.0 + 32.0;

fn scripts() -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { waiting.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// The ending, as named in the first lines.
fn ending(outcome: &Result<Value, ScriptError>) -> String {
    match outcome {
        Ok(value) => format!("submits {value}"),
        Err(ScriptError::Syntax { line, column, .. }) => format!("syntax {line}:{column}"),
        Err(ScriptError::Exception(exception)) => format!("raises {}", exception.kind.chars().take(30).collect::<String>()),
        Err(ScriptError::OutOfCpu { .. }) => "out of CPU time".to_owned(),
        Err(ScriptError::OutOfTime { .. }) => "out of time".to_owned(),
        Err(ScriptError::OutOfMemory { .. }) => "out of memory".to_owned(),
        Err(ScriptError::StackOverflow) => "stack overflow".to_owned(),
        Err(ScriptError::Exited { code: Some(code) }) => format!("exits with {code}"),
        Err(ScriptError::Exited { code: None }) => "exits".to_owned(),
        Err(ScriptError::NoSubmit) => "ends without a result".to_owned(),
        Err(ScriptError::ResultTooLarge { .. }) => "result too large".to_owned(),
        Err(ScriptError::BadResult { .. }) => "bad result".to_owned(),
        Err(ScriptError::Ended(_)) => "ended".to_owned(),
        Err(ScriptError::Cancelled) => "cancelled".to_owned(),
        Err(ScriptError::Unavailable(why)) => format!("unavailable: {why}"),
    }
}

/// `# <ending>`, optionally followed by `;` and limits: `memory 512` (MiB).
fn expectation(line: &str) -> (String, SandboxLimits) {
    let mut parts = line.strip_prefix("# ").unwrap().split("; ");
    let expected = parts.next().unwrap();
    let limit = |ending: &str| if expected == ending { 1 } else { 60 };
    let mut limits = SandboxLimits { cpu_seconds: limit("out of CPU time"), seconds: limit("out of time"), ..LOW };
    for part in parts {
        match part.split_once(' ').unwrap() {
            ("memory", mib) => limits.memory_mib = mib.parse().unwrap(),
            _ => panic!("{line}"),
        }
    }
    let expected = match expected.strip_prefix("submits ") {
        Some(value) => format!("submits {}", serde_json::from_str::<Value>(value).unwrap()),
        None => expected.to_owned(),
    };
    (expected, limits)
}

fn host() -> Host {
    Host::new(|name, _| {
        Err(match name {
            "denied" => HostError::Denied("not for scripts".to_owned()),
            "fatal" => HostError::Fatal("the budget is spent".to_owned()),
            _ => HostError::NotFound(format!("there is no function {name:?}")),
        })
    })
}

#[test]
fn no_script_gets_out_or_takes_more_than_its_share() {
    if !alone("hostile::no_script_gets_out_or_takes_more_than_its_share") {
        return;
    }
    let (runtime, mut outside, scripts) = (Runtime::new().unwrap(), Outside::new(), scripts());
    assert!(scripts.len() >= 60, "{}", scripts.len());
    assert_eq!(runtime.block_on(run(GOOD)), Ok(Value::from(4950)));
    let mut wrong = Vec::new();
    for path in scripts {
        let source = fs::read_to_string(&path).unwrap();
        let (expected, limits) = expectation(source.lines().next().unwrap());
        let allowed = f64::from(limits.memory_mib) + BESIDE_MIB;
        let script = Script { name: "hostile.py".to_owned(), source, params: outside.params(), limits };
        let host = host();
        forget_peak();
        let before = memory("VmRSS");
        let outcome = runtime.block_on(run_on(&host, &script)).map(|output| output.value);
        let taken = memory("VmHWM") - before;
        let shown = path.file_name().unwrap().display();
        if ending(&outcome) != expected {
            wrong.push(format!("{shown}: expected {expected}, got {outcome:?}"));
        }
        if taken > allowed {
            wrong.push(format!("{shown}: took {taken} MiB, {allowed} are allowed"));
        }
        wrong.extend(outside.reached().iter().map(|what| format!("{shown}: outside there is {what}")));
        if host.log().len() > LOW.log_bytes as usize {
            wrong.push(format!("{shown}: {} bytes of log", host.log().len()));
        }
        let next = runtime.block_on(run(GOOD));
        if next != Ok(Value::from(4950)) {
            wrong.push(format!("{shown}: the next run is no good: {next:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
