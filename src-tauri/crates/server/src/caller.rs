use std::path::PathBuf;

use inklings_rpc::{CallContext, CancellationToken, ProgressReporter, RemoteRole, Role};

/// Maximum length of the name of a client, which it chooses itself.
const MAX_NAME_CHARS: usize = 64;

/// Who calls over a protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Recorded as the author of writes.
    pub actor: String,
    pub role: RemoteRole,
    /// Whether it gets public summaries only.
    pub external: bool,
    /// ID of its token, if it has one that can be revoked or expire.
    pub token: Option<String>,
}

impl Caller {
    /// A program that was started with the server as its child, by the name that it gives.
    #[must_use]
    pub fn of_client(name: &str, role: RemoteRole) -> Self {
        let plain: String = name.chars().filter(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '_' | '.' | ' ')).collect();
        let plain: String = plain.trim().chars().take(MAX_NAME_CHARS).collect();
        // The prefix keeps it apart from `local` and the other names of the app itself.
        Self { actor: format!("mcp:{}", if plain.is_empty() { "client" } else { &plain }), role, external: false, token: None }
    }

    pub(crate) fn context(
        &self,
        workspace: Option<PathBuf>,
        origin: &str,
        cancel: CancellationToken,
        progress: ProgressReporter,
    ) -> CallContext {
        CallContext {
            workspace,
            actor: self.actor.clone(),
            role: Role::Remote(self.role),
            origin: origin.to_owned(),
            cancel,
            progress,
            answer: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_cannot_choose_the_name_of_someone_else() {
        let actor = |name| Caller::of_client(name, RemoteRole::Member).actor;
        assert_eq!(actor("claude-code"), "mcp:claude-code");
        assert_eq!(actor("local"), "mcp:local");
        assert_eq!(actor("\n\u{202e}<b>"), "mcp:b");
        assert_eq!(actor(""), "mcp:client");
        assert_eq!(actor(&"x".repeat(500)).len(), "mcp:".len() + MAX_NAME_CHARS);
    }
}
