//! Named points between two steps of a change, at which a test aborts the process as if it were killed. Only builds with debug
//! assertions have them.
//!
//! `tests/system/failpoints.rs` aborts at each point and checks what is stored. A new point compiles only after that test lists which
//! changes pass it.

/// Environment variable with the name of the failpoint to abort at.
#[cfg(debug_assertions)]
pub const FAILPOINT: &str = "INKLINGS_FAILPOINT";

macro_rules! failpoints {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// A point between two steps of a change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Failpoint { $($(#[$doc])* $variant),+ }

        #[cfg(debug_assertions)]
        impl Failpoint {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Value of [`FAILPOINT`].
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

failpoints! {
    /// A transaction began in which a revision is about to be written.
    CommitBegun = "commit.begun",
    /// Replaced contents are stored; the rows of the skill are unchanged.
    CommitSuperseded = "commit.superseded",
    /// The skill's rows are written, its revision isn't.
    CommitRows = "commit.rows",
    /// The revision is written, the change feed isn't.
    CommitRevision = "commit.revision",
    /// Everything is written, the transaction is open.
    CommitBefore = "commit.before",
    /// The transaction is committed; no change event was sent.
    CommitAfter = "commit.after",
    /// One skill of a batch is written, the next isn't.
    BatchSkill = "batch.skill",
    /// A batch is committed, the next hasn't begun.
    BatchCommitted = "batch.committed",
    /// The revisions of an accepted proposal are written, the decision isn't.
    AcceptRevisions = "accept.revisions",
    /// The revision is in the workspace's database, the decision isn't in the account's.
    AcceptStored = "accept.stored",
    /// One file of an exported folder is written.
    ExportFile = "export.file",
    /// The export is written beside its target.
    ExportWritten = "export.written",
    /// The new folder replaced the old one, which still has the unmanaged files.
    ExportExchanged = "export.exchanged",
    /// The unmanaged files were moved; the old folder still exists.
    ExportMoved = "export.moved",
    /// A copy is recorded as pending; the agent's folder is unchanged.
    DeployRecorded = "deploy.recorded",
    /// The copy is written, the record says pending.
    DeployWritten = "deploy.written",
    /// A removed copy is an empty folder.
    DeployEmptied = "deploy.emptied",
    /// A copy is removed, its record isn't.
    DeployRemoved = "deploy.removed",
    /// The copy to restore is complete, beside the database.
    RestoreCopied = "restore.copied",
    /// The former database has a second name.
    RestoreKept = "restore.kept",
    /// The logs of the old database were removed.
    RestoreLogsRemoved = "restore.logs_removed",
    /// The copy replaced the database.
    RestoreReplaced = "restore.replaced",
}

impl Failpoint {
    /// Aborts the process without cleanup if a test enabled this failpoint.
    #[cfg(debug_assertions)]
    pub fn reach(self) {
        static WANTED: std::sync::OnceLock<Option<std::ffi::OsString>> = std::sync::OnceLock::new();
        if WANTED.get_or_init(|| std::env::var_os(FAILPOINT)).as_deref() == Some(self.name().as_ref()) {
            std::process::abort();
        }
    }

    /// Does nothing in a release.
    #[cfg(not(debug_assertions))]
    pub const fn reach(self) {}
}
