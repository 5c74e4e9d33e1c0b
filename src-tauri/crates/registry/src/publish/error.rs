use std::io;
use std::path::PathBuf;

use inklings_core::Slug;
use semver::Version;

use crate::format::FormatError;
use crate::package::PackageError;
use crate::trust::TrustError;

#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error("{} isn't empty; choose another folder", .0.display())]
    NotEmpty(PathBuf),
    #[error("{} isn't a registry; initialize it first", .0.display())]
    NotARegistry(PathBuf),
    #[error("another process is changing {}; try again later", .0.display())]
    Busy(PathBuf),
    #[error("can't access {path}: {error}", path = path.display())]
    Disk { path: PathBuf, error: io::Error },
    #[error("{path} can't be written: {error}")]
    Format { path: String, error: FormatError },
    /// The registry's own files are invalid.
    #[error(transparent)]
    Trust(#[from] TrustError),
    #[error(transparent)]
    Package(#[from] PackageError),
    #[error("{valid} of {needed} needed {role} keys were given; give the others, too")]
    Keys { role: &'static str, valid: usize, needed: u32 },
    #[error("the publisher's key isn't in the root document; add it there first")]
    Publisher,
    #[error("{slug} {version} was published with other content; increase its version")]
    Published { slug: Slug, version: Version },
    #[error("{slug} {version} was published by another publisher; ask them to publish it")]
    OtherPublisher { slug: Slug, version: Version },
    #[error("{slug} {version} was revoked; increase its version")]
    Revoked { slug: Slug, version: Version },
    #[error("two skills are named {0}; rename one")]
    Duplicate(Slug),
    #[error("the registry has no {slug} {version}")]
    NotFound { slug: Slug, version: Version },
}
