//! Agents, and the chats that they answer in.

use inklings_app::features::agent::{AgentRef, CreateAgent, CreateAgentParams, DeleteAgent, ListAgents, UpdateAgent, UpdateAgentParams};
use inklings_app::features::chat::{ChatRef, CreateChat, CreateChatParams, GetChat, SendMessage, SendParams};
use inklings_core::agent::{Agent, AgentProfile, AssignedSkill};
use inklings_core::chat::MessageStatus;
use inklings_engine::Engine;
use inklings_rpc::{Code, NoParams};

use crate::support::{ask, beside_work};

fn assigned(skills: &[(&str, i64)]) -> Vec<AssignedSkill> {
    skills.iter().map(|(slug, priority)| AssignedSkill { slug: (*slug).to_owned(), priority: *priority }).collect()
}

fn change(engine: &Engine, name: &str, change: impl FnOnce(&mut UpdateAgentParams)) -> Result<Agent, inklings_rpc::Failure> {
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
    let create = |name: &str| {
        let params = CreateAgentParams { name: name.to_owned(), profile: AgentProfile::default(), skills: Vec::new() };
        ask::<CreateAgent>(&engine, None, params).unwrap();
    };
    create("auditor");
    create("other");
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
    create("reviewer");
    assert_eq!(answer("hello again").status, MessageStatus::Done, "it has its agent again");
}
