//! The `inklings` command: every operation of the app from a terminal.
//!
//! [`args`] parses, [`commands`] calls operations, [`out`] prints. Deliberately absent: logic that the window
//! would have to repeat.

mod args;
mod commands;
mod error;
mod hints;
mod input;
mod interrupt;
mod out;
mod progress;
mod terminal;

use std::process::ExitCode;

use clap::FromArgMatches as _;
use inklings_rpc::{Code, Failure};

use crate::args::Args;
use crate::error::CliError;
use crate::out::Out;

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
            out.failure(&Failure::new(Code::Io, format!("can't start threads: {error}")));
            return ExitCode::FAILURE;
        }
    };
    let result = runtime.block_on(commands::run(args, &out));
    runtime.shutdown_background();
    exit_code(result, &out)
}

/// Prints the help or a usage error.
fn print_usage(usage: &clap::Error) -> ExitCode {
    // clap prints in color. Only a failure of standard output is reported.
    match usage.print() {
        Err(error) if !usage.use_stderr() && error.kind() != std::io::ErrorKind::BrokenPipe => {
            exit_code(Err(out::write_error(&error)), &Out::new(false))
        }
        _ => ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2)),
    }
}

fn exit_code(result: Result<(), CliError>, out: &Out) -> ExitCode {
    match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(CliError::Findings) => {}
        Err(CliError::Exit(code)) => return ExitCode::from(code),
        Err(CliError::Operation(failure)) => out.failure(&failure),
        Err(CliError::Local(error)) => out.failure(&Failure::new(Code::Io, format!("{error:#}"))),
    }
    ExitCode::FAILURE
}
