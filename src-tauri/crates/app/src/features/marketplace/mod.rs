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
pub(crate) use installation::{install_package, NewPackage};
pub(crate) use listing::Listing;
pub(crate) use installed::{PendingUpdate, pending_updates};
pub use operations::{
    CompareVersions, GetMarketplaceSkill, GetMarketplacePackage, InstallSkill, ListInstalled, PinSkill, RollBackSkill, SearchMarketplace,
    UpdateSkills,
};
pub(crate) use packages::fetch_package;
