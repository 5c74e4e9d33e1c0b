//! Agents: the skills that they know, and chats that go on with another one.

use inklings_testkit::Action;
use serde_json::{Value, json};

use super::{AUDITOR, answer, call, chat, id, steps, text};

const REVIEWER: &str = "skill-reviewer";

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_uses_its_skills_only_sees_no_others() {
    let read = |id: &str, name: &str| call(id, "read_skill", json!({ "name": name }));
    let chat = chat([
        call("a", "list_skills", json!({})),
        read("b", AUDITOR),
        read("c", REVIEWER),
        Action::from("Done."),
        read("d", AUDITOR),
        Action::from("Done as well."),
        read("e", AUDITOR),
        Action::from("Done again."),
    ])
    .await;
    chat.world.json(&["agent", "create", "reader", "--only"]);
    chat.world.json(&["agent", "assign", "reader", REVIEWER]);
    let sent = chat.json(&["send", "--agent", "reader", "which links in my notes are broken"]);
    assert_eq!(text(&sent), "Done.");
    assert!(!chat.sent(0).contains(AUDITOR), "{}", chat.sent(0));
    let tools = steps(&sent, "tool");
    let listed = tools[0]["result"].as_str().unwrap();
    assert!(listed.contains(REVIEWER) && !listed.contains(&format!("\"name\":\"{AUDITOR}\"")), "{listed}");
    assert_eq!([&tools[1]["status"], &tools[2]["status"]], [&json!("failed"), &json!("done")]);
    assert!(tools[1]["result"].as_str().unwrap().contains("not found"), "{}", tools[1]);
    // The user may choose another one for a message.
    let chosen = chat.json(&["send", "--agent", "reader", "--skill", AUDITOR, "go"]);
    assert_eq!((&steps(&chosen, "tool")[0]["status"], text(&chosen).as_str()), (&json!("done"), "Done as well."));
    // The model goes on using it.
    let later = chat.json(&["send", "--chat", id(&chosen), "go on"]);
    assert_eq!((&steps(&later, "tool")[0]["status"], text(&later).as_str()), (&json!("done"), "Done again."));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_uses_its_skills_only_uses_those_that_it_created_in_the_chat() {
    let skill = json!({ "name": "tea-times", "title": "Tea Times", "description": "Says when tea is ready. Use it for tea.",
        "content": "Black tea takes 3 minutes." });
    let read = |id: &str| call(id, "read_skill", json!({ "name": "tea-times" }));
    let chat = chat([
        call("a", "create_skill", skill),
        read("b"),
        Action::from("Kept."),
        read("c"),
        Action::from("3 minutes."),
        read("d"),
        Action::from("I don't know."),
    ])
    .await;
    chat.world.json(&["agent", "create", "keeper", "--only"]);
    let asked = chat.json(&["send", "--agent", "keeper", "keep the tea times as a skill"]);
    let kept = chat.json(&["permit", id(&asked), "a", "once"]);
    assert_eq!((&steps(&kept, "tool")[1]["status"], text(&kept).as_str()), (&json!("done"), "Kept."));
    let later = chat.json(&["send", "--chat", id(&asked), "when is it ready"]);
    assert_eq!((&steps(&later, "tool")[0]["status"], text(&later).as_str()), (&json!("done"), "3 minutes."));
    let other = chat.json(&["send", "--agent", "keeper", "when is tea ready"]);
    assert_eq!(steps(&other, "tool")[0]["status"], "failed", "it is a skill of another chat: {other}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_whose_agent_was_deleted_goes_on_without_it() {
    let chat = chat([Action::from("Hello."), Action::from("Still here."), Action::from("And again.")]).await;
    chat.world.json(&["agent", "create", "helper"]);
    let first = chat.json(&["send", "--agent", "helper", "hello"]);
    chat.world.json(&["agent", "delete", "helper"]);
    let failed = chat.run(&["send", "--chat", id(&first), "are you there"]);
    assert!(!failed.ok && failed.stderr.contains("was deleted") && failed.stderr.contains("--no-agent"), "{failed:?}");
    let resumed = chat.json(&["resume", id(&first), "--no-agent"]);
    assert_eq!((&resumed["session"]["agent"], text(&resumed).as_str()), (&Value::Null, "Still here."));
    chat.world.json(&["agent", "create", "other"]);
    let sent = chat.json(&["send", "--chat", id(&first), "--agent", "other", "--model", "local/tiny", "more"]);
    assert_eq!((&sent["session"]["agent"], &sent["session"]["model"]), (&json!("other"), &json!("local/tiny")));
    assert_eq!(text(&sent), "And again.");
    let both = chat.run(&["send", "--chat", id(&first), "--agent", "other", "--no-agent", "more"]);
    assert_eq!(both.code, Some(2), "{both:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_edited_and_sent_again_as_another_branch() {
    let chat = chat([Action::from("Black tea."), Action::from("Green tea.")]).await;
    let first = chat.json(&["send", "which tea"]);
    let asked = first["messages"][0]["id"].as_str().unwrap();
    let edited = chat.json(&["send", "--chat", id(&first), "--edit", asked, "which tea in the evening"]);
    assert_eq!((edited["messages"].as_array().unwrap().len(), text(&edited).as_str()), (2, "Green tea."));
    assert_eq!(edited["messages"][0]["text"], "which tea in the evening");
    assert_eq!(edited["messages"][0]["versions"].as_array().unwrap().len(), 2);
    let before = answer(&first)["id"].as_str().unwrap();
    assert_eq!(text(&chat.json(&["select", id(&first), before])), "Black tea.");
    let without_chat = chat.run(&["send", "--edit", asked, "which tea"]);
    assert_eq!(without_chat.code, Some(2), "{without_chat:?}");
}
