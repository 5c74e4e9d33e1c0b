use inklings_core::user::{DraftMove, DraftStamp};
use inklings_core::{StorageError, UserData};

use crate::after_write::after_write;

/// Moves drafts along with their files, to other names or to another skill. Files and drafts may be in two databases: from
/// [`begin`](Self::begin) to [`commit`](Self::commit) a draft is there under both names, so that a kill in between loses none.
pub(crate) struct DraftMigration<'a> {
    user: &'a dyn UserData,
    moves: Vec<DraftMove>,
    copies: Vec<DraftStamp>,
}

impl<'a> DraftMigration<'a> {
    /// Before the files move.
    pub(crate) fn begin(user: &'a dyn UserData, moves: Vec<DraftMove>) -> Result<Self, StorageError> {
        let copies = user.copy_drafts(&moves)?;
        Ok(Self { user, moves, copies })
    }

    /// Once they have moved. What was typed in between stays, under whichever name it was typed.
    pub(crate) fn commit(self) {
        after_write("moving drafts along with their files", self.user.move_drafts(&self.moves));
    }

    /// When they stay.
    pub(crate) fn roll_back(self) {
        if let Err(error) = self.user.discard_unchanged_drafts(&self.copies) {
            tracing::warn!(%error, "drafts stay under two names");
        }
    }
}
