//! Archives of skills and their descriptions in the index.

use std::collections::BTreeSet;

use inklings_core::check::Diagnostic;
use inklings_core::ports::SkillFormat;
use inklings_core::skill::{Package, RelationKind};
use inklings_core::{Digest, Slug, Time};
use inklings_folder::package::{PackError, PackageFormat, PackedSkill, pack, unpack};
use semver::Version;

use crate::format::{Document as _, FormatError, PackageEntry, PermissionError, Requirements, permissions};
use crate::limits;
use crate::trust::check_content;

/// Why a skill can't be published, or a package can't be installed.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    #[error("the version {version:?} of {slug} isn't a semantic version; use a version such as 1.0.0")]
    Version { slug: Slug, version: String },
    #[error(transparent)]
    Permissions(#[from] PermissionError),
    #[error("{slug} can't be described in the index: {error}")]
    Entry { slug: Slug, error: FormatError },
    #[error("{slug} depends on {target:?}, which isn't the name of a skill")]
    Dependency { slug: Slug, target: String },
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error("the package of {slug} is damaged; download it again")]
    Content { slug: Slug },
    #[error("the package of {slug} is invalid: {}", findings.first().map_or("it doesn't contain one skill", |finding| finding.message.as_str()))]
    Unpack { slug: Slug, findings: Vec<Diagnostic> },
    #[error("the package of {slug} has another {field} than its publisher stated; don't install it")]
    Mismatch { slug: Slug, field: &'static str },
}

/// What a publisher states beside the skill itself.
#[derive(Clone, Copy)]
pub struct Statement<'a> {
    pub published_at: Time,
    pub minimum_client: Option<&'a Version>,
    pub count_tokens: &'a dyn Fn(&str) -> usize,
}

/// The archive of a skill and its entry. Requires sources in sync. Equal skills give equal archives.
pub fn encode(package: &Package, statement: Statement<'_>) -> Result<(PackageEntry, Vec<u8>), PackageError> {
    let bytes = pack(PackageFormat::Skill, package)?.bytes;
    let mut entry = describe(package, &bytes)?;
    entry.token_cost = package.main().map_or(0, |main| (statement.count_tokens)(&main.content) as u64);
    entry.requires.client = statement.minimum_client.cloned();
    entry.published_at = statement.published_at;
    entry.validate().map_err(|error| PackageError::Entry { slug: package.slug.clone(), error })?;
    Ok((entry, bytes))
}

/// The skill of a downloaded archive, if it is what its entry states.
pub fn decode(format: &dyn SkillFormat, entry: &PackageEntry, bytes: &[u8]) -> Result<Package, PackageError> {
    let (package, found) = read(format, entry, bytes)?;
    if_as_stated(package, entry, &found)
}

/// [`decode`] for the publisher, whose older versions stated fewer permissions. Clients refuse such a package; a newer version of it can
/// only be published if the registry can still be read.
pub(crate) fn decode_published(format: &dyn SkillFormat, entry: &PackageEntry, bytes: &[u8]) -> Result<Package, PackageError> {
    let (package, mut found) = read(format, entry, bytes)?;
    found.permissions.clone_from(&entry.permissions);
    if_as_stated(package, entry, &found)
}

/// The skill of an archive, and what its entry should state.
fn read(format: &dyn SkillFormat, entry: &PackageEntry, bytes: &[u8]) -> Result<(Package, PackageEntry), PackageError> {
    let slug = || entry.slug.clone();
    check_content("", &entry.file(), bytes).map_err(|_| PackageError::Content { slug: slug() })?;
    let invalid = |findings: Vec<Diagnostic>| PackageError::Unpack { slug: slug(), findings };
    let unpacked = unpack(&format!("{}.skill", entry.slug), bytes).map_err(invalid)?;
    let [skill]: [PackedSkill; 1] = unpacked.skills.try_into().map_err(|_| invalid(Vec::new()))?;
    if skill.is_refused() {
        return Err(invalid(skill.findings));
    }
    let package = format.read(&skill.tree, &skill.folder, None).map_err(invalid)?.package;
    let found = describe(&package, bytes)?;
    Ok((package, found))
}

fn if_as_stated(package: Package, stated: &PackageEntry, found: &PackageEntry) -> Result<Package, PackageError> {
    match difference(stated, found) {
        Some(field) => Err(PackageError::Mismatch { slug: stated.slug.clone(), field }),
        None => Ok(package),
    }
}

/// Everything that follows from the skill itself.
fn describe(package: &Package, bytes: &[u8]) -> Result<PackageEntry, PackageError> {
    let slug = package.slug.clone();
    let version =
        Version::parse(&package.version).map_err(|_| PackageError::Version { slug: slug.clone(), version: package.version.clone() })?;
    let dependency =
        |target: &str| Slug::parse(target).map_err(|_| PackageError::Dependency { slug: slug.clone(), target: target.to_owned() });
    let skills = package.related(RelationKind::DependsOn).map(dependency).collect::<Result<BTreeSet<_>, _>>()?;
    Ok(PackageEntry {
        format: limits::FORMAT,
        version,
        title: package.name.clone(),
        description: package.description.trim().to_owned(),
        category: package.category.clone(),
        tags: package.tags.iter().cloned().collect(),
        author: package.author.clone(),
        sha256: Digest::of(bytes),
        length: bytes.len() as u64,
        files: u32::try_from(package.tree().len()).unwrap_or(u32::MAX),
        permissions: permissions(package)?,
        token_cost: 0,
        requires: Requirements { client: None, skills },
        published_at: Time::from_millis(0),
        slug,
    })
}

fn difference(stated: &PackageEntry, found: &PackageEntry) -> Option<&'static str> {
    let fields = [
        ("name", stated.slug == found.slug),
        ("version", stated.version == found.version),
        ("title", stated.title == found.title),
        ("description", stated.description == found.description),
        ("category", stated.category == found.category),
        ("list of tags", stated.tags == found.tags),
        ("author", stated.author == found.author),
        ("number of files", stated.files == found.files),
        ("list of permissions", stated.permissions == found.permissions),
        ("list of required skills", stated.requires.skills == found.requires.skills),
    ];
    fields.into_iter().find(|(_, is_equal)| !is_equal).map(|(field, _)| field)
}
