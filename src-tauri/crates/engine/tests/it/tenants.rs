//! What an administrator of a workspace may do: everything there, nothing to the account.

use inklings_rpc::{Code, RemoteRole};
use serde_json::{Value, json};

use crate::roles::{World, remote};

/// Calls that change the scope, or show what is in it besides skills.
fn calls(scope: &str) -> [(&'static str, Value); 9] {
    let skill = format!("of-{scope}");
    let write = json!([{ "op": "write", "path": "notes.md", "text": "x" }]);
    [
        ("skill/edit", json!({ "skill": skill, "scope": scope, "expected": 1, "changes": write })),
        ("draft/save", json!({ "skill": skill, "scope": scope, "path": "notes.md", "base_revision": 2, "text": "y" })),
        ("skill/describe", json!({ "skill": skill, "scope": scope, "values": { "name": "New title" } })),
        ("skill/enable", json!({ "skill": skill, "scope": scope, "enabled": false })),
        ("skill/delete", json!({ "skill": skill, "scope": scope })),
        ("skill/create", json!({ "name": "new", "description": "Is new.", "content": "text\n", "scope": scope })),
        ("note/set", json!({ "scope": scope, "text": "note" })),
        ("tool/edit_system_prompt", json!({ "scope": scope, "operation": "append", "content": "more" })),
        ("run/list", json!({ "account": scope == "account" })),
    ]
}

#[test]
fn an_administrator_of_a_workspace_changes_it_and_nothing_of_the_account() {
    let world = World::new();
    for scope in ["account", "workspace"] {
        let params = json!({ "name": format!("of-{scope}"), "description": "Is a test.", "content": "text\n", "scope": scope });
        world.local("skill/create", params);
    }
    world.local("note/set", json!({ "scope": "account", "text": "private" }));
    let admin = |name: &str, params: Value| {
        let workspace = Some(world.workspace());
        world.call(remote(workspace, RemoteRole::TenantAdmin, "token:t"), name, params)
    };
    let before = world.local("skill/get", json!({ "skill": "of-account" }));
    for (name, params) in calls("account") {
        assert_eq!(admin(name, params.clone()).map_err(|failure| failure.code), Err(Code::Forbidden), "{name} {params}");
    }
    assert_eq!(world.local("skill/get", json!({ "skill": "of-account" })), before);
    for (name, params) in calls("workspace") {
        let answer = admin(name, params);
        assert!(answer.is_ok(), "{name}: {answer:?}");
    }
    for name in ["settings/get", "settings/set", "model/list", "kit/delete", "chat/list", "agent/create", "log/read", "workspace/recent"] {
        assert_eq!(admin(name, json!({})).map_err(|failure| failure.code), Err(Code::Forbidden), "{name}");
    }
    assert!(admin("kit/list", json!({})).is_ok() && admin("skill/get", json!({ "skill": "of-account" })).is_ok());
    assert!(!admin("note/get", json!({})).unwrap().to_string().contains("private"));
}

#[test]
fn without_a_workspace_its_administrator_only_sees_skills() {
    let world = World::new();
    let admin = |name: &str, params: Value| world.call(remote(None, RemoteRole::TenantAdmin, "token:t"), name, params);
    assert!(admin("tool/list_skills", json!({})).is_ok());
    for (name, params) in calls("account") {
        assert_eq!(admin(name, params.clone()).map_err(|failure| failure.code), Err(Code::Forbidden), "{name} {params}");
    }
    assert_eq!(admin("run/list", json!({})).map_err(|failure| failure.code), Err(Code::Forbidden));
}
