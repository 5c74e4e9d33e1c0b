//! The error of a command.

use inklings_rpc::Failure;

#[derive(Debug)]
pub(crate) enum CliError {
    /// An operation failed.
    Operation(Box<Failure>),
    /// Exit code 1 without a message, e.g. no matches or invalid skills.
    Findings,
    /// The exit code of a script, without a message.
    Exit(u8),
    /// Local I/O failed.
    Local(anyhow::Error),
}

impl From<Failure> for CliError {
    fn from(failure: Failure) -> Self {
        Self::Operation(Box::new(failure))
    }
}

impl From<anyhow::Error> for CliError {
    fn from(error: anyhow::Error) -> Self {
        Self::Local(error)
    }
}
