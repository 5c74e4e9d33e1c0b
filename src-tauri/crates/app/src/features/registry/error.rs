use inklings_core::StorageError;
use inklings_registry::client::SyncError;
use inklings_registry::transport::TransportError;
use inklings_rpc::{Code, Failure};

use crate::features::marketplace::MarketplaceError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum RegistryError {
    #[error("{address:?} isn't the address of a registry: {why}")]
    Address { address: String, why: String },
    #[error("no registry {0}")]
    NotFound(String),
    #[error("the registry {0} was added already")]
    Exists(String),
    #[error("the address is that of the registry {found}, not of {expected}")]
    OtherRegistry { expected: String, found: String },
    #[error(transparent)]
    Sync(#[from] SyncError),
    #[error(transparent)]
    Marketplace(#[from] MarketplaceError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<RegistryError> for Failure {
    fn from(error: RegistryError) -> Self {
        let message = error.to_string();
        match error {
            RegistryError::Address { .. } => Self::invalid(message).hint("use an https or file URL, or the absolute path of a folder"),
            RegistryError::NotFound(_) => Self::new(Code::NotFound, message).hint("list the registries to see their IDs"),
            RegistryError::Exists(_) => Self::new(Code::Exists, message).hint("change its address instead, or remove it first"),
            RegistryError::OtherRegistry { .. } => Self::invalid(message).hint("add it as another registry"),
            RegistryError::Sync(error) => failure_of(&error),
            RegistryError::Marketplace(error) => error.into(),
            RegistryError::Storage(error) => error.into(),
        }
    }
}

/// What a front end shows of a failed sync or download.
pub(crate) fn failure_of(error: &SyncError) -> Failure {
    let code = match error {
        SyncError::Transport { error: TransportError::Address(_), .. } | SyncError::Trust(_) | SyncError::Revoked { .. } => Code::Invalid,
        SyncError::NotFound { .. } => Code::NotFound,
        SyncError::TooLong { .. } | SyncError::TooManyRoots => Code::Limit,
        SyncError::Busy(_) => Code::Busy,
        SyncError::Cancelled => Code::Cancelled,
        SyncError::Transport { .. } | SyncError::TooSlow { .. } | SyncError::Disk { .. } | SyncError::Damaged(_) => Code::Io,
    };
    Failure::new(code, error.to_string()).hint(error.hint())
}
