//! `inklings skill uses` and `rename`.

use std::fmt::Write as _;

use inklings_app::features::symbol::{FileLocations, ListUses, Location, Symbol, Uses, UsesParams};
use inklings_app::features::symbol::{Preview, Rename, RenameParams, RenamePreview, RenameResult};

use crate::args::SkillArg;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::Out;

pub(crate) const fn symbol(name: String, artifact: bool) -> Symbol {
    if artifact { Symbol::Artifact { name } } else { Symbol::Variable { name } }
}

pub(crate) async fn uses(session: &Session, skill: SkillArg, symbol: Symbol, out: &Out) -> Result<(), CliError> {
    let params = UsesParams { skill: skill.skill, scope: skill.scope.map(Into::into), symbol, edits: Vec::new() };
    let found = session.call::<ListUses>(params).await?;
    out.result(&found, |found: &Uses| {
        let mut text = String::new();
        write_uses(&mut text, "", &found.uses);
        write_uses(&mut text, "mention: ", &found.mentions);
        let _ = write!(text, "{} uses, {} mentions", count(&found.uses), count(&found.mentions));
        text
    })?;
    if found.uses.is_empty() && found.mentions.is_empty() { Err(CliError::Findings) } else { Ok(()) }
}

pub(crate) async fn rename(session: &Session, skill: SkillArg, symbol: Symbol, to: String, dry: bool, out: &Out) -> Result<(), CliError> {
    let params = RenameParams { skill: skill.skill, scope: skill.scope.map(Into::into), symbol, to };
    if dry {
        return out.result(&session.call::<Preview>(params).await?, |plan: &RenamePreview| {
            let mut text = String::new();
            write_uses(&mut text, "", &plan.uses);
            write_uses(&mut text, "not renamed: ", &plan.mentions);
            let (uses, RenamePreview { inputs, actions, .. }) = (count(&plan.uses), plan);
            let _ = write!(text, "would rename {uses} uses, {inputs} saved inputs and {actions} actions");
            elsewhere(&mut text, plan.inputs_elsewhere);
            text
        });
    }
    out.result(&session.call::<Rename>(params).await?, |done: &RenameResult| {
        let mut text = String::new();
        write_uses(&mut text, "mention: ", &done.mentions);
        let RenameResult { uses, inputs, actions, .. } = done;
        let _ = write!(text, "renamed {uses} uses, {inputs} saved inputs and {actions} actions, revision {}", done.result.revision);
        elsewhere(&mut text, done.inputs_elsewhere);
        text
    })
}

fn count(files: &[FileLocations]) -> usize {
    files.iter().map(|file| file.locations.len()).sum()
}

/// One line per use. Writing to a String can't fail.
fn write_uses(text: &mut String, lead: &str, files: &[FileLocations]) {
    for file in files {
        for Location { line, column, before, text: word, after, .. } in &file.locations {
            let _ = writeln!(text, "{lead}{}/{}:{line}:{column}: {}{word}{after}", file.slug, file.path, before.trim_start());
        }
    }
}

fn elsewhere(text: &mut String, inputs: usize) {
    if inputs > 0 {
        let _ = write!(text, "; not renamed: {inputs} saved inputs of workspaces that may override the skill");
    }
}
