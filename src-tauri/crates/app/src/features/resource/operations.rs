use inklings_rpc::{CallContext, Failure, operations};

use super::api::{ExposedContent, ExposedSkill, ExposedSkills, ExternalSkills, ListResourcesParams, ReadResourceParams, ResourceRef};
use super::service;
use crate::app::App;

fn list(app: &App, cx: &CallContext, params: ListResourcesParams) -> Result<ExposedSkills, Failure> {
    Ok(service::list(&app.catalog(cx)?, &params)?)
}

fn external(app: &App, cx: &CallContext, params: ListResourcesParams) -> Result<ExternalSkills, Failure> {
    Ok(service::list_external(&app.catalog(cx)?, &params)?)
}

fn get(app: &App, cx: &CallContext, params: ResourceRef) -> Result<ExposedSkill, Failure> {
    Ok(service::get(&app.catalog(cx)?, &params.slug)?)
}

fn read(app: &App, cx: &CallContext, params: ReadResourceParams) -> Result<ExposedContent, Failure> {
    Ok(service::read(&app.catalog(cx)?, &params.slug, &params.path)?)
}

operations! { App;
    ListResources = "resource/list", ReadSkills, blocking list(ListResourcesParams) -> ExposedSkills;
    /// What the skills are for, without their instructions: for callers outside the organization.
    ListExternal = "resource/external", ReadSkills, blocking external(ListResourcesParams) -> ExternalSkills;
    GetResource = "resource/get", ReadSkills, blocking get(ResourceRef) -> ExposedSkill;
    /// The bytes of a file, exactly as stored.
    ReadResource = "resource/read", ReadSkills, blocking read(ReadResourceParams) -> ExposedContent;
}
