//! `inklings agent` and `inklings notes`

use inklings_app::features::agent::{
    AgentRef, AssignParams, AssignSkill, CreateAgent, CreateAgentParams, DeleteAgent, ListAgents, ListAssignedSkills, UnassignParams,
    UnassignSkill, UpdateAgent, UpdateAgentParams,
};
use inklings_app::features::note::{GetNotes, SetNotes, SetNotesParams, UserNotes};
use inklings_core::agent::{Agent, AgentProfile, AssignedSkill};
use inklings_rpc::{Code, Failure, NoParams};

use crate::args::{AgentCommand, NotesCommand, ProfileArgs};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::{Out, table};

const MAX_NOTES_BYTES: usize = 64 * 1024;

pub(crate) async fn run(session: &Session, command: AgentCommand, out: &Out) -> Result<(), CliError> {
    match command {
        AgentCommand::List => out.result(&session.call::<ListAgents>(NoParams {}).await?, |list| {
            if list.agents.is_empty() {
                return "no agents".to_owned();
            }
            table(&list.agents.iter().map(|agent| vec![agent.name.clone(), skills(&agent.skills)]).collect::<Vec<_>>())
        }),
        AgentCommand::Create { name, profile } => {
            let profile = changed(AgentProfile::default(), profile);
            out.result(&session.call::<CreateAgent>(CreateAgentParams { name, profile, skills: Vec::new() }).await?, text)
        }
        AgentCommand::Update { name, rename, profile } => {
            let agents = session.call::<ListAgents>(NoParams {}).await?.agents;
            let current = agents.into_iter().find(|agent| agent.name == name);
            let current =
                current.ok_or_else(|| Failure::new(Code::NotFound, format!("agent {name:?} not found")).hint("check the name"))?;
            let profile = Some(changed(current.profile, profile));
            out.result(&session.call::<UpdateAgent>(UpdateAgentParams { name, rename, profile, skills: None }).await?, text)
        }
        AgentCommand::Delete { name } => {
            out.result(&session.call::<DeleteAgent>(AgentRef { name: name.clone() }).await?, |_| format!("deleted {name}"))
        }
        AgentCommand::Skills { name } => {
            out.result(&session.call::<ListAssignedSkills>(AgentRef { name }).await?, |assigned| skills(&assigned.skills))
        }
        AgentCommand::Assign { name, skill, priority } => {
            out.result(&session.call::<AssignSkill>(AssignParams { agent: name, skill, priority }).await?, text)
        }
        AgentCommand::Unassign { name, skill } => {
            out.result(&session.call::<UnassignSkill>(UnassignParams { agent: name, skill }).await?, text)
        }
    }
}

fn changed(mut profile: AgentProfile, args: ProfileArgs) -> AgentProfile {
    if let Some(notes) = args.notes {
        profile.notes = notes;
    }
    if args.model.is_some() {
        profile.model = args.model;
    }
    if !args.tools.is_empty() {
        profile.tools = Some(args.tools);
    }
    if let Some(only) = args.only {
        profile.only = only;
    }
    profile
}

fn text(agent: &Agent) -> String {
    format!("{}: {}", agent.name, skills(&agent.skills))
}

fn skills(skills: &[AssignedSkill]) -> String {
    if skills.is_empty() {
        return "no skills".to_owned();
    }
    skills.iter().map(|skill| format!("{} ({})", skill.slug, skill.priority)).collect::<Vec<_>>().join(", ")
}

pub(crate) async fn notes(session: &Session, command: NotesCommand, out: &Out) -> Result<(), CliError> {
    let notes = match command {
        NotesCommand::Show => session.call::<GetNotes>(NoParams {}).await?,
        NotesCommand::Set { text, scope } => {
            let text = if text == "-" { read_text("-".as_ref(), MAX_NOTES_BYTES)? } else { text };
            session.call::<SetNotes>(SetNotesParams { scope: scope.into(), text }).await?
        }
    };
    out.result(&notes, notes_text)
}

fn notes_text(notes: &UserNotes) -> String {
    let text = |text: &str| if text.trim().is_empty() { "no notes".to_owned() } else { text.trim_end().to_owned() };
    match &notes.workspace {
        Some(workspace) => format!("account:\n{}\n\nworkspace:\n{}", text(&notes.account), text(workspace)),
        None => text(&notes.account),
    }
}
