use std::path::Path;
use std::sync::Arc;

use inklings_core::binding::{Binding, Bindings, NewReference, ReferenceTarget, TargetKind};
use inklings_core::files::{FileText, WorkspaceFiles};
use inklings_core::pages::{PageFilter, PageOrder, Pages, PagesError};
use inklings_core::trace::TracedSkill;
use inklings_core::{BindingId, Skill, StorageError};

use super::api::{ReferenceForm, ReferenceOffer, ReferenceOffers, SkillReference};
use super::error::ReferenceError;
use crate::workspace_manager::{WorkspaceAccessError, WorkspaceManager};

/// The references of one workspace's skills.
pub(super) struct ReferenceService {
    bindings: Arc<dyn Bindings>,
    pages: Arc<dyn Pages>,
    files: Arc<dyn WorkspaceFiles>,
}

impl ReferenceService {
    pub(super) fn open(workspaces: &dyn WorkspaceManager, path: &Path) -> Result<Self, WorkspaceAccessError> {
        Ok(Self { bindings: workspaces.bindings(path)?, pages: workspaces.pages(path)?, files: workspaces.files(path)? })
    }

    /// In their order.
    pub(super) fn list(&self, skill: &Skill) -> Result<Vec<SkillReference>, StorageError> {
        let stored = self.bindings.references(skill.head.id)?;
        Ok(stored.into_iter().map(|binding| self.describe(binding)).collect())
    }

    /// Pages and files that can be attached, each at most `limit`; or the address that `query` is.
    pub(super) fn search(&self, query: &str, limit: usize) -> Result<ReferenceOffers, ReferenceError> {
        let query = query.trim();
        if let Ok(target @ ReferenceTarget::Address(_)) = ReferenceTarget::parse(TargetKind::Document, query) {
            return Ok(ReferenceOffers { offers: vec![offer(&target, None)], is_partial: false });
        }
        let pages: Vec<(String, String)> = if query.is_empty() {
            let newest = PageFilter { order: PageOrder::Modified, ..PageFilter::default() };
            self.pages.list(&newest, 0, limit)?.pages.into_iter().map(|page| (page.slug, page.title)).collect()
        } else {
            self.pages.search(query, limit)?.into_iter().map(|hit| (hit.slug, hit.title)).collect()
        };
        let found = self.files.find(query, limit)?;
        let pages = pages.into_iter().map(|(slug, title)| offer(&ReferenceTarget::Page(slug), Some(title)));
        let files = found.files.into_iter().map(|file| offer(&ReferenceTarget::File(file.path), None));
        Ok(ReferenceOffers { offers: pages.chain(files).collect(), is_partial: found.is_partial })
    }

    /// Attaches a target before the reference at `position`, or at the end. A missing page or file is refused unless `allow_missing`.
    pub(super) fn attach(&self, skill: &Skill, reference: NewReference<'_>, allow_missing: bool) -> Result<SkillReference, ReferenceError> {
        let existing = match self.existing(reference.target) {
            Err(error) if error.is_missing_target() && allow_missing => reference.target.clone(),
            found => found?,
        };
        let reference = NewReference { target: &existing, ..reference };
        match self.bindings.add_reference(&TracedSkill::of(skill), &reference)? {
            Some(binding) => Ok(self.describe(binding)),
            None => Err(ReferenceError::AlreadyAttached { target: existing.as_str().to_owned(), skill: skill.package.slug.clone() }),
        }
    }

    /// The text of the file that a reference leads to.
    pub(super) fn read(&self, skill: &Skill, id: BindingId) -> Result<FileText, ReferenceError> {
        let stored = self.bindings.references(skill.head.id)?.into_iter().find(|binding| binding.id == id);
        let stored = stored.ok_or_else(|| no_such_reference(id))?;
        match ReferenceTarget::parse(stored.target_kind, &stored.target_ref)? {
            ReferenceTarget::File(path) => self.files.read(&path)?.ok_or(ReferenceError::NoSuchFile(path)),
            ReferenceTarget::Page(slug) => Err(ReferenceError::IsPage(slug)),
            ReferenceTarget::Address(address) => Err(ReferenceError::IsAddress(address.to_string())),
        }
    }

    /// A reference and the present state of its target.
    fn describe(&self, binding: Binding) -> SkillReference {
        let target = ReferenceTarget::parse(binding.target_kind, &binding.target_ref);
        let (form, title, problem) = match &target {
            Ok(ReferenceTarget::Page(slug)) => match self.pages.page(slug) {
                Ok(page) => (ReferenceForm::Page, page.summary.title, None),
                Err(PagesError::NotFound { .. }) => {
                    (ReferenceForm::Page, slug.clone(), Some("page not found in this workspace".to_owned()))
                }
                Err(error) => (ReferenceForm::Page, slug.clone(), Some(error.to_string())),
            },
            Ok(ReferenceTarget::File(path)) => {
                let problem = match self.files.file(path) {
                    Ok(Some(_)) => None,
                    Ok(None) => Some("file not found in this workspace".to_owned()),
                    Err(error) => Some(error.to_string()),
                };
                (ReferenceForm::File, file_name(path).to_owned(), problem)
            }
            Ok(ReferenceTarget::Address(address)) => (ReferenceForm::Address, address.host_str().unwrap_or_default().to_owned(), None),
            Err(error) => (ReferenceForm::File, binding.target_ref.clone(), Some(error.to_string())),
        };
        SkillReference { binding, form, title, problem }
    }

    /// The target as it is stored: a page by its slug, a file by its own spelling.
    fn existing(&self, target: &ReferenceTarget) -> Result<ReferenceTarget, ReferenceError> {
        match target {
            ReferenceTarget::Page(slug) => Ok(ReferenceTarget::Page(self.pages.page(slug)?.summary.slug)),
            ReferenceTarget::File(path) => match self.files.file(path)? {
                Some(file) => Ok(ReferenceTarget::File(file.path)),
                None => Err(ReferenceError::NoSuchFile(path.clone())),
            },
            ReferenceTarget::Address(_) => Ok(target.clone()),
        }
    }
}

/// Needs no pages and no files: a reference whose target is missing can be removed too.
pub(super) fn remove(bindings: &dyn Bindings, skill: &Skill, id: BindingId) -> Result<Binding, StorageError> {
    bindings.remove_reference(skill.head.id, id)?.ok_or_else(|| no_such_reference(id))
}

fn no_such_reference(id: BindingId) -> StorageError {
    StorageError::NotFound { what: "reference", name: id.to_string() }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
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
