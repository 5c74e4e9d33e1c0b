use inklings_core::BindingId;
use inklings_core::binding::{Binding, NewReference, ReferenceTarget};
use inklings_core::files::FileText;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{AttachParams, ReferenceOffers, ReferenceParams, ReferenceSearchParams, SkillReference, SkillReferences};
use super::service::{self, ReferenceService};
use crate::app::App;
use crate::wire::SkillRef;

const DEFAULT_LIMIT: usize = 20;
const MAX_LIMIT: usize = 100;

fn list(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillReferences, Failure> {
    let references = ReferenceService::open(app.workspaces.as_ref(), cx.require_workspace()?)?;
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(SkillReferences { references: references.list(&skill)? })
}

fn search(app: &App, cx: &CallContext, params: ReferenceSearchParams) -> Result<ReferenceOffers, Failure> {
    let references = ReferenceService::open(app.workspaces.as_ref(), cx.require_workspace()?)?;
    Ok(references.search(&params.query, params.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT))?)
}

fn attach(app: &App, cx: &CallContext, params: AttachParams) -> Result<SkillReference, Failure> {
    let references = ReferenceService::open(app.workspaces.as_ref(), cx.require_workspace()?)?;
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    App::caller(cx).ensure_may_change(&skill)?;
    let target = ReferenceTarget::parse(params.target_kind, &params.target_ref)?;
    let id = BindingId::new(app.ids.uuid());
    let reference = NewReference { id, target: &target, position: params.position, actor: &cx.actor };
    Ok(references.attach(&skill, reference, params.allow_missing)?)
}

fn remove(app: &App, cx: &CallContext, params: ReferenceParams) -> Result<Binding, Failure> {
    let bindings = app.workspaces.bindings(cx.require_workspace()?)?;
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    App::caller(cx).ensure_may_change(&skill)?;
    Ok(service::remove(bindings.as_ref(), &skill, params.id)?)
}

fn read(app: &App, cx: &CallContext, params: ReferenceParams) -> Result<FileText, Failure> {
    let references = ReferenceService::open(app.workspaces.as_ref(), cx.require_workspace()?)?;
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(references.read(&skill, params.id)?)
}

operations! { App;
    ListReferences = "reference/list", ReadSkills, blocking list(SkillRef) -> SkillReferences;
    SearchTargets = "reference/search", Read, blocking search(ReferenceSearchParams) -> ReferenceOffers;
    AttachReference = "reference/attach", UpdateSkills["reference"], blocking attach(AttachParams) -> SkillReference;
    /// The page or file itself stays.
    RemoveReference = "reference/remove", UpdateSkills["reference"], blocking remove(ReferenceParams) -> Binding;
    /// The file that a reference leads to, as text.
    ReadReference = "reference/read", Read, blocking read(ReferenceParams) -> FileText;
}
