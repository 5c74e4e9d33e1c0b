use inklings_rpc::{CallContext, Failure, operations};

use super::api::{ArrivingFileParams, ThreeFiles};
use super::service;
use crate::app::App;

fn file(app: &App, cx: &CallContext, params: ArrivingFileParams) -> Result<ThreeFiles, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill.to_string(), Some(params.scope))?;
    let repository = catalog.holder(skill.head.id, skill.head.scope)?;
    Ok(service::three_sides(repository.as_ref(), &skill, &params.path, params.base, &params.file)?)
}

operations! { App;
    /// One file of an update or a conflict, before anything is stored.
    ArrivingFile = "import/file", Read, blocking file(ArrivingFileParams) -> ThreeFiles;
}
