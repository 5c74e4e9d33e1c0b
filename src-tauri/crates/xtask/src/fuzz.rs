//! `cargo xtask fuzz`: fuzzes all parsers of untrusted skills for a limited time.
//!
//! The targets are the programs in `tests/fuzz`. They are built with the compiler's coverage counters and
//! libFuzzer's runtime (from source, with the C++ compiler), so any toolchain works. The corpus stays in the
//! cache for the next run; crashing inputs stay, too, and are tried first until they pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cache;
use crate::install;
use crate::paths::Paths;
use crate::process::{self, View, cargo, check};
use crate::setup::{Purpose, tools};

/// Time per target.
#[derive(Args)]
pub(crate) struct Options {
    /// Seconds per target
    #[arg(long, default_value_t = SECONDS, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Only this target
    #[arg(value_parser = TARGETS.map(|target| target.name))]
    target: Option<String>,
}

/// Seconds for each target, unless told otherwise.
pub(crate) const SECONDS: u64 = 60;
/// Seconds that one input may take, and megabytes that a target may hold.
const LIMITS: [&str; 2] = ["-timeout=5", "-rss_limit_mb=512"];
/// Additional seconds: the corpus is replayed before the clock starts.
const SPARE_SECONDS: u64 = 300;

/// A program of `tests/fuzz`.
struct Target {
    name: &'static str,
    /// Tokens of its input format.
    dictionary: &'static str,
    /// Maximum bytes of an input.
    longest: usize,
}

/// All targets.
const TARGETS: [Target; 9] = [
    // Longer than the maximum size of frontmatter.
    Target { name: "frontmatter", dictionary: "yaml", longest: 70_000 },
    Target { name: "strict", dictionary: "yaml", longest: 20_000 },
    Target { name: "skill_json", dictionary: "json", longest: 20_000 },
    Target { name: "package_json", dictionary: "json", longest: 20_000 },
    Target { name: "package_zip", dictionary: "zip", longest: 20_000 },
    Target { name: "template", dictionary: "template", longest: 4_000 },
    Target { name: "skill", dictionary: "template", longest: 20_000 },
    Target { name: "cases", dictionary: "yaml", longest: 8_000 },
    Target { name: "json_schema", dictionary: "json", longest: 8_000 },
];

/// Compiler options for coverage counters.
const COUNTERS: [&str; 8] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    // With several codegen units, the counters of some would be lost.
    "-Ccodegen-units=1",
    "--cfg",
    "fuzzing",
];

/// The result of one target.
pub(crate) struct TargetResult {
    pub(crate) name: &'static str,
    pub(crate) executions: u64,
    pub(crate) seconds: f64,
    /// The output for the failing input.
    pub(crate) crash: Option<String>,
}

impl TargetResult {
    /// Number of executions.
    pub(crate) fn note(&self) -> String {
        format!("{} executions", self.executions)
    }
}

/// `cargo xtask fuzz`.
pub(crate) fn run(paths: &Paths, options: &Options) -> Result<bool> {
    cache::prepare(paths)?;
    tools::ensure(Purpose::Run)?;
    let mut sound = true;
    each(paths, options.seconds, options.target.as_deref(), |tried| {
        sound &= tried.crash.is_none();
        println!("{}: {} in {:.0} s, {}", tried.name, tried.note(), tried.seconds, tried.crash.as_deref().unwrap_or("no crash"));
    })?;
    Ok(sound)
}

/// The crate's folder, which is outside the workspace.
pub(crate) fn folder(paths: &Paths) -> PathBuf {
    paths.root.join("tests/fuzz")
}

/// Tries every target, or one, for so many seconds.
pub(crate) fn each(paths: &Paths, seconds: u64, only: Option<&str>, mut done: impl FnMut(TargetResult)) -> Result<()> {
    let built = build(paths)?;
    let kept = paths.cache.join("fuzz");
    let seeds = install::empty_folder(kept.join("seeds"))?;
    let sources = [paths.root.join("tests/fixtures/folders"), paths.root.join("seed/skills")];
    check(Command::new(built.join("seeds")).arg(&seeds).args(sources), "writing the seed corpus")?;
    for target in TARGETS.iter().filter(|target| only.is_none_or(|only| only == target.name)) {
        done(try_one(paths, target, &built, &kept, seconds)?);
    }
    Ok(())
}

/// Builds the targets; where they are.
fn build(paths: &Paths) -> Result<PathBuf> {
    if process::first_line("c++", &["--version"]).is_none() {
        bail!("c++ not found: apt-get install -y build-essential");
    }
    let host = Command::new("rustc").args(["--print", "host-tuple"]).output().context("can't start rustc")?;
    let host = String::from_utf8_lossy(&host.stdout).trim().to_owned();
    let target = paths.target().join("fuzz");
    let mut build = cargo(paths);
    // With a target named, build scripts and macros are built without the counters.
    build.env("CARGO_TARGET_DIR", &target).env("CARGO_ENCODED_RUSTFLAGS", COUNTERS.join("\x1f"));
    build.args(["build", "--quiet", "--release", "--bins", "--target", &host, "--manifest-path"]);
    check(build.arg(folder(paths).join("Cargo.toml")), "cargo build of the fuzz targets")?;
    Ok(target.join(host).join("release"))
}

fn try_one(paths: &Paths, target: &Target, built: &Path, kept: &Path, seconds: u64) -> Result<TargetResult> {
    let Target { name, dictionary, longest } = target;
    let [corpus, crashes, seeds] = ["corpus", "crashes", "seeds"].map(|kind| kept.join(kind).join(name));
    for folder in [&corpus, &crashes, &seeds] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let mut command = Command::new(built.join(name));
    command.args(LIMITS).args(["-print_final_stats=1", "-verbosity=1"]);
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-max_len={longest}"));
    command.arg(format!("-dict={}", folder(paths).join("dictionaries").join(format!("{dictionary}.dict")).display()));
    command.arg(format!("-artifact_prefix={}/", crashes.display()));
    command.args([&corpus, &crashes, &seeds]);
    let started = Instant::now();
    let log = paths.logs().join(format!("fuzz-{name}.log"));
    let done = process::run(command, View::Quiet, Duration::from_secs(seconds + SPARE_SECONDS), &log)?;
    let crash = (!done.ok).then(|| format!("{}\n(full log: {})", tail(&done.output), log.display()));
    Ok(TargetResult { name, executions: executions(&done.output), seconds: started.elapsed().as_secs_f64(), crash })
}

/// The number of executions from the output.
fn executions(output: &str) -> u64 {
    let said = |line: &str| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok();
    // A target that broke says so only beside what it was doing: `#4096 NEW cov: …`.
    let beside = |line: &str| line.strip_prefix('#')?.split_whitespace().next()?.parse().ok();
    output.lines().rev().find_map(|line| said(line).or_else(|| beside(line))).unwrap_or(0)
}

/// The end of the output, without progress lines.
fn tail(output: &str) -> String {
    const LINES: usize = 40;
    let lines: Vec<&str> = output.lines().filter(|line| !line.starts_with('#')).collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_counted_however_a_target_ends() {
        assert_eq!(executions("#2\tINITED cov: 3\nDone 512 runs\nstat::number_of_executed_units: 512\nstat::peak_rss_mb: 40\n"), 512);
        assert_eq!(executions("#2\tINITED cov: 3\n#4096\tNEW cov: 9\nthread panicked\n"), 4096);
        assert_eq!(executions("cannot start"), 0);
    }

    #[test]
    fn every_target_is_a_program_with_a_dictionary() {
        let top = folder(&Paths::find().unwrap());
        for target in TARGETS {
            assert!(top.join(format!("src/bin/{}.rs", target.name)).is_file(), "{}", target.name);
            assert!(top.join(format!("dictionaries/{}.dict", target.dictionary)).is_file(), "{}", target.dictionary);
        }
    }
}
