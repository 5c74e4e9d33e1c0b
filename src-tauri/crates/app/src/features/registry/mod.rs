//! `registry/*`: the marketplace's registries, and their sync.

mod api;
mod error;
pub(crate) mod operations;
mod service;
mod settings;

pub use api::*;
pub(crate) use error::failure_of;
pub use operations::{AddRegistry, ChangeRegistry, InspectRegistry, ListRegistries, RemoveRegistry, SyncRegistries, sync_registries};
pub(crate) use settings::MARKETPLACE_SETTINGS;
pub use settings::{MarketplaceSettings, settings as marketplace_settings};
