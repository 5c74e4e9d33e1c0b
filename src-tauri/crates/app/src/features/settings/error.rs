use inklings_core::StorageError;
use inklings_rpc::Failure;
use serde_json::Value;

use super::api::MAX_VALUE_BYTES;

#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error("{0:?} isn't a valid setting name")]
    Key(String),
    #[error("the value of {0} is larger than {MAX_VALUE_BYTES} bytes")]
    TooLarge(String),
    #[error("invalid value for {key}: {source}")]
    Value { key: String, default: Value, source: serde_json::Error },
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<SettingError> for Failure {
    fn from(error: SettingError) -> Self {
        let message = error.to_string();
        match error {
            SettingError::Key(_) => Self::invalid(message).hint("use lower-case words joined by dots, e.g. ui.theme"),
            SettingError::TooLarge(_) => Self::invalid(message).hint("set a smaller value"),
            SettingError::Value { default, .. } => Self::invalid(message).hint(format!("the default is {default}")),
            SettingError::Storage(error) => error.into(),
        }
    }
}
