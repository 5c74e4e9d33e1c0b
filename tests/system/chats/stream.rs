//! An answer as the command prints it while it is written.

use std::io::Read as _;
use std::process::{Child, Stdio};

use inklings_testkit::{Action, Call, PartialReply, Reply, Script, Step};
use serde_json::{Value, json};

use super::{AUDITOR, Chat, call, chat};
use crate::support::{Run, finish, in_terminal};

impl Chat {
    fn send(&self, args: &[&str]) -> Run {
        finish(self.world.command().args(["chat", "send"]).args(args))
    }

    fn spawn(&self, args: &[&str]) -> Child {
        self.world.command().args(["chat", "send"]).args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn last(&self) -> Value {
        let chats = self.json(&["list"]);
        let chat = self.json(&["show", chats["sessions"][0]["id"].as_str().unwrap()]);
        chat["messages"].as_array().unwrap().last().unwrap().clone()
    }
}

/// Says something, and then calls a tool.
fn saying(text: &str, name: &str, arguments: Value) -> Action {
    let tool_calls = vec![Call { id: Some("a".to_owned()), name: name.to_owned(), arguments }];
    Action::Reply(Reply { tool_calls, ..Reply::chunks([text]) })
}

/// Waits for the beginning of the answer.
fn received(run: &mut Child, text: &str) {
    let mut received = vec![0_u8; text.len()];
    run.stdout.as_mut().unwrap().read_exact(&mut received).unwrap();
    assert_eq!(String::from_utf8(received).unwrap(), text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_is_printed_and_what_else_happens_is_on_standard_error() {
    let read = saying("I look at the skill.", "read_skill", json!({"name": AUDITOR}));
    let chat = chat([read, Action::Reply(Reply::chunks(["There are ", "two ", "broken links."]))]).await;
    let sent = chat.send(&["which links in my notes are broken"]);
    assert_eq!((sent.ok, sent.stdout.as_str()), (true, "I look at the skill.\nThere are two broken links.\n"), "{sent:?}");
    assert!(sent.stderr.contains(&format!("skills that fit: {AUDITOR}")) && sent.stderr.contains("calling read_skill"), "{sent:?}");
    assert_eq!(sent.stderr.matches("calling").count(), 1, "{sent:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn text_is_printed_while_it_arrives() {
    let chat = chat([Action::Hang(PartialReply::with(["thinking "]))]).await;
    let mut run = chat.spawn(&["two plus two"]);
    received(&mut run, "thinking ");
    assert_eq!(chat.last()["status"], "running");
    rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::INT).unwrap();
    let mut rest = String::new();
    run.stdout.as_mut().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!((run.wait().unwrap().code(), rest.as_str()), (Some(1), "\n"));
    assert_eq!(chat.last()["status"], "stopped");
    chat.server.idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_goes_away_stops_the_answer() {
    // More than the pipe can hold.
    let chat = chat([Action::Hang(PartialReply::with(std::iter::repeat_n("thinking about it ", 4_000)))]).await;
    let mut run = chat.spawn(&["two plus two"]);
    received(&mut run, "thinking ");
    drop(run.stdout.take());
    assert_eq!(run.wait().unwrap().code(), Some(1));
    assert_eq!(chat.last()["status"], "stopped");
    chat.server.idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_asked_for_on_standard_error() {
    let skill = json!({"name": "tea-times", "title": "Tea Times", "description": "Says when tea is ready. Use it for tea.",
        "content": "Black tea takes 3 minutes."});
    let chat = chat([saying("I keep it.", "create_skill", skill.clone()), Action::from("Done.")]).await;
    let asked = chat.send(&["keep the tea times as a skill"]);
    assert_eq!((asked.code, asked.stdout.as_str()), (Some(1), "I keep it.\n"), "{asked:?}");
    assert!(asked.stderr.contains("Create the skill tea-times") && asked.stderr.contains("+Black tea takes 3 minutes."), "{asked:?}");
    let command = asked.stderr.lines().find_map(|line| line.split('`').nth(1)).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let permitted = finish(chat.world.command().args(words));
    assert_eq!((permitted.ok, permitted.stdout.as_str()), (true, "Done.\n"), "the text before isn't printed again: {permitted:?}");

    // With a permission in advance it is one answer.
    let again = json!({"name": "tea-times", "operation": "append", "content": "Green tea takes 2 minutes."});
    chat.server.set_script(Script::new([saying("I add it.", "update_skill", again), Action::from("Added.")].map(Step::from)));
    let sent = chat.send(&["--allow", "update_skill", "add green tea"]);
    assert_eq!((sent.ok, sent.stdout.as_str()), (true, "I add it.\nAdded.\n"), "{sent:?}");
    assert_eq!(sent.stderr.matches("skills that fit").count(), usize::from(sent.stderr.contains("skills that fit")), "{sent:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_part_of_the_answer_and_a_failed_tool_is_not() {
    let ask = json!({"question": "Which one?", "options": ["this", "that"]});
    let chat = chat([call("a", "read_skill", json!({"name": "no-such-skill"})), call("b", "ask_user", ask)]).await;
    let sent = chat.send(&["do it"]);
    assert_eq!((sent.ok, sent.stdout.as_str()), (true, "Which one?\n- this\n- that\n"), "{sent:?}");
    assert!(sent.stderr.contains("read_skill failed: ") && sent.stderr.contains("not found"), "{sent:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn control_characters_are_shown_on_a_terminal() {
    let chat = chat([Action::Reply(Reply::chunks(["red \u{1b}[31m", "and \u{1b}[0mplain"]))]).await;
    let shown = in_terminal(chat.world.command().args(["chat", "send", "colors"]));
    assert!(shown.ok && !shown.stdout.contains('\u{1b}') && shown.stdout.contains("plain"), "{shown:?}");
}
