//! Who calls, from where, with which rights.

use std::path::PathBuf;

use crate::watch::Watch;

/// What a caller may be allowed to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// See skills and their files.
    Read,
    /// Run skills: call models, which may cost money.
    Run,
    /// Create, change and delete skills.
    Write,
    /// Change settings, workspaces and databases.
    Admin,
}

impl Permission {
    /// The sent text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Run => "run",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }
}

/// A caller's role. The roles of remote callers come with their doors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person at this machine: everything.
    Local,
    /// May look, not touch.
    Viewer,
}

impl Role {
    /// Whether the role has a permission.
    #[must_use]
    pub const fn may(self, permission: Permission) -> bool {
        match self {
            Self::Local => true,
            Self::Viewer => matches!(permission, Permission::Read),
        }
    }
}

/// Goes with every call.
#[derive(Debug, Clone)]
pub struct CallContext {
    /// Folder of the open workspace.
    pub workspace: Option<PathBuf>,
    /// Recorded as the author of writes; `local` is the person at this machine.
    pub actor: String,
    /// The caller's rights.
    pub role: Role,
    /// Mark of the calling process or window in the change feed.
    pub origin: String,
    /// Hears how far a long call is, and may stop it.
    pub watch: Watch,
}

impl CallContext {
    /// A call of the person at this machine.
    #[must_use]
    pub fn local(workspace: Option<PathBuf>, origin: impl Into<String>) -> Self {
        Self { workspace, actor: "local".to_owned(), role: Role::Local, origin: origin.into(), watch: Watch::default() }
    }

    /// The same call, watched.
    #[must_use]
    pub fn watched(self, watch: Watch) -> Self {
        Self { watch, ..self }
    }

    /// The workspace as stored beside drafts and inputs; empty without one.
    #[must_use]
    pub fn workspace_key(&self) -> String {
        self.workspace.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }
}
