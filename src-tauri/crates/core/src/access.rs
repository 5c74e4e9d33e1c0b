//! Who may call from outside: roles, tokens, and the log of what they did.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::storage_error::StorageError;
use crate::time::Time;

/// Roles of remote callers. Except for administrators, they are about skills only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RemoteRole {
    SystemAdmin,
    /// Does everything in one workspace, reads the account's skills.
    TenantAdmin,
    /// Reads, runs and changes all skills.
    Editor,
    /// Reads and runs all skills, changes those that it created.
    Member,
    /// Reads skills.
    Viewer,
    /// Reads skills.
    Guest,
}

impl RemoteRole {
    pub const ALL: [Self; 6] = [Self::SystemAdmin, Self::TenantAdmin, Self::Editor, Self::Member, Self::Viewer, Self::Guest];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SystemAdmin => "system_admin",
            Self::TenantAdmin => "tenant_admin",
            Self::Editor => "editor",
            Self::Member => "member",
            Self::Viewer => "viewer",
            Self::Guest => "guest",
        }
    }
}

impl FromStr for RemoteRole {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or_else(|| format!("unknown role {text:?}"))
    }
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AccessToken {
    /// The part that isn't secret.
    pub id: String,
    pub name: String,
    pub role: RemoteRole,
    /// Whether its caller gets public summaries only, never instructions.
    pub external: bool,
    pub created_at: Time,
    /// Null if it doesn't expire.
    pub expires_at: Option<Time>,
    pub revoked_at: Option<Time>,
    /// To the minute.
    pub last_used_at: Option<Time>,
}

impl AccessToken {
    #[must_use]
    pub fn is_valid(&self, now: Time) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// A call that changed something, or was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuditEntry {
    pub at: Time,
    pub actor: String,
    pub role: String,
    pub operation: String,
    /// Folder. Empty for none.
    pub workspace: String,
    /// Code of the failure. Null for a success.
    pub code: Option<String>,
}

/// Entries that are kept of calls that succeeded, and of calls that failed: these must not push out the others. Older ones are deleted from
/// time to time.
pub const MAX_AUDIT_ENTRIES: usize = 10_000;

/// Storage of tokens and of the audit log, in the account's database. Calls block.
pub trait AccessStore: Send + Sync {
    /// By name, also those that expired or were revoked.
    fn tokens(&self) -> Result<Vec<AccessToken>, StorageError>;
    /// A token with the hash of its whole text.
    fn token(&self, id: &str) -> Result<Option<(AccessToken, Digest)>, StorageError>;
    /// Fails with [`StorageError::Exists`] if the name was ever taken.
    fn put_token(&self, token: &AccessToken, hash: Digest) -> Result<(), StorageError>;
    /// Returns whether there is such a token. One that was revoked stays so.
    fn revoke_token(&self, id: &str) -> Result<bool, StorageError>;
    /// Counts the revocations of this process, so that what it keeps of tokens isn't used after one.
    fn revocations(&self) -> u64;
    fn note_token_use(&self, id: &str) -> Result<(), StorageError>;
    fn append_audit(&self, entry: &AuditEntry) -> Result<(), StorageError>;
    /// The newest `limit` entries of calls that succeeded, and as many of calls that failed, newest first.
    fn audit(&self, limit: usize) -> Result<Vec<AuditEntry>, StorageError>;
}
