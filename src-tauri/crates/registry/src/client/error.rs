use std::io;
use std::path::PathBuf;

use inklings_core::Slug;
use semver::Version;

use crate::format::FormatError;
use crate::transport::TransportError;
use crate::trust::TrustError;

#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    #[error("can't fetch {path}: {error}")]
    Transport { path: String, error: TransportError },
    #[error("the server has no {path}")]
    NotFound { path: String },
    #[error("{path} is longer than {max} bytes")]
    TooLong { path: String, max: u64 },
    #[error("the server sends {path} too slowly")]
    TooSlow { path: String },
    #[error(transparent)]
    Trust(#[from] TrustError),
    #[error("the registry changed its keys too often since the last sync")]
    TooManyRoots,
    #[error("{slug} {version} was revoked: {reason}")]
    Revoked { slug: Slug, version: Version, reason: String },
    #[error("can't access {path}: {error}", path = path.display())]
    Disk { path: PathBuf, error: io::Error },
    /// A file of the cache. The next sync fetches it again.
    #[error("{} is damaged", .0.display())]
    Damaged(PathBuf),
    #[error("another process is using {}", .0.display())]
    Busy(PathBuf),
    #[error("canceled")]
    Cancelled,
}

impl SyncError {
    /// Whether the server can't be reached, which isn't worth a message: the cache is used.
    #[must_use]
    pub const fn is_offline(&self) -> bool {
        matches!(self, Self::Transport { error: TransportError::Unreachable(_), .. })
    }

    pub(crate) const fn is_retryable(&self) -> bool {
        match self {
            Self::Transport { error, .. } => error.is_retryable(),
            Self::TooSlow { .. } => true,
            _ => false,
        }
    }

    /// What a person can do.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Transport { error: TransportError::Address(_), .. } => "correct the address of the registry",
            Self::Transport { .. } | Self::TooSlow { .. } => "check the network connection, then sync again",
            Self::NotFound { .. } => "check the address of the registry, or sync again later",
            Self::Trust(TrustError::Fingerprint { .. }) => "compare the fingerprint with the registry's owner before you add it again",
            Self::Trust(TrustError::Expired { .. }) => "check the clock of this computer, or ask the registry's owner to publish again",
            Self::Trust(TrustError::Client(_) | TrustError::Format { error: FormatError::Newer(_), .. }) => "update the app",
            Self::Trust(_) | Self::TooLong { .. } => "nothing was changed; tell the registry's owner",
            Self::TooManyRoots | Self::Damaged(_) => "sync again",
            Self::Revoked { .. } => "use another version or remove the skill",
            Self::Disk { .. } => "check the disk space and the permissions of the folder",
            Self::Busy(_) => "wait until it is done",
            Self::Cancelled => "sync again when you are ready",
        }
    }
}
