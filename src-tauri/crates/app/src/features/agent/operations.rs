use inklings_core::agent::Agent;
use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{AgentList, AgentRef, AssignParams, AssignedSkills, CreateAgentParams, UnassignParams, UpdateAgentParams};
use super::error::AgentError;
use super::service;
use crate::app::App;

fn list(app: &App, _: &CallContext, _: NoParams) -> Result<AgentList, Failure> {
    Ok(AgentList { agents: app.agents.agents()? })
}

fn create(app: &App, _: &CallContext, params: CreateAgentParams) -> Result<Agent, Failure> {
    Ok(service::create(app.agents.as_ref(), &params.name, params.profile, params.skills, app.clock.now())?)
}

fn update(app: &App, _: &CallContext, params: UpdateAgentParams) -> Result<Agent, Failure> {
    Ok(service::update(app.agents.as_ref(), params, app.clock.now())?)
}

fn delete(app: &App, _: &CallContext, params: AgentRef) -> Result<Done, Failure> {
    if app.agents.delete_agent(&params.name)? { Ok(Done {}) } else { Err(AgentError::NotFound(params.name).into()) }
}

fn skills(app: &App, _: &CallContext, params: AgentRef) -> Result<AssignedSkills, Failure> {
    Ok(AssignedSkills { skills: service::require(app.agents.as_ref(), &params.name)?.skills })
}

fn assign(app: &App, _: &CallContext, params: AssignParams) -> Result<Agent, Failure> {
    Ok(service::assign(app.agents.as_ref(), &params.agent, &params.skill, params.priority, app.clock.now())?)
}

fn unassign(app: &App, _: &CallContext, params: UnassignParams) -> Result<Agent, Failure> {
    Ok(service::unassign(app.agents.as_ref(), &params.agent, &params.skill, app.clock.now())?)
}

operations! { App;
    ListAgents = "agent/list", Read, blocking list(NoParams) -> AgentList;
    CreateAgent = "agent/create", Write["agent"], blocking create(CreateAgentParams) -> Agent;
    /// Chats follow a new name.
    UpdateAgent = "agent/update", Write["agent"], blocking update(UpdateAgentParams) -> Agent;
    /// Chats keep its name: they have it again if an agent of this name is created.
    DeleteAgent = "agent/delete", Write["agent"], blocking delete(AgentRef) -> Done;
    ListAssignedSkills = "agent/skills", Read, blocking skills(AgentRef) -> AssignedSkills;
    /// Assigns a skill, or changes its priority.
    AssignSkill = "agent/assign", Write["agent"], blocking assign(AssignParams) -> Agent;
    UnassignSkill = "agent/unassign", Write["agent"], blocking unassign(UnassignParams) -> Agent;
}
