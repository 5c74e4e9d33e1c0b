//! What programs add to skills, until a person has reviewed it.

use inklings_rpc::{Code, Failure, RemoteRole};
use serde_json::{Value, json};

use crate::roles::{World, listed, remote};

fn by(world: &World, actor: &str, name: &str, params: Value) -> Result<Value, Failure> {
    world.call(remote(Some(world.workspace()), RemoteRole::Member, actor), name, params)
}

fn named(slug: &str) -> Value {
    json!({ "name": slug, "title": slug, "description": "By a program.", "content": "text\n" })
}

#[test]
fn nothing_that_a_program_imports_or_copies_counts_as_reviewed() {
    let world = World::new();
    world.local("workspace/trust", json!({ "trusted": true }));
    world.local("skill/create", json!({ "name": "theirs", "description": "By the person.", "content": "text\n", "scope": "workspace" }));
    let texts = json!([{ "name": "new.md", "text": "---\nname: new\ndescription: Is new.\n---\nNew.\n" }]);
    let report = by(&world, "token:a", "skill/import", json!({ "texts": texts, "third_party": true, "scope": "account" })).unwrap();
    assert_eq!(report["items"][0]["stored"], true, "{report}");
    let copied = json!({ "skill": "theirs", "scope": "workspace", "to": "account", "keep": true });
    by(&world, "token:a", "skill/move", copied).unwrap();
    let state = |slug: &str, scope: &str| {
        let skill = world.local("catalog/get", json!({ "skill": slug, "scope": scope }));
        (skill["origin"].clone(), skill["lifecycle"].clone(), skill["trust_tier"].clone())
    };
    for slug in ["new", "theirs"] {
        assert_eq!(state(slug, "account"), (json!("llm"), json!("candidate"), json!(1)), "{slug}");
    }
    assert_eq!(state("theirs", "workspace"), (json!("human"), json!("released"), json!(3)));
    assert!(!listed(&by(&world, "token:b", "tool/list_skills", json!({})).unwrap()).contains(&"new"));
}

#[test]
fn what_a_program_adds_to_a_workspace_hides_no_skill_of_the_account() {
    let world = World::new();
    world.local("skill/create", json!({ "name": "memo", "description": "By the person.", "content": "text\n", "scope": "account" }));
    let member = |name: &str, params: Value| by(&world, "token:a", name, params);
    let refusal = |name: &str, params: Value| member(name, params).unwrap_err().code;
    assert_eq!(refusal("tool/create_skill", named("memo")), Code::Exists);
    let texts = json!([{ "name": "memo.md", "text": "---\nname: memo\ndescription: Is new.\n---\nNew.\n" }]);
    let report = member("skill/import", json!({ "texts": texts })).unwrap();
    assert_eq!((&report["items"][0]["stored"], &report["items"][0]["status"]), (&json!(false), &json!("refused")), "{report}");
    let copied = json!({ "skill": "memo", "scope": "account", "to": "workspace", "keep": true });
    assert_eq!(refusal("skill/move", copied), Code::Exists);
    member("tool/create_skill", named("other")).unwrap();
    let renamed = json!([{ "op": "write", "path": "SKILL.md", "text": "---\nname: memo\ndescription: Is renamed.\n---\ntext\n" }]);
    assert_eq!(refusal("skill/edit", json!({ "skill": "other", "expected": 1, "changes": renamed })), Code::Exists);
    let fork = member("skill/fork", json!({ "skill": "memo" })).unwrap();
    assert_eq!((&fork["slug"], &fork["scope"]), (&json!("memo-copy"), &json!("account")), "{fork}");
    assert!(listed(&by(&world, "token:b", "tool/list_skills", json!({})).unwrap()).contains(&"memo"));
    // Its own skill leaves the account, so that nothing is hidden.
    member("skill/move", json!({ "skill": "memo-copy", "scope": "account", "to": "workspace" })).unwrap();
    assert_eq!(world.local("skill/fork", json!({ "skill": "memo" }))["scope"], "workspace", "a person may override it");
}

#[test]
fn a_program_sees_its_own_new_skills_and_nobody_elses() {
    let world = World::new();
    let sees_it = |actor: &str| {
        let of = |tool: &str, params: Value| listed(&by(&world, actor, tool, params).unwrap()).contains(&"mine");
        (of("tool/list_skills", json!({})), of("tool/skill_read", json!({ "limit": 500 })))
    };
    by(&world, "token:a", "tool/create_skill", named("mine")).unwrap();
    assert_eq!((sees_it("token:a"), sees_it("token:b")), ((true, true), (false, false)));
    by(&world, "token:a", "tool/disable_skill", json!({ "name": "mine" })).unwrap();
    assert_eq!(sees_it("token:a"), (false, false));
}
