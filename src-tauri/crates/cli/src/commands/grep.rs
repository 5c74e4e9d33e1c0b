//! `inklings skill grep`, `uses` and `rename`: finding and replacing in the texts of skills.

use std::fmt::Write as _;

use inklings_app::find::{Match, Query};
use inklings_app::ops::text::{Matches, Replace, ReplaceFile, ReplaceParams, Replacement, Search, SearchParams};
use inklings_app::ops::variable::{ListUses, Rename, RenameParams, Renamed, Use, Uses, VariableRef};

use crate::Ended;
use crate::args::{GrepArgs, SkillArg};
use crate::commands::Session;
use crate::out::Out;

pub(crate) async fn run(session: &Session, args: GrepArgs, out: &Out) -> Result<(), Ended> {
    let query = Query { text: args.text, regex: args.regex, case: args.case, word: args.word };
    let params = SearchParams {
        query: query.clone(),
        replacement: args.replace.clone(),
        skill: args.skill,
        scope: args.scope.map(Into::into),
        path: args.path,
        limit: args.limit,
    };
    let found = session.call::<Search>(params).await?;
    let Some(replacement) = args.replace.filter(|_| args.apply) else {
        out.result(&found, listed)?;
        return if found.matches == 0 { Err(Ended::Findings) } else { Ok(()) };
    };
    if found.more {
        out.note("there are more matches than were looked at: raise --limit, or narrow it down");
    }
    let file = |skill: &inklings_app::ops::text::SkillMatches, file: &inklings_app::ops::text::FileMatches| ReplaceFile {
        skill: skill.id,
        scope: skill.scope,
        revision: skill.revision,
        path: file.path.clone(),
        // Those that were seen.
        matches: Some((0..file.matches.len()).collect()),
    };
    let files = found.skills.iter().flat_map(|skill| skill.files.iter().map(move |one| file(skill, one))).collect();
    let done = session.call::<Replace>(ReplaceParams { query, replacement, files }).await?;
    out.result(&done, replaced)?;
    if done.kept.is_empty() { Ok(()) } else { Err(Ended::Findings) }
}

/// As other tools print matches: where, then the line.
fn listed(found: &Matches) -> String {
    let mut text = String::new();
    for skill in &found.skills {
        for file in &skill.files {
            for one in &file.matches {
                // Writing to a text doesn't fail.
                let _ = writeln!(text, "{}/{}:{}:{}: {}", skill.slug, file.path, one.line, one.column, line(one, &one.text));
                if let Some(instead) = &one.instead {
                    let _ = writeln!(text, "    {}", line(one, instead));
                }
            }
        }
    }
    let more = if found.more { "; there are more" } else { "" };
    let _ = write!(text, "{} matches in {} files of {} skills{more}", found.matches, found.files, found.skills.len());
    text
}

fn line(one: &Match, middle: &str) -> String {
    format!("{}{middle}{}", one.before.trim_start(), one.after)
}

fn replaced(done: &Replacement) -> String {
    let mut text = String::new();
    for one in &done.changed {
        let _ = writeln!(text, "{}: {} replaced in {} files, revision {}", one.slug, one.matches, one.files.len(), one.revision);
    }
    for one in &done.kept {
        let _ = writeln!(text, "left as it is: {}", one.failure.message);
    }
    let _ = write!(text, "{} skills changed", done.changed.len());
    text
}

pub(crate) async fn uses(session: &Session, skill: SkillArg, name: String, out: &Out) -> Result<(), Ended> {
    let found =
        session.call::<ListUses>(VariableRef { skill: skill.skill, scope: skill.scope.map(Into::into), name: name.clone() }).await?;
    out.result(&found, |found: &Uses| {
        let mut text = String::new();
        for one in &found.uses {
            let _ = writeln!(text, "{}", placed(one, &name));
        }
        mentioned(&mut text, &found.mentions, &name);
        let _ = write!(text, "{} in templates, {} more in other words", found.uses.len(), found.mentions.len());
        text
    })?;
    if found.uses.is_empty() && found.mentions.is_empty() { Err(Ended::Findings) } else { Ok(()) }
}

pub(crate) async fn rename(session: &Session, skill: SkillArg, from: String, to: String, out: &Out) -> Result<(), Ended> {
    let params = RenameParams { skill: skill.skill, scope: skill.scope.map(Into::into), from: from.clone(), to };
    out.result(&session.call::<Rename>(params).await?, |done: &Renamed| {
        let mut text = String::new();
        mentioned(&mut text, &done.mentions, &from);
        let _ = write!(text, "{} places and {} saved inputs renamed, revision {}", done.uses, done.inputs, done.result.revision);
        text
    })
}

/// What only a person can tell. Writing to a text doesn't fail.
fn mentioned(text: &mut String, mentions: &[Use], name: &str) {
    for one in mentions {
        let _ = writeln!(text, "the word is also in {}", placed(one, name));
    }
}

fn placed(one: &Use, name: &str) -> String {
    format!("{}:{}:{}: {}{name}{}", one.path, one.line, one.column, one.before.trim_start(), one.after)
}
