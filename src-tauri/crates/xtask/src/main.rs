//! `cargo xtask`: sets up, runs, tests, measures and packages the product.
//!
//! `run` opens the app, `test` runs all checks; both first install missing tools and skip what is up to
//! date. The crate depends on none of the product's crates, since it has to compile before their system libraries
//! are installed. To add a check, add a [`test::Stage`] to one of the two lists in `test.rs`; to require another system package,
//! extend the lists in `setup/apt.rs`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line driver talks to its terminal")]

mod bench;
mod build;
mod cache;
mod doctor;
mod embedding;
mod fingerprint;
mod fuzz;
mod install;
mod notices;
mod package;
mod parts;
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

/// Set up, run, test and package Inklings Skill Studio
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install missing tools, build and open the app
    Run {
        /// Arguments for the app
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Install missing tools and run all checks; the last line is `N passed, N failed`
    Test(test::Options),
    /// Run the benchmarks and compare them with budgets and the stored baseline
    Bench(bench::Options),
    /// Fuzz everything that reads skills
    Fuzz(fuzz::Options),
    /// Build the Python sandbox; also done by `run`, `test` and `bench` when its sources changed
    Sandbox,
    /// Build the DSPy process; also done by `run`, `test` and `bench` when its sources changed
    Sidecar,
    /// Generate the TypeScript and Python types, their schemas, and the guide's generated pages
    Generate,
    /// Generate the guide's list of third-party software
    Notices {
        /// Compare the list with the lock files instead of writing it
        #[arg(long)]
        check: bool,
    },
    /// Take the screenshots of the README
    Pictures(pictures::Options),
    /// Build the Debian package
    Package(package::Options),
    /// List missing tools and the commands to install them
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
