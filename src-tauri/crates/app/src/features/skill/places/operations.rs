use inklings_rpc::{CallContext, Failure, operations};

use super::api::Places;
use super::service;
use crate::app::App;
use crate::wire::SkillRef;

fn places(app: &App, cx: &CallContext, params: SkillRef) -> Result<Places, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    Ok(service::places(&catalog, app.agent_folders(cx), &app.copies, &skill)?)
}

operations! { App;
    FindPlaces = "skill/places", Read, blocking places(SkillRef) -> Places;
}
