//! `inklings skill grep`.

use std::fmt::Write as _;

use inklings_app::features::text::{Replace, ReplaceFile, ReplaceParams, ReplaceReport, Search, SearchParams, SearchResult};
use inklings_app::find::{Match, Query};

use crate::args::GrepArgs;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::Out;

pub(crate) async fn run(session: &Session, args: GrepArgs, out: &Out) -> Result<(), CliError> {
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
        return if found.matches == 0 { Err(CliError::Findings) } else { Ok(()) };
    };
    if found.more {
        out.note("only some of the matches are replaced; use --limit for more");
    }
    let file = |skill: &inklings_app::features::text::SkillMatches, file: &inklings_app::features::text::FileMatches| ReplaceFile {
        skill: skill.id,
        scope: skill.scope,
        revision: skill.revision,
        path: file.path.clone(),
        matches: Some((0..file.matches.len()).collect()),
    };
    let files = found.skills.iter().flat_map(|skill| skill.files.iter().map(move |one| file(skill, one))).collect();
    let done = session.call::<Replace>(ReplaceParams { query, replacement, files }).await?;
    out.result(&done, replaced)?;
    if done.refused.is_empty() { Ok(()) } else { Err(CliError::Findings) }
}

/// `slug/path:line:column: text`, like grep.
fn listed(found: &SearchResult) -> String {
    let mut text = String::new();
    for skill in &found.skills {
        for file in &skill.files {
            for one in &file.matches {
                // Writing to a String can't fail.
                let _ = writeln!(text, "{}/{}:{}:{}: {}", skill.slug, file.path, one.line, one.column, line(one, &one.text));
                if let Some(instead) = &one.instead {
                    let _ = writeln!(text, "    {}", line(one, instead));
                }
            }
        }
    }
    let more = if found.more { "; more with --limit" } else { "" };
    let _ = write!(text, "{} matches in {} files of {} skills{more}", found.matches, found.files, found.skills.len());
    text
}

fn line(one: &Match, middle: &str) -> String {
    format!("{}{middle}{}", one.before.trim_start(), one.after)
}

fn replaced(done: &ReplaceReport) -> String {
    let mut text = String::new();
    for one in &done.changed {
        let _ = writeln!(text, "{}: replaced {} matches in {} files, revision {}", one.slug, one.matches, one.files.len(), one.revision);
    }
    for one in &done.refused {
        let _ = writeln!(text, "skipped: {}", one.failure.message);
    }
    let _ = write!(text, "changed {} skills", done.changed.len());
    text
}
