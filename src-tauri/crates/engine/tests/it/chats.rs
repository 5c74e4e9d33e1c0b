//! Chats in one process.

use std::path::Path;
use std::sync::Arc;

use inklings_app::App;
use inklings_app::features::chat::{
    ChatDetail, ChatRef, CreateChat, CreateChatParams, DeleteChat, GetChat, ListChats, ListChatsParams, MarkAnswer, MarkParams, MessageRef,
    Permit, PermitParams, PermitTool, ResumeAnswer, RetryAnswer, SendMessage, SendParams, UpdateChat, UpdateChatParams,
};
use inklings_app::features::prompt::{IndexFormat, IndexParams, IndexSkills};
use inklings_app::features::settings::{SetParams, SetSetting};
use inklings_app::features::skill::{Create, CreateParams};
use inklings_core::chat::{ChatMessage, ChatStep, Feedback, MessageStatus, ToolStatus, ToolStep};
use inklings_core::model::{Role, ToolCall};
use inklings_core::{Scope, SessionId};
use inklings_engine::Engine;
use inklings_rpc::{BlockingOperation, CallContext, Code, Failure, Operation, call};
use serde_json::json;

use crate::hooks::{Hooks, hooked};
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

/// A chat of which a call is made while something else happens to it.
struct World {
    engine: Engine,
    _folder: tempfile::TempDir,
    hooks: Hooks,
    app: Arc<App>,
    session: SessionId,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        let hooks = Hooks::default();
        let app = hooked(&engine, &hooks);
        let session = ask::<CreateChat>(&engine, None, CreateChatParams::default()).unwrap().id;
        Self { engine, _folder: folder, hooks, app, session }
    }

    fn run<T: BlockingOperation<App = App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        let result = T::run(&self.app, &CallContext::local(None, "test"), params);
        assert!(self.hooks.are_done(), "{} didn't come where the test waited for it", T::NAME);
        result
    }

    fn send_before(&self, method: &'static str, text: &'static str) {
        let (app, session) = (self.engine.app().clone(), self.session);
        self.hooks.before(method, move || {
            send(&app, session, text);
            Ok(())
        });
    }

    /// How a call is refused that continues the chat, if another process continues it after the call has read it.
    fn overtaken<First: Operation<App = App>, Second: Operation<App = App>>(
        &self,
        first: First::Params,
        second: Second::Params,
    ) -> Failure {
        let other = self.engine.app().clone();
        self.hooks.before("continue_chat", move || {
            // This thread has a runtime already.
            std::thread::spawn(move || called::<First>(&other, first).map(drop)).join().unwrap().unwrap();
            Ok(())
        });
        let refused = called::<Second>(&self.app, second).err().unwrap();
        assert!(self.hooks.are_done(), "{} didn't continue the chat", Second::NAME);
        refused
    }

    fn last(&self) -> ChatMessage {
        self.detail().messages.pop().unwrap().message
    }

    /// Stores the last answer in another state.
    fn end_with(&self, status: MessageStatus) {
        self.engine.app().chats.put_chat_message(&ChatMessage { status, ..self.last() }).unwrap();
    }

    /// Lets the last answer wait for a permission of a call `a`.
    fn ask(&self) {
        let call = ToolCall { id: "a".to_owned(), name: "list_skills".to_owned(), arguments: json!({}), invalid_arguments: None };
        let step = ToolStep { call, status: ToolStatus::Asked, preview: None, result: None, change: None, run: None, proposal: None };
        let answer = self.last();
        let step = ChatStep::Tool { round: 0, step: Box::new(step) };
        self.engine.app().chats.put_chat_step(answer.id, answer.steps.len(), &step).unwrap();
        self.end_with(MessageStatus::Waiting);
    }

    fn permit(&self, permit: Permit) -> PermitParams {
        PermitParams { session: self.session, call: "a".to_owned(), permit }
    }

    fn detail(&self) -> ChatDetail {
        ask::<GetChat>(&self.engine, None, ChatRef { session: self.session }).unwrap()
    }

    fn rename(&self) -> UpdateChatParams {
        UpdateChatParams { session: self.session, title: Some("Tea".to_owned()), agent: None, model: None }
    }
}

/// Without a model, the answer has no text.
fn send(app: &Arc<App>, session: SessionId, text: &str) -> ChatDetail {
    called::<SendMessage>(app, message(session, text)).unwrap()
}

fn message(session: SessionId, text: &str) -> SendParams {
    SendParams { session, text: text.to_owned(), attachments: Vec::new(), skill: None, edits: None }
}

fn called<T: Operation<App = App>>(app: &Arc<App>, params: T::Params) -> Result<T::Output, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(call::<T>(app, CallContext::local(None, "test"), params))
}

/// The status of the last tool call of an answer.
fn last_call(answer: &ChatMessage) -> ToolStatus {
    match answer.steps.last() {
        Some(ChatStep::Tool { step, .. }) => step.status,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn of_two_processes_that_answer_a_chat_at_once_one_is_refused() {
    let world = World::new();
    let session = world.session;
    for count in 1..=2 {
        let refused = world.overtaken::<SendMessage, SendMessage>(message(session, "one"), message(session, "two"));
        assert_eq!(refused.code, Code::Busy);
        let ChatDetail { session, messages, .. } = world.detail();
        let asked: Vec<_> = messages.iter().map(|entry| &entry.message).filter(|message| message.role == Role::User).collect();
        assert!(asked.len() == count && asked.iter().all(|message| message.content.text == "one"), "{asked:?}");
        assert_eq!((messages.len(), session.title.as_str()), (2 * count, "one"));
    }
    let answer = MessageRef { session, message: world.last().id };
    assert_eq!(world.overtaken::<RetryAnswer, RetryAnswer>(answer.clone(), answer).code, Code::Busy);
    assert_eq!(world.detail().messages.pop().unwrap().versions.len(), 2);
    world.end_with(MessageStatus::Interrupted);
    let chat = ChatRef { session };
    assert_eq!(world.overtaken::<ResumeAnswer, ResumeAnswer>(chat.clone(), chat).code, Code::Busy);
    assert_eq!(world.last().status, MessageStatus::Done);
}

#[test]
fn of_two_processes_that_end_the_wait_for_a_permission_one_is_refused() {
    let world = World::new();
    let session = world.session;
    send(world.engine.app(), session, "hello");
    world.ask();
    let refused = world.overtaken::<PermitTool, PermitTool>(world.permit(Permit::Deny), world.permit(Permit::Once));
    assert_eq!((refused.code, last_call(&world.last())), (Code::Busy, ToolStatus::Denied));
    world.ask();
    let refused = world.overtaken::<PermitTool, SendMessage>(world.permit(Permit::Once), message(session, "instead"));
    assert_eq!((refused.code, last_call(&world.last())), (Code::Busy, ToolStatus::Allowed));
    world.ask();
    let refused = world.overtaken::<SendMessage, PermitTool>(message(session, "instead"), world.permit(Permit::Once));
    assert_eq!(refused.code, Code::Busy);
    let messages = world.detail().messages;
    let answer = &messages[1].message;
    assert_eq!((messages.len(), answer.status, last_call(answer)), (4, MessageStatus::Done, ToolStatus::Denied));
}

#[test]
fn a_chat_that_is_renamed_while_a_message_is_sent_keeps_the_message() {
    let world = World::new();
    world.send_before("update_chat", "hello");
    let renamed = world.run::<UpdateChat>(world.rename()).unwrap();
    let ChatDetail { session, messages, .. } = world.detail();
    assert_eq!((session.title.as_str(), messages.len()), ("Tea", 2));
    assert_eq!(renamed, session);
}

#[test]
fn a_chat_that_is_deleted_while_it_is_renamed_stays_deleted() {
    let world = World::new();
    let (app, session) = (world.engine.app().clone(), world.session);
    world.hooks.before("update_chat", move || {
        DeleteChat::run(&app, &CallContext::local(None, "test"), ChatRef { session }).unwrap();
        Ok(())
    });
    assert_eq!(world.run::<UpdateChat>(world.rename()).unwrap_err().code, Code::NotFound);
    assert!(ask::<ListChats>(&world.engine, None, ListChatsParams::default()).unwrap().sessions.is_empty());
}

#[test]
fn an_answer_that_is_marked_while_a_message_is_sent_does_not_hide_the_message() {
    let world = World::new();
    let message = send(world.engine.app(), world.session, "one").messages.pop().unwrap().message.id;
    world.send_before("set_feedback", "two");
    world.run::<MarkAnswer>(MarkParams { session: world.session, message, feedback: Some(Feedback::Up) }).unwrap();
    let messages = world.detail().messages;
    assert_eq!(messages.len(), 4);
    assert_eq!(messages[1].message.content.feedback, Some(Feedback::Up));
}
