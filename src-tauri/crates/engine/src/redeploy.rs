//! Writes deployed copies again that follow their skill.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use inklings_app::App;
use inklings_app::features::target::redeploy_watched;

use crate::skill_changes::Follower;

/// Copies are also written at the start: skills may have changed while no window was open.
pub(crate) fn follower() -> Follower {
    Follower { name: "redeploy", quiet: Duration::ZERO, at_start: BTreeSet::from([None]), work: redeploy }
}

fn redeploy(app: &App, workspace: Option<PathBuf>) {
    match redeploy_watched(app, workspace.as_deref()) {
        Ok(copies) => {
            for copy in copies.iter().filter(|copy| copy.failure.is_some()) {
                tracing::warn!(agent = copy.agent, "can't update a deployed copy");
            }
        }
        Err(failure) => tracing::warn!(code = ?failure.code, "can't update deployed copies"),
    }
}
