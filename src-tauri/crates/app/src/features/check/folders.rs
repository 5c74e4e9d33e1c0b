//! `check/folders`: what can be said against skills that lie on the disk, without storing them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use inklings_core::path::{SKILL_MD, SKILL_MD_LOWER};
use inklings_core::{Diagnostic, SkillFormat, Tree};
use inklings_folder::strict;
use inklings_rpc::{CallContext, Failure, Watch, operations};

use super::api::{FolderVerdict, ValidateParams, Validation};
use crate::app::App;
use crate::discovery::{self, Contents, DiscoveredSkill};

impl FolderVerdict {
    fn of(path: String, diagnostics: Vec<Diagnostic>) -> Self {
        Self { path, ok: !diagnostics.iter().any(Diagnostic::is_error), diagnostics }
    }
}

/// Looks at skills on the disk; needs no database.
pub fn validate(params: &ValidateParams, format: &dyn SkillFormat, watch: &Watch) -> Result<Validation, Failure> {
    let (mut skills, mut diagnostics) = (Vec::new(), Vec::new());
    for path in &params.paths {
        let (found, mut odd) = discovery::find(std::slice::from_ref(path))?;
        if found.is_empty() {
            // Asked for by name, so that there is none is an answer.
            skills.push(discovery::nothing_at(path)?);
        }
        skills.extend(found);
        diagnostics.append(&mut odd);
    }
    let skills = discovery::sorted(skills);
    let verdicts = in_parallel(&skills, watch, |skill| verdict(skill, params.strict, format));
    let stopped = verdicts.len() < skills.len();
    Ok(Validation { skills: verdicts, diagnostics, stopped })
}

/// Each item's result in order, worked out on all cores; fewer when stopped.
fn in_parallel<T: Sync, R: Send>(items: &[T], watch: &Watch, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    /// Items that a thread takes at a time.
    const SHARE: usize = 64;
    let next = AtomicUsize::new(0);
    let shares = |_| {
        let mut done = Vec::new();
        while !watch.is_stopped() {
            let start = next.fetch_add(SHARE, Ordering::Relaxed);
            let Some(share) = items.get(start..items.len().min(start + SHARE)).filter(|share| !share.is_empty()) else { break };
            done.push((start, share.iter().map(&work).collect::<Vec<R>>()));
            watch.tell(start + share.len(), Some(items.len()));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len().div_ceil(SHARE));
    let mut all: Vec<(usize, Vec<R>)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|number| scope.spawn(move || shares(number))).collect();
        let mut all = shares(0);
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|(start, _)| *start);
    all.into_iter().flat_map(|(_, share)| share).collect()
}

fn verdict(skill: &DiscoveredSkill, strict: bool, format: &dyn SkillFormat) -> FolderVerdict {
    let label = skill.label();
    let found = if strict { by_the_letter(skill) } else { with_good_will(skill, format) };
    let diagnostics = found.unwrap_or_else(|failure| {
        let finding = Diagnostic { hint: failure.hint, ..Diagnostic::error("import/unreadable", failure.message) };
        vec![finding.in_file(&label)]
    });
    FolderVerdict::of(label, diagnostics)
}

fn by_the_letter(skill: &DiscoveredSkill) -> Result<Vec<Diagnostic>, Failure> {
    let Contents { tree, diagnostics } = skill.read_marks()?;
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    Ok(if broken { diagnostics } else { strict_findings(&tree, &skill.folder()) })
}

/// What the standard has against a folder; nothing if it takes it.
pub(crate) fn strict_findings(tree: &Tree, folder: &str) -> Vec<Diagnostic> {
    let main = [SKILL_MD, SKILL_MD_LOWER].iter().find_map(|name| tree.iter().find(|(path, _)| path.as_str() == *name));
    let missing = || {
        let finding = Diagnostic::error("strict/missing-file", format!("there is no {SKILL_MD}"));
        vec![finding.hint("add one that begins with name and description").in_file(SKILL_MD)]
    };
    main.map_or_else(missing, |(path, entry)| strict::check(path, &entry.bytes, folder))
}

fn with_good_will(skill: &DiscoveredSkill, format: &dyn SkillFormat) -> Result<Vec<Diagnostic>, Failure> {
    Ok(skill.read()?.examine(&skill.folder(), format).diagnostics)
}

fn folders(app: &App, cx: &CallContext, params: ValidateParams) -> Result<Validation, Failure> {
    validate(&params, app.folder.as_ref(), &cx.watch)
}

operations! { App;
    CheckFolders = "check/folders", Read, blocking folders(ValidateParams) -> Validation;
}
