//! All operations, and the checks that each call passes.

use std::sync::Arc;

use inklings_core::Scope;
use serde_json::Value;

use crate::context::{CallContext, Permission};
use crate::failure::{Code, Failure};
use crate::operation::{Operation, OperationDef};

/// The operations of a family; the names of all begin with its own.
pub struct Family<App: 'static> {
    pub name: &'static str,
    pub operations: &'static [OperationDef<App>],
}

/// All operations, by family; and the names of the families that are about the account or this machine, whatever workspace is open.
pub struct Registry<App: 'static>(pub &'static [Family<App>], pub &'static [&'static str]);

impl<App: Send + Sync + 'static> Registry<App> {
    pub fn operations(&self) -> impl Iterator<Item = &'static OperationDef<App>> + use<App> {
        self.0.iter().flat_map(|family| family.operations)
    }

    /// Calls an operation by name: finds it, checks the permission, parses, calls, logs. Every failure carries the call's id.
    pub async fn dispatch(&self, app: Arc<App>, cx: CallContext, name: &str, params: Value) -> Result<Value, Failure> {
        let run = async {
            let operation = self
                .operations()
                .find(|operation| operation.name == name)
                .ok_or_else(|| Failure::new(Code::UnknownOperation, format!("unknown operation {name:?}")))?;
            authorize(&cx, name, operation.permission)?;
            self.ensure_in_workspace(&cx, operation)?;
            (operation.invoke)(app, cx, params).await
        };
        identified(name, run.await)
    }

    /// Everybody may see the skills of the account.
    fn ensure_in_workspace(&self, cx: &CallContext, operation: &OperationDef<App>) -> Result<(), Failure> {
        let family = operation.name.split('/').next().unwrap_or_default();
        let is_of_account = operation.permission != Permission::ReadSkills && (cx.workspace.is_none() || self.1.contains(&family));
        cx.require_scope(if is_of_account { Scope::Account } else { Scope::Workspace })
    }
}

/// Calls an operation by type, through the same guard: for front ends in Rust.
pub async fn call<T: Operation>(app: &Arc<T::App>, cx: CallContext, params: T::Params) -> Result<T::Output, Failure> {
    let run = async {
        authorize(&cx, T::NAME, T::PERMISSION)?;
        T::call(app.clone(), cx, params).await
    };
    identified(T::NAME, run.await)
}

fn authorize(cx: &CallContext, name: &str, permission: Permission) -> Result<(), Failure> {
    if cx.role.may(permission) {
        return Ok(());
    }
    Err(Failure::new(Code::Forbidden, format!("{name} requires the {} permission", permission.as_str())))
}

fn identified<T>(name: &str, result: Result<T, Failure>) -> Result<T, Failure> {
    result.map_err(|mut failure| {
        if failure.request_id.is_empty() {
            failure.request_id = uuid::Uuid::new_v4().to_string();
        }
        // Messages of other codes may repeat what a person or a model wrote, which the log doesn't keep.
        let message = if failure.code.is_of_the_machine() { failure.message.as_str() } else { "" };
        if failure.code == Code::Internal {
            tracing::error!(operation = name, request = failure.request_id, message, "failed");
        } else {
            tracing::info!(operation = name, code = ?failure.code, request = failure.request_id, message, "refused");
        }
        failure
    })
}
