//! Chats in one process.

use std::path::Path;

use inklings_app::features::chat::{ChatRef, CreateChat, CreateChatParams, GetChat, SendMessage, SendParams};
use inklings_app::features::prompt::{IndexFormat, IndexParams, IndexSkills};
use inklings_app::features::settings::{SetParams, SetSetting};
use inklings_app::features::skill::{Create, CreateParams};
use inklings_core::Scope;
use inklings_core::chat::MessageStatus;
use inklings_rpc::{CallContext, Code, call};
use serde_json::json;

use crate::support::{ask, beside_work};

#[test]
fn of_two_messages_at_once_one_is_refused_and_not_stored() {
    let (engine, _folder) = beside_work();
    let session = ask::<CreateChat>(&engine, None, CreateChatParams::default()).unwrap().id;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let send = |text: &str| {
        let params = SendParams { session, text: text.to_owned(), attachments: Vec::new(), skill: None, edits: None };
        call::<SendMessage>(engine.app(), CallContext::local(None, "test"), params)
    };
    let (first, second) = runtime.block_on(async { tokio::join!(send("one"), send("two")) });
    assert_eq!(second.unwrap_err().code, Code::Busy);
    assert_eq!(first.unwrap().messages.len(), 2);
    let messages = ask::<GetChat>(&engine, None, ChatRef { session }).unwrap().messages;
    let answered: Vec<_> = messages.iter().map(|entry| (entry.message.content.text.as_str(), entry.message.status)).collect();
    assert_eq!(answered, [("one", MessageStatus::Done), ("", MessageStatus::Done)]);
}

#[test]
fn the_detailed_list_of_skills_says_what_their_manifests_declare() {
    let (engine, folder) = beside_work();
    let work = folder.path().join("work").canonicalize().unwrap();
    let index = |workspace: Option<&Path>, format| {
        ask::<IndexSkills>(&engine, workspace, IndexParams { format, budget: Some(9_000), agent: None }).unwrap().text
    };
    let block = "  - when to use: Is this SKILL.md any good?; My skill never fires, what is wrong with it?\n  \
        - needs: tools[read_skill] · groups[skills-read]\n  - review: supervised\n";
    let detailed = index(None, IndexFormat::Detailed);
    assert!(detailed.contains("- **Skill Reviewer** (`skill-reviewer`) -- ") && detailed.contains(&format!("]\n{block}")), "{detailed}");
    assert_eq!(index(None, IndexFormat::Detailed), detailed);
    assert!(!index(None, IndexFormat::List).contains("when to use"));
    // A workspace's skill of that name has its own manifest, here none.
    let params = CreateParams { name: "Skill Reviewer".to_owned(), description: None, content: None, scope: Some(Scope::Workspace) };
    ask::<Create>(&engine, Some(&work), params).unwrap();
    assert!(!index(Some(&work), IndexFormat::Detailed).contains(block));
}

#[test]
fn pinned_skills_come_first_in_the_list() {
    let (engine, _folder) = beside_work();
    let first = || {
        let params = IndexParams { format: IndexFormat::List, budget: Some(9_000), agent: None };
        ask::<IndexSkills>(&engine, None, params).unwrap().text.lines().nth(1).unwrap().to_owned()
    };
    let pin = |value| ask::<SetSetting>(&engine, None, SetParams { key: "chat.pinned_skills".to_owned(), value });
    assert!(!first().starts_with("- workspace-link-auditor:"), "{}", first());
    pin(json!(["none", "workspace-link-auditor"])).unwrap();
    assert!(first().starts_with("- workspace-link-auditor:"), "{}", first());
    assert_eq!(pin(json!("workspace-link-auditor")).unwrap_err().code, Code::Invalid);
}
