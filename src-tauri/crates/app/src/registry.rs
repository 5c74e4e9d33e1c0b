//! Every operation, by family.

use std::sync::Arc;

use inklings_rpc::{CallContext, Code, Effect, Failure, Family, Registry, Role};
use serde_json::Value;

use crate::app::App;
use crate::features;
use crate::features::token::Audited;

/// Every operation of the product.
pub static REGISTRY: Registry<App> = Registry(FAMILIES, OF_ACCOUNT);

/// One line for each family.
const FAMILIES: &[Family<App>] = &[
    Family { name: "app", operations: features::app::operations::OPERATIONS },
    Family { name: "workspace", operations: features::workspace::operations::OPERATIONS },
    Family { name: "skill", operations: features::skill::operations::OPERATIONS },
    Family { name: "file", operations: features::file::operations::OPERATIONS },
    Family { name: "artifact", operations: features::artifact::operations::OPERATIONS },
    Family { name: "draft", operations: features::draft::operations::OPERATIONS },
    Family { name: "prompt", operations: features::prompt::operations::OPERATIONS },
    Family { name: "check", operations: features::check::operations::OPERATIONS },
    Family { name: "import", operations: features::import::operations::OPERATIONS },
    Family { name: "path", operations: features::path::operations::OPERATIONS },
    Family { name: "input", operations: features::input::operations::OPERATIONS },
    Family { name: "settings", operations: features::settings::operations::OPERATIONS },
    Family { name: "run", operations: features::run::operations::OPERATIONS },
    Family { name: "trace", operations: features::trace::operations::OPERATIONS },
    Family { name: "model", operations: features::model::operations::OPERATIONS },
    Family { name: "page", operations: features::page::operations::OPERATIONS },
    Family { name: "script", operations: features::script::operations::OPERATIONS },
    Family { name: "program", operations: features::program::operations::OPERATIONS },
    Family { name: "optimize", operations: features::optimize::operations::OPERATIONS },
    Family { name: "proposal", operations: features::proposal::operations::OPERATIONS },
    Family { name: "text", operations: features::text::operations::OPERATIONS },
    Family { name: "target", operations: features::target::operations::OPERATIONS },
    Family { name: "client", operations: features::client::operations::OPERATIONS },
    Family { name: "kit", operations: features::kit::operations::OPERATIONS },
    Family { name: "symbol", operations: features::symbol::operations::OPERATIONS },
    Family { name: "compare", operations: features::compare::operations::OPERATIONS },
    Family { name: "link", operations: features::link::operations::OPERATIONS },
    Family { name: "log", operations: features::log::operations::OPERATIONS },
    Family { name: "db", operations: features::db::operations::OPERATIONS },
    Family { name: "library", operations: features::library::operations::OPERATIONS },
    Family { name: "search", operations: features::search::operations::OPERATIONS },
    Family { name: "chat", operations: features::chat::operations::OPERATIONS },
    Family { name: "tool", operations: features::tool::operations::OPERATIONS },
    Family { name: "action", operations: features::action::operations::OPERATIONS },
    Family { name: "agent", operations: features::agent::operations::OPERATIONS },
    Family { name: "note", operations: features::note::operations::OPERATIONS },
    Family { name: "manifest", operations: features::manifest::operations::OPERATIONS },
    Family { name: "eval", operations: features::eval::operations::OPERATIONS },
    Family { name: "token", operations: features::token::operations::OPERATIONS },
    Family { name: "server", operations: features::server::operations::OPERATIONS },
    Family { name: "resource", operations: features::resource::operations::OPERATIONS },
    Family { name: "catalog", operations: features::catalog::operations::OPERATIONS },
    Family { name: "registry", operations: features::registry::operations::OPERATIONS },
    Family { name: "marketplace", operations: features::marketplace::operations::OPERATIONS },
    Family { name: "fork", operations: features::fork::operations::OPERATIONS },
    Family { name: "publish", operations: features::publish::operations::OPERATIONS },
    Family { name: "reference", operations: features::reference::operations::OPERATIONS },
];

/// Families about the account or this machine, whatever workspace is open.
const OF_ACCOUNT: &[&str] = &[
    "action",
    "agent",
    "app",
    "chat",
    "client",
    "db",
    "kit",
    "log",
    "marketplace",
    "model",
    "program",
    "publish",
    "registry",
    "server",
    "settings",
    "target",
    "token",
    "workspace",
];

/// Calls an operation by name, for front ends that send JSON. What a remote caller changed or was refused is in the audit log.
pub async fn dispatch(app: Arc<App>, cx: CallContext, name: &str, params: Value) -> Result<Value, Failure> {
    let Role::Remote(role) = cx.role else { return REGISTRY.dispatch(app, cx, name, params).await };
    let audited = Audited { actor: cx.actor.clone(), role, workspace: cx.workspace_key() };
    let result = REGISTRY.dispatch(app.clone(), cx, name, params).await;
    let code = result.as_ref().err().map(|failure| failure.code);
    let writes = REGISTRY.operations().any(|operation| operation.name == name && operation.effect != Effect::Reads);
    if writes || code == Some(Code::Forbidden) {
        let name = name.to_owned();
        let logged = app.blocking(move |app| Ok(audited.log(app, &name, code)?)).await;
        if let Err(failure) = logged {
            tracing::error!(message = failure.message, "a call is missing in the audit log");
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use inklings_rpc::{Permission, RemoteRole};

    use super::*;

    const VIEWER: Role = Role::Remote(RemoteRole::Viewer);
    const READING: [Permission; 4] = [Permission::ReadSkills, Permission::RunSkills, Permission::Read, Permission::Local];

    #[test]
    fn names_are_unique_and_well_formed() {
        let mut seen = BTreeSet::new();
        for operation in REGISTRY.operations() {
            assert!(seen.insert(operation.name), "{} is there twice", operation.name);
            let mut parts = operation.name.split('/');
            let plain = |part: Option<&str>| {
                part.is_some_and(|part| !part.is_empty() && part.chars().all(|ch| ch.is_ascii_lowercase() || ch == '_'))
            };
            assert!(plain(parts.next()) && plain(parts.next()) && parts.next().is_none(), "{}", operation.name);
        }
    }

    #[test]
    fn families_of_the_account_exist() {
        for name in OF_ACCOUNT {
            assert!(REGISTRY.0.iter().any(|family| family.name == *name), "{name}");
        }
    }

    #[test]
    fn every_write_names_its_tags_and_is_not_for_viewers() {
        for operation in REGISTRY.operations() {
            match operation.effect {
                Effect::Writes(tags) => {
                    assert!(!tags.is_empty(), "{}", operation.name);
                    assert!(!VIEWER.may(operation.permission), "{} would let a viewer write", operation.name);
                }
                Effect::Reads => assert!(READING.contains(&operation.permission), "{}", operation.name),
            }
        }
    }
}
