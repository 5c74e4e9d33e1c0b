//! Validating skills that are on the disk, without storing them. Needs no account: `inklings validate` calls it without an engine.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use inklings_core::path::{SKILL_MD, SKILL_MD_LOWER};
use inklings_core::{CancellationToken, Diagnostic, ProgressReporter, SkillFormat, Tree};
use inklings_folder::{DiskError, strict};

use super::api::{FolderValidation, ValidateParams, Validation};
use crate::discovery::{self, DiscoveredSkill, SkillFiles, refusal};

/// Skills that a thread takes at a time.
const BATCH: usize = 64;

/// Validates skills on the disk. Needs no database.
pub fn validate(
    params: &ValidateParams,
    format: &dyn SkillFormat,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<Validation, DiskError> {
    let (mut skills, mut diagnostics) = (Vec::new(), Vec::new());
    for path in &params.paths {
        let found = discovery::find(std::slice::from_ref(path), &[])?;
        if found.skills.is_empty() {
            // A given path is reported even if it isn't a skill.
            skills.push(discovery::named_path(path)?);
        }
        skills.extend(found.skills);
        diagnostics.extend(found.diagnostics);
    }
    let skills = discovery::sorted(skills);
    let validated = in_parallel(&skills, cancel, progress, |skill| validate_skill(skill, params.strict, format));
    let stopped = validated.len() < skills.len();
    Ok(Validation { skills: validated, diagnostics, stopped })
}

/// Each item's result in order, computed on all cores; fewer when cancelled.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    cancel: &CancellationToken,
    progress: &ProgressReporter,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = |_| {
        let mut done = Vec::new();
        while !cancel.is_cancelled() {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) = items.get(start..items.len().min(start + BATCH)).filter(|batch| !batch.is_empty()) else { break };
            done.push((start, batch.iter().map(&work).collect::<Vec<R>>()));
            progress.report(start + batch.len(), Some(items.len()));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len().div_ceil(BATCH));
    let mut all: Vec<(usize, Vec<R>)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|number| scope.spawn(move || worker(number))).collect();
        let mut all = worker(0);
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|(start, _)| *start);
    all.into_iter().flat_map(|(_, batch)| batch).collect()
}

fn validate_skill(skill: &DiscoveredSkill, strict: bool, format: &dyn SkillFormat) -> FolderValidation {
    let path = skill.label();
    let checked = if strict { check_strictly(skill) } else { check_leniently(skill, format) };
    let diagnostics = checked.unwrap_or_else(|error| vec![refusal("import/unreadable", &path, error)]);
    FolderValidation { path, ok: !diagnostics.iter().any(Diagnostic::is_error), diagnostics }
}

fn check_strictly(skill: &DiscoveredSkill) -> Result<Vec<Diagnostic>, DiskError> {
    let SkillFiles { tree, diagnostics } = skill.read_declaring_files()?;
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    Ok(if broken { diagnostics } else { strict_diagnostics(&tree, &skill.folder()) })
}

/// What the reference validator of the Agent Skills specification reports.
pub(crate) fn strict_diagnostics(tree: &Tree, folder: &str) -> Vec<Diagnostic> {
    let main = [SKILL_MD, SKILL_MD_LOWER].iter().find_map(|name| tree.iter().find(|(path, _)| path.as_str() == *name));
    let missing = || {
        let diagnostic = Diagnostic::error("strict/missing-file", format!("{SKILL_MD} is missing"));
        vec![diagnostic.hint("add one whose frontmatter has a name and a description").in_file(SKILL_MD)]
    };
    main.map_or_else(missing, |(path, entry)| strict::check(path, &entry.bytes, folder))
}

fn check_leniently(skill: &DiscoveredSkill, format: &dyn SkillFormat) -> Result<Vec<Diagnostic>, DiskError> {
    Ok(skill.read()?.validate(&skill.folder(), format).diagnostics)
}
