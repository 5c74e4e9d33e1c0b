//! What an administrator of a workspace may do: everything there, nothing to the account.

use inklings_app::features::skill::Get;
use inklings_app::wire::SkillRef;
use inklings_core::provider::{ProviderConfig, ProviderKind};
use inklings_core::user::workspace_key;
use inklings_core::{Proposal, ProposalId};
use inklings_rpc::{CallContext, Code, RemoteRole};
use serde_json::{Value, json};

use crate::proposed::{SHIPPED, proposed};
use crate::roles::{World, remote};
use crate::support::ask;

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

/// A skill of the scope with an eval case and a draft, and the ID of a run of the case that was cancelled.
fn evaluated(world: &World, scope: &str) -> Value {
    let skill = format!("of-{scope}");
    world.local("skill/create", json!({ "name": skill, "description": "Is a test.", "content": "text\n", "scope": scope }));
    let case = json!({ "id": 1, "prompt": "Why?", "assertions": [{ "type": "equals", "value": "good" }] });
    let cases = json!({ "skill_name": skill, "evals": [case] }).to_string();
    let write = json!([{ "op": "write", "path": "evals/evals.json", "text": cases }]);
    world.local("skill/edit", json!({ "skill": skill, "expected": 1, "changes": write }));
    world.local("draft/save", json!({ "skill": skill, "path": "notes.md", "base_revision": 2, "text": "unsaved" }));
    let cancelled = CallContext::local(Some(world.workspace()), "test");
    cancelled.cancel.cancel();
    let params = json!({ "skill": skill, "models": ["local/tiny"], "without_baseline": true });
    world.call(cancelled, "eval/start", params).unwrap()["run"]["id"].clone()
}

#[test]
fn an_administrator_of_a_workspace_sees_no_drafts_and_evals_of_the_account() {
    let world = World::new();
    let provider = ProviderConfig {
        base_url: Some("http://127.0.0.1:9/v1".to_owned()),
        models: vec!["tiny".to_owned()],
        ..ProviderConfig::new("local", ProviderKind::OpenAiCompatible)
    };
    world.engine().app().models.put(provider).unwrap();
    world.local("workspace/trust", json!({ "trusted": true }));
    let (of_account, of_workspace) = (evaluated(&world, "account"), evaluated(&world, "workspace"));
    let admin = |name: &str, params: Value| world.call(remote(Some(world.workspace()), RemoteRole::TenantAdmin, "token:t"), name, params);
    assert_eq!(admin("draft/get", json!({ "skill": "of-account" })).unwrap_err().code, Code::Forbidden);
    assert!(admin("draft/get", json!({ "skill": "of-workspace" })).unwrap().to_string().contains("unsaved"));
    let drafts = admin("draft/list", json!({})).unwrap();
    let scopes: Vec<&Value> = drafts["drafts"].as_array().unwrap().iter().map(|draft| &draft["scope"]).collect();
    assert_eq!(scopes, [&json!("workspace")]);
    for (name, params) in [
        ("eval/get", json!({ "run": of_account })),
        ("eval/compare", json!({ "baseline": of_workspace, "candidate": of_account })),
        ("eval/resume", json!({ "run": of_account })),
        ("eval/delete", json!({ "runs": [of_account] })),
    ] {
        assert_eq!(admin(name, params).unwrap_err().code, Code::NotFound, "{name}");
    }
    let evals = admin("eval/list", json!({})).unwrap();
    let runs: Vec<&Value> = evals["runs"].as_array().unwrap().iter().map(|one| &one["run"]["id"]).collect();
    assert_eq!(runs, [&of_workspace]);
    admin("eval/get", json!({ "run": of_workspace })).unwrap();
    assert_eq!(world.local("eval/list", json!({}))["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn an_administrator_of_a_workspace_decides_about_none_of_the_accounts_proposals() {
    let world = World::new();
    let app = world.engine().app();
    let shipped = ask::<Get>(world.engine(), None, SkillRef { skill: SHIPPED.to_owned(), scope: None }).unwrap();
    let of_account = proposed(app, &shipped);
    let stored = app.proposals.proposal(of_account).unwrap().unwrap();
    let of_workspace = ProposalId::new(app.ids.uuid());
    let workspace = workspace_key(Some(world.workspace().as_path()));
    app.proposals.put_proposal(&Proposal { id: of_workspace, workspace, ..stored }).unwrap();
    let admin = |name: &str, params: Value| world.call(remote(Some(world.workspace()), RemoteRole::TenantAdmin, "token:t"), name, params);
    for name in ["proposal/get", "proposal/review", "proposal/reject", "proposal/accept"] {
        assert_eq!(admin(name, json!({ "id": of_account })).unwrap_err().code, Code::NotFound, "{name}");
    }
    let list = admin("proposal/list", json!({})).unwrap();
    let ids: Vec<&Value> = list["proposals"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!((ids, &list["open"]), (vec![&json!(of_workspace)], &json!(1)));
    admin("proposal/reject", json!({ "id": of_workspace })).unwrap();
    assert_eq!(world.local("proposal/list", json!({}))["proposals"].as_array().unwrap().len(), 2);
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
