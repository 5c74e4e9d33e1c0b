use inklings_rpc::{CallContext, Failure, operations};

use super::api::{ImportFileParams, MergeVersions};
use super::service;
use crate::app::App;

fn file(app: &App, cx: &CallContext, params: ImportFileParams) -> Result<MergeVersions, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill.to_string(), Some(params.scope))?;
    let repository = catalog.holder(skill.head.id, skill.head.scope)?;
    Ok(service::merge_versions(repository.as_ref(), &skill, &params.path, params.base, &params.file)?)
}

operations! { App;
    /// A file of an update or conflict, before it is stored.
    ImportFile = "import/file", Read, blocking file(ImportFileParams) -> MergeVersions;
}
