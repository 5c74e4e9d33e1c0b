//! `inklings skill uses` and `rename`: where a skill names something, and giving it another name there.

use std::fmt::Write as _;

use inklings_app::features::symbol::{FilePlaces, ListUses, Place, Symbol, Uses, UsesParams};
use inklings_app::features::symbol::{Preview, Rename, RenameParams, Renamed, Renaming};

use crate::Ended;
use crate::args::SkillArg;
use crate::commands::Session;
use crate::out::Out;

/// What a name on the command line stands for.
pub(crate) const fn called(name: String, artifact: bool) -> Symbol {
    if artifact { Symbol::Artifact { name } } else { Symbol::Variable { name } }
}

pub(crate) async fn uses(session: &Session, skill: SkillArg, symbol: Symbol, out: &Out) -> Result<(), Ended> {
    let params = UsesParams { skill: skill.skill, scope: skill.scope.map(Into::into), symbol, edits: Vec::new() };
    let found = session.call::<ListUses>(params).await?;
    out.result(&found, |found: &Uses| {
        let mut text = String::new();
        listed(&mut text, "", &found.uses);
        listed(&mut text, "the word is also in ", &found.mentions);
        let _ = write!(text, "{} in texts that name it, {} more in other words", count(&found.uses), count(&found.mentions));
        text
    })?;
    if found.uses.is_empty() && found.mentions.is_empty() { Err(Ended::Findings) } else { Ok(()) }
}

pub(crate) async fn rename(session: &Session, skill: SkillArg, symbol: Symbol, to: String, dry: bool, out: &Out) -> Result<(), Ended> {
    let params = RenameParams { skill: skill.skill, scope: skill.scope.map(Into::into), symbol, to };
    if dry {
        return out.result(&session.call::<Preview>(params).await?, |plan: &Renaming| {
            let mut text = String::new();
            listed(&mut text, "", &plan.uses);
            listed(&mut text, "the word stays in ", &plan.mentions);
            let _ = write!(text, "{} places and {} saved inputs would be renamed", count(&plan.uses), plan.inputs);
            elsewhere(&mut text, plan.inputs_elsewhere);
            text
        });
    }
    out.result(&session.call::<Rename>(params).await?, |done: &Renamed| {
        let mut text = String::new();
        listed(&mut text, "the word is also in ", &done.mentions);
        let _ = write!(text, "{} places and {} saved inputs renamed, revision {}", done.uses, done.inputs, done.result.revision);
        elsewhere(&mut text, done.inputs_elsewhere);
        text
    })
}

fn count(files: &[FilePlaces]) -> usize {
    files.iter().map(|file| file.places.len()).sum()
}

/// A line for each place. Writing to a text doesn't fail.
fn listed(text: &mut String, lead: &str, files: &[FilePlaces]) {
    for file in files {
        for Place { line, column, before, text: word, after, .. } in &file.places {
            let _ = writeln!(text, "{lead}{}/{}:{line}:{column}: {}{word}{after}", file.slug, file.path, before.trim_start());
        }
    }
}

fn elsewhere(text: &mut String, inputs: usize) {
    if inputs > 0 {
        let _ = write!(text, "; {inputs} saved inputs of folders that may have a skill of their own keep the old name");
    }
}
