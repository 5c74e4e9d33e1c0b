use std::collections::BTreeSet;

use inklings_core::{Slug, StorageError};
use inklings_registry::client::SyncError;
use inklings_registry::format::Permission;
use inklings_registry::package::PackageError;
use inklings_registry::trust::TrustError;
use inklings_rpc::{Code, Failure};
use serde_json::json;

use crate::editing::EditError;
use crate::features::registry::failure_of;

#[derive(Debug, thiserror::Error)]
pub(crate) enum MarketplaceError {
    #[error("no registry has a skill {0:?}")]
    NotFound(String),
    #[error("{slug} has no version {version:?}")]
    NoVersion { slug: Slug, version: String },
    #[error("no version of {0} can be installed: all were yanked or revoked, or need a newer app")]
    Unavailable(Slug),
    #[error("{slug} {version} needs version {needs} of the app")]
    NeedsApp { slug: Slug, version: String, needs: String },
    #[error("no registry {0}")]
    NoRegistry(String),
    #[error("the stored address of the registry {registry} is invalid: {why}")]
    Address { registry: String, why: String },
    #[error("you have another skill named {slug}")]
    NameTaken { slug: Slug },
    #[error("{slug} was installed from {registry}")]
    OtherRegistry { slug: Slug, registry: String },
    #[error("the built-in skill {slug} has version {present} already")]
    NotNewer { slug: Slug, present: String },
    #[error("{slug} {version} needs permissions: {}", list(missing))]
    Consent { slug: Slug, version: String, missing: BTreeSet<Permission> },
    #[error("{0} wasn't installed from a registry")]
    NotInstalled(Slug),
    #[error("{0} has no earlier version in its history")]
    NoEarlierVersion(Slug),
    #[error("{slug} has no update")]
    UpToDate { slug: Slug },
    #[error("{0} was pinned to its version")]
    Pinned(Slug),
    #[error("{slug} {version} is no update of an installed skill any more")]
    Obsolete { slug: Slug, version: String },
    #[error(transparent)]
    Sync(#[from] SyncError),
    #[error(transparent)]
    Package(#[from] PackageError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

fn list(permissions: &BTreeSet<Permission>) -> String {
    permissions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl From<StorageError> for MarketplaceError {
    fn from(error: StorageError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<TrustError> for MarketplaceError {
    fn from(error: TrustError) -> Self {
        Self::Sync(error.into())
    }
}

impl From<MarketplaceError> for Failure {
    fn from(error: MarketplaceError) -> Self {
        let message = error.to_string();
        let failure = |code, hint: &str| Self::new(code, message.clone()).hint(hint);
        match error {
            MarketplaceError::NotFound(_) => failure(Code::NotFound, "sync the registries, or search for a word of its description"),
            MarketplaceError::NoVersion { .. } => failure(Code::NotFound, "choose one of its versions"),
            MarketplaceError::Unavailable(_) => failure(Code::NotFound, "choose a version, or ask its publisher"),
            MarketplaceError::NeedsApp { .. } => failure(Code::Invalid, "update the app, or choose an older version"),
            MarketplaceError::NoRegistry(_) => failure(Code::NotFound, "list the registries to see their IDs"),
            MarketplaceError::Address { .. } => failure(Code::Invalid, "change the address of the registry"),
            MarketplaceError::NameTaken { .. } => failure(Code::Exists, "rename or delete yours first"),
            MarketplaceError::OtherRegistry { .. } => failure(Code::Exists, "remove it first"),
            MarketplaceError::NotNewer { .. } => failure(Code::Exists, "a built-in skill is replaced by a newer version only"),
            MarketplaceError::Consent { ref missing, .. } => {
                failure(Code::ApprovalRequired, "agree to them to install it").fields(json!({ "permissions": missing }))
            }
            MarketplaceError::NotInstalled(_) => failure(Code::Invalid, "choose a skill of a registry"),
            MarketplaceError::NoEarlierVersion(_) => failure(Code::NotFound, "install one of its versions"),
            MarketplaceError::UpToDate { .. } => failure(Code::NotFound, "sync its registry to look for a newer version"),
            MarketplaceError::Obsolete { .. } => failure(
                Code::RevisionConflict,
                "it was withdrawn, replaced or installed meanwhile, or the skill was removed; list the installed skills to see their updates",
            ),
            MarketplaceError::Pinned(_) => failure(Code::Invalid, "unpin it, or update it on its own"),
            MarketplaceError::Sync(error) => failure_of(&error),
            MarketplaceError::Package(_) => failure(Code::Invalid, "nothing was installed; tell the skill's publisher"),
            MarketplaceError::Edit(error) => error.into(),
        }
    }
}
