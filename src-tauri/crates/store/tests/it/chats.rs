//! Chats: a write changes its own columns only, whatever its caller has read before.

use std::slice;

use inklings_core::chat::{ChatChange, ChatMessage, ChatSession, ChatStep, Feedback, MessageContent, MessageStatus};
use inklings_core::model::Role;
use inklings_core::{Chats as _, Clock as _, IdSource as _, MessageId, Scope, SessionId};
use inklings_store::Store;

use crate::support::{World, world};

fn session(world: &World) -> ChatSession {
    let now = world.clock.now();
    let session = ChatSession {
        id: SessionId::new(world.ids.uuid()),
        workspace: String::new(),
        title: "New chat".to_owned(),
        agent: Some("auditor".to_owned()),
        model: None,
        head: None,
        created_at: now,
        updated_at: now,
    };
    world.store.create_chat(&session).unwrap();
    session
}

fn answer(world: &World, session: &ChatSession, status: MessageStatus) -> ChatMessage {
    let answer = unstored(world, session, status);
    world.store.put_chat_message(&answer).unwrap();
    answer
}

fn unstored(world: &World, session: &ChatSession, status: MessageStatus) -> ChatMessage {
    ChatMessage {
        id: MessageId::new(world.ids.uuid()),
        session: session.id,
        parent: None,
        role: Role::Assistant,
        status,
        created_at: world.clock.now(),
        content: MessageContent { model: Some("some/model".to_owned()), ..MessageContent::default() },
        steps: Vec::new(),
    }
}

#[test]
fn an_update_that_was_planned_before_a_message_keeps_the_head() {
    let world = world();
    let before = session(&world);
    let message = answer(&world, &before, MessageStatus::Done);
    let change = ChatChange { title: Some("Tea".to_owned()), ..ChatChange::default() };
    let after = world.store.update_chat(before.id, &change).unwrap().unwrap();
    assert_eq!((after.title.as_str(), after.agent.as_deref(), after.head), ("Tea", Some("auditor"), Some(message.id)));
    assert_eq!(world.store.chat(before.id).unwrap(), Some(after));
    let without_agent = ChatChange { agent: Some(None), ..ChatChange::default() };
    let after = world.store.update_chat(before.id, &without_agent).unwrap().unwrap();
    assert_eq!((after.title.as_str(), after.agent, after.head), ("Tea", None, Some(message.id)));
}

#[test]
fn a_deleted_chat_is_not_created_again_by_an_update() {
    let world = world();
    let session = session(&world);
    let message = answer(&world, &session, MessageStatus::Done);
    assert!(world.store.delete_chat(session.id).unwrap());
    let change = ChatChange { title: Some("Tea".to_owned()), ..ChatChange::default() };
    assert_eq!(world.store.update_chat(session.id, &change).unwrap(), None);
    assert!(!world.store.set_feedback(message.id, Some(Feedback::Up)).unwrap());
    assert!(world.store.chats("", "", 9).unwrap().is_empty());
}

#[test]
fn a_mark_changes_the_feedback_only() {
    let world = world();
    let session = session(&world);
    let stored = |at: usize| world.store.chat_messages(session.id).unwrap().remove(at);
    let running = answer(&world, &session, MessageStatus::Running);
    assert!(world.store.set_feedback(running.id, Some(Feedback::Up)).unwrap());
    assert_eq!((stored(0).status, stored(0).content.feedback), (MessageStatus::Running, Some(Feedback::Up)));
    // Its end doesn't know of the mark.
    let ended = ChatMessage { status: MessageStatus::Done, ..running };
    world.store.put_chat_message(&ended).unwrap();
    assert_eq!((stored(0).status, stored(0).content.feedback), (MessageStatus::Done, Some(Feedback::Up)));

    let last = answer(&world, &session, MessageStatus::Done);
    for feedback in [Some(Feedback::Down), None] {
        assert!(world.store.set_feedback(ended.id, feedback).unwrap());
        let content = MessageContent { feedback, ..ended.content.clone() };
        assert_eq!(stored(0), ChatMessage { content, ..ended.clone() });
        assert_eq!(stored(1), last);
        assert_eq!(world.store.chat(session.id).unwrap().unwrap().head, Some(last.id));
    }
}

/// The same file in another process.
fn other_store(world: &World) -> Store {
    Store::open(Scope::Account, world.store.path(), "other", world.clock.clone(), world.format.clone()).unwrap()
}

#[test]
fn of_two_that_resume_the_same_answer_one_does() {
    let world = world();
    let other = other_store(&world);
    let empty = session(&world);
    let stopped = answer(&world, &empty, MessageStatus::Stopped);
    let session = world.store.chat(empty.id).unwrap().unwrap();
    assert!(world.store.set_feedback(stopped.id, Some(Feedback::Down)).unwrap(), "a mark doesn't matter");
    let running = ChatMessage { status: MessageStatus::Running, ..stopped.clone() };
    let resume = |store: &Store| store.continue_chat(&session, Some(&stopped), slice::from_ref(&running)).unwrap();
    assert_eq!([resume(&other), resume(&world.store), resume(&other)], [true, false, false]);
    let stored = world.store.chat_messages(session.id).unwrap().remove(0);
    assert_eq!((stored.status, stored.content.feedback), (MessageStatus::Running, Some(Feedback::Down)), "another process answers");
}

#[test]
fn of_two_messages_after_the_same_one_one_is_stored() {
    let world = world();
    let other = other_store(&world);
    let id = session(&world).id;
    let mut expected = Vec::new();
    for _ in 0..2 {
        let session = world.store.chat(id).unwrap().unwrap();
        let last = world.store.chat_messages(id).unwrap().pop();
        let notice = ChatStep::Notice { text: "No model is connected.".to_owned() };
        let sent = |number: usize| {
            let question = ChatMessage { role: Role::User, ..unstored(&world, &session, MessageStatus::Done) };
            let steps = vec![notice.clone(); number];
            let answer = ChatMessage { parent: Some(question.id), steps, ..unstored(&world, &session, MessageStatus::Done) };
            [question, answer]
        };
        let (first, second) = (sent(2), sent(1));
        assert!(other.continue_chat(&session, last.as_ref(), &first).unwrap());
        assert!(!world.store.continue_chat(&session, last.as_ref(), &second).unwrap());
        expected.extend(first);
        assert_eq!(world.store.chat_messages(id).unwrap(), expected);
        assert_eq!(world.store.chat(id).unwrap().unwrap().head, expected.last().map(|last| last.id));
    }
}

#[test]
fn an_answer_whose_steps_have_changed_is_not_continued() {
    let world = world();
    let id = session(&world).id;
    let waiting = answer(&world, &world.store.chat(id).unwrap().unwrap(), MessageStatus::Waiting);
    let session = world.store.chat(id).unwrap().unwrap();
    world.store.put_chat_step(waiting.id, 0, &ChatStep::Notice { text: "Allowed by another process.".to_owned() }).unwrap();
    let resumed = ChatMessage { status: MessageStatus::Running, ..waiting.clone() };
    assert!(!world.store.continue_chat(&session, Some(&waiting), slice::from_ref(&resumed)).unwrap());
    assert!(world.store.delete_chat(id).unwrap());
    assert!(!world.store.continue_chat(&session, Some(&waiting), slice::from_ref(&resumed)).unwrap());
    assert!(world.store.chat_messages(id).unwrap().is_empty());
}
