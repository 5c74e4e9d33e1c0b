use inklings_rpc::{CallContext, Failure, operations};

use super::api::{RenderParams, RenderedPrompt};
use super::service::PromptService;
use crate::app::App;

fn render(app: &App, cx: &CallContext, params: RenderParams) -> Result<RenderedPrompt, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let service = PromptService { engine: &app.prompts, runner: &app.runner, models: app.models.as_ref() };
    Ok(service.render(&skill, params)?)
}

operations! { App;
    Render = "prompt/render", Read, blocking render(RenderParams) -> RenderedPrompt;
}
