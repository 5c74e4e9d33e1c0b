//! Every operation, by family.

use std::sync::Arc;

use inklings_rpc::{CallContext, Failure, Family, Registry};
use serde_json::Value;

use crate::app::App;
use crate::ops;

/// Every operation of the product. A new family gets a line.
pub static REGISTRY: Registry<App> = Registry(&[
    Family { name: "app", operations: ops::status::OPERATIONS },
    Family { name: "workspace", operations: ops::workspace::OPERATIONS },
    Family { name: "skill", operations: ops::skill::OPERATIONS },
    Family { name: "file", operations: ops::file::OPERATIONS },
    Family { name: "file", operations: ops::bytes::OPERATIONS },
    Family { name: "file", operations: ops::find::OPERATIONS },
    Family { name: "skill", operations: ops::history::OPERATIONS },
    Family { name: "artifact", operations: ops::artifact::OPERATIONS },
    Family { name: "draft", operations: ops::draft::OPERATIONS },
    Family { name: "prompt", operations: ops::prompt::OPERATIONS },
    Family { name: "check", operations: ops::check::OPERATIONS },
    Family { name: "input", operations: ops::input::OPERATIONS },
    Family { name: "skill", operations: ops::import::OPERATIONS },
    Family { name: "skill", operations: ops::export::OPERATIONS },
    Family { name: "check", operations: ops::validate::OPERATIONS },
    Family { name: "settings", operations: ops::settings::OPERATIONS },
    Family { name: "run", operations: ops::run::OPERATIONS },
    Family { name: "trace", operations: ops::trace::OPERATIONS },
    Family { name: "model", operations: ops::model::OPERATIONS },
    Family { name: "page", operations: ops::page::OPERATIONS },
    Family { name: "script", operations: ops::script::OPERATIONS },
    Family { name: "program", operations: ops::program::OPERATIONS },
    Family { name: "optimize", operations: ops::optimize::OPERATIONS },
    Family { name: "proposal", operations: ops::proposal::OPERATIONS },
    Family { name: "text", operations: ops::text::OPERATIONS },
    Family { name: "target", operations: ops::target::OPERATIONS },
    Family { name: "symbol", operations: ops::symbol::OPERATIONS },
    Family { name: "symbol", operations: ops::rename::OPERATIONS },
    Family { name: "compare", operations: ops::compare::OPERATIONS },
    Family { name: "skill", operations: ops::place::OPERATIONS },
    Family { name: "log", operations: ops::log::OPERATIONS },
    Family { name: "app", operations: ops::diagnostics::OPERATIONS },
    Family { name: "skill", operations: ops::tree::OPERATIONS },
    Family { name: "skill", operations: ops::structure::OPERATIONS },
    Family { name: "file", operations: ops::carry::OPERATIONS },
    Family { name: "skill", operations: ops::deleted::OPERATIONS },
    Family { name: "db", operations: ops::db::OPERATIONS },
    Family { name: "library", operations: ops::library::OPERATIONS },
    Family { name: "library", operations: ops::bulk::OPERATIONS },
    Family { name: "skill", operations: ops::describe::OPERATIONS },
    Family { name: "reference", operations: ops::reference::OPERATIONS },
]);

/// Calls an operation by its name, for front ends that send JSON.
pub async fn dispatch(app: Arc<App>, cx: CallContext, name: &str, params: Value) -> Result<Value, Failure> {
    REGISTRY.dispatch(app, cx, name, params).await
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use inklings_rpc::{Effect, Permission, Role};

    use super::*;

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
    fn every_write_names_its_tags_and_is_not_for_viewers() {
        for operation in REGISTRY.operations() {
            match operation.effect {
                Effect::Writes(tags) => {
                    assert!(!tags.is_empty(), "{}", operation.name);
                    assert!(!Role::Viewer.may(operation.permission), "{} would let a viewer write", operation.name);
                }
                Effect::Reads => assert_eq!(operation.permission, Permission::Read, "{}", operation.name),
            }
        }
    }
}
