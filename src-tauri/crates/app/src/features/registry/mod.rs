//! `registry/*`: the marketplace's registries, and their sync.

mod api;
mod error;
pub(crate) mod operations;
mod service;
mod sync;

pub use api::*;
pub(crate) use error::failure_of;
pub use operations::{AddRegistry, ChangeRegistry, InspectRegistry, ListRegistries, RemoveRegistry, SyncRegistries};
pub(crate) use sync::MARKETPLACE_SETTINGS;
pub use sync::{MarketplaceSettings, settings as marketplace_settings, sync_registries};
