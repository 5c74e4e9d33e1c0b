//! When registries are synced without being asked.

use inklings_core::user::setting;
use inklings_core::{StorageError, UserData};
use serde::{Deserialize, Serialize};

/// Setting with the [`MarketplaceSettings`].
pub(crate) const MARKETPLACE_SETTINGS: &str = "marketplace";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MarketplaceSettings {
    pub sync_on_launch: bool,
    /// Hours between syncs while the app is open. 0 for none.
    pub sync_hours: u32,
    /// Whether updates that need no consent are installed.
    pub update_automatically: bool,
}

impl Default for MarketplaceSettings {
    fn default() -> Self {
        Self { sync_on_launch: true, sync_hours: 6, update_automatically: true }
    }
}

/// Blocks.
pub fn settings(user: &dyn UserData) -> Result<MarketplaceSettings, StorageError> {
    setting(user, MARKETPLACE_SETTINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registries_are_synced_on_launch_and_every_six_hours_by_default() {
        let settings = MarketplaceSettings::default();
        assert_eq!((settings.sync_on_launch, settings.sync_hours), (true, 6));
    }
}
