//! Named points between two steps of a change, at which a test lets the process die as if it were killed there. Only builds with debug
//! assertions have them: nothing of this is in a release.

/// The environment variable that names the point to die at.
#[cfg(debug_assertions)]
pub const FAILPOINT: &str = "INKLINGS_FAILPOINT";

macro_rules! failpoints {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// A point at which a change is half done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Failpoint { $($(#[$doc])* $variant),+ }

        #[cfg(debug_assertions)]
        impl Failpoint {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// What [`FAILPOINT`] calls it.
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
    /// Superseded bodies are put away; the skill's rows are as before.
    CommitSuperseded = "commit.superseded",
    /// The skill's rows are written, its revision isn't.
    CommitRows = "commit.rows",
    /// The revision is written, the change feed doesn't know it.
    CommitRevision = "commit.revision",
    /// Everything is written, the transaction is open.
    CommitBefore = "commit.before",
    /// The transaction is committed, nobody was told.
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
    /// What is exported is written beside its place.
    ExportWritten = "export.written",
    /// The exported folder took the place of another, which has what is no part of the skill.
    ExportExchanged = "export.exchanged",
    /// What is no part of the skill has moved over; the former folder is there.
    ExportMoved = "export.moved",
    /// A copy to restore is whole, beside the database's place.
    RestoreCopied = "restore.copied",
    /// The former database has a second name.
    RestoreKept = "restore.kept",
    /// The former database's logs are gone.
    RestoreLogsRemoved = "restore.logs_removed",
    /// The copy has taken the database's place.
    RestoreReplaced = "restore.replaced",
}

impl Failpoint {
    /// Ends the process at once and without cleaning up, if a test asked for that here.
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
