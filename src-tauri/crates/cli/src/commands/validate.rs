//! `inklings validate`, which needs no account.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use inklings_app::features::check::{FolderValidation, ValidateParams, validate};
use inklings_core::Diagnostic;
use inklings_core::path::SKILL_MD;
use inklings_engine::skill_format;
use inklings_rpc::Failure;

use crate::args::ValidateArgs;
use crate::commands::common::skill_count;
use crate::error::CliError;
use crate::out::Out;
use crate::progress::CallProgress;

pub(crate) fn run(args: &ValidateArgs, out: &Out) -> Result<(), CliError> {
    let paths = args.paths.iter().map(std::path::absolute).collect::<Result<_, _>>().context("can't resolve a path")?;
    let progress = CallProgress::begin("validating", out);
    let params = ValidateParams { paths, strict: args.spec_only };
    let found = validate(&params, &skill_format(), progress.cancel(), progress.reporter()).map_err(Failure::from)?;
    progress.end();
    // Programs read lines of JSON; people read what is wrong, and a sum.
    if out.is_json() || !out.is_terminal() {
        let mut lines = String::new();
        for skill in &found.skills {
            lines.push_str(&serde_json::to_string(skill).context("can't serialize the result")?);
            lines.push('\n');
        }
        out.json_lines(&lines)?;
        out.diagnostics(&found.diagnostics);
    } else {
        out.diagnostics(&found.diagnostics);
        for skill in &found.skills {
            out.diagnostics(&with_folder(&skill.path, &skill.diagnostics));
        }
        out.result(&found.skills, |skills| summary(skills))?;
    }
    if found.stopped {
        out.note("canceled before all skills were validated");
    }
    if found.stopped || found.skills.iter().any(|skill| !skill.ok) { Err(CliError::Findings) } else { Ok(()) }
}

fn summary(skills: &[FolderValidation]) -> String {
    let refused = skills.iter().filter(|skill| !skill.ok).count();
    if refused == 0 {
        format!("{} valid", skill_count(skills.len()))
    } else {
        format!("{} of {} invalid", refused, skill_count(skills.len()))
    }
}

/// Prefixes the files of the findings with the skill's folder.
pub(crate) fn with_folder(path: &str, findings: &[Diagnostic]) -> Vec<Diagnostic> {
    let prefix = |finding: &Diagnostic| {
        let folder = Path::new(path);
        let file = finding.file.as_deref().map_or_else(|| folder.to_owned(), |file| file_path(folder, file));
        finding.clone().in_file(file.display())
    };
    findings.iter().map(prefix).collect()
}

/// The path of a file of a skill: below the skill's folder, unless the skill is a file or part of one. An absolute path
/// is returned unchanged.
fn file_path(skill: &Path, file: &str) -> PathBuf {
    let is_itself =
        |at: &&Path| (at.ends_with(file) || (file == SKILL_MD && at.extension().is_some_and(|one| one == "md"))) && at.is_file();
    skill.ancestors().find(is_itself).map_or_else(|| skill.join(file), Path::to_owned)
}
