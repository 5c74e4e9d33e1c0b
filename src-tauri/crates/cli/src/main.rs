//! The `inklings` command: every operation of the Studio from a terminal.
//!
//! Arguments are parsed in [`args`], each family of commands calls operations in [`commands`], [`out`] prints. Nothing is
//! decided here that the Studio would decide differently.

#![expect(clippy::print_stderr, reason = "a command prints its errors beside its result")]

mod args;
mod commands;
mod out;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;
use inklings_app::Failure;

use crate::args::Args;
use crate::out::Out;

/// Why a command ended badly.
#[derive(Debug)]
enum Ended {
    /// An operation refused.
    Refused(Box<Failure>),
    /// The command found something to report: exit code 1 without an error.
    Findings,
    /// Reading or writing beside the operations failed.
    Local(anyhow::Error),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Self::Refused(Box::new(failure))
    }
}

impl From<anyhow::Error> for Ended {
    fn from(error: anyhow::Error) -> Self {
        Self::Local(error)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let out = Out::new(args.json);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: no threads to work with: {error}");
            return ExitCode::FAILURE;
        }
    };
    let ended = runtime.block_on(commands::run(args, &out));
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(Ended::Findings) => ExitCode::FAILURE,
        Err(Ended::Refused(failure)) => {
            out.failure(&failure);
            ExitCode::FAILURE
        }
        Err(Ended::Local(error)) => {
            out.failure(&Failure::new(inklings_app::Code::Io, format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}
