//! `cargo xtask test`: runs all checks and reports each one, even after a failure.
//!
//! The UI is built first because the window embeds it. Then its checks, which leave a core mostly idle, run
//! in parallel with the Rust stages. The window tests run last and alone, since they wait for elements with timeouts.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Error, Result};
use clap::Args;

use crate::build::{self, Ui};
use crate::fingerprint::{self, Stamp};
use crate::paths::Paths;
use crate::process::{self, View};
use crate::setup::python::Version;
use crate::setup::{self, Purpose};
use crate::summary::{self, Counting, Row, Tally};
use crate::{fuzz, install, parts, sandbox, sidecar};

/// Options of `cargo xtask test`.
#[derive(Args)]
pub(crate) struct Options {
    /// Skip the window tests
    #[arg(long)]
    quick: bool,
    /// Include slow tests
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// Also run checks that passed on the same sources and programs
    #[arg(long)]
    again: bool,
}

/// One check: a program, how its results are counted, and how long it may take.
pub(crate) struct Stage {
    name: &'static str,
    command: Command,
    counting: Counting,
    minutes: u64,
}

/// The result of a stage, with its output if it failed.
struct Outcome {
    row: Row,
    excerpt: Option<String>,
}

impl Outcome {
    fn ok(&self) -> bool {
        self.row.tally.failed == 0
    }

    /// A prerequisite is missing.
    fn not_begun(name: &'static str, error: &Error) -> Self {
        let row = Row { name: name.into(), tally: Tally::failure(), seconds: 0.0, note: String::new() };
        Self { row, excerpt: Some(format!("{error:#}")) }
    }

    /// It passed on exactly these inputs.
    fn up_to_date(name: &'static str) -> Self {
        let row = Row { name: name.into(), tally: Tally { passed: 1, failed: 0 }, seconds: 0.0, note: "up to date".into() };
        Self { row, excerpt: None }
    }

    fn skipped(name: &'static str, why: &str) -> Self {
        Self { row: Row { name: name.into(), tally: Tally::default(), seconds: 0.0, note: format!("not run: {why}") }, excerpt: None }
    }
}

pub(crate) fn run(paths: &Paths, options: &Options) -> Result<bool> {
    let started = Instant::now();
    if options.again {
        install::empty_folder(passed(paths))?;
    }
    setup::ensure(paths, if options.quick { Purpose::Check } else { Purpose::Window })?;
    parts::ensure(paths)?;
    let mut outcomes = vec![Outcome {
        row: Row { name: "set-up".into(), tally: Tally::default(), seconds: started.elapsed().as_secs_f64(), note: String::new() },
        excerpt: None,
    }];

    let ui = ui_build(paths)?;
    let ui_built = ui.ok();
    outcomes.push(ui);
    thread::scope(|scope| {
        let beside = scope.spawn(|| beside(paths, ui_built, options.quick));
        outcomes.extend(rust_stages(paths, ui_built, options.full));
        outcomes.extend(process::join(beside));
    });
    if !options.quick {
        outcomes.push(match is_built(&outcomes).then(|| window(paths, options.full)) {
            Some(Ok(stage)) => perform(paths, stage, View::Live),
            Some(Err(error)) => Outcome::not_begun("window", &error),
            None => Outcome::skipped("window", "no build"),
        });
    }
    if options.full {
        outcomes.extend(fuzzing(paths));
        outcomes.push(http_requests(paths));
        outcomes.push(real_model(paths));
        outcomes.push(installed(paths));
    }
    Ok(report(&outcomes, started))
}

/// Random inputs, for a minute per target.
fn fuzzing(paths: &Paths) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    println!("\n== fuzz");
    let tried = fuzz::each(paths, fuzz::SECONDS, None, |tried| {
        let tally = if tried.crash.is_none() { Tally { passed: 1, failed: 0 } } else { Tally::failure() };
        println!("-- fuzz {}: {} in {:.1} s", tried.name, tried.note(), tried.seconds);
        let row = Row { name: format!("fuzz {}", tried.name), tally, seconds: tried.seconds, note: tried.note() };
        outcomes.push(Outcome { row, excerpt: tried.crash });
    });
    if let Err(error) = tried {
        let row = Row { name: "fuzz".into(), tally: Tally::failure(), seconds: 0.0, note: String::new() };
        outcomes.push(Outcome { row, excerpt: Some(format!("{error:#}")) });
    }
    outcomes
}

const REFERENCE: &str = "tests/reference";
const OLDEST_FOR_REFERENCE: Version = (3, 11);

/// The Python interpreter with the reference validator.
pub(crate) fn reference_python(paths: &Paths) -> Result<PathBuf> {
    setup::python::environment(paths, &paths.root.join(REFERENCE).join("requirements.txt"), OLDEST_FOR_REFERENCE)
}

/// Compares strict validation with the reference validator.
fn reference(paths: &Paths) -> Outcome {
    beside_python(paths, "reference", REFERENCE, "compare.py", OLDEST_FOR_REFERENCE, 5)
}

/// Serves skills to the official client libraries, and to the conformance suite.
fn mcp_clients(paths: &Paths) -> [Outcome; 3] {
    let node = |name, script: &str| {
        let mut command = Command::new("node");
        command.arg(paths.mcp().join(script)).arg(paths.built("inklings"));
        perform(paths, Stage { name, command, counting: Counting::Whole, minutes: 5 }, View::Live)
    };
    [
        beside_python(paths, "mcp python", "tests/mcp", "check.py", (3, 12), 5),
        node("mcp typescript", "check.mjs"),
        node("mcp conformance", "conformance.mjs"),
    ]
}

/// Sends generated requests to each operation of the HTTP server.
fn http_requests(paths: &Paths) -> Outcome {
    beside_python(paths, "http requests", "tests/http", "check.py", (3, 12), 20)
}

/// A run with a real model server; optional, since it downloads a model.
fn real_model(paths: &Paths) -> Outcome {
    beside_python(paths, "real model", "tests/real-model", "check.py", (3, 12), 15)
}

/// Builds the Debian package and tests it in a minimal system.
fn installed(paths: &Paths) -> Outcome {
    match env::current_exe() {
        Ok(program) => {
            let mut command = Command::new(program);
            command.args(["package", "--check"]);
            perform(paths, Stage { name: "package", command, counting: Counting::Whole, minutes: 60 }, View::Live)
        }
        Err(error) => Outcome::not_begun("package", &error.into()),
    }
}

/// A script that tests the command with Python packages from the `requirements.txt` of its folder.
fn beside_python(paths: &Paths, name: &'static str, folder: &str, script: &str, oldest: Version, minutes: u64) -> Outcome {
    let folder = paths.root.join(folder);
    match setup::python::environment(paths, &folder.join("requirements.txt"), oldest) {
        Ok(python) => {
            let mut command = Command::new(python);
            command.arg(folder.join(script)).arg(paths.built("inklings"));
            perform(paths, Stage { name, command, counting: Counting::Whole, minutes }, View::Live)
        }
        Err(error) => Outcome::not_begun(name, &error),
    }
}

fn ui_build(paths: &Paths) -> Result<Outcome> {
    let ui = Ui::of(paths)?;
    if ui.is_current() {
        return Ok(Outcome::up_to_date("ui build"));
    }
    ui.begin();
    let outcome = perform(paths, npm_script(paths, "ui build", "build", Counting::Whole), View::Quiet);
    if outcome.ok() {
        ui.done()?;
    }
    Ok(outcome)
}

/// The stages that run what was built.
const WITH_BUILD: [&str; 10] = [
    "sidecar schema",
    "schema",
    "wire types",
    "rules page",
    "reference",
    "mcp python",
    "mcp typescript",
    "mcp conformance",
    "cargo test",
    "system test",
];

/// The Rust stages.
fn rust_stages(paths: &Paths, ui_built: bool, full: bool) -> Vec<Outcome> {
    let mut format = process::cargo(paths);
    format.args(["fmt", "--all", "--check"]);
    let mut outcomes = vec![perform(paths, Stage { name: "fmt", command: format, counting: Counting::Whole, minutes: 5 }, View::Live)];
    // Separate workspaces, so `--all` doesn't include them.
    for (name, folder) in [("fmt compiler", sandbox::compiler(paths)), ("fmt fuzz", fuzz::folder(paths))] {
        let mut format = process::cargo(paths);
        format.args(["fmt", "--check", "--manifest-path"]).arg(folder.join("Cargo.toml"));
        outcomes.push(perform(paths, Stage { name, command: format, counting: Counting::Whole, minutes: 5 }, View::Live));
    }
    match env::current_exe() {
        Ok(program) => {
            let mut command = Command::new(program);
            command.args(["notices", "--check"]);
            outcomes.push(perform(paths, Stage { name: "notices", command, counting: Counting::Whole, minutes: 5 }, View::Live));
        }
        Err(error) => outcomes.push(Outcome::not_begun("notices", &error.into())),
    }
    if !ui_built {
        outcomes.extend(["build"].into_iter().chain(WITH_BUILD).map(|name| Outcome::skipped(name, "no built UI to embed")));
        return outcomes;
    }
    let build = Stage { name: "build", command: build::linted(paths), counting: Counting::Build, minutes: 60 };
    outcomes.push(perform(paths, build, View::Live));
    if !is_built(&outcomes) {
        outcomes.extend(WITH_BUILD.map(|name| Outcome::skipped(name, "no build")));
        return outcomes;
    }
    // The system tests wait for processes and disks for a part of their time.
    thread::scope(|scope| {
        let system = scope.spawn(|| perform(paths, cargo_test("system test", build::system_tests(paths, full), full), View::Quiet));
        outcomes.extend(generated(paths));
        outcomes.push(reference(paths));
        outcomes.extend(mcp_clients(paths));
        outcomes.push(perform(paths, cargo_test("cargo test", build::tests(paths, full), full), View::Live));
        outcomes.push(process::join(system));
    });
    outcomes
}

fn cargo_test(name: &'static str, command: Command, full: bool) -> Stage {
    Stage { name, command, counting: Counting::Cargo, minutes: if full { 120 } else { 30 } }
}

/// Compares generated files with what the product generates.
fn generated(paths: &Paths) -> [Outcome; 4] {
    [
        ("sidecar schema", sidecar::schema(paths, true)),
        ("schema", build::schema(paths, true)),
        ("wire types", build::types(paths, true)),
        ("rules page", build::rules(paths, true)),
    ]
    .map(|(name, command)| perform(paths, Stage { name, command, counting: Counting::Whole, minutes: 2 }, View::Live))
}

/// Also with warnings: tests say more than none.
fn is_built(outcomes: &[Outcome]) -> bool {
    outcomes.iter().any(|outcome| outcome.row.name == "build" && outcome.row.tally.passed > 0)
}

/// Stages that run in parallel with the Rust stages.
fn beside(paths: &Paths, ui_built: bool, quick: bool) -> Vec<Outcome> {
    let mut outcomes = vec![
        unless_unchanged(paths, npm_script(paths, "ui check", "check", Counting::Whole), &[paths.ui()]),
        unless_unchanged(paths, npm_script(paths, "ui lint", "lint", Counting::Whole), &[paths.ui()]),
        // Some compare texts and limits with those of the Rust sources.
        unless_unchanged(
            paths,
            npm_script(paths, "ui test", "test", Counting::Vitest),
            &["ui", "src-tauri/crates", "LICENSE"].map(|part| paths.root.join(part)),
        ),
    ];
    outcomes.push(if ui_built {
        perform(paths, npm_script(paths, "ui size", "size", Counting::Whole), View::Quiet)
    } else {
        Outcome::skipped("ui size", "no built UI")
    });
    if !quick {
        let mut types = process::npm(paths, &paths.e2e());
        types.args(["run", "--silent", "check"]);
        outcomes.push(perform(paths, Stage { name: "window types", command: types, counting: Counting::Whole, minutes: 5 }, View::Quiet));
    }
    let mut generator = process::npm(paths, &paths.contract());
    generator.args(["run", "--silent", "test"]).env("NO_COLOR", "1");
    outcomes.push(perform(paths, Stage { name: "generator", command: generator, counting: Counting::Node, minutes: 5 }, View::Quiet));
    outcomes.extend(python(paths));
    outcomes
}

/// Folder of the stamps and results of checks that passed.
fn passed(paths: &Paths) -> PathBuf {
    paths.cache.join("passed")
}

/// A check that reads nothing but `sources`, skipped if they are unchanged since it passed.
fn unless_unchanged(paths: &Paths, stage: Stage, sources: &[PathBuf]) -> Outcome {
    let name = stage.name;
    let hash = match fingerprint::of(sources, &fingerprint::GENERATED) {
        Ok(hash) => hash,
        Err(error) => return Outcome::not_begun(name, &error),
    };
    let stamp = Stamp::new(passed(paths).join(name.replace(' ', "-")), hash);
    if stamp.is_current() {
        return Outcome::up_to_date(name);
    }
    let outcome = perform(paths, stage, View::Quiet);
    match outcome.ok().then(|| stamp.set()) {
        Some(Err(error)) => Outcome::not_begun(name, &error),
        _ => outcome,
    }
}

/// The checks of the DSPy process, which need its packages but no Rust.
fn python(paths: &Paths) -> Vec<Outcome> {
    let checks = [
        ("sidecar lint", sidecar::lint(paths), Counting::Whole),
        ("sidecar format", sidecar::format(paths), Counting::Whole),
        ("sidecar types", sidecar::types(paths), Counting::Whole),
        ("sidecar messages", sidecar::messages(paths, true), Counting::Whole),
        ("sidecar test", sidecar::tests(paths), Counting::Pytest),
    ];
    let sources = ["sidecar", "seed", "tests/contract/sidecar"].map(|part| paths.root.join(part));
    checks
        .into_iter()
        .map(|(name, command, counting)| match command {
            Ok(command) => unless_unchanged(paths, Stage { name, command, counting, minutes: 10 }, &sources),
            Err(error) => Outcome::not_begun(name, &error),
        })
        .collect()
}

fn npm_script(paths: &Paths, name: &'static str, script: &str, counting: Counting) -> Stage {
    let mut command = process::npm(paths, &paths.ui());
    command.args(["run", "--silent", script]).env("NO_COLOR", "1").env_remove("FORCE_COLOR");
    Stage { name, command, counting, minutes: 15 }
}

/// The window tests of these files, or all, with the programs that `program` returns.
pub(crate) fn in_window(paths: &Paths, specs: &[&str], program: impl Fn(&str) -> PathBuf) -> Command {
    let mut command = process::npm(paths, &paths.e2e());
    command
        .args(["run", "--silent", "test", "--"])
        .args(specs)
        .env("INKLINGS_STUDIO_BIN", program("inklings-studio"))
        .env("INKLINGS_BIN", program("inklings"))
        .env("NO_COLOR", "1");
    command
}

/// The tests in the window. Files of tests that passed with the same programs aren't run again.
fn window(paths: &Paths, full: bool) -> Result<Stage> {
    let mut command = in_window(paths, &[], |program| paths.built(program));
    if full {
        command.env("INKLINGS_FULL", "1");
    } else {
        command.env("INKLINGS_RESULTS", passed(paths).join("window.json")).env("INKLINGS_INPUTS", window_inputs(paths)?);
    }
    Ok(Stage { name: "window", command, counting: Counting::Node, minutes: if full { 60 } else { 45 } })
}

/// The hash of everything that a window test depends on but for its own file.
fn window_inputs(paths: &Paths) -> Result<String> {
    let programs = build::PROGRAMS.iter().copied().chain(["scripted-model"]).map(|program| paths.built(program));
    let resources = ["sandbox", "sidecar", "embedding"].map(|part| paths.target().join(part));
    let sources = ["harness", "tours", "package-lock.json", "run.mjs"].map(|part| paths.e2e().join(part));
    let inputs: Vec<_> = programs.chain(resources).chain(sources).chain([paths.root.join("seed")]).collect();
    let web_view = process::first_line("dpkg-query", &["--show", "--showformat=${Version}", "libwebkit2gtk-4.1-0"]);
    Ok(format!("{} {}", fingerprint::of(&inputs, &[])?, web_view.unwrap_or_default()))
}

fn perform(paths: &Paths, stage: Stage, view: View) -> Outcome {
    let Stage { name, command, counting, minutes } = stage;
    let started = Instant::now();
    if view == View::Live {
        println!("\n== {name}");
    }
    let log = paths.logs().join(format!("{}.log", name.replace(' ', "-")));
    let (tally, excerpt, note) = match process::run(command, view, Duration::from_mins(minutes), &log) {
        Ok(done) => {
            let tally = counting.tally(&done.output, done.ok);
            let excerpt = (tally.failed > 0).then(|| format!("{}\n(full log: {})", counting.excerpt(&done.output), log.display()));
            (tally, excerpt, counting.note(&done.output))
        }
        Err(error) => (Tally::failure(), Some(format!("{error:#}")), String::new()),
    };
    let seconds = started.elapsed().as_secs_f64();
    let verdict = if tally.failed == 0 { "ok" } else { "FAILED" };
    println!("-- {name}: {verdict} in {seconds:.1} s");
    Outcome { row: Row { name: name.into(), tally, seconds, note }, excerpt }
}

/// Prints the output of failed stages, the table and the closing line.
fn report(outcomes: &[Outcome], started: Instant) -> bool {
    for outcome in outcomes {
        if let Some(excerpt) = &outcome.excerpt {
            println!("\n==== {} failed\n{excerpt}", outcome.row.name);
        }
    }
    let mut total = Tally::default();
    for outcome in outcomes {
        total.add(outcome.row.tally);
    }
    let rows: Vec<&Row> = outcomes.iter().map(|outcome| &outcome.row).collect();
    println!("\n{}\n{:.0} s in total, logs in target/xtask", summary::table(&rows), started.elapsed().as_secs_f64());
    println!("{}", total.closing_line());
    total.failed == 0
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_check_that_passed_is_done_again_only_for_other_sources() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths { root: folder.path().join("checkout"), cache: folder.path().join("cache") };
        fs::create_dir_all(paths.ui()).unwrap();
        fs::create_dir_all(paths.logs()).unwrap();
        fs::write(paths.ui().join("a.ts"), "1").unwrap();
        let tried = folder.path().join("tried");
        let look = |ok: bool| {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("echo x >> {}; exit {}", tried.display(), i32::from(!ok))]);
            unless_unchanged(&paths, Stage { name: "ui lint", command, counting: Counting::Whole, minutes: 1 }, &[paths.ui()]).ok()
        };
        let times = || fs::read_to_string(&tried).unwrap_or_default().lines().count();
        assert!(!look(false) && !look(false));
        assert_eq!(times(), 2, "one that failed is done again");
        assert!(look(true) && look(false));
        assert_eq!(times(), 3, "one that passed isn't");
        fs::write(paths.ui().join("a.ts"), "2").unwrap();
        assert!(!look(false));
        assert_eq!(times(), 4);
    }
}
