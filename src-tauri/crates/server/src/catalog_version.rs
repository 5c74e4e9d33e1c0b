//! The version of the catalog, asked for at most a few times in a moment.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use inklings_rpc::{CallContext, Failure, blocking};

use crate::Served;

/// How long a change by another front end may stay unnoticed. One by a request of this server never does.
const MAX_AGE: Duration = Duration::from_millis(5);
/// Age after which it is asked for again beside the calls, so that no call waits while there are many.
const REFRESH_AGE: Duration = Duration::from_millis(2);

/// Of the account's catalog and the workspace's.
pub(crate) type Version = (i64, Option<i64>);

pub(crate) struct CatalogVersion {
    /// Blocks.
    read: Box<dyn Fn() -> Result<Version, Failure> + Send + Sync>,
    state: Mutex<State>,
    /// Held while a caller reads, so that others wait for it.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// With the time at which it was asked for.
    known: Option<(Instant, Version)>,
    /// Writes through this server. What was asked for before one isn't kept.
    writes: u64,
    is_refreshing: bool,
}

impl CatalogVersion {
    pub(crate) fn of(served: &Served) -> Arc<Self> {
        let (app, workspace) = (served.app.clone(), served.workspace.clone());
        Self::new(move || Ok(app.catalog(&CallContext::local(workspace.clone(), app.origin.clone()))?.version()?))
    }

    fn new(read: impl Fn() -> Result<Version, Failure> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { read: Box::new(read), state: Mutex::default(), turn: tokio::sync::Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None if it must be asked for. To be called in a tokio runtime.
    pub(crate) fn known(self: &Arc<Self>) -> Option<Version> {
        let mut state = self.lock();
        let (at, version) = state.known?;
        let age = at.elapsed();
        if age >= MAX_AGE {
            return None;
        }
        if age >= REFRESH_AGE && !state.is_refreshing {
            state.is_refreshing = true;
            let refreshed = self.clone();
            tokio::task::spawn_blocking(move || {
                // A failure is left to the next caller.
                let _ = refreshed.ask();
                refreshed.lock().is_refreshing = false;
            });
        }
        Some(version)
    }

    /// Callers that come at the same time wait for one answer.
    pub(crate) async fn get(self: &Arc<Self>) -> Result<Version, Failure> {
        if let Some(version) = self.known() {
            return Ok(version);
        }
        let _turn = self.turn.lock().await;
        if let Some(version) = self.known() {
            return Ok(version);
        }
        let asked = self.clone();
        blocking(move || asked.ask()).await
    }

    fn ask(&self) -> Result<Version, Failure> {
        let (at, writes) = (Instant::now(), self.lock().writes);
        let version = (self.read)()?;
        let mut state = self.lock();
        if state.writes == writes && state.known.is_none_or(|(known_at, _)| known_at < at) {
            state.known = Some((at, version));
        }
        Ok(version)
    }

    /// To be called after a write.
    pub(crate) fn forget(&self) {
        let mut state = self.lock();
        state.known = None;
        state.writes += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    /// Another version each time it is asked for, after `during`.
    fn counting(during: impl Fn() + Send + Sync + 'static) -> Arc<CatalogVersion> {
        let count = AtomicI64::new(0);
        CatalogVersion::new(move || {
            during();
            Ok((count.fetch_add(1, Ordering::Relaxed) + 1, None))
        })
    }

    #[tokio::test]
    async fn a_write_is_noticed_at_once() {
        let version = counting(|| ());
        assert_eq!(version.get().await.unwrap(), (1, None));
        version.forget();
        assert_eq!(version.known(), None);
        assert_eq!(version.get().await.unwrap(), (2, None));
    }

    #[tokio::test]
    async fn what_was_asked_for_before_a_write_is_not_kept() {
        let own: Arc<OnceLock<Arc<CatalogVersion>>> = Arc::default();
        let written = own.clone();
        let version = counting(move || {
            if let Some(version) = written.get() {
                version.forget()
            }
        });
        assert!(own.set(version.clone()).is_ok());
        assert_eq!(version.get().await.unwrap(), (1, None));
        assert_eq!(version.known(), None);
    }
}
