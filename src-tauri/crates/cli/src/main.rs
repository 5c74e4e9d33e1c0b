//! The `inklings` command: every operation of the Studio from a terminal.
//!
//! Arguments are parsed in [`args`], each family of commands calls operations in [`commands`], [`out`] prints. Nothing is
//! decided here that the Studio would decide differently.

mod args;
mod commands;
mod input;
mod out;
mod progress;
mod terminal;

use std::process::ExitCode;

use clap::FromArgMatches as _;
use inklings_rpc::{Code, Failure};

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
    let parsed = args::command().try_get_matches().and_then(|matches| Args::from_arg_matches(&matches));
    let args = match parsed {
        Ok(args) => args,
        Err(usage) => return print_usage(&usage),
    };
    let out = Out::new(args.json);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            out.failure(&Failure::new(Code::Io, format!("threads can't be started: {error}")));
            return ExitCode::FAILURE;
        }
    };
    let ended = runtime.block_on(commands::run(args, &out));
    runtime.shutdown_background();
    end(ended, &out)
}

/// Prints the requested help, or what is wrong with the arguments.
fn print_usage(usage: &clap::Error) -> ExitCode {
    // Without Clap's own printing its colors would be lost; only standard output's failures count.
    match usage.print() {
        Err(error) if !usage.use_stderr() && error.kind() != std::io::ErrorKind::BrokenPipe => {
            end(Err(out::not_written(&error)), &Out::new(false))
        }
        _ => ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2)),
    }
}

fn end(ended: Result<(), Ended>, out: &Out) -> ExitCode {
    match ended {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Ended::Findings) => {}
        Err(Ended::Refused(failure)) => out.failure(&failure),
        Err(Ended::Local(error)) => out.failure(&Failure::new(Code::Io, format!("{error:#}"))),
    }
    ExitCode::FAILURE
}
