use inklings_rpc::Failure;

#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    #[error("the report has no message")]
    NoMessage,
}

impl From<LogError> for Failure {
    fn from(error: LogError) -> Self {
        match error {
            LogError::NoMessage => Self::invalid(error.to_string()),
        }
    }
}
