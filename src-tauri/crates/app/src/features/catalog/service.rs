use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use inklings_core::manifest;
use inklings_core::reliability::UsageSignals;
use inklings_core::{Diagnostic, Package, Skill, SkillCatalog, SkillFormat as _, SkillSummary, Slug, Source, StorageError};
use inklings_folder::package::{PackageFormat, pack};
use serde_json::{Map, Value};

use super::api::{
    CreateRecordParams, DependencyGraph, ListRecordsParams, PackedSkill, SkillRecord, SkillRecordDetail, SkillRecords, UpdateRecordParams,
};
use super::error::CatalogError;
use crate::after_write::log_failure;
use crate::editing::{SkillEditor, ensure_revision, ensure_unlocked};
use crate::features::skill::{SkillValues, dependencies_of, dependents_of, enable, new_package};
use crate::features::tool::service::{plan_change, state_warning, text_body, whole_body};
use crate::list_cache::ListCache;
use crate::wire::{is_in_both_scopes, summary};

const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 500;
/// Slugs that would be other addresses of the server.
const RESERVED: [&str; 9] = ["stats", "detail", "merge", "deprecate", "promote", "load-human", "export", "dependencies", "health"];

pub(super) fn list(
    catalog: &SkillCatalog,
    lists: &ListCache,
    workspace: Option<&Path>,
    params: &ListRecordsParams,
) -> Result<SkillRecords, StorageError> {
    let limit = params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let all = lists.list(catalog, workspace, params.scope)?;
    let start = params.cursor.as_deref().map_or(0, |after| all.partition_point(|skill| skill.slug.as_str() <= after));
    let mut page: Vec<SkillSummary> = all.iter().skip(start).filter(|skill| params.matches(skill)).take(limit + 1).cloned().collect();
    let has_more = page.len() > limit;
    page.truncate(limit);
    let next = page.last().filter(|_| has_more).map(|skill| skill.slug.to_string());
    Ok(SkillRecords { skills: records(catalog, page)?, next })
}

impl ListRecordsParams {
    fn matches(&self, skill: &SkillSummary) -> bool {
        self.origin.is_none_or(|origin| skill.origin == origin)
            && self.lifecycle.is_none_or(|lifecycle| skill.lifecycle == lifecycle)
            && self.source.is_none_or(|source| skill.source == source)
            && self.enabled.is_none_or(|enabled| skill.enabled == enabled)
            && self.tag.as_ref().is_none_or(|tag| skill.tags.iter().any(|one| one.eq_ignore_ascii_case(tag)))
    }
}

/// With what is read for a page only.
fn records(catalog: &SkillCatalog, page: Vec<SkillSummary>) -> Result<Vec<SkillRecord>, StorageError> {
    let mut facts = catalog.facts(&page)?;
    let record = |skill: SkillSummary| {
        let key = (skill.scope, skill.id);
        let warning = state_warning(skill.lifecycle, skill.enabled, None);
        let (metadata, signals) = facts.remove(&key).map(|facts| (facts.metadata, facts.usage)).unwrap_or_default();
        record(skill, &metadata, signals, warning)
    };
    Ok(page.into_iter().map(record).collect())
}

fn record(skill: SkillSummary, metadata: &Map<String, Value>, signals: UsageSignals, warning: Option<String>) -> SkillRecord {
    SkillRecord {
        id: skill.id,
        name: skill.slug.clone(),
        slug: skill.slug,
        title: skill.name,
        description: skill.description,
        category: skill.category,
        tags: skill.tags,
        scope: skill.scope,
        source: skill.source,
        origin: skill.origin,
        lifecycle: skill.lifecycle,
        trust_tier: skill.trust_tier,
        quality: signals.quality(skill.lifecycle),
        utility: signals.utility,
        success_rate: signals.success_rate(),
        enabled: skill.enabled,
        version: skill.revision,
        package_version: skill.version,
        author: skill.author,
        created_at: skill.created_at,
        updated_at: skill.updated_at,
        manifest: metadata.get(manifest::KEY).cloned(),
        manifest_summary: manifest::summarize(&manifest::safe(metadata).0),
        warning,
    }
}

pub(super) fn detail(editor: &SkillEditor<'_>, skill: &Skill) -> Result<SkillRecordDetail, StorageError> {
    let (catalog, package) = (&editor.catalog, &skill.package);
    let signals = catalog.usage_of(&skill.head)?;
    let warning = state_warning(skill.head.lifecycle, skill.head.enabled, skill.head.deprecated_reason.as_deref());
    let content = text_body(editor, skill)?;
    Ok(SkillRecordDetail {
        record: record(summary(skill, is_in_both_scopes(catalog, skill)?), &package.metadata, signals, warning),
        instructions: content.clone(),
        content,
        steps: package.steps.clone(),
        files: package.tree().into_keys().collect(),
    })
}

pub(super) fn create(editor: &SkillEditor<'_>, params: CreateRecordParams) -> Result<Skill, CatalogError> {
    let (slug, title) = match (params.slug, params.title) {
        (Some(slug), title) => (parsed(&slug)?, title.unwrap_or(params.name)),
        (None, Some(title)) => (parsed(&params.name)?, title),
        (None, None) => (Slug::of_name(&params.name), params.name),
    };
    if RESERVED.contains(&slug.as_str()) {
        return Err(CatalogError::Reserved(slug));
    }
    let scope = editor.caller.target_scope(params.scope)?;
    if editor.catalog.repository(scope).map(|repository| repository.has_slug(&slug)).transpose()?.unwrap_or(false) {
        return Err(CatalogError::Exists(slug));
    }
    let values = SkillValues {
        name: Some(title),
        description: Some(params.description),
        category: params.category,
        tags: params.tags.filter(|tags| !tags.is_empty()),
        ..SkillValues::default()
    };
    let body = one_text(params.content, params.instructions)?.unwrap_or_default();
    let mut package = new_package(editor, slug, values.normalized()?, &whole_body(&body))?;
    if let Some(manifest) = params.manifest {
        set_manifest(&mut package, manifest)?;
        editor.folder.sync_sources_strictly(&mut package)?;
    }
    Ok(editor.store_new(editor.new_head(scope, Source::User), package, "created")?)
}

fn parsed(slug: &str) -> Result<Slug, CatalogError> {
    Slug::parse(slug).map_err(|error| CatalogError::Name { name: slug.to_owned(), why: error.to_string() })
}

fn one_text(content: Option<String>, instructions: Option<String>) -> Result<Option<String>, CatalogError> {
    match (content, instructions) {
        (Some(one), Some(other)) if one != other => Err(CatalogError::TwoTexts),
        (one, other) => Ok(one.or(other)),
    }
}

fn set_manifest(package: &mut Package, value: Map<String, Value>) -> Result<(), StorageError> {
    let value = Value::Object(value);
    let (_, findings) = manifest::check(&value);
    if findings.iter().any(Diagnostic::is_error) {
        return Err(StorageError::Invalid(findings));
    }
    package.metadata.insert(manifest::KEY.to_owned(), value);
    Ok(())
}

/// Changes the files first, then whether it is enabled, which has no revision.
pub(super) fn update(editor: &SkillEditor<'_>, params: UpdateRecordParams) -> Result<Skill, CatalogError> {
    let mut skill = editor.catalog.require(&params.skill, params.scope)?;
    ensure_unlocked(&skill)?;
    ensure_revision(&skill, params.expected)?;
    let title = params.title.or_else(|| params.name.filter(|name| *name != skill.package.slug.as_str()));
    let text = one_text(params.content, params.instructions)?;
    let values = SkillValues {
        name: title,
        description: params.description,
        category: params.category,
        tags: params.tags,
        ..SkillValues::default()
    };
    let has_values = values != SkillValues::default();
    let changes_files = has_values || text.is_some() || params.manifest.is_some();
    if !changes_files && params.enabled.is_none() {
        return Err(CatalogError::NothingToChange);
    }
    if changes_files {
        let change = |package: &mut Package| {
            if has_values {
                values.normalized()?.apply_to(package);
            }
            params.manifest.map_or(Ok(()), |manifest| Ok(set_manifest(package, manifest)?))
        };
        let edit = |_: &str| Ok(text.as_deref().map(whole_body));
        skill = plan_change::<CatalogError>(editor, skill, change, edit)?.save(editor, "changed")?.skill;
    }
    if let Some(enabled) = params.enabled.filter(|enabled| *enabled != skill.head.enabled) {
        match enable(editor, skill.clone(), enabled) {
            Ok(_) => skill.head.enabled = enabled,
            // The result says that it isn't done. An error would make the caller save the files again.
            Err(error) if changes_files => log_failure("a write is stored, but enabling or disabling the skill failed", error),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(skill)
}

pub(super) fn graph(catalog: &SkillCatalog, skill: Skill) -> Result<DependencyGraph, StorageError> {
    let name = skill.package.slug.clone();
    let (needed, needing) = (dependencies_of(catalog, skill.clone())?, dependents_of(catalog, skill)?);
    Ok(DependencyGraph { name, dependencies: needed.skills, dependents: needing.skills, cycle: needed.cycle.or(needing.cycle) })
}

pub(super) fn packed(skill: &Skill, format: PackageFormat) -> Result<PackedSkill, CatalogError> {
    let pack = pack(format, &skill.package)?;
    let media_type = match format {
        PackageFormat::Json | PackageFormat::Amble => "application/json",
        PackageFormat::Skill => "application/zip",
        PackageFormat::Markdown | PackageFormat::ClaudeSkill | PackageFormat::OpenaiGpt | PackageFormat::Cowork => "text/markdown",
    };
    Ok(PackedSkill {
        file_name: pack.name.replace('/', "-"),
        media_type: media_type.to_owned(),
        base64: STANDARD.encode(pack.bytes),
        omitted: pack.omitted,
    })
}
