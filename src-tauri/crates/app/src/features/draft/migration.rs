use inklings_core::user::{DraftMove, DraftStamp};
use inklings_core::{StorageError, UserData};

use crate::after_write::after_write;

/// Moves drafts with their files. Files and drafts may be in two databases, so from [`begin`](Self::begin) to [`commit`](Self::commit) a
/// draft exists under both names, and a crash in between loses none.
pub(crate) struct DraftMigration<'a> {
    user: &'a dyn UserData,
    moves: Vec<DraftMove>,
    copies: Vec<DraftStamp>,
}

impl<'a> DraftMigration<'a> {
    /// To be called before the files are moved.
    pub(crate) fn begin(user: &'a dyn UserData, moves: Vec<DraftMove>) -> Result<Self, StorageError> {
        let copies = user.copy_drafts(&moves)?;
        Ok(Self { user, moves, copies })
    }

    /// To be called after the files were moved. Drafts changed in between are kept under their name.
    pub(crate) fn commit(self) {
        after_write("moving the drafts of moved files", self.user.move_drafts(&self.moves));
    }

    /// To be called if the files weren't moved.
    pub(crate) fn roll_back(self) {
        if let Err(error) = self.user.discard_unchanged_drafts(&self.copies) {
            tracing::warn!(%error, "drafts stay under two names");
        }
    }
}
