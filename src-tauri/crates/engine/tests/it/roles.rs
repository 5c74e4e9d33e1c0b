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
    (RemoteRole::TenantAdmin, TENANT_ADMIN),
    (RemoteRole::Editor, CHANGING),
    (RemoteRole::Member, CHANGING),
    (RemoteRole::Viewer, &["skills.read"]),
    (RemoteRole::Guest, &["skills.read"]),
];
const CHANGING: &[&str] = &["skills.read", "skills.run", "skills.create", "skills.update", "skills.delete"];
const TENANT_ADMIN: &[&str] = &["skills.read", "skills.run", "skills.create", "skills.update", "skills.delete", "read", "run", "write"];
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

pub(crate) fn remote(workspace: Option<PathBuf>, role: RemoteRole, actor: &str) -> CallContext {
    CallContext { role: Role::Remote(role), actor: actor.to_owned(), ..CallContext::local(workspace, "test") }
}

pub(crate) struct World {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let (engine, folder) = beside_work();
        Self { engine, folder }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn call(&self, cx: CallContext, name: &str, params: Value) -> Result<Value, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(dispatch(self.engine.app().clone(), cx, name, params))
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.folder.path().join("work").canonicalize().unwrap()
    }

    pub(crate) fn local(&self, name: &str, params: Value) -> Value {
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
    world.local("workspace/trust", json!({ "trusted": true }));
    let member = |name: &str, params| world.call(remote(Some(world.workspace()), RemoteRole::Member, "token:a"), name, params).unwrap();
    let copy = member("skill/move", json!({ "skill": "theirs", "scope": made["scope"], "to": "account", "keep": true }));
    let write = json!([{ "op": "write", "path": "notes.md", "text": "x" }]);
    member("skill/edit", json!({ "skill": copy["skill"]["id"], "expected": 1, "changes": write }));
}

#[test]
fn a_skill_of_somebody_else_does_not_keep_a_member_from_importing_the_others() {
    let world = World::new();
    world.local("skill/create", json!({ "name": "beta", "description": "By the person.", "content": "text\n" }));
    let text =
        |name: &str| json!({ "name": format!("{name}.md"), "text": format!("---\nname: {name}\ndescription: Is new.\n---\nNew.\n") });
    let params = json!({ "texts": [text("alpha"), text("beta"), text("gamma")], "conflicts": "replace" });
    let report = world.call(remote(Some(world.workspace()), RemoteRole::Member, "token:a"), "skill/import", params).unwrap();
    let stored: Vec<_> = report["items"].as_array().unwrap().iter().map(|item| (item["slug"].clone(), item["stored"].clone())).collect();
    assert_eq!(stored, [("alpha", true), ("beta", false), ("gamma", true)].map(|(slug, stored)| (json!(slug), json!(stored))), "{report}");
    assert_eq!(report["failure"], Value::Null);
}

#[test]
fn a_member_moves_no_files_out_of_a_skill_of_somebody_else() {
    let world = World::new();
    world.local("skill/create", json!({ "name": "theirs", "description": "By the person.", "content": "text\n" }));
    let write = json!([{ "op": "write", "path": "notes.md", "text": "x" }]);
    world.local("skill/edit", json!({ "skill": "theirs", "expected": 1, "changes": write }));
    let member = |name: &str, params| world.call(remote(Some(world.workspace()), RemoteRole::Member, "token:a"), name, params);
    member("tool/create_skill", json!({ "name": "mine", "title": "Mine", "description": "By the member.", "content": "text\n" })).unwrap();
    let copy = |remove: bool| {
        let files = json!([{ "from": "notes.md", "to": "notes.md" }]);
        member("file/copy", json!({ "skill": "theirs", "to_skill": "mine", "files": files, "remove": remove }))
    };
    let before = world.local("skill/get", json!({ "skill": "mine" }));
    assert_eq!(copy(true).unwrap_err().code, Code::Forbidden);
    assert_eq!(world.local("skill/get", json!({ "skill": "mine" })), before);
    copy(false).unwrap();
}

#[test]
fn a_search_of_texts_ends_with_its_call() {
    let world = World::new();
    world.local("skill/create", json!({ "name": "one", "description": "Has text.", "content": "text\n" }));
    let cx = remote(Some(world.workspace()), RemoteRole::Viewer, "token:v");
    let search = json!({ "query": { "text": "text" } });
    assert!(world.call(cx.clone(), "text/search", search.clone()).is_ok());
    cx.cancel.cancel();
    assert_eq!(world.call(cx, "text/search", search).unwrap_err().code, Code::Cancelled);
}

#[test]
fn nothing_of_an_untrusted_workspace_gets_into_the_account() {
    let world = World::new();
    for (name, scope) in [("evil", "workspace"), ("plain", "account")] {
        world.local("skill/create", json!({ "name": name, "description": "Is a test.", "content": "text\n", "scope": scope }));
    }
    let write = json!([{ "op": "write", "path": "notes.md", "text": "x" }]);
    world.local("skill/edit", json!({ "skill": "evil", "expected": 1, "changes": write }));
    let files = json!([{ "from": "notes.md", "to": "notes.md" }]);
    let into_account = [
        ("file/copy", json!({ "skill": "evil", "scope": "workspace", "to_skill": "plain", "to_scope": "account", "files": files })),
        ("skill/move", json!({ "skill": "evil", "scope": "workspace", "to": "account", "keep": true })),
        ("skill/merge", json!({ "target": "plain", "target_scope": "account", "source": "evil", "source_scope": "workspace" })),
    ];
    for (name, params) in &into_account {
        let editor = remote(Some(world.workspace()), RemoteRole::Editor, "token:a");
        for cx in [CallContext::local(Some(world.workspace()), "test"), editor] {
            let refused = world.call(cx, name, params.clone()).unwrap_err();
            assert_eq!(refused.code, Code::NotTrusted, "{name}: {refused:?}");
        }
    }
    world.local("workspace/trust", json!({ "trusted": true }));
    for (name, params) in into_account {
        world.local(name, params);
    }
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
    assert_eq!(call(json!({ "skill": "gated", "revision": 1 })), Code::ApprovalRequired, "the gate was added since");
    let tool = world.call(member(), "tool/run_skill", json!({ "name": "gated" })).unwrap_err();
    assert_eq!(tool.code, Code::ApprovalRequired, "a tool isn't the person's approval");
}

pub(crate) fn listed(result: &Value) -> Vec<&str> {
    result["skills"].as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect()
}

#[test]
fn programs_see_no_hidden_skill_and_only_editors_those_that_agents_are_not_offered() {
    let world = World::new();
    for name in ["shown", "hidden", "unclear", "off", "old"] {
        world.local("skill/create", json!({ "name": name, "description": "By the person.", "content": "text\n" }));
    }
    let hides = json!({ "exposeViaMcp": false });
    // A mistake elsewhere in the manifest doesn't show the skill.
    for (name, manifest) in [
        ("hidden", json!({ "version": 1, "interop": hides })),
        ("unclear", json!({ "version": 1, "requiredTools": "a", "interop": hides })),
    ] {
        let text = json!({ "metadata": { "manifest": manifest } }).to_string();
        let write = json!([{ "op": "write", "path": "skill.json", "text": text }]);
        world.local("skill/edit", json!({ "skill": name, "expected": 1, "changes": write }));
    }
    world.local("skill/enable", json!({ "skill": "off", "enabled": false }));
    world.local("skill/archive", json!({ "skill": "old", "reason": "gone" }));
    for (role, _) in GRANTS {
        let call = |name: &str, params: Value| world.call(remote(Some(world.workspace()), role, "token:t"), name, params);
        let changes_all = matches!(role, RemoteRole::SystemAdmin | RemoteRole::TenantAdmin | RemoteRole::Editor);
        let lists = [
            call("tool/list_skills", json!({ "include_disabled": changes_all })).unwrap(),
            call("tool/skill_read", json!({ "limit": 500 })).unwrap(),
        ];
        for (name, is_known) in [("shown", true), ("hidden", false), ("unclear", false), ("off", changes_all), ("old", changes_all)] {
            for list in &lists {
                assert_eq!(listed(list).contains(&name), is_known, "{name} as {}", role.as_str());
            }
            for (tool, argument) in [("read_skill", "name"), ("skill_read", "name"), ("view_skill_artifact", "skill")] {
                let read = call(&format!("tool/{tool}"), json!({ argument: name }));
                assert_eq!(read.is_ok(), is_known, "{tool} {name} as {}", role.as_str());
            }
        }
        for name in ["hidden", "unclear"] {
            for (operation, argument) in [("tool/load_instructions", "slug"), ("tool/read_skill", "name"), ("resource/get", "slug")] {
                let refused = call(operation, json!({ argument: name })).unwrap_err();
                assert_eq!(refused.code, Code::NotFound, "{operation} {name} as {}", role.as_str());
            }
            let run = call("tool/run_skill", json!({ "name": name })).unwrap_err();
            assert!(matches!(run.code, Code::NotFound | Code::Forbidden), "{name} as {}: {run:?}", role.as_str());
        }
    }
}

#[test]
fn what_a_program_creates_is_for_itself_until_a_person_has_reviewed_it() {
    let world = World::new();
    let call = |role, actor: &str, name: &str, params: Value| world.call(remote(Some(world.workspace()), role, actor), name, params);
    let state = |slug: &str| {
        let skill = world.local("catalog/get", json!({ "skill": slug }));
        (skill["origin"].clone(), skill["lifecycle"].clone(), skill["trust_tier"].clone())
    };
    let named = |slug: &str| json!({ "name": slug, "title": slug, "description": "By a program.", "content": "text\n" });
    for role in [RemoteRole::Member, RemoteRole::Editor] {
        for operation in ["tool/create_skill", "catalog/create"] {
            let slug = format!("{}-{}", role.as_str(), if operation == "catalog/create" { "record" } else { "tool" });
            call(role, "token:author", operation, named(&slug)).unwrap();
            assert_eq!(state(&slug), (json!("llm"), json!("candidate"), json!(1)), "{slug}");
            let loads = |actor| call(RemoteRole::Member, actor, "tool/load_skill", json!({ "name": slug })).is_ok();
            let is_listed = || {
                let list = call(RemoteRole::Guest, "token:other", "tool/list_skills", json!({})).unwrap();
                listed(&list).contains(&slug.as_str())
            };
            assert!(loads("token:author") && !loads("token:other") && !is_listed(), "{slug}");
            let more = json!({ "name": slug, "operation": "append", "content": "more\n" });
            assert_eq!(call(role, "token:author", "tool/update_skill", more).unwrap()["version"], 2, "{slug}");
            world.local("skill/promote", json!({ "skill": slug }));
            assert!(loads("token:other") && is_listed(), "{slug}");
        }
    }
    call(RemoteRole::SystemAdmin, "token:admin", "tool/create_skill", named("of-admin")).unwrap();
    assert_eq!(state("of-admin"), (json!("llm"), json!("verified"), json!(2)));
    world.local("skill/create", json!({ "name": "of-person", "description": "By the person.", "content": "text\n" }));
    assert_eq!(state("of-person"), (json!("human"), json!("released"), json!(3)));
}

#[test]
fn nobody_runs_an_archived_skill_and_only_the_person_a_disabled_one() {
    let world = World::new();
    for name in ["off", "old"] {
        world.local("skill/create", json!({ "name": name, "description": "By the person.", "content": "text\n" }));
    }
    world.local("skill/enable", json!({ "skill": "off", "enabled": false }));
    world.local("skill/archive", json!({ "skill": "old", "reason": "gone" }));
    world.local("workspace/trust", json!({ "trusted": true }));
    let person = || CallContext::local(Some(world.workspace()), "test");
    let member = || remote(Some(world.workspace()), RemoteRole::Member, "token:a");
    let refusal = |cx, operation: &str, params: Value| world.call(cx, operation, params).unwrap_err().message;
    for cx in [person(), member()] {
        assert_eq!(refusal(cx.clone(), "run/start", json!({ "skill": "old" })), "the skill old is archived");
        assert_eq!(refusal(cx, "run/script", json!({ "skill": "old", "path": "a.py" })), "the skill old is archived");
    }
    assert_eq!(refusal(member(), "run/start", json!({ "skill": "off" })), "the skill off is disabled");
    let allowed = refusal(person(), "run/start", json!({ "skill": "off" }));
    assert!(allowed.starts_with("missing values"), "{allowed}");
}
