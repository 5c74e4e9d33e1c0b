//! `inklings validate`: a look at folders that needs no account.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use inklings_app::features::check::{FolderVerdict, ValidateParams, validate};
use inklings_core::Diagnostic;
use inklings_core::path::SKILL_MD;
use inklings_engine::skill_format;

use crate::Ended;
use crate::args::ValidateArgs;
use crate::out::Out;
use crate::progress::Progressing;

pub(crate) fn run(args: &ValidateArgs, out: &Out) -> Result<(), Ended> {
    let paths = args.paths.iter().map(std::path::absolute).collect::<Result<_, _>>().context("a path")?;
    let progressing = Progressing::begin("validating", out);
    let found = validate(&ValidateParams { paths, strict: args.strict }, &skill_format(), progressing.watch())?;
    progressing.end();
    // Programs read lines of JSON; people read what is wrong, and a sum.
    if out.is_json() || !out.is_terminal() {
        let mut lines = String::new();
        for verdict in &found.skills {
            lines.push_str(&serde_json::to_string(verdict).context("a result can't be put as JSON")?);
            lines.push('\n');
        }
        out.json_lines(&lines)?;
        out.diagnostics(&found.diagnostics);
    } else {
        out.diagnostics(&found.diagnostics);
        for verdict in &found.skills {
            out.diagnostics(&placed(&verdict.path, &verdict.diagnostics));
        }
        out.result(&found.skills, |skills| sum(skills))?;
    }
    if found.stopped {
        out.note("stopped before all skills were looked at");
    }
    if found.stopped || found.skills.iter().any(|verdict| !verdict.ok) { Err(Ended::Findings) } else { Ok(()) }
}

/// A number of skills.
pub(crate) fn many(count: usize) -> String {
    if count == 1 { "1 skill".to_owned() } else { format!("{count} skills") }
}

fn sum(skills: &[FolderVerdict]) -> String {
    let refused = skills.iter().filter(|verdict| !verdict.ok).count();
    if refused == 0 { format!("{} valid", many(skills.len())) } else { format!("{} of {} not valid", refused, many(skills.len())) }
}

/// Findings with the skill's folder before the file, so that those of many skills can be told apart.
pub(crate) fn placed(path: &str, findings: &[Diagnostic]) -> Vec<Diagnostic> {
    let place = |finding: &Diagnostic| {
        let folder = Path::new(path);
        let file = finding.file.as_deref().map_or_else(|| folder.to_owned(), |file| place_of(folder, file));
        finding.clone().in_file(file.display())
    };
    findings.iter().map(place).collect()
}

/// Where a file of a skill is: below the skill's folder, unless the skill is one file, or a part of one. A file that is named from the
/// root stays as it is.
fn place_of(skill: &Path, file: &str) -> PathBuf {
    let is_itself =
        |at: &&Path| (at.ends_with(file) || (file == SKILL_MD && at.extension().is_some_and(|one| one == "md"))) && at.is_file();
    skill.ancestors().find(is_itself).map_or_else(|| skill.join(file), Path::to_owned)
}
