use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use inklings_core::manifest::is_exposed_via_mcp;
use inklings_core::{Skill, SkillCatalog, SkillPath, SkillSummary, Slug, StorageError, TreeFile};
use inklings_folder::front;
use inklings_folder::package::external_safe;

use super::api::{ExposedContent, ExposedFile, ExposedSkill, ExposedSkills, ExternalSkills, ListResourcesParams};
use super::error::ResourceError;

const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 500;

pub(super) fn list(catalog: &SkillCatalog, params: &ListResourcesParams) -> Result<ExposedSkills, StorageError> {
    let (skills, next) = page(catalog, params, exposed)?;
    Ok(ExposedSkills { skills, next })
}

pub(super) fn list_external(catalog: &SkillCatalog, params: &ListResourcesParams) -> Result<ExternalSkills, StorageError> {
    let (skills, next) = page(catalog, params, |skill| external_safe(&skill.package))?;
    Ok(ExternalSkills { skills, next })
}

/// A page of exposed skills, and the slug of its last one if another page follows.
fn page<T>(
    catalog: &SkillCatalog,
    params: &ListResourcesParams,
    show: impl Fn(&Skill) -> T,
) -> Result<(Vec<T>, Option<String>), StorageError> {
    let limit = params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let mut offered = catalog.list_offered()?;
    offered.sort_by(|one, other| one.slug.cmp(&other.slug));
    let (mut skills, mut last) = (Vec::new(), None);
    for summary in offered.iter().filter(|summary| params.after.as_deref().is_none_or(|after| summary.slug.as_str() > after)) {
        if skills.len() == limit {
            return Ok((skills, last));
        }
        if let Some(skill) = load(catalog, summary)? {
            last = Some(skill.package.slug.to_string());
            skills.push(show(&skill));
        }
    }
    Ok((skills, None))
}

pub(super) fn get(catalog: &SkillCatalog, slug: &Slug) -> Result<ExposedSkill, ResourceError> {
    Ok(exposed(&find(catalog, slug)?))
}

pub(super) fn read(catalog: &SkillCatalog, slug: &Slug, path: &SkillPath) -> Result<ExposedContent, ResourceError> {
    let skill = catalog.find_offered_values(slug)?.filter(is_shown).ok_or_else(|| ResourceError::NoSkill(slug.clone()))?;
    let missing = || ResourceError::NoFile { slug: slug.clone(), path: path.clone() };
    let file = catalog.holder(skill.head.id, skill.head.scope)?.get_file(skill.head.id, path)?.ok_or_else(missing)?;
    // NUL isn't allowed in the text of some protocols.
    let text = file.text().filter(|text| !text.contains('\0')).map(str::to_owned);
    let base64 = text.is_none().then(|| STANDARD.encode(&file.bytes));
    Ok(ExposedContent { file: exposed_file(path, &file), text, base64 })
}

fn find(catalog: &SkillCatalog, slug: &Slug) -> Result<Skill, ResourceError> {
    catalog.find_offered(slug)?.filter(is_shown).ok_or_else(|| ResourceError::NoSkill(slug.clone()))
}

/// None if its manifest hides it, or if it was deleted since it was listed.
fn load(catalog: &SkillCatalog, summary: &SkillSummary) -> Result<Option<Skill>, StorageError> {
    let skill = catalog.holder(summary.id, summary.scope)?.get_skill(summary.id)?;
    Ok(skill.filter(is_shown))
}

fn is_shown(skill: &Skill) -> bool {
    is_exposed_via_mcp(&skill.package.metadata)
}

fn exposed(skill: &Skill) -> ExposedSkill {
    let package = &skill.package;
    let tree = package.tree();
    let fields = tree.get(&package.main_path).and_then(TreeFile::text).and_then(front::fields);
    ExposedSkill {
        slug: package.slug.clone(),
        title: package.name.clone(),
        description: package.description.clone(),
        scope: skill.head.scope,
        revision: skill.head.revision,
        frontmatter: fields.filter(|fields| fields.get("name").and_then(|name| name.as_str()) == Some(package.slug.as_str())),
        files: tree.iter().map(|(path, file)| exposed_file(path, file)).collect(),
    }
}

fn exposed_file(path: &SkillPath, file: &TreeFile) -> ExposedFile {
    ExposedFile {
        path: path.clone(),
        digest: file.digest(),
        bytes: u64::try_from(file.bytes.len()).unwrap_or(u64::MAX),
        media_type: mime_guess::from_path(path.as_str()).first_raw().map(str::to_owned),
    }
}
