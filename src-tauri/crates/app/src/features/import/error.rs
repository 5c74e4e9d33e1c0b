use inklings_core::StorageError;
use inklings_folder::DiskError;
use inklings_git::{AddressError, FetchError};
use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum PreviewError {
    #[error("no skill found at {0}")]
    NoSkill(String),
    #[error("{0} wasn't imported")]
    NotImported(String),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<PreviewError> for Failure {
    fn from(error: PreviewError) -> Self {
        let message = error.to_string();
        match error {
            PreviewError::NoSkill(_) => Self::new(Code::NotFound, message).hint("check whether it was moved or deleted"),
            PreviewError::NotImported(_) => Self::new(Code::NotFound, message).hint("import a newer version of it"),
            PreviewError::Disk(error) => error.into(),
            PreviewError::Storage(error) => error.into(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum RepositoryError {
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error(transparent)]
    Fetch(#[from] FetchError),
}

impl From<RepositoryError> for Failure {
    fn from(error: RepositoryError) -> Self {
        let message = error.to_string();
        let failure = |code, hint: &str| Self::new(code, message.clone()).hint(hint);
        match error {
            RepositoryError::Address(AddressError::Credentials) => {
                failure(Code::Invalid, "leave them out; git asks its credential helper or the SSH agent")
            }
            RepositoryError::Address(AddressError::Scheme(_)) => failure(Code::Invalid, "use https, ssh or git"),
            RepositoryError::Address(AddressError::Invalid(_)) => {
                failure(Code::Invalid, "use a URL such as https://github.com/owner/name, or owner/name")
            }
            RepositoryError::Fetch(error) => match error {
                FetchError::NoGit => failure(Code::NotInstalled, "install git, or download the repository as a zip file and import that"),
                FetchError::Git(_) => {
                    failure(Code::NotFound, "check the address and the network; private repositories need git's credential helper or SSH")
                }
                FetchError::NoBranch { .. } => failure(Code::NotFound, "check the name of the branch or tag"),
                FetchError::NoFolder { .. } => failure(Code::NotFound, "check the path of the folder"),
                FetchError::Empty(_) => failure(Code::NotFound, "check the address"),
                FetchError::TooLarge { .. } => failure(Code::Limit, "use the address of a folder in it"),
                FetchError::Cancelled => Self::new(Code::Cancelled, message),
                FetchError::Disk { .. } => failure(Code::Io, "check the free space and the permissions of the folder"),
            },
        }
    }
}
