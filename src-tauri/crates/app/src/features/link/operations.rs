use std::path::Path;

use inklings_core::Scope;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{LinkFolderParams, LinkList, LinkedSkill, ListLinksParams, SyncLinksParams};
use super::service::LinkService;
use crate::app::App;
use crate::wire::SkillRef;

fn service<'a>(app: &'a App, cx: &'a CallContext) -> Result<LinkService<'a>, Failure> {
    let workspace = cx.workspace.as_deref();
    Ok(LinkService { links: &app.links, workspaces: app.workspaces.as_ref(), catalog: app.catalog(cx)?, workspace })
}

fn list(app: &App, cx: &CallContext, params: ListLinksParams) -> Result<LinkList, Failure> {
    let service = service(app, cx)?;
    let Some(SkillRef { skill, scope }) = params.skill else { return Ok(LinkList { links: service.list()?, git: None }) };
    let skill = service.catalog.require(&skill, scope)?;
    let link = service.of(&skill)?;
    let is_trusted = |folder: &str| match cx.workspace.as_deref().filter(|workspace| Path::new(folder).starts_with(workspace)) {
        Some(workspace) => app.user.is_trusted(&workspace.display().to_string()),
        None => Ok(skill.head.scope == Scope::Account),
    };
    let git = match &link {
        Some(link) => LinkService::git_state(link, is_trusted(&link.folder)?),
        None => None,
    };
    Ok(LinkList { links: link.into_iter().collect(), git })
}

fn add(app: &App, cx: &CallContext, params: LinkFolderParams) -> Result<LinkedSkill, Failure> {
    Ok(service(app, cx)?.add(&params.folder, params.scope)?)
}

fn remove(app: &App, cx: &CallContext, params: SkillRef) -> Result<LinkedSkill, Failure> {
    Ok(service(app, cx)?.remove(&params)?)
}

fn sync(app: &App, cx: &CallContext, params: SyncLinksParams) -> Result<LinkList, Failure> {
    let service = service(app, cx)?;
    let skill = params.skill.map(|wanted| service.catalog.require(&wanted.skill, wanted.scope)).transpose()?;
    service.sync(skill.as_ref())?;
    let links = match &skill {
        Some(skill) => service.of(skill)?.into_iter().collect(),
        None => service.list()?,
    };
    Ok(LinkList { links, git: None })
}

operations! { App;
    ListLinks = "link/list", Read, blocking list(ListLinksParams) -> LinkList;
    /// Links a folder to a skill. A skill of the same name in the scope is merged with it.
    LinkFolder = "link/add", Local["skill"], blocking add(LinkFolderParams) -> LinkedSkill;
    /// Ends the link of a skill. Its files in the folder and in the Studio stay as they are.
    UnlinkSkill = "link/remove", Local["skill"], blocking remove(SkillRef) -> LinkedSkill;
    /// Synchronizes linked skills with their folders, and links new skills of agents.
    SyncLinks = "link/sync", Local["skill"], blocking sync(SyncLinksParams) -> LinkList;
}
