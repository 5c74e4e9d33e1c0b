//! `reference/*`: pages, files and web addresses that a person attached to a skill as reference material, in the open workspace.
//!
//! They belong to the workspace: exports leave them out, and runs don't read them. Any skill that the workspace sees can have some, also
//! a locked one, since attaching changes nothing in it.

use std::path::Path;
use std::sync::Arc;

use inklings_core::binding::{Binding, Bindings, NewReference, ReferenceTarget, TargetKind};
use inklings_core::files::{FileText, WorkspaceFiles};
use inklings_core::pages::{PageFilter, PageOrder, Pages, PagesError};
use inklings_core::trace::TracedSkill;
use inklings_core::{BindingId, Scope, Skill, StorageError};
use inklings_rpc::{CallContext, Code, Failure, operations};

use super::api::{
    AttachParams, ReferenceForm, ReferenceOffer, ReferenceOffers, ReferenceParams, ReferenceSearchParams, SkillReference, SkillReferences,
};
use crate::app::App;
use crate::wire::SkillRef;

/// Targets that a search names, of pages and of files, when nothing else is said, and at most.
const DEFAULT_LIMIT: usize = 20;

const MAX_LIMIT: usize = 100;

/// The open workspace, as far as references lead into it.
struct Workspace {
    bindings: Arc<dyn Bindings>,
    pages: Arc<dyn Pages>,
    files: Arc<dyn WorkspaceFiles>,
}

impl Workspace {
    fn open(app: &App, cx: &CallContext) -> Result<Self, Failure> {
        let path = workspace_path(cx)?;
        Ok(Self { bindings: app.scopes.bindings(path)?, pages: app.scopes.pages(path)?, files: app.scopes.files(path)? })
    }

    /// A reference with what its target is now.
    fn described(&self, binding: Binding) -> SkillReference {
        let target = ReferenceTarget::parse(binding.target_kind, &binding.target_ref);
        let (form, title, problem) = match &target {
            Ok(ReferenceTarget::Page(slug)) => match self.pages.page(slug) {
                Ok(page) => (ReferenceForm::Page, page.summary.title, None),
                Err(PagesError::NotFound { .. }) => {
                    (ReferenceForm::Page, slug.clone(), Some("the page isn't in this workspace".to_owned()))
                }
                Err(error) => (ReferenceForm::Page, slug.clone(), Some(error.to_string())),
            },
            Ok(ReferenceTarget::File(path)) => {
                let problem = match self.files.file(path) {
                    Ok(Some(_)) => None,
                    Ok(None) => Some("the file isn't in this workspace".to_owned()),
                    Err(error) => Some(error.to_string()),
                };
                (ReferenceForm::File, file_name(path).to_owned(), problem)
            }
            Ok(ReferenceTarget::Address(address)) => (ReferenceForm::Address, address.host_str().unwrap_or_default().to_owned(), None),
            Err(error) => (ReferenceForm::File, binding.target_ref.clone(), Some(error.to_string())),
        };
        SkillReference { binding, form, title, problem }
    }

    /// The target as it is stored, once it is known to be there.
    fn existing(&self, target: ReferenceTarget) -> Result<ReferenceTarget, Failure> {
        match target {
            ReferenceTarget::Page(slug) => Ok(ReferenceTarget::Page(self.pages.page(&slug)?.summary.slug)),
            ReferenceTarget::File(path) => match self.files.file(&path)? {
                Some(file) => Ok(ReferenceTarget::File(file.path)),
                None => Err(no_file(&path)),
            },
            ReferenceTarget::Address(address) => Ok(ReferenceTarget::Address(address)),
        }
    }
}

fn workspace_path(cx: &CallContext) -> Result<&Path, Failure> {
    let none = || Failure::invalid("no workspace is open").hint("open the folder that the references are in");
    cx.workspace.as_deref().ok_or_else(none)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn no_file(path: &str) -> Failure {
    Failure::new(Code::NotFound, format!("{path} isn't a file in this workspace"))
        .hint("check the path, which is relative to the workspace")
}

fn find_skill(app: &App, cx: &CallContext, skill: &str, scope: Option<Scope>) -> Result<Skill, Failure> {
    Ok(app.catalog(cx)?.require(skill, scope)?)
}

fn traced(skill: &Skill) -> TracedSkill {
    TracedSkill { scope: skill.head.scope, id: skill.head.id, slug: skill.package.slug.clone(), revision: skill.head.revision }
}

fn list(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillReferences, Failure> {
    let workspace = Workspace::open(app, cx)?;
    let skill = find_skill(app, cx, &params.skill, params.scope)?;
    let stored = workspace.bindings.references(skill.head.id)?;
    Ok(SkillReferences { references: stored.into_iter().map(|binding| workspace.described(binding)).collect() })
}

fn search(app: &App, cx: &CallContext, params: ReferenceSearchParams) -> Result<ReferenceOffers, Failure> {
    let workspace = Workspace::open(app, cx)?;
    let (query, limit) = (params.query.trim(), params.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT));
    if let Ok(target @ ReferenceTarget::Address(_)) = ReferenceTarget::parse(TargetKind::Document, query) {
        return Ok(ReferenceOffers { offers: vec![offer(&target, None)], is_partial: false });
    }
    let pages: Vec<(String, String)> = if query.is_empty() {
        let newest = PageFilter { order: PageOrder::Modified, ..PageFilter::default() };
        workspace.pages.list(&newest, 0, limit)?.pages.into_iter().map(|page| (page.slug, page.title)).collect()
    } else {
        workspace.pages.search(query, limit)?.into_iter().map(|hit| (hit.slug, hit.title)).collect()
    };
    let found = workspace.files.find(query, limit)?;
    let pages = pages.into_iter().map(|(slug, title)| offer(&ReferenceTarget::Page(slug), Some(title)));
    let files = found.files.into_iter().map(|file| offer(&ReferenceTarget::File(file.path), None));
    Ok(ReferenceOffers { offers: pages.chain(files).collect(), is_partial: found.is_partial })
}

fn offer(target: &ReferenceTarget, title: Option<String>) -> ReferenceOffer {
    let (form, short) = match target {
        ReferenceTarget::Page(slug) => (ReferenceForm::Page, slug.as_str()),
        ReferenceTarget::File(path) => (ReferenceForm::File, file_name(path)),
        ReferenceTarget::Address(address) => (ReferenceForm::Address, address.host_str().unwrap_or_default()),
    };
    ReferenceOffer {
        target_kind: target.kind(),
        target_ref: target.as_str().to_owned(),
        form,
        title: title.unwrap_or_else(|| short.to_owned()),
    }
}

fn attach(app: &App, cx: &CallContext, params: AttachParams) -> Result<SkillReference, Failure> {
    let workspace = Workspace::open(app, cx)?;
    let skill = find_skill(app, cx, &params.skill, params.scope)?;
    let target = ReferenceTarget::parse(params.target_kind, &params.target_ref)?;
    let target = match workspace.existing(target.clone()) {
        Err(failure) if failure.code == Code::NotFound && params.allow_missing => target,
        found => found?,
    };
    let id = BindingId::new(app.ids.uuid());
    let new = NewReference { id, target: &target, position: params.position, actor: &cx.actor };
    match workspace.bindings.add_reference(&traced(&skill), &new)? {
        Some(binding) => Ok(workspace.described(binding)),
        None => Err(Failure::new(Code::Exists, format!("{} is attached to {} already", target.as_str(), skill.package.slug))),
    }
}

fn remove(app: &App, cx: &CallContext, params: ReferenceParams) -> Result<Binding, Failure> {
    let bindings = app.scopes.bindings(workspace_path(cx)?)?;
    let skill = find_skill(app, cx, &params.skill, params.scope)?;
    Ok(bindings.remove_reference(skill.head.id, params.id)?.ok_or_else(|| no_reference(&params))?)
}

fn no_reference(params: &ReferenceParams) -> StorageError {
    StorageError::NotFound { what: "reference", name: params.id.to_string() }
}

fn read(app: &App, cx: &CallContext, params: ReferenceParams) -> Result<FileText, Failure> {
    let workspace = Workspace::open(app, cx)?;
    let skill = find_skill(app, cx, &params.skill, params.scope)?;
    let stored = workspace.bindings.references(skill.head.id)?.into_iter().find(|binding| binding.id == params.id);
    let stored = stored.ok_or_else(|| no_reference(&params))?;
    match ReferenceTarget::parse(stored.target_kind, &stored.target_ref)? {
        ReferenceTarget::File(path) => workspace.files.read(&path)?.ok_or_else(|| no_file(&path)),
        ReferenceTarget::Page(text) => {
            Err(Failure::invalid(format!("{text} is a page, not a file")).hint("open it among the pages of the workspace"))
        }
        ReferenceTarget::Address(address) => {
            Err(Failure::invalid(format!("{address} is a web page, not a file")).hint("open it in a browser"))
        }
    }
}

operations! { App;
    ListReferences = "reference/list", Read, blocking list(SkillRef) -> SkillReferences;
    SearchTargets = "reference/search", Read, blocking search(ReferenceSearchParams) -> ReferenceOffers;
    AttachReference = "reference/attach", Write["reference"], blocking attach(AttachParams) -> SkillReference;
    /// The page or file itself stays.
    RemoveReference = "reference/remove", Write["reference"], blocking remove(ReferenceParams) -> Binding;
    /// The file that a reference leads to, as text.
    ReadReference = "reference/read", Read, blocking read(ReferenceParams) -> FileText;
}
