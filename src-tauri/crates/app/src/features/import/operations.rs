use std::sync::Arc;

use inklings_git::{FetchedRepository, RepositoryAddress, fetch};
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{FetchParams, ImportFileParams, ImportSource};
use super::error::RepositoryError;
use super::service;
use crate::app::App;
use crate::wire::{MergeVersions, SkillRef};

fn file(app: &App, cx: &CallContext, params: ImportFileParams) -> Result<MergeVersions, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill.to_string(), Some(params.scope))?;
    let repository = catalog.holder(skill.head.id, skill.head.scope)?;
    Ok(service::merge_versions(repository.as_ref(), &skill, &params)?)
}

async fn fetch_repository(app: Arc<App>, cx: CallContext, params: FetchParams) -> Result<FetchedRepository, Failure> {
    let address = RepositoryAddress::parse(&params.address).map_err(RepositoryError::from)?;
    let (branch, folder) = (params.branch.as_deref(), params.folder.as_deref());
    let fetched = fetch(&address, branch, folder, &app.repositories, &cx.cancel, &cx.progress).await;
    Ok(fetched.map_err(RepositoryError::from)?)
}

fn source(app: &App, cx: &CallContext, params: SkillRef) -> Result<ImportSource, Failure> {
    Ok(service::source_of(&app.catalog(cx)?.require(&params.skill, params.scope)?)?)
}

operations! { App;
    /// A file of an update or conflict, before it is stored.
    ImportFile = "import/file", Local, blocking file(ImportFileParams) -> MergeVersions;
    /// Copies the files of a git repository to a folder of the account, from which `skill/import` imports them.
    FetchRepository = "import/fetch", Local["repository"], async fetch_repository(FetchParams) -> FetchedRepository;
    /// Where a skill was imported from, to import a newer version of it.
    GetImportSource = "import/source", ReadSkills, blocking source(SkillRef) -> ImportSource;
}
