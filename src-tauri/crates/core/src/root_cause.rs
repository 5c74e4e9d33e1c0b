/// The innermost source of an error, for errors whose outer ones contain an address.
#[must_use]
pub fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
