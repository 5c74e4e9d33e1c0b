//! `marketplace/*`: the skills of registries: finding, installing and updating them.

mod api;
mod catalogs;
mod consent;
mod detail;
mod error;
mod installation;
mod installed;
mod listing;
pub(crate) mod operations;
mod packages;

pub use api::*;
pub use catalogs::Marketplace;
pub(crate) use error::MarketplaceError;
pub use inklings_registry::format::Permission;
pub(crate) use installed::{PendingUpdate, pending_updates};
pub use operations::{
    CompareVersions, GetMarketplacePackage, GetMarketplaceSkill, InstallSkill, ListInstalled, PinSkill, RollBackSkill, SearchMarketplace,
    UpdateSkills,
};
pub(crate) use operations::{UpdateBy, UpdateOutcome, install_update};
