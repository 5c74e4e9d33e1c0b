use inklings_agent::skill_index::DEFAULT_BUDGET;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{IndexParams, RenderParams, RenderedPrompt, SkillIndex};
use super::service::PromptService;
use crate::app::App;
use crate::features::{agent, chat};

fn render(app: &App, cx: &CallContext, params: RenderParams) -> Result<RenderedPrompt, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let service = PromptService { engine: &app.prompts, runner: &app.runner, models: app.models.as_ref() };
    Ok(service.render(&skill, params)?)
}

fn index(app: &App, cx: &CallContext, params: IndexParams) -> Result<SkillIndex, Failure> {
    let agent = params.agent.map(|name| agent::require(app.agents.as_ref(), &name)).transpose()?;
    let budget = params.budget.unwrap_or(DEFAULT_BUDGET);
    let pinned = chat::pinned(app.user.as_ref())?;
    let first: Vec<&str> = pinned.iter().map(String::as_str).collect();
    Ok(chat::index(&app.catalog(cx)?, agent.as_ref(), &first, params.format, budget)?)
}

operations! { App;
    Render = "prompt/render", ReadSkills, blocking render(RenderParams) -> RenderedPrompt;
    /// The list of skills that is part of an agent's system prompt.
    IndexSkills = "prompt/index", ReadSkills, blocking index(IndexParams) -> SkillIndex;
}
