//! Agents, and the chats that they answer in.

use inklings_app::features::agent::{
    AgentRef, AssignParams, AssignSkill, CreateAgent, CreateAgentParams, DeleteAgent, ListAgents, UpdateAgent, UpdateAgentParams,
};
use inklings_app::features::chat::{ChatRef, CreateChat, CreateChatParams, GetChat, SendMessage, SendParams};
use inklings_app::features::note::{GetNotes, SetNotes, SetNotesParams};
use inklings_app::{App, dispatch};
use inklings_core::Scope;
use inklings_core::agent::{Agent, AgentProfile, AssignedSkill};
use inklings_core::chat::MessageStatus;
use inklings_engine::Engine;
use inklings_rpc::{BlockingOperation as _, CallContext, Code, Failure, NoParams, Role};
use serde_json::json;

use crate::hooks::{Hooks, hooked};
use crate::support::{ask, beside_work};

fn assigned(skills: &[(&str, i64)]) -> Vec<AssignedSkill> {
    skills.iter().map(|(slug, priority)| AssignedSkill { slug: (*slug).to_owned(), priority: *priority }).collect()
}

fn change(engine: &Engine, name: &str, change: impl FnOnce(&mut UpdateAgentParams)) -> Result<Agent, Failure> {
    let mut params = UpdateAgentParams { name: name.to_owned(), rename: None, profile: None, skills: None };
    change(&mut params);
    ask::<UpdateAgent>(engine, None, params)
}

#[test]
fn an_agent_is_created_and_changed_with_its_skills_at_once() {
    let (engine, _folder) = beside_work();
    let profile = AgentProfile { notes: "Be strict.".to_owned(), only: true, ..AgentProfile::default() };
    let params = CreateAgentParams {
        name: "auditor".to_owned(),
        profile: profile.clone(),
        skills: assigned(&[("tea-times", 1), ("link-auditor", 2), ("tea-times", 3)]),
    };
    let agent = ask::<CreateAgent>(&engine, None, params).unwrap();
    assert_eq!(agent.skills, assigned(&[("tea-times", 3), ("link-auditor", 2)]));

    let agent = change(&engine, "auditor", |params| params.skills = Some(assigned(&[("zebra", 1), ("aster", 1)]))).unwrap();
    assert_eq!((agent.skills, agent.profile), (assigned(&[("aster", 1), ("zebra", 1)]), profile));
    let refused = change(&engine, "auditor", |params| params.skills = Some(assigned(&[("No slug!", 1)]))).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    let agents = ask::<ListAgents>(&engine, None, NoParams {}).unwrap().agents;
    assert_eq!(agents[0].skills, assigned(&[("aster", 1), ("zebra", 1)]), "nothing of it was stored");
}

#[test]
fn a_chat_follows_the_new_name_of_its_agent_and_says_that_it_was_deleted() {
    let (engine, _folder) = beside_work();
    create(&engine, "auditor");
    create(&engine, "other");
    let chat_of = |agent: Option<&str>| {
        let params = CreateChatParams { agent: agent.map(str::to_owned), ..CreateChatParams::default() };
        ask::<CreateChat>(&engine, None, params).unwrap().id
    };
    let mut changes = engine.changes();
    let mut next_ids = || std::iter::from_fn(|| changes.blocking_recv().ok()).find(|event| event.kind == "chat").unwrap().ids;
    let (session, others, nobodys) = (chat_of(Some("auditor")), chat_of(Some("other")), chat_of(None));
    let agent_of = |session| ask::<GetChat>(&engine, None, ChatRef { session }).unwrap().session.agent;
    while !next_ids().contains(&nobodys.to_string()) {}
    change(&engine, "auditor", |params| params.rename = Some("reviewer".to_owned())).unwrap();
    assert_eq!([agent_of(session), agent_of(others), agent_of(nobodys)], [Some("reviewer".to_owned()), Some("other".to_owned()), None]);
    assert_eq!(next_ids(), [session.to_string()]);

    ask::<DeleteAgent>(&engine, None, AgentRef { name: "reviewer".to_owned() }).unwrap();
    let answer = |text: &str| {
        let params = SendParams { session, text: text.to_owned(), attachments: Vec::new(), skill: None, edits: None };
        ask::<SendMessage>(&engine, None, params).unwrap().messages.pop().unwrap().message
    };
    let failed = answer("hello");
    assert_eq!(failed.status, MessageStatus::Failed);
    assert!(failed.content.error.unwrap().message.contains("the agent \"reviewer\" of this chat was deleted"));
    create(&engine, "reviewer");
    assert_eq!(answer("hello again").status, MessageStatus::Done, "it has its agent again");
}

fn create(engine: &Engine, name: &str) -> Agent {
    let params = CreateAgentParams { name: name.to_owned(), profile: AgentProfile::default(), skills: Vec::new() };
    ask::<CreateAgent>(engine, None, params).unwrap()
}

fn assign(app: &App, skill: &str) -> Result<Agent, Failure> {
    let params = AssignParams { agent: "auditor".to_owned(), skill: skill.to_owned(), priority: 0 };
    AssignSkill::run(app, &CallContext::local(None, "test"), params)
}

#[test]
fn of_two_skills_that_are_assigned_at_once_both_stay() {
    let (engine, _folder) = beside_work();
    let hooks = Hooks::default();
    let app = hooked(&engine, &hooks);
    create(&engine, "auditor");
    let other = engine.app().clone();
    hooks.before("change_agent", move || {
        assign(&other, "tea-times").unwrap();
        Ok(())
    });
    assert_eq!(assign(&app, "link-auditor").unwrap().skills, assigned(&[("link-auditor", 0), ("tea-times", 0)]));
    assert!(hooks.are_done());
}

#[test]
fn a_skill_that_is_assigned_during_a_rename_does_not_bring_the_old_name_back() {
    let (engine, _folder) = beside_work();
    let hooks = Hooks::default();
    let app = hooked(&engine, &hooks);
    create(&engine, "auditor");
    assign(&app, "tea-times").unwrap();
    let other = engine.app().clone();
    hooks.before("change_agent", move || {
        let params = UpdateAgentParams { name: "auditor".to_owned(), rename: Some("reviewer".to_owned()), profile: None, skills: None };
        UpdateAgent::run(&other, &CallContext::local(None, "test"), params).unwrap();
        Ok(())
    });
    assert_eq!(assign(&app, "link-auditor").unwrap_err().code, Code::NotFound);
    assert!(hooks.are_done());
    let agents = ask::<ListAgents>(&engine, None, NoParams {}).unwrap().agents;
    let agents: Vec<_> = agents.into_iter().map(|agent| (agent.name, agent.skills)).collect();
    assert_eq!(agents, [("reviewer".to_owned(), assigned(&[("tea-times", 0)]))]);
}

#[test]
fn an_agent_does_not_get_the_name_of_another_one() {
    let (engine, _folder) = beside_work();
    let (auditor, other) = (create(&engine, "auditor"), create(&engine, "other"));
    let taken = change(&engine, "auditor", |params| params.rename = Some(" other ".to_owned())).unwrap_err();
    assert_eq!((taken.code, taken.message.as_str()), (Code::Exists, "agent \"other\" already exists"));
    let params = CreateAgentParams { name: "other".to_owned(), profile: AgentProfile::default(), skills: Vec::new() };
    assert_eq!(ask::<CreateAgent>(&engine, None, params).unwrap_err().code, Code::Exists);
    assert_eq!(ask::<ListAgents>(&engine, None, NoParams {}).unwrap().agents, [auditor, other]);
}

#[test]
fn notes_that_are_set_while_a_model_adds_to_them_are_not_lost() {
    let (engine, _folder) = beside_work();
    let hooks = Hooks::default();
    let app = hooked(&engine, &hooks);
    let other = engine.app().clone();
    hooks.before("change_notes", move || {
        let params = SetNotesParams { scope: Scope::Account, text: "Drinks tea.".to_owned() };
        SetNotes::run(&other, &CallContext::local(None, "test"), params).unwrap();
        Ok(())
    });
    let cx = CallContext { role: Role::Assistant, ..CallContext::local(None, "test") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let arguments = json!({ "operation": "append", "content": "Lives in Rome." });
    let edited = runtime.block_on(dispatch(app, cx, "tool/edit_system_prompt", arguments)).unwrap();
    assert_eq!(edited["text"], "Drinks tea.\nLives in Rome.");
    assert!(hooks.are_done());
    assert_eq!(ask::<GetNotes>(&engine, None, NoParams {}).unwrap().account, "Drinks tea.\nLives in Rome.");
}
