//! `cargo xtask bench`: measures every budget and compares it with the stored baseline.
//!
//! `tests/bench/budgets.json` lists the benchmarks with their limits: a time (`"budget": "40 ms"`) or another
//! benchmark of the same run (`"peer": "id", "most": 1.5`). Times differ between machines, and on one machine with its load: programs that
//! aren't ours are measured in the same run, and `reference_machine` says what they take where the budgets are meant. Where they take longer, budgets
//! and baseline are that much larger. Ids that begin with `size/` are
//! in bytes (`"budget": "200 KiB"`), the same on every machine. A budget that is missed for a known reason states it (`"known": "why"`):
//! then it is reported, but fails only if it gets worse. `"by": "package"` is measured by `cargo xtask package --check`.

mod compare;
mod evals;
mod measured;
mod serve;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Value, json};

use self::compare::{Budget, By, ReferenceMachine, Verdict};
use crate::paths::Paths;
use crate::process;
use crate::setup::{self, Purpose};
use crate::{build, cache, parts, sidecar, test};

#[derive(Args)]
pub(crate) struct Options {
    /// Store the results as the new baseline
    #[arg(long)]
    save_baseline: bool,
}

pub(crate) fn run(paths: &Paths, options: &Options) -> Result<bool> {
    cache::prepare(paths)?;
    setup::ensure(paths, Purpose::Bench)?;
    parts::ensure(paths)?;
    evals::ensure(paths)?;
    build::ui(paths)?;
    let folder = paths.root.join("tests/bench");
    let file = read_json(&folder.join("budgets.json"))?;
    let (budgets, machine) = (Budget::read_all(&file, By::Bench)?, ReferenceMachine::read(&file)?);

    let criterion = paths.target().join("criterion");
    // Results of an earlier run must not be mistaken for this one's.
    if criterion.exists() {
        fs::remove_dir_all(&criterion).with_context(|| format!("cannot remove {}", criterion.display()))?;
    }
    // The window and the commands are measured as they ship; helpers for measuring are built separately.
    process::check(&mut build::release(paths), "the release build")?;
    process::check(&mut build::measuring(paths), "cargo build")?;
    let weighed = crate::install::empty_folder(paths.logs().join("sizes"))?;
    let mut bench = build::benchmarks(paths);
    bench.env("INKLINGS_SIZES", &weighed);
    bench.env("INKLINGS_DSPY_PYTHON", sidecar::environment(paths)?).env("INKLINGS_REFERENCE_PYTHON", test::reference_python(paths)?);
    process::check(&mut bench, "cargo bench")?;
    let mut measured = measured::read(&criterion)?;
    if measured.is_empty() {
        bail!("cargo bench measured nothing");
    }
    for name in ["database.json", "sidecar.json"] {
        let file = weighed.join(name);
        let sizes: BTreeMap<String, f64> =
            serde_json::from_value(read_json(&file)?).with_context(|| format!("{} has no sizes", file.display()))?;
        measured.extend(sizes);
    }
    measured.extend(evals::measure(paths)?);
    measured.extend(serve::measure(paths)?);
    measured.extend(window(paths)?);
    measured.extend(sizes(paths)?);

    let results = json!({ "benchmarks": measured });
    write_json(&folder.join("results.json"), &results)?;
    let baseline = folder.join("baseline.json");
    if options.save_baseline {
        write_json(&baseline, &results)?;
    }
    let stored = if baseline.exists() { read_json(&baseline)? } else { Value::Null };
    let verdicts = compare::verdicts(&budgets, &machine, &results, &stored);
    println!("\n{}", compare::table(&verdicts));
    if let Some(slowness) = machine.slowness(&results) {
        println!("Programs that aren't ours take {slowness:.2} times as long as on the machine that the budgets are meant for.");
    }
    Ok(verdicts.iter().all(Verdict::ok))
}

/// Measured in the real window, alone.
const IN_WINDOW: [&str; 4] = ["measure/start.measure.mjs", "measure/work.measure.mjs", "measure/chat.measure.mjs", "specs/stream.test.mjs"];

/// The window measurements in nanoseconds by benchmark id.
fn window(paths: &Paths) -> Result<BTreeMap<String, f64>> {
    let times = paths.logs().join("window-times.json");
    fs::create_dir_all(paths.logs()).with_context(|| format!("cannot make {}", paths.logs().display()))?;
    if times.exists() {
        fs::remove_file(&times).with_context(|| format!("cannot remove {}", times.display()))?;
    }
    let mut measuring = test::in_window(paths, &IN_WINDOW, |program| paths.measured(program));
    process::check(measuring.env("INKLINGS_TIMES", &times).env("INKLINGS_WORKERS", "1"), "measuring in the window")?;
    serde_json::from_value(read_json(&times)?).with_context(|| format!("{} has no times", times.display()))
}

/// Compares the sizes of the package and its installed files with their budgets.
pub(crate) fn sizes_of_package(paths: &Paths, package: u64, installed: u64) -> Result<bool> {
    let file = read_json(&paths.root.join("tests/bench/budgets.json"))?;
    let (budgets, machine) = (Budget::read_all(&file, By::Package)?, ReferenceMachine::read(&file)?);
    let results = json!({ "benchmarks": { "size/deb": package, "size/installed": installed } });
    let verdicts = compare::verdicts(&budgets, &machine, &results, &Value::Null);
    println!("\n{}", compare::table(&verdicts));
    Ok(verdicts.iter().all(Verdict::ok))
}

/// The sizes of the built UI in bytes by benchmark id.
fn sizes(paths: &Paths) -> Result<BTreeMap<String, f64>> {
    let output = Command::new("node").current_dir(paths.ui()).args(["scripts/size.mjs", "--json"]).output().context("can't start node")?;
    serde_json::from_slice(&output.stdout).with_context(|| format!("size.mjs: {}", String::from_utf8_lossy(&output.stderr)))
}

fn read_json(file: &Path) -> Result<Value> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", file.display()))
}

fn write_json(file: &Path, value: &Value) -> Result<()> {
    let text = format!("{value:#}\n");
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
