use inklings_core::StorageError;
use inklings_core::access::{AuditEntry, RemoteRole};
use inklings_rpc::Code;
use serde_json::Value;

use crate::app::App;

/// Whom an entry of the audit log is about.
pub(crate) struct Audited {
    pub(crate) actor: String,
    pub(crate) role: RemoteRole,
    pub(crate) workspace: String,
}

impl Audited {
    pub(crate) fn log(&self, app: &App, operation: &str, code: Option<Code>) -> Result<(), StorageError> {
        let named = code.and_then(|code| serde_json::to_value(code).ok());
        app.access.append_audit(&AuditEntry {
            at: app.clock.now(),
            actor: self.actor.clone(),
            role: self.role.as_str().to_owned(),
            operation: operation.to_owned(),
            workspace: self.workspace.clone(),
            code: named.as_ref().and_then(Value::as_str).map(str::to_owned),
        })
    }
}
