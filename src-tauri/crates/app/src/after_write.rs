//! What follows a write that is already stored.

use inklings_rpc::Failure;

/// What follows a stored write can't fail the call any more: its caller would take the write for refused and repeat it. A failure is
/// logged, and the default stands in for the result.
pub(crate) fn after_write<T: Default>(what: &str, result: Result<T, impl Into<Failure>>) -> T {
    result.unwrap_or_else(|error| {
        let failure: Failure = error.into();
        // Other messages may repeat what a person wrote, which the log doesn't keep.
        let message = if failure.code.is_of_the_machine() { failure.message.as_str() } else { "" };
        tracing::warn!(code = ?failure.code, message, "a write is stored, but {what} failed");
        T::default()
    })
}

/// Logs a failure that the caller isn't told of.
pub(crate) fn log_failure(what: &str, error: impl Into<Failure>) {
    tracing::warn!(code = ?error.into().code, "{what}");
}
