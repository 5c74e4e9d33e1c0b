//! The version of the catalog, asked for at most once in a moment.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::http::Problem;

/// How long a change by another front end may stay unnoticed. One by a request of this server never does.
const MAX_AGE: Duration = Duration::from_millis(5);

pub(super) type Version = (i64, Option<i64>);

#[derive(Default)]
pub(in crate::http) struct CatalogVersion(Mutex<Option<(Instant, Version)>>);

impl CatalogVersion {
    /// Callers that come at the same time wait for one `read`.
    pub(super) async fn get(&self, read: impl Future<Output = Result<Version, Problem>>) -> Result<Version, Problem> {
        let mut known = self.0.lock().await;
        if let Some((at, version)) = *known
            && at.elapsed() < MAX_AGE
        {
            return Ok(version);
        }
        let asked = Instant::now();
        let version = read.await?;
        *known = Some((asked, version));
        Ok(version)
    }

    /// To be called after a write.
    pub(in crate::http) async fn forget(&self) {
        *self.0.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_write_is_noticed_at_once() {
        let version = CatalogVersion::default();
        let get = async |number| version.get(async move { Ok((number, None)) }).await.unwrap();
        assert_eq!(get(1).await, (1, None));
        version.forget().await;
        assert_eq!(get(2).await, (2, None));
    }
}
