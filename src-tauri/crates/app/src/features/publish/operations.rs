use inklings_rpc::{CallContext, Failure, operations};

use super::api::{
    CreateRegistryParams, CreatedRegistry, PlanReleaseParams, PublishFolder, PublishStatus, PublishedState, RefreshParams, ReleaseParams,
    ReleasePlan, ReleaseReport, RevokeParams, RotateKeysParams, VerifiedRegistry, YankParams,
};
use super::release::ReleaseService;
use super::service::PublishService;
use crate::app::App;

fn service(app: &App) -> PublishService<'_> {
    PublishService { format: &app.folder, prompts: &app.prompts, clock: app.clock.as_ref(), keys: &app.registry_keys }
}

fn releases<'a>(app: &'a App, cx: &'a CallContext) -> Result<ReleaseService<'a>, Failure> {
    Ok(ReleaseService { publish: service(app), editor: app.editor(cx)?, cancel: &cx.cancel, progress: &cx.progress })
}

fn create(app: &App, _: &CallContext, params: CreateRegistryParams) -> Result<CreatedRegistry, Failure> {
    Ok(service(app).create(params)?)
}

fn status(app: &App, _: &CallContext, params: PublishFolder) -> Result<PublishStatus, Failure> {
    Ok(service(app).status(&params.folder)?)
}

fn verify(app: &App, _: &CallContext, params: PublishFolder) -> Result<VerifiedRegistry, Failure> {
    Ok(service(app).verify(&params.folder)?)
}

fn plan(app: &App, cx: &CallContext, params: PlanReleaseParams) -> Result<ReleasePlan, Failure> {
    Ok(releases(app, cx)?.plan(&params)?)
}

fn release(app: &App, cx: &CallContext, params: ReleaseParams) -> Result<ReleaseReport, Failure> {
    Ok(releases(app, cx)?.release(&params)?)
}

fn yank(app: &App, _: &CallContext, params: YankParams) -> Result<PublishedState, Failure> {
    Ok(service(app).yank(&params.target, &params.skill, &params.version, params.reason.as_deref())?)
}

fn revoke(app: &App, _: &CallContext, params: RevokeParams) -> Result<PublishedState, Failure> {
    Ok(service(app).revoke(&params.target, &params.skill, &params.version, &params.reason)?)
}

fn refresh(app: &App, _: &CallContext, params: RefreshParams) -> Result<PublishedState, Failure> {
    Ok(service(app).refresh(&params.target)?)
}

fn rotate(app: &App, _: &CallContext, params: RotateKeysParams) -> Result<PublishedState, Failure> {
    Ok(service(app).rotate(&params.target, &params.keys)?)
}

operations! { App;
    /// Creates an empty registry and its keys.
    CreateRegistry = "publish/create", Local["publish"], blocking create(CreateRegistryParams) -> CreatedRegistry;
    GetPublishStatus = "publish/status", Local, blocking status(PublishFolder) -> PublishStatus;
    /// Verifies everything as clients do. Fails at the first problem.
    VerifyRegistry = "publish/verify", Local, blocking verify(PublishFolder) -> VerifiedRegistry;
    /// What a release of skills would publish, and what is in its way.
    PlanRelease = "publish/plan", Local, blocking plan(PlanReleaseParams) -> ReleasePlan;
    /// Publishes all skills or none. New versions are written to the stored skills first, and stay if the registry can't be written.
    ReleaseSkills = "publish/release", Local["publish", "skill"], blocking release(ReleaseParams) -> ReleaseReport;
    /// Stops offering a version to those who don't have it, or offers it again.
    YankVersion = "publish/yank", Local["publish"], blocking yank(YankParams) -> PublishedState;
    /// Withdraws a version for good, also where it is installed.
    RevokeVersion = "publish/revoke", Local["publish"], blocking revoke(RevokeParams) -> PublishedState;
    /// Signs the registry's state again if half of its validity has passed.
    RefreshRegistry = "publish/refresh", Local["publish"], blocking refresh(RefreshParams) -> PublishedState;
    /// Replaces keys by new ones. Published skills stay valid, and clients follow.
    RotateKeys = "publish/rotate", Local["publish"], blocking rotate(RotateKeysParams) -> PublishedState;
}
