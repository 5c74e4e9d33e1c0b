//! Keys in chats: one of a provider, and a text in the form of one.

use std::io::Write as _;
use std::process::Stdio;

use inklings_testkit::{Action, Reply, Status};
use serde_json::{Value, json};

use super::{Chat, answer, call, chat, id, steps, text};
use crate::support::arg;

const KEY: &str = "plainkey-two-0987654321";

impl Chat {
    /// Adds another provider with a stored key.
    fn store_key(&self) {
        let url = format!("{}/v1", self.server.url());
        let add = ["model", "add", "other", "--kind", "openai-compatible", "--base-url", &url, "--model", "tiny", "--key-stdin"];
        let mut adding = self.world.command().args(add).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        adding.stdin.take().unwrap().write_all(KEY.as_bytes()).unwrap();
        assert!(adding.wait().unwrap().success());
    }

    /// The files of the account's database that have a text.
    fn stored_in(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(self.world.home()).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if name.starts_with("agents.db") {
                let bytes = std::fs::read(entry.path()).unwrap();
                found.extend(bytes.windows(text.len()).any(|part| part == text.as_bytes()).then_some(name));
            }
        }
        found
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_stored_nowhere_in_a_chat() {
    let form = format!("sk-ant-api03-{}", "a1".repeat(12));
    let keys = format!("{KEY} and {form}");
    let skill =
        |name: &str| json!({"name": name, "title": name, "description": "Says when it is ready.", "content": format!("Use {keys}.")});
    let chat = chat([
        Action::Reply(Reply::chunks(["Your keys are plainkey-two-", "0987654321 and sk-ant-", &form["sk-ant-".len()..], "."])),
        call("a", "create_skill", skill("tea-times")),
        call("b", "create_skill", skill("coffee-times")),
        Action::from("Done."),
        Action::Status(Status::error(400, &format!("wrong keys: {keys}"))),
    ])
    .await;
    chat.store_key();
    let file = chat.world.file(&format!("{KEY} {form}.md"), &keys);
    let sent = chat.json(&["send", "--model", "local/tiny", "--attach", arg(&file), &keys]);
    assert_eq!(text(&sent), "Your keys are [redacted] and [redacted].", "a key that arrives in parts");
    let attached = &sent["messages"][0]["attachments"];
    assert_eq!(attached, &json!([{ "name": "[redacted] [redacted].md", "text": "[redacted] and [redacted]" }]));
    assert_eq!(sent["session"]["title"], "[redacted] and [redacted]");
    assert_eq!(chat.json(&["rename", id(&sent), &keys])["title"], "[redacted] and [redacted]");

    // A call does the same whether it was permitted before it was stored or after.
    let asked = chat.json(&["send", "--chat", id(&sent), "keep it"]);
    let preview = steps(&asked, "tool")[0]["preview"]["files"].to_string();
    assert!(preview.contains("Use [redacted] and [redacted]."), "{preview}");
    let done = chat.json(&["permit", id(&asked), "a", "session"]);
    assert_eq!((text(&done).as_str(), &answer(&done)["status"]), ("Done.", &json!("done")), "{done}");
    for skill in ["tea-times", "coffee-times"] {
        let text: Value = chat.world.json(&["skill", "show", skill, "--path", "SKILL.md"]);
        assert!(text["text"].as_str().unwrap().contains("Use [redacted] and [redacted]."), "{text}");
    }

    assert!(!chat.run(&["send", "--chat", id(&sent), "once more"]).ok);
    let failed = chat.json(&["show", id(&sent)]);
    assert!(answer(&failed)["error"]["message"].as_str().unwrap().contains("wrong keys: [redacted] and [redacted]"), "{failed}");
    assert_eq!((chat.stored_in(KEY), chat.stored_in(&form)), (Vec::new(), Vec::new()));
    assert!(!chat.stored_in("[redacted]").is_empty());
    assert!(!chat.sent(0).contains(KEY) && !chat.sent(0).contains(&form), "nor are those of the user sent");
}
