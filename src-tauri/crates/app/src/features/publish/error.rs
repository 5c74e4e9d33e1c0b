use std::path::PathBuf;

use inklings_core::Diagnostic;
use inklings_folder::DiskError;
use inklings_registry::format::ParseIdError;
use inklings_registry::keys::KeyError;
use inklings_registry::publish::PublishError;
use inklings_registry::trust::TrustError;
use inklings_rpc::{Code, Failure};

use super::service::MAX_DAYS;
use crate::editing::{EditError, from_save_errors};

/// Why a registry isn't created, read or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PublishFailure {
    #[error("{} isn't an absolute path", .0.display())]
    RelativePath(PathBuf),
    #[error("a registry can't be valid for {0} days")]
    Days(u32),
    #[error(transparent)]
    Id(#[from] ParseIdError),
    #[error("{0:?} isn't a semantic version")]
    Version(String),
    #[error("{} has no root.key, which signs changes of the keys", .0.display())]
    NoRootKey(PathBuf),
    #[error("no keys were given")]
    NoKeys,
    #[error("no skills were given")]
    NoSkills,
    /// Of one or more skills, whose paths begin with their names.
    #[error("{blocked} of {all} skills can't be published")]
    Blocked { blocked: usize, all: usize, diagnostics: Vec<Diagnostic> },
    #[error("cancelled before anything was published")]
    Cancelled,
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Publish(#[from] PublishError),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(PublishFailure);

impl From<PublishFailure> for Failure {
    fn from(error: PublishFailure) -> Self {
        let message = error.to_string();
        match error {
            PublishFailure::RelativePath(_) => Self::invalid(message).hint("use an absolute path"),
            PublishFailure::Days(_) => Self::invalid(message).hint(format!("use 1 to {MAX_DAYS} days")),
            PublishFailure::Id(_) => Self::invalid(message).hint("use a domain of yours, such as skills.example.org"),
            PublishFailure::Version(_) => Self::invalid(message).hint("use a version such as 1.2.0"),
            PublishFailure::NoRootKey(_) => {
                Self::new(Code::NotFound, message).hint("copy it there for this change, or choose another folder with keys")
            }
            PublishFailure::NoKeys => Self::invalid(message).hint("choose root, snapshot or publisher"),
            PublishFailure::NoSkills => Self::invalid(message).hint("choose at least one skill or folder"),
            PublishFailure::Blocked { diagnostics, .. } => Self::invalid(message)
                .hint("fix the errors, then try again; nothing was published")
                .fields(serde_json::json!({ "diagnostics": diagnostics })),
            PublishFailure::Cancelled => Self::new(Code::Cancelled, message),
            PublishFailure::Key(error) => key_failure(&error, message),
            PublishFailure::Publish(error) => publish_failure(&error, message),
            PublishFailure::Disk(error) => error.into(),
            PublishFailure::Edit(error) => error.into(),
        }
    }
}

fn key_failure(error: &KeyError, message: String) -> Failure {
    match error {
        KeyError::Disk { error, .. } if error.kind() == std::io::ErrorKind::NotFound => {
            Failure::new(Code::NotFound, message).hint("choose the folder with the registry's keys")
        }
        KeyError::Exists(_) => with_own_hint(Code::Exists, &message),
        KeyError::Exposed(_) => with_own_hint(Code::Forbidden, &message),
        KeyError::Invalid(_) => Failure::invalid(message).hint("choose the folder with the registry's keys"),
        KeyError::Disk { .. } | KeyError::Random(_) => Failure::new(Code::Io, message).hint("check the disk and the permissions"),
    }
}

fn publish_failure(error: &PublishError, message: String) -> Failure {
    match error {
        PublishError::NotEmpty(_) | PublishError::Published { .. } | PublishError::Revoked { .. } | PublishError::Duplicate(_) => {
            with_own_hint(Code::Exists, &message)
        }
        PublishError::NotARegistry(_) => with_own_hint(Code::NotFound, &message),
        PublishError::Busy(_) => with_own_hint(Code::Busy, &message),
        PublishError::Disk { .. } => {
            Failure::new(Code::Io, message).hint("check the disk and the permissions; what is published wasn't changed")
        }
        PublishError::Format { .. } | PublishError::Package(_) => {
            Failure::invalid(message).hint("correct the reported value; nothing was published")
        }
        PublishError::Trust(TrustError::Expired { .. }) => Failure::invalid(message).hint("refresh the registry with its keys"),
        PublishError::Trust(_) => Failure::new(Code::Corrupt, message).hint("restore the registry's folder from a copy"),
        PublishError::Keys { .. } | PublishError::Publisher => {
            Failure::new(Code::Forbidden, message).hint("choose the folder with the keys of this registry")
        }
        PublishError::OtherPublisher { .. } => with_own_hint(Code::Forbidden, &message),
        PublishError::NotFound { .. } => Failure::new(Code::NotFound, message).hint("check the name and the version of the skill"),
    }
}

/// For messages that end with the next step.
fn with_own_hint(code: Code, message: &str) -> Failure {
    let (message, hint) = message.rsplit_once("; ").unwrap_or((message, ""));
    Failure::new(code, message).hint(hint)
}
