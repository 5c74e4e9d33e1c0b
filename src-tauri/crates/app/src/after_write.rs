//! Steps after a write that is already stored.

use inklings_rpc::Failure;

/// The result of a step after a stored write, or the default. Such a step must not fail the call, or its caller would repeat the write;
/// its failure is logged.
pub(crate) fn after_write<T: Default>(what: &str, result: Result<T, impl Into<Failure>>) -> T {
    result.unwrap_or_else(|error| {
        let failure: Failure = error.into();
        // Messages of other codes may repeat what a person wrote, which the log doesn't keep.
        let message = if failure.code.is_of_the_machine() { failure.message.as_str() } else { "" };
        tracing::warn!(code = ?failure.code, message, "a write is stored, but {what} failed");
        T::default()
    })
}

/// Logs a failure that isn't returned to the caller.
pub(crate) fn log_failure(what: &str, error: impl Into<Failure>) {
    tracing::warn!(code = ?error.into().code, "{what}");
}
