//! Who calls, in which workspace, with which permissions.

use std::path::{Path, PathBuf};

use inklings_core::access::RemoteRole;
use inklings_core::user::workspace_key;
use inklings_core::{CancellationToken, MessageId, ProgressReporter, Scope, SessionId};

use crate::failure::{Code, Failure};

/// What an operation does, as far as a caller may be allowed to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// See skills and their files.
    ReadSkills,
    /// Run skills, which may cost money, and see what scripts see of the workspace.
    RunSkills,
    CreateSkills,
    UpdateSkills,
    DeleteSkills,
    /// See everything else: runs, chats, proposals, settings, logs.
    Read,
    /// Run everything else: optimizations, evals, chats.
    Run,
    /// Change everything else.
    Write,
    /// Change settings and models.
    Admin,
    /// Read and write files of this machine that the parameters name.
    Local,
}

impl Permission {
    pub const ALL: [Self; 10] = [
        Self::ReadSkills,
        Self::RunSkills,
        Self::CreateSkills,
        Self::UpdateSkills,
        Self::DeleteSkills,
        Self::Read,
        Self::Run,
        Self::Write,
        Self::Admin,
        Self::Local,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadSkills => "skills.read",
            Self::RunSkills => "skills.run",
            Self::CreateSkills => "skills.create",
            Self::UpdateSkills => "skills.update",
            Self::DeleteSkills => "skills.delete",
            Self::Read => "read",
            Self::Run => "run",
            Self::Write => "write",
            Self::Admin => "admin",
            Self::Local => "local",
        }
    }
}

/// The permissions of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person at this machine: all permissions.
    Local,
    /// A model that acts for the person at this machine, who permits its calls.
    Assistant,
    /// A remote caller, with a role of the skill library.
    Remote(RemoteRole),
}

impl Role {
    #[must_use]
    pub const fn may(self, permission: Permission) -> bool {
        match self {
            Self::Local => true,
            Self::Assistant => !matches!(permission, Permission::Admin | Permission::Local),
            Self::Remote(role) => remote_may(role, permission),
        }
    }

    /// Whether it changes only skills that the caller created.
    #[must_use]
    pub const fn is_limited_to_own_skills(self) -> bool {
        matches!(self, Self::Remote(RemoteRole::Member))
    }

    /// Whether it is for the open workspace: of the account, it only sees the skills.
    #[must_use]
    pub const fn is_limited_to_workspace(self) -> bool {
        matches!(self, Self::Remote(RemoteRole::TenantAdmin))
    }

    /// Whether it changes the skills of others, too.
    #[must_use]
    pub const fn may_change_all_skills(self) -> bool {
        self.may(Permission::UpdateSkills) && !self.is_limited_to_own_skills()
    }

    /// Whether it is a program for which a person decides: about the skills that it creates, and at the gates of its runs.
    #[must_use]
    pub const fn is_supervised(self) -> bool {
        matches!(self, Self::Remote(_)) && !self.may(Permission::Write)
    }
}

const fn remote_may(role: RemoteRole, permission: Permission) -> bool {
    use Permission::{CreateSkills, DeleteSkills, Local, ReadSkills, RunSkills, UpdateSkills};
    match role {
        RemoteRole::SystemAdmin => !matches!(permission, Local),
        RemoteRole::TenantAdmin => !matches!(permission, Permission::Admin | Local),
        RemoteRole::Editor | RemoteRole::Member => {
            matches!(permission, ReadSkills | RunSkills | CreateSkills | UpdateSkills | DeleteSkills)
        }
        RemoteRole::Viewer | RemoteRole::Guest => matches!(permission, ReadSkills),
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

    /// For what an operation does only with some parameters. `what` follows "may not".
    pub fn require(&self, permission: Permission, what: &str) -> Result<(), Failure> {
        if self.role.may(permission) {
            return Ok(());
        }
        Err(Failure::new(Code::Forbidden, format!("the caller may not {what}: this requires the {} permission", permission.as_str())))
    }

    /// For what an operation does in a scope that the parameters name.
    pub fn require_scope(&self, scope: Scope) -> Result<(), Failure> {
        if scope == Scope::Workspace || !self.role.is_limited_to_workspace() {
            return Ok(());
        }
        Err(Failure::new(Code::Forbidden, "the role of the caller is for one workspace, not for the account"))
    }

    /// The open workspace, for operations that need one.
    pub fn require_workspace(&self) -> Result<&Path, Failure> {
        self.workspace.as_deref().ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder first"))
    }
}
