//! Publishing skills: all of them or none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use inklings_core::edit::edits_between;
use inklings_core::skill::Package;
use inklings_core::{CancellationToken, Diagnostic, ProgressReporter, Skill, Slug};
use inklings_folder::DiskError;
use inklings_prompt::tokens;
use inklings_registry::publish::{PublishError, PublishRequest, RegistryFolder, SigningKeys};
use semver::Version;

use super::api::{
    PlanReleaseParams, PlannedSkill, PlannedState, ReleaseParams, ReleasePlan, ReleaseReport, ReleasedSkill, ReleasedVersion,
};
use super::error::PublishFailure;
use super::plan::{Candidate, Origin, PlannedRelease, Planner};
use super::service::{PublishService, ensure_absolute, open, parse_version};
use crate::discovery::{self, DiscoveredSkill};
use crate::editing::SkillEditor;
use crate::wire::SkillRef;

pub(super) struct ReleaseService<'a> {
    pub(super) publish: PublishService<'a>,
    pub(super) editor: SkillEditor<'a>,
    pub(super) cancel: &'a CancellationToken,
    pub(super) progress: &'a ProgressReporter,
}

/// What was found by names and paths.
struct Found {
    /// By slug.
    candidates: Vec<Candidate>,
    /// Problems of the search.
    diagnostics: Vec<Diagnostic>,
}

impl ReleaseService<'_> {
    pub(super) fn plan(&self, params: &PlanReleaseParams) -> Result<ReleasePlan, PublishFailure> {
        let registry = open(&params.folder)?;
        let as_written = |one: &SkillRef| ReleasedSkill { skill: one.skill.clone(), scope: one.scope, version: None, changelog: None };
        let found = self.find(&params.skills.iter().map(as_written).collect::<Vec<_>>(), &params.paths)?;
        let planned = self.plan_all(&registry, &found.candidates)?;
        let skills: Vec<_> = planned.into_iter().map(|planned| planned.row).collect();
        Ok(ReleasePlan {
            registry: registry.root().document().registry.to_string(),
            ok: skills.iter().all(|skill| skill.state != PlannedState::Blocked),
            skills,
            diagnostics: found.diagnostics,
        })
    }

    pub(super) fn release(&self, params: &ReleaseParams) -> Result<ReleaseReport, PublishFailure> {
        let options = self.publish.options(&params.target)?;
        let minimum_client = params.minimum_client.as_deref().map(parse_version).transpose()?;
        let registry = open(&params.target.folder)?;
        let keys = self.publish.key_folder(&params.target, &registry);
        let root = registry.root().document();
        let (snapshot, publisher) = (keys.snapshot(root)?, keys.publisher(root)?);
        let signing = SigningKeys { snapshot: &[&snapshot] };
        let candidates = self.find(&params.skills, &params.paths)?.candidates;
        let planned = self.plan_all(&registry, &candidates)?;
        refuse_blocked(&planned)?;
        let all = planned.len();
        let is_new = |(_, planned): &(&Candidate, &PlannedRelease)| planned.row.state != PlannedState::Unchanged;
        let releases: Vec<_> = candidates.iter().zip(&planned).filter(is_new).collect();
        let packages: Vec<Package> = releases.iter().filter_map(|(_, planned)| planned.package.clone()).collect();
        let request = PublishRequest {
            packages: &packages,
            format: self.publish.format,
            publisher: &publisher,
            minimum_client: minimum_client.as_ref(),
            count_tokens: &tokens::count,
        };
        // Nothing is written to any skill if the registry would refuse one.
        registry.check_publish(&request, &signing, options)?;
        if self.cancel.is_cancelled() {
            return Err(PublishFailure::Cancelled);
        }
        let (mut revisions, mut written) = (BTreeMap::new(), Vec::with_capacity(packages.len()));
        for ((candidate, planned), package) in releases.iter().zip(&packages) {
            if let Some(skill) = candidate.editable() {
                let saved = self.write(skill, &planned.row, package)?;
                revisions.insert(saved.package.slug.clone(), saved.head.revision);
                written.push(saved.package);
                continue;
            }
            if let Origin::Stored(skill) = &candidate.origin {
                revisions.insert(package.slug.clone(), skill.head.revision);
            }
            written.push(package.clone());
        }
        let report = registry.publish(&PublishRequest { packages: &written, ..request }, &signing, options)?;
        let to_row = |(slug, version): (Slug, Version)| ReleasedVersion {
            revision: revisions.get(&slug).copied(),
            version: version.to_string(),
            slug,
        };
        Ok(ReleaseReport {
            registry: registry.root().document().registry.to_string(),
            released: report.added.into_iter().map(to_row).collect(),
            unchanged: all - written.len(),
            serial: report.serial,
        })
    }

    /// Writes the version and the changelog to a stored skill.
    fn write(&self, skill: &Skill, row: &PlannedSkill, package: &Package) -> Result<Skill, PublishFailure> {
        let edits = edits_between(&skill.package.tree(), &package.tree());
        let why = format!("released {}", row.next_version.as_deref().unwrap_or_default());
        let saved = self.editor.save(skill, &edits, skill.head.revision, &why)?.skill;
        if saved.package.tree() != package.tree() {
            // Somebody else saved another file meanwhile.
            let diagnostics = self.editor.checks.of_skill(self.publish.format, self.editor.caller.workspace, &saved);
            let errors: Vec<_> = diagnostics.iter().filter(|one| one.is_error()).map(|one| of_skill(&saved.package.slug, one)).collect();
            if !errors.is_empty() {
                return Err(PublishFailure::Blocked { blocked: 1, all: 1, diagnostics: errors });
            }
        }
        Ok(saved)
    }

    fn find(&self, stored: &[ReleasedSkill], paths: &[PathBuf]) -> Result<Found, PublishFailure> {
        let mut candidates = stored.iter().map(|one| self.stored(one)).collect::<Result<Vec<_>, _>>()?;
        let mut diagnostics = Vec::new();
        for path in paths {
            ensure_absolute(path)?;
            let found = discovery::find(std::slice::from_ref(path), &[])?;
            if found.skills.is_empty() {
                return Err(DiskError::NotASkill(path.clone()).into());
            }
            for skill in &found.skills {
                candidates.push(self.on_disk(skill)?);
            }
            diagnostics.extend(found.diagnostics);
        }
        if candidates.is_empty() {
            return Err(PublishFailure::NoSkills);
        }
        candidates.sort_by(|a, b| a.package.slug.cmp(&b.package.slug));
        match candidates.windows(2).find(|pair| pair[0].package.slug == pair[1].package.slug) {
            Some(pair) => Err(PublishError::Duplicate(pair[0].package.slug.clone()).into()),
            None => Ok(Found { candidates, diagnostics }),
        }
    }

    fn stored(&self, one: &ReleasedSkill) -> Result<Candidate, PublishFailure> {
        let skill = self.editor.catalog.require(&one.skill, one.scope)?;
        let diagnostics = self.editor.checks.of_skill(self.publish.format, self.editor.caller.workspace, &skill).to_vec();
        Ok(Candidate {
            package: skill.package.clone(),
            origin: Origin::Stored(Box::new(skill)),
            diagnostics,
            version: one.version.as_deref().map(parse_version).transpose()?,
            changelog: one.changelog.clone().filter(|text| !text.trim().is_empty()),
        })
    }

    fn on_disk(&self, skill: &DiscoveredSkill) -> Result<Candidate, PublishFailure> {
        let folder = skill.folder();
        let validated = skill.read()?.validate(&folder, self.publish.format);
        let unreadable = || Package::new(Slug::of_name(&folder), folder.clone(), String::new());
        Ok(Candidate {
            package: validated.reading.map_or_else(unreadable, |reading| reading.package),
            origin: Origin::Disk(skill.label()),
            diagnostics: validated.diagnostics,
            version: None,
            changelog: None,
        })
    }

    fn plan_all(&self, registry: &RegistryFolder, candidates: &[Candidate]) -> Result<Vec<PlannedRelease>, PublishFailure> {
        let slugs: BTreeSet<Slug> = candidates.iter().map(|one| one.package.slug.clone()).collect();
        let planner = Planner {
            format: self.publish.format,
            prompts: self.publish.prompts,
            registry,
            versions: registry.versions(&slugs)?,
            now: self.publish.clock.now(),
        };
        let mut releases = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            if self.cancel.is_cancelled() {
                return Err(PublishFailure::Cancelled);
            }
            releases.push(planner.plan(candidate)?);
            self.progress.report(releases.len(), Some(candidates.len()));
        }
        Ok(releases)
    }
}

fn refuse_blocked(planned: &[PlannedRelease]) -> Result<(), PublishFailure> {
    let blocked: Vec<_> = planned.iter().map(|one| &one.row).filter(|row| row.state == PlannedState::Blocked).collect();
    if blocked.is_empty() {
        return Ok(());
    }
    let errors = |row: &&PlannedSkill| -> Vec<Diagnostic> {
        row.diagnostics.iter().filter(|one| one.is_error()).map(|one| of_skill(&row.slug, one)).collect()
    };
    Err(PublishFailure::Blocked { blocked: blocked.len(), all: planned.len(), diagnostics: blocked.iter().flat_map(errors).collect() })
}

/// With the name of the skill before the path of the file.
fn of_skill(slug: &Slug, diagnostic: &Diagnostic) -> Diagnostic {
    let file = diagnostic.file.as_ref().map_or_else(|| slug.to_string(), |file| format!("{slug}/{file}"));
    diagnostic.clone().in_file(file)
}
