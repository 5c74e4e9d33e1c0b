//! Syncs the registries at the start and from time to time, without holding the app back.

use std::sync::{Arc, Weak};
use std::time::Duration;

use inklings_app::App;
use inklings_app::features::registry::{marketplace_settings, sync_registries};
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

fn is_due(app: &App, is_first: bool) -> Result<bool, inklings_core::StorageError> {
    let registries = app.marketplace.registries()?;
    let settings = marketplace_settings(app.user.as_ref())?;
    let mut enabled = registries.iter().filter(|registry| registry.enabled).peekable();
    if enabled.peek().is_none() {
        return Ok(false);
    }
    if is_first && settings.sync_on_launch {
        return Ok(true);
    }
    let now = app.clock.now().millis();
    let period = i64::from(settings.sync_hours) * 3_600_000;
    let is_old = |at: Option<i64>| at.is_none_or(|at| now - at >= period);
    Ok(period > 0 && enabled.any(|registry| is_old(registry.last_sync.as_ref().map(|sync| sync.at.millis()))))
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
