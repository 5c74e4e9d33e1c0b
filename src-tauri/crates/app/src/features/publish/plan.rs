//! What a release would publish of a skill, and what is in its way.

use std::collections::BTreeSet;

use inklings_core::ports::SkillFormat as _;
use inklings_core::skill::Package;
use inklings_core::{Diagnostic, Digest, Skill, SkillPath, Time};
use inklings_folder::Folder;
use inklings_prompt::{PromptEngine, tokens};
use inklings_registry::format::{IndexLine, Permission, permissions};
use inklings_registry::package::{Statement, encode};
use inklings_registry::publish::{RegistryFolder, Versions};
use semver::Version;

use super::api::{PlannedSkill, PlannedState, PublishedVersion, VersionBump};
use super::changelog::{CHANGELOG, add_section, proposal};
use super::error::PublishFailure;
use super::version::{Described, SkillDiff, next_version};

/// A skill to publish.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) origin: Origin,
    pub(super) package: Package,
    /// Of the validator.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// `None` for the one that follows from the changes.
    pub(super) version: Option<Version>,
    /// Text for the changelog.
    pub(super) changelog: Option<String>,
}

#[derive(Debug)]
pub(super) enum Origin {
    Stored(Box<Skill>),
    /// With its folder or file.
    Disk(String),
}

impl Candidate {
    /// The stored skill, if a new version may be written to it.
    pub(super) fn editable(&self) -> Option<&Skill> {
        match &self.origin {
            Origin::Stored(skill) if !skill.head.source.is_locked() => Some(skill),
            _ => None,
        }
    }
}

pub(super) struct Planner<'a> {
    pub(super) format: &'a Folder,
    pub(super) prompts: &'a PromptEngine,
    pub(super) registry: &'a RegistryFolder,
    pub(super) versions: Versions,
    pub(super) now: Time,
}

/// A new version of a skill.
#[derive(Debug)]
pub(super) struct PlannedRelease {
    pub(super) row: PlannedSkill,
    /// `None` if the skill is blocked.
    pub(super) package: Option<Package>,
}

impl Planner<'_> {
    pub(super) fn plan(&self, candidate: &Candidate) -> Result<PlannedRelease, PublishFailure> {
        let lines = self.versions.of(&candidate.package.slug);
        let mut row = row(candidate);
        if candidate.diagnostics.iter().any(Diagnostic::is_error) {
            // It may not be readable at all.
            return Ok(finished(row, PlannedState::Blocked, None));
        }
        let permissions = permissions(&candidate.package).unwrap_or_else(|error| {
            row.diagnostics.push(Diagnostic::error("release/package", error.to_string()));
            BTreeSet::new()
        });
        row.permissions = texts(&permissions);
        let base = lines.iter().rev().find(|line| self.versions.revocations.find(&line.entry.sha256).is_none());
        row.last = base.map(published_version);
        let written = Version::parse(&row.version).ok();
        if candidate.version.is_none() && written.as_ref().is_some_and(|version| self.is_published(candidate, lines, version)) {
            row.next_version = Some(row.version.clone());
            return Ok(finished(row, PlannedState::Unchanged, Some(candidate.package.clone())));
        }
        if let Some(base) = base {
            self.compare(&mut row, candidate, &permissions, base)?;
        }
        let last = lines.last().map(|line| &line.entry.version);
        let required = last.zip(row.bump).map(|(last, bump)| next_version(last, bump));
        let target = target_version(candidate, lines, written.as_ref(), required.as_ref());
        row.next_version = target.as_ref().map(ToString::to_string);
        row.required_version = required.as_ref().map(ToString::to_string);
        let package = if let Some(version) = target {
            row.diagnostics.extend(check_version(candidate, &version, lines, required.as_ref(), &row));
            self.prepare(candidate, &version).map_err(|error| row.diagnostics.push(error)).ok()
        } else {
            let message = format!("the version {:?} isn't a semantic version", row.version);
            row.diagnostics.push(Diagnostic::error("release/package", message).hint("use a version such as 1.0.0"));
            None
        };
        let state = if lines.is_empty() { PlannedState::New } else { PlannedState::Update };
        Ok(finished(row, state, package))
    }

    fn compare(
        &self,
        row: &mut PlannedSkill,
        candidate: &Candidate,
        permissions: &BTreeSet<Permission>,
        base: &IndexLine,
    ) -> Result<(), PublishFailure> {
        let before = self.registry.package(self.format, &base.entry)?;
        let old = Described { package: &before, permissions: &base.entry.permissions };
        let diff = SkillDiff::between(self.prompts, old, Described { package: &candidate.package, permissions });
        row.permissions_gained = texts(permissions.difference(&base.entry.permissions));
        row.permissions_lost = texts(base.entry.permissions.difference(permissions));
        row.changelog = proposal(&diff);
        (row.bump, row.reasons, row.files) = (diff.bump, diff.reasons, diff.files);
        Ok(())
    }

    fn is_published(&self, candidate: &Candidate, lines: &[IndexLine], version: &Version) -> bool {
        let Some(line) = lines.iter().find(|line| line.entry.version == *version) else { return false };
        self.package_hash(&candidate.package).is_ok_and(|hash| hash == line.entry.sha256)
            && self.versions.revocations.find(&line.entry.sha256).is_none()
    }

    fn package_hash(&self, package: &Package) -> Result<Digest, Diagnostic> {
        let statement = Statement { published_at: self.now, minimum_client: None, count_tokens: &tokens::count };
        let unfit = |error: inklings_registry::package::PackageError| Diagnostic::error("release/package", error.to_string());
        encode(package, statement).map(|(entry, _)| entry.sha256).map_err(unfit)
    }

    /// The skill as it is published.
    fn prepare(&self, candidate: &Candidate, version: &Version) -> Result<Package, Diagnostic> {
        let mut package = candidate.package.clone();
        if candidate.editable().is_some() {
            self.apply(candidate, version, &mut package)?;
            if let Some(error) = self.format.sync_sources(&mut package).into_iter().find(Diagnostic::is_error) {
                return Err(error);
            }
        }
        self.package_hash(&package).map(|_| package)
    }

    /// Writes the version and the changelog of a release to a package.
    pub(super) fn apply(&self, candidate: &Candidate, version: &Version, package: &mut Package) -> Result<(), Diagnostic> {
        package.version = version.to_string();
        let Some(text) = &candidate.changelog else { return Ok(()) };
        let not_text = || Diagnostic::error("release/package", format!("{CHANGELOG} isn't text")).in_file(CHANGELOG);
        let path = SkillPath::parse(CHANGELOG).map_err(|_| not_text())?;
        if add_section(package, &path, version, self.now, text) { Ok(()) } else { Err(not_text()) }
    }
}

/// The version to publish. `None` if the written one can't be read and none was given.
fn target_version(candidate: &Candidate, lines: &[IndexLine], written: Option<&Version>, required: Option<&Version>) -> Option<Version> {
    if candidate.version.is_some() {
        return candidate.version.clone();
    }
    let is_taken = |version: &Version| lines.iter().any(|line| line.entry.version == *version);
    match (written, lines.last()) {
        (Some(written), _) if !is_taken(written) => Some(written.clone()),
        (_, Some(last)) => Some(required.cloned().unwrap_or_else(|| next_version(&last.entry.version, VersionBump::Patch))),
        (written, None) => written.cloned(),
    }
}

fn check_version(
    candidate: &Candidate,
    target: &Version,
    lines: &[IndexLine],
    required: Option<&Version>,
    row: &PlannedSkill,
) -> Option<Diagnostic> {
    if lines.iter().any(|line| line.entry.version == *target) {
        let hint = required.map_or_else(|| "increase it".to_owned(), |required| format!("use {required}"));
        let message = format!("the version {target} was published before");
        return Some(Diagnostic::error("release/version", message).hint(hint));
    }
    if candidate.editable().is_none() {
        if row.version != target.to_string() {
            let message = format!("the version {} was published with other content", row.version);
            return Some(Diagnostic::error("release/version", message).hint(format!("set the version of the skill to {target}")));
        }
        if candidate.changelog.is_some() {
            let message = "the changelog of a locked skill can't be changed";
            return Some(Diagnostic::error("release/package", message).hint("publish it without a changelog text"));
        }
    }
    let reason = row.reasons.first()?;
    let last = &lines.last()?.entry.version;
    let required = required.filter(|required| last < target && target < *required)?;
    let message = format!("{target} looks compatible, but {reason}");
    Some(Diagnostic::warning("release/compatibility", message).hint(format!("use {required}")))
}

fn row(candidate: &Candidate) -> PlannedSkill {
    let (stored, path) = match &candidate.origin {
        Origin::Stored(skill) => (Some(&skill.head), None),
        Origin::Disk(path) => (None, Some(path.clone())),
    };
    PlannedSkill {
        slug: candidate.package.slug.clone(),
        title: candidate.package.name.clone(),
        id: stored.map(|head| head.id),
        scope: stored.map(|head| head.scope),
        path,
        state: PlannedState::New,
        version: candidate.package.version.clone(),
        next_version: None,
        last: None,
        bump: None,
        required_version: None,
        reasons: Vec::new(),
        files: Vec::new(),
        permissions: Vec::new(),
        permissions_gained: Vec::new(),
        permissions_lost: Vec::new(),
        changelog: String::new(),
        diagnostics: candidate.diagnostics.clone(),
    }
}

fn finished(mut row: PlannedSkill, state: PlannedState, package: Option<Package>) -> PlannedRelease {
    let blocked = package.is_none() || row.diagnostics.iter().any(Diagnostic::is_error);
    row.state = if blocked { PlannedState::Blocked } else { state };
    PlannedRelease { row, package: package.filter(|_| !blocked) }
}

fn published_version(line: &IndexLine) -> PublishedVersion {
    let entry = &line.entry;
    PublishedVersion { version: entry.version.to_string(), published_at: entry.published_at, sha256: entry.sha256 }
}

fn texts<'a>(permissions: impl IntoIterator<Item = &'a Permission>) -> Vec<String> {
    permissions.into_iter().map(ToString::to_string).collect()
}
