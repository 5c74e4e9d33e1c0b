//! Tools that models call by the names of other systems, though they aren't told of them.

use serde_json::{Value, json};

use super::{AUDITOR, Action, answer, call, calls, chat, id, steps, text};

#[tokio::test(flavor = "multi_thread")]
async fn they_are_not_listed_but_answered() {
    let chat = chat([
        calls([
            ("a", "load_skill", json!({ "name": AUDITOR })),
            ("b", "loadSkill", json!({ "slug": AUDITOR })),
            ("c", "skill_read", json!({ "name": AUDITOR })),
            ("d", "skill_write", json!({ "operation": "dependents", "name": AUDITOR })),
        ]),
        Action::from("Read."),
    ])
    .await;
    let read = chat.json(&["send", "read it"]);
    assert_eq!(text(&read), "Read.", "reading asks for no permission: {read}");
    let results: Vec<_> = steps(&read, "tool").iter().map(|step| step["result"].as_str().unwrap().to_owned()).collect();
    assert!(results[0].contains("\"trust_tier\":4") && results[1].contains("\"instructions\":"), "{results:?}");
    assert!(results[2].contains("\"steps\":") && results[3].contains("\"skills\":[]"), "{results:?}");
    let listed = chat.server.requests()[0].body["tools"].to_string();
    assert!(listed.contains("read_skill") && !listed.contains("load_skill") && !listed.contains("skill_write"), "{listed}");
    assert_eq!(chat.skill(AUDITOR)["card"]["quality"]["uses"], 1, "an answer uses a skill once");
}

#[tokio::test(flavor = "multi_thread")]
async fn writing_asks_with_a_preview_for_each_kind_of_change() {
    let create = |name: &str| json!({ "operation": "create", "name": name, "description": format!("Makes {name}."), "content": format!("Make {name}.") });
    let chat = chat([
        calls([("a", "skill_write", create("tea")), ("b", "skill_write", create("coffee"))]),
        call("c", "skill_write", json!({ "operation": "merge", "name": "tea", "source": "coffee" })),
        call("d", "skill_write", json!({ "operation": "deprecate", "name": "tea", "reason": "use water" })),
        call("e", "skill_write", json!({ "operation": "promote", "name": "tea" })),
        Action::from("Done."),
    ])
    .await;
    let asked = chat.json(&["send", "make drinks"]);
    assert_eq!(answer(&asked)["status"], "waiting");
    let preview = |detail: &Value, at: usize| steps(detail, "tool")[at]["preview"].clone();
    assert_eq!(preview(&asked, 0)["summary"], "Create the skill tea in the account");
    assert_eq!(chat.world.refused(&["skill", "show", "tea"])["code"], "notFound");
    let created = chat.json(&["permit", id(&asked), "a", "session"]);
    // The other one was asked before the permission of the session.
    let merging = if answer(&created)["status"] == "waiting" && steps(&created, "tool").len() == 2 {
        chat.json(&["permit", id(&asked), "b", "once"])
    } else {
        created
    };
    let merge = preview(&merging, 2);
    assert_eq!(merge["summary"], "Merge the skill coffee into tea in the account, and archive coffee");
    assert!(merge["files"][0]["after"].as_str().unwrap().contains("## Coffee\n\nMake coffee."), "{merge}");
    let always = chat.run(&["permit", id(&asked), "c", "always"]);
    assert!(!always.ok, "each merge is asked for: {always:?}");
    let deprecating = chat.json(&["permit", id(&asked), "c", "session"]);
    assert_eq!(chat.skill("coffee")["lifecycle"], "archived");
    assert_eq!(preview(&deprecating, 3)["files"], json!([{ "path": "Reason", "before": null, "after": "use water" }]));
    assert_eq!(answer(&deprecating)["status"], "waiting", "another operation asks for itself");
    let done = chat.json(&["permit", id(&asked), "d", "once"]);
    let refused = steps(&done, "tool")[4]["result"].as_str().unwrap();
    assert!(refused.contains("tea is deprecated, so it can't be promoted"), "{refused}");
    assert_eq!(text(&done), "Done.");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_may_not_write_may_not_by_another_name() {
    let chat = chat([
        calls([
            ("a", "skill_write", json!({ "operation": "delete", "name": AUDITOR })),
            ("b", "load_skill", json!({ "name": AUDITOR })),
            ("c", "load_instructions", json!({ "slug": AUDITOR })),
        ]),
        Action::from("Read."),
    ])
    .await;
    chat.world.json(&["agent", "create", "Reader", "--tool", "read_skill"]);
    let detail = chat.json(&["send", "--agent", "Reader", "read it"]);
    assert_eq!(text(&detail), "Read.", "{detail}");
    let results: Vec<_> = steps(&detail, "tool").iter().map(|step| (&step["status"], step["result"].as_str().unwrap())).collect();
    assert!(results[0].1.contains("there is no tool") && results[2].1.contains("there is no tool"), "{results:?}");
    assert_eq!(results[1].0, "done", "{results:?}");
}
