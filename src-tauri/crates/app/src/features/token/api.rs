use inklings_core::access::{AccessToken, AuditEntry, RemoteRole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateTokenParams {
    /// Who gets it. Recorded as the author of what it writes, and never used again.
    pub name: String,
    pub role: RemoteRole,
    /// Whether its caller gets public summaries only, never instructions.
    #[serde(default)]
    pub external: bool,
    /// Days until it expires. [default: never]
    #[serde(default)]
    pub days: Option<u32>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CreatedToken {
    pub token: AccessToken,
    /// The token's text. It can't be shown again.
    pub secret: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TokenList {
    /// By name, also those that expired or were revoked.
    pub tokens: Vec<AccessToken>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRef {
    /// ID or name.
    pub token: String,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ListCallsParams {
    /// Maximum number of entries, of those that succeeded and of the others, at most 1,000. [default: 100]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CallLog {
    /// Calls of other programs that changed something or were refused, newest first.
    pub calls: Vec<AuditEntry>,
}
