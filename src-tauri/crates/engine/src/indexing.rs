//! Computes the vectors of changed skills, so that the next search needn't.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use inklings_app::App;
use inklings_app::features::search::complete_index;

use crate::skill_changes::Follower;

/// Longer than the pauses between saves of an edit, which need no vector each.
const QUIET: Duration = Duration::from_secs(2);

/// Nothing is computed at the start, where the embedding model would be loaded beside the first view.
pub(crate) fn follower() -> Follower {
    Follower { name: "indexing", quiet: QUIET, at_start: BTreeSet::new(), work: index }
}

fn index(app: &App, workspace: Option<PathBuf>) {
    if let Err(failure) = complete_index(app, workspace.as_deref()) {
        tracing::warn!(code = ?failure.code, "vectors of changed skills aren't computed");
    }
}
