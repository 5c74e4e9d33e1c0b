//! `cargo xtask`: everything that happens around the product, behind two commands.
//!
//! `run` opens the Studio, `test` proves it; both first install what a bare machine lacks and skip what is already
//! there. The crate depends on none of the product's crates, because it has to compile before their system libraries
//! exist. To add a check, add a [`test::Stage`] to one of the two lists in `test.rs`; to need another system package,
//! extend the lists in `setup/apt.rs`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line driver talks to its terminal")]

mod bench;
mod build;
mod cache;
mod doctor;
mod fingerprint;
mod fuzz;
mod install;
mod notices;
mod package;
mod paths;
mod pictures;
mod process;
mod run;
mod sandbox;
mod setup;
mod sidecar;
mod summary;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::paths::Paths;

/// Set up, run, test and measure the Inklings Skill Studio.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what is missing, build, and open the Studio.
    Run {
        /// Passed on to the Studio.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Install what is missing, then run every check; ends with `N passed, N failed`.
    Test(test::Options),
    /// Measure every budget and compare it with the stored baseline.
    Bench(bench::Options),
    /// Make up input for what reads skills, and say what broke.
    Fuzz(fuzz::Options),
    /// Build the Python sandbox's machine code; `run`, `test` and `bench` do it when its sources changed.
    Sandbox,
    /// Freeze the DSPy process; `run`, `test` and `bench` do it when its sources changed.
    Sidecar,
    /// Rewrite what is generated: the wire schema with its TypeScript, the DSPy process's schema with its Python.
    Generate,
    /// Rewrite the guide's list of third-party software, which `generate` does too.
    Notices {
        /// Only compare it with the lock files.
        #[arg(long)]
        check: bool,
    },
    /// Take the README's pictures again, from the real window.
    Pictures(pictures::Options),
    /// Make the Debian package, which needs none of the build tools where it is installed.
    Package(package::Options),
    /// Say what this machine lacks, and the command that installs it.
    Doctor,
}

fn main() -> ExitCode {
    let task = Arguments::parse().command;
    let closing_line = matches!(task, Task::Test(_));
    let outcome = Paths::find().and_then(|paths| match task {
        Task::Run { args } => run::run(&paths, &args),
        Task::Test(options) => test::run(&paths, &options),
        Task::Bench(options) => bench::run(&paths, &options),
        Task::Fuzz(options) => fuzz::run(&paths, &options),
        Task::Sandbox => sandbox::build(&paths),
        Task::Sidecar => sidecar::build(&paths),
        Task::Generate => build::generate(&paths),
        Task::Notices { check } => notices::page(&paths, check),
        Task::Pictures(options) => pictures::run(&paths, &options),
        Task::Package(options) => package::run(&paths, &options),
        Task::Doctor => doctor::run(&paths),
    });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            if closing_line {
                println!("{}", summary::Tally::failure().closing_line());
            }
            ExitCode::FAILURE
        }
    }
}
