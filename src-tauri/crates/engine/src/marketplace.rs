//! Syncs the registries at the start and from time to time, without holding the app back.

use std::sync::{Arc, Weak};
use std::time::Duration;

use inklings_app::App;
use inklings_app::features::registry::{MarketplaceSettings, marketplace_settings, sync_registries};
use inklings_core::marketplace::RegistryRecord;
use inklings_core::{StorageError, Time};
use inklings_rpc::CallContext;
use semver::Version;

/// Recorded as the author of updates.
const ACTOR: &str = "marketplace";
/// The window comes first.
const START_DELAY: Duration = Duration::from_secs(3);
/// How often it looks whether a sync is due: the settings may change, and a computer may sleep.
const TICK: Duration = Duration::from_mins(1);

#[must_use]
pub(crate) fn app_version() -> Version {
    // Each build has a valid version.
    Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or_else(|_| Version::new(0, 0, 0))
}

/// Ends with the application.
pub(crate) fn sync_in_background(app: &Arc<App>) {
    let app = Arc::downgrade(app);
    let run = move || match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(sync_when_due(app)),
        Err(error) => tracing::warn!(%error, "registries aren't synced in the background"),
    };
    if let Err(error) = std::thread::Builder::new().name("registries".to_owned()).spawn(run) {
        tracing::warn!(%error, "registries aren't synced in the background");
    }
}

async fn sync_when_due(app: Weak<App>) {
    tokio::time::sleep(START_DELAY).await;
    let mut is_first = true;
    loop {
        let Some(app) = app.upgrade() else { return };
        match is_due(&app, is_first) {
            Ok(true) => sync(app).await,
            Ok(false) => drop(app),
            Err(error) => tracing::warn!(%error, "can't tell whether a sync of the registries is due"),
        }
        is_first = false;
        tokio::time::sleep(TICK).await;
    }
}

fn is_due(app: &App, is_first: bool) -> Result<bool, StorageError> {
    let registries = app.marketplace.registries()?;
    let settings = marketplace_settings(app.user.as_ref())?;
    Ok(is_due_at(app.clock.now(), &registries, &settings, is_first))
}

fn is_due_at(now: Time, registries: &[RegistryRecord], settings: &MarketplaceSettings, is_first: bool) -> bool {
    let mut enabled = registries.iter().filter(|registry| registry.enabled).peekable();
    if enabled.peek().is_none() {
        return false;
    }
    if is_first && settings.sync_on_launch {
        return true;
    }
    let now = now.millis();
    let period = i64::from(settings.sync_hours) * 3_600_000;
    // A time in the future was noted before the clock was set back.
    let is_old = |at: i64| at > now || now - at >= period;
    period > 0 && enabled.any(|registry| registry.last_sync.as_ref().is_none_or(|sync| is_old(sync.at.millis())))
}

async fn sync(app: Arc<App>) {
    let context = CallContext { actor: ACTOR.to_owned(), ..CallContext::local(None, ACTOR) };
    match sync_registries(app, context, None).await {
        Ok(outcome) => {
            for failed in outcome.registries.iter().filter(|registry| registry.failure.is_some() && !registry.is_offline) {
                tracing::warn!(registry = failed.id, "a registry couldn't be synced");
            }
            if !outcome.updated.is_empty() {
                tracing::info!(count = outcome.updated.len(), "skills were updated from registries");
            }
        }
        Err(failure) => tracing::warn!(code = ?failure.code, "registries couldn't be synced"),
    }
}

#[cfg(test)]
mod tests {
    use inklings_core::Digest;
    use inklings_core::marketplace::SyncAttempt;

    use super::*;

    const HOUR: i64 = 3_600_000;
    const SYNCED: i64 = 1_000 * HOUR;

    fn registry(synced: Option<i64>) -> RegistryRecord {
        RegistryRecord {
            id: "a.example".to_owned(),
            title: "A".to_owned(),
            address: "https://a.example/".to_owned(),
            mirrors: Vec::new(),
            fingerprint: Digest::of(b"root"),
            priority: 0,
            enabled: true,
            updates_built_in: false,
            added_at: Time::from_millis(0),
            last_sync: synced.map(|at| SyncAttempt { at: Time::from_millis(at), failure: None }),
        }
    }

    fn is_due_after(millis: i64, registry: RegistryRecord, settings: &MarketplaceSettings) -> bool {
        is_due_at(Time::from_millis(SYNCED + millis), &[registry], settings, false)
    }

    #[test]
    fn a_sync_is_due_six_hours_after_the_last_one() {
        let settings = MarketplaceSettings::default();
        assert!(!is_due_after(6 * HOUR - 1, registry(Some(SYNCED)), &settings));
        assert!(is_due_after(6 * HOUR, registry(Some(SYNCED)), &settings));
        assert!(is_due_after(0, registry(None), &settings), "it was never synced");
        assert!(!is_due_after(6 * HOUR, RegistryRecord { enabled: false, ..registry(Some(SYNCED)) }, &settings));
    }

    #[test]
    fn the_period_of_syncs_is_a_setting_and_0_is_for_none() {
        let hourly = MarketplaceSettings { sync_hours: 1, ..MarketplaceSettings::default() };
        assert!(!is_due_after(HOUR - 1, registry(Some(SYNCED)), &hourly));
        assert!(is_due_after(HOUR, registry(Some(SYNCED)), &hourly));
        let never = MarketplaceSettings { sync_hours: 0, ..MarketplaceSettings::default() };
        assert!(!is_due_after(1_000 * HOUR, registry(Some(SYNCED)), &never));
        assert!(!is_due_after(0, registry(None), &never));
    }

    #[test]
    fn a_sync_in_the_future_does_not_hold_back_the_next_one() {
        let settings = MarketplaceSettings::default();
        assert!(!is_due_after(0, registry(Some(SYNCED)), &settings));
        assert!(is_due_after(-1, registry(Some(SYNCED)), &settings));
    }

    #[test]
    fn a_launch_syncs_unless_that_is_switched_off() {
        let now = Time::from_millis(SYNCED);
        let is_due = |registries: &[RegistryRecord], sync_on_launch: bool| {
            is_due_at(now, registries, &MarketplaceSettings { sync_on_launch, ..MarketplaceSettings::default() }, true)
        };
        let registries = [registry(Some(SYNCED))];
        assert!(is_due(&registries, true));
        assert!(!is_due(&registries, false));
        assert!(!is_due(&[], true), "there is nothing to sync");
    }
}
