//! Chats in one process.

use inklings_app::features::chat::{ChatRef, CreateChat, CreateChatParams, GetChat, SendMessage, SendParams};
use inklings_core::chat::MessageStatus;
use inklings_rpc::{CallContext, Code, call};

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
