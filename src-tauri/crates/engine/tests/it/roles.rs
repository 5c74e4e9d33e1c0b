//! What remote callers may do, by role.

use std::path::PathBuf;

use inklings_app::{REGISTRY, dispatch};
use inklings_engine::Engine;
use inklings_rpc::{CallContext, Code, Failure, Permission, RemoteRole, Role};
use serde_json::{Value, json};

use crate::support::beside_work;

/// The permissions of each role, as its row in the specification says. What isn't here is denied.
const GRANTS: [(RemoteRole, &[&str]); 6] = [
    (RemoteRole::SystemAdmin, ADMIN),
    (RemoteRole::TenantAdmin, ADMIN),
    (RemoteRole::Editor, CHANGING),
    (RemoteRole::Member, CHANGING),
    (RemoteRole::Viewer, &["skills.read"]),
    (RemoteRole::Guest, &["skills.read"]),
];
const CHANGING: &[&str] = &["skills.read", "skills.run", "skills.create", "skills.update", "skills.delete"];
const ADMIN: &[&str] = &["skills.read", "skills.run", "skills.create", "skills.update", "skills.delete", "read", "run", "write", "admin"];

/// Operations that viewers may call: each was looked at, that it shows nothing but skills.
const FOR_VIEWERS: &[&str] = &[
    "catalog/dependencies",
    "catalog/get",
    "catalog/health",
    "catalog/list",
    "catalog/tree",
    "check/all",
    "check/file",
    "check/fixes",
    "check/skill",
    "compare/files",
    "compare/texts",
    "file/bytes",
    "file/find",
    "file/read",
    "import/source",
    "kit/list",
    "library/card",
    "library/keys",
    "library/list",
    "library/seek",
    "library/stats",
    "prompt/index",
    "prompt/render",
    "reference/list",
    "resource/external",
    "resource/get",
    "resource/list",
    "resource/read",
    "script/functions",
    "search/skills",
    "search/status",
    "skill/dependencies",
    "skill/dependents",
    "skill/get",
    "skill/history",
    "skill/list",
    "skill/merge_preview",
    "skill/revision",
    "skill/tokens",
    "skill/tree",
    "symbol/at",
    "symbol/language",
    "symbol/names",
    "symbol/rename_preview",
    "symbol/uses",
    "text/search",
    "tool/list_skills",
    "tool/load_instructions",
    "tool/load_skill",
    "tool/read_skill",
    "tool/skill_read",
    "tool/view_skill_artifact",
];

fn remote(workspace: Option<PathBuf>, role: RemoteRole, actor: &str) -> CallContext {
    CallContext { role: Role::Remote(role), actor: actor.to_owned(), ..CallContext::local(workspace, "test") }
}

struct World {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        Self { engine, folder }
    }

    fn call(&self, cx: CallContext, name: &str, params: Value) -> Result<Value, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(dispatch(self.engine.app().clone(), cx, name, params))
    }

    fn workspace(&self) -> PathBuf {
        self.folder.path().join("work").canonicalize().unwrap()
    }

    fn local(&self, name: &str, params: Value) -> Value {
        self.call(CallContext::local(Some(self.workspace()), "test"), name, params).unwrap()
    }
}

#[test]
fn every_operation_is_denied_to_roles_without_its_permission() {
    let world = World::new();
    for operation in REGISTRY.operations() {
        for (role, granted) in GRANTS {
            let allowed = granted.contains(&operation.permission.as_str());
            assert_eq!(Role::Remote(role).may(operation.permission), allowed, "{} as {}", operation.name, role.as_str());
            if !allowed {
                let refused = world.call(remote(Some(world.workspace()), role, "token:t"), operation.name, json!({}));
                assert_eq!(refused.unwrap_err().code, Code::Forbidden, "{} as {}", operation.name, role.as_str());
            }
        }
    }
}

#[test]
fn viewers_see_skills_and_nothing_else() {
    let for_viewers: Vec<_> =
        REGISTRY.operations().filter(|operation| operation.permission == Permission::ReadSkills).map(|operation| operation.name).collect();
    let mut sorted = for_viewers.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, FOR_VIEWERS);
}

#[test]
fn members_change_only_what_they_created() {
    let world = World::new();
    let workspace = Some(world.workspace());
    world.local("skill/create", json!({ "name": "theirs", "description": "By the person.", "content": "text\n" }));
    world.local("skill/create", json!({ "name": "shared", "description": "By the person.", "content": "text\n" }));
    let member = |actor| remote(workspace.clone(), RemoteRole::Member, actor);
    let make = json!({ "name": "mine", "title": "Mine", "description": "By the member.", "content": "text\n" });
    world.call(member("token:a"), "tool/create_skill", make).unwrap();
    for name in ["theirs", "shared"] {
        let notes = json!([{ "op": "write", "path": "notes.md", "text": "x" }]);
        world.local("skill/edit", json!({ "skill": name, "expected": 1, "changes": notes }));
    }
    let theirs = world.local("skill/get", json!({ "skill": "theirs" }));
    let of = |slug: &str| {
        let write = json!([{ "op": "write", "path": "prompts/x.j2", "text": "x" }]);
        [
            ("tool/update_skill", json!({ "name": slug, "operation": "append", "content": "more\n" })),
            ("tool/disable_skill", json!({ "name": slug })),
            ("tool/enable_skill", json!({ "name": slug })),
            ("skill/enable", json!({ "skill": slug, "enabled": false })),
            ("skill/edit", json!({ "skill": slug, "expected": 1, "changes": write })),
            ("skill/describe", json!({ "skill": slug, "values": { "name": "New title" } })),
            ("skill/move", json!({ "skill": slug, "to": "account" })),
            ("skill/merge", json!({ "target": slug, "source": "shared" })),
            ("skill/deprecate", json!({ "skill": slug, "reason": "old" })),
            ("file/delete", json!({ "skill": slug, "paths": ["notes.md"] })),
            ("skill/delete", json!({ "skill": slug })),
            ("tool/delete_skill", json!({ "name": slug })),
        ]
    };
    for (name, params) in of("theirs") {
        let refused = world.call(member("token:a"), name, params.clone()).unwrap_err();
        assert_eq!(refused.code, Code::Forbidden, "{name}: {refused:?}");
        assert_eq!(world.local("skill/get", json!({ "skill": "theirs" })), theirs, "{name}");
    }
    for (name, params) in of("mine") {
        let refused = world.call(member("token:b"), name, params);
        assert!(refused.is_err(), "{name} of another member");
    }
    // Who wrote a skill can't vouch for it.
    let promoted = world.call(member("token:a"), "skill/promote", json!({ "skill": "mine" }));
    assert_eq!(promoted.unwrap_err().code, Code::Forbidden);
    let more = json!({ "name": "mine", "operation": "append", "content": "more\n" });
    assert_eq!(world.call(member("token:a"), "tool/update_skill", more).unwrap()["version"], 2);
    world.call(member("token:a"), "tool/delete_skill", json!({ "name": "mine" })).unwrap();
}

#[test]
fn a_copy_that_a_member_made_in_the_other_scope_is_its_own() {
    let world = World::new();
    let made = world.local("skill/create", json!({ "name": "theirs", "description": "By the person.", "content": "text\n" }));
    let member = |name: &str, params| world.call(remote(Some(world.workspace()), RemoteRole::Member, "token:a"), name, params).unwrap();
    let copy = member("skill/move", json!({ "skill": "theirs", "scope": made["scope"], "to": "account", "keep": true }));
    let write = json!([{ "op": "write", "path": "notes.md", "text": "x" }]);
    member("skill/edit", json!({ "skill": copy["skill"]["id"], "expected": 1, "changes": write }));
}

#[test]
fn disabled_skills_are_listed_for_those_who_may_change_them() {
    let world = World::new();
    world.local("skill/create", json!({ "name": "off", "description": "Is disabled.", "content": "text\n" }));
    world.local("skill/enable", json!({ "skill": "off", "enabled": false }));
    for (role, _) in GRANTS {
        let list = |all: bool| {
            let cx = remote(Some(world.workspace()), role, "token:t");
            world.call(cx, "tool/list_skills", json!({ "include_disabled": all })).map(|list| list.to_string().contains("\"off\""))
        };
        assert_eq!(list(false).ok(), Some(false), "{}", role.as_str());
        let changes_all = matches!(role, RemoteRole::SystemAdmin | RemoteRole::TenantAdmin | RemoteRole::Editor);
        assert_eq!(list(true).ok(), changes_all.then_some(true), "{}", role.as_str());
    }
}

#[test]
fn no_key_of_this_machine_is_sent_where_a_remote_administrator_says() {
    let world = World::new();
    let (stored, env) = (json!({ "from": "stored" }), json!({ "from": "env", "var": "OPENAI_API_KEY" }));
    let providers = json!([{ "name": "stored", "kind": "openai", "key": stored }, { "name": "env", "kind": "openai", "key": env }]);
    let setting = json!({ "key": "models", "value": { "providers": providers } });
    world.local("settings/set", setting.clone());
    let remotely = |name: &str, params| world.call(remote(Some(world.workspace()), RemoteRole::SystemAdmin, "token:admin"), name, params);
    let elsewhere = "https://elsewhere.example.org/v1";
    for (name, params) in [
        ("model/put", json!({ "name": "stored", "kind": "openai", "key": stored, "base_url": elsewhere })),
        ("model/put", json!({ "name": "stored", "kind": "mistral", "key": stored })),
        ("model/put", json!({ "name": "env", "kind": "openai", "key": env, "base_url": elsewhere })),
        ("model/put", json!({ "name": "env", "kind": "openai", "key": { "from": "env", "var": "PATH" } })),
        // Its key would be the variable of its kind.
        ("model/put", json!({ "name": "new", "kind": "openai", "base_url": elsewhere })),
        ("settings/set", setting),
    ] {
        let refused = remotely(name, params.clone()).unwrap_err();
        assert_eq!(refused.code, Code::Forbidden, "{params}: {refused:?}");
    }
    let same = json!({ "name": "env", "kind": "openai", "key": env, "base_url": "https://api.openai.com/v1", "models": ["m"] });
    assert_eq!(remotely("model/put", same).unwrap()["models"], json!(["m"]));
    let keyless = json!({ "name": "env", "kind": "openai", "key": { "from": "none" }, "base_url": elsewhere });
    assert_eq!(remotely("model/put", keyless).unwrap()["address"], elsewhere);
    let by_the_person = json!({ "name": "env", "kind": "openai", "key": env, "base_url": elsewhere });
    assert_eq!(world.local("model/put", by_the_person)["key"], env);
}

#[test]
fn nobody_remote_names_files_of_this_machine_or_approves_gates() {
    let world = World::new();
    let admin = || remote(Some(world.workspace()), RemoteRole::SystemAdmin, "token:admin");
    let refused = |name: &str, params: Value| world.call(admin(), name, params).unwrap_err().code;
    assert_eq!(refused("skill/import", json!({ "paths": ["/etc"] })), Code::Forbidden);
    assert_eq!(refused("chat/attach", json!({ "paths": ["/etc/passwd"] })), Code::Forbidden);
    let file = json!({ "from": "file", "path": "/etc/passwd" });
    assert_eq!(refused("optimize/examples", json!({ "skill": "s", "artifact": "a", "source": file })), Code::Forbidden);
    assert_eq!(refused("optimize/start", json!({ "skill": "s", "artifact": "a", "optimizer": "o", "source": file })), Code::Forbidden);
    let gate = json!({ "version": 1, "humanGates": [{ "key": "go", "label": "Go", "when": "before_run", "required": true }] });
    let skill = json!({ "metadata": { "manifest": gate } }).to_string();
    world.local("skill/create", json!({ "name": "gated", "description": "Waits for a person.", "content": "text\n" }));
    let write = json!([
        { "op": "write", "path": "skill.json", "text": skill },
        { "op": "write", "path": "prompts/one.j2", "text": "one\n" },
    ]);
    world.local("skill/edit", json!({ "skill": "gated", "expected": 1, "changes": write }));
    world.local("workspace/trust", json!({ "trusted": true }));
    let member = || remote(Some(world.workspace()), RemoteRole::Member, "token:a");
    let call = |params| world.call(member(), "run/start", params).unwrap_err().code;
    assert_eq!(call(json!({ "skill": "gated", "approve": ["go"] })), Code::Forbidden);
    assert_eq!(call(json!({ "skill": "gated" })), Code::ApprovalRequired);
    let tool = world.call(member(), "tool/run_skill", json!({ "name": "gated" })).unwrap_err();
    assert_eq!(tool.code, Code::ApprovalRequired, "a tool isn't the person's approval");
}
