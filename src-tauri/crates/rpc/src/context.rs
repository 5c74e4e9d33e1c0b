//! Who calls, in which workspace, with which permissions.

use std::path::{Path, PathBuf};

use inklings_core::user::workspace_key;
use inklings_core::{CancellationToken, MessageId, ProgressReporter, SessionId};

use crate::failure::Failure;

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

/// The permissions of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person at this machine: all permissions.
    Local,
    /// A model that acts for a person: everything but [`Permission::Admin`].
    Member,
    /// [`Permission::Read`] only.
    Viewer,
}

impl Role {
    #[must_use]
    pub const fn may(self, permission: Permission) -> bool {
        match self {
            Self::Local => true,
            Self::Member => !matches!(permission, Permission::Admin),
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
    pub role: Role,
    /// Id of the calling process or window in the change feed.
    pub origin: String,
    /// Cancels the call. Operations that take long ask it between their steps.
    pub cancel: CancellationToken,
    pub progress: ProgressReporter,
    /// The answer in a chat for which a model calls.
    pub answer: Option<AnswerRef>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerRef {
    pub session: SessionId,
    pub message: MessageId,
}

impl CallContext {
    /// A call of the person at this machine.
    #[must_use]
    pub fn local(workspace: Option<PathBuf>, origin: impl Into<String>) -> Self {
        Self {
            workspace,
            actor: "local".to_owned(),
            role: Role::Local,
            origin: origin.into(),
            cancel: CancellationToken::default(),
            progress: ProgressReporter::default(),
            answer: None,
        }
    }

    /// The same call with a way to cancel it and to follow it.
    #[must_use]
    pub fn with_control(self, cancel: CancellationToken, progress: ProgressReporter) -> Self {
        Self { cancel, progress, ..self }
    }

    /// See [`workspace_key`].
    #[must_use]
    pub fn workspace_key(&self) -> String {
        workspace_key(self.workspace.as_deref())
    }

    /// The open workspace, for operations that need one.
    pub fn require_workspace(&self) -> Result<&Path, Failure> {
        self.workspace.as_deref().ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder first"))
    }
}
