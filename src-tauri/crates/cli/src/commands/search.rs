//! `inklings search`

use std::time::Instant;

use anyhow::Context as _;
use inklings_app::features::search::{LeftOutReason, SearchSkills, SearchSkillsParams, SkillMatch, SkillSearchResult};
use serde::Serialize;

use crate::args::SearchArgs;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::{Out, table};
use crate::progress::CallProgress;

/// Of all queries on standard input.
const MAX_QUERIES_BYTES: usize = 4 * 1024 * 1024;

/// The result of a query on standard input.
#[derive(Serialize)]
struct QueryResult<'a> {
    query: &'a str,
    results: &'a [SkillMatch],
    #[serde(skip_serializing_if = "Option::is_none")]
    words_only: Option<&'a str>,
    elapsed_ms: u128,
}

pub(crate) async fn run(session: &Session, args: SearchArgs, out: &Out) -> Result<(), CliError> {
    if args.message != ["-"] {
        let found = find(session, args.message.join(" "), args.limit, out).await?;
        return out.result(&found, |found| text(found, args.explain));
    }
    let queries = read_text("-".as_ref(), MAX_QUERIES_BYTES)?;
    let mut heading = "===";
    for query in queries.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let began = Instant::now();
        let found = find(session, query.to_owned(), args.limit, out).await?;
        if out.is_json() {
            let (results, words_only) = (found.skills.as_slice(), found.words_only.as_deref());
            let line = QueryResult { query, results, words_only, elapsed_ms: began.elapsed().as_millis() };
            out.json_lines(&format!("{}\n", serde_json::to_string(&line).context("can't serialize the result")?))?;
        } else {
            out.result(&found, |found| format!("{heading} {query} ===\n{}", text(found, args.explain)))?;
            heading = "\n===";
        }
    }
    Ok(())
}

async fn find(session: &Session, message: String, limit: u8, out: &Out) -> Result<SkillSearchResult, CliError> {
    let params = SearchSkillsParams { message, limit: Some(limit.into()) };
    let progress = CallProgress::begin("indexing", out);
    let found = session.call_with_progress::<SearchSkills>(params, &progress).await?;
    progress.end();
    Ok(found)
}

fn text(found: &SkillSearchResult, explain: bool) -> String {
    let mut parts = Vec::new();
    if found.skills.is_empty() {
        parts.push("no skill fits".to_owned());
    } else if explain {
        parts.push(explained(found.skills.iter().map(|one| (one, ""))));
    } else {
        parts.push(table(
            &found.skills.iter().map(|one| vec![one.slug.to_string(), first_sentence(&one.description).to_owned()]).collect::<Vec<_>>(),
        ));
    }
    if explain && !found.left_out.is_empty() {
        parts.push(format!("left out:\n{}", explained(found.left_out.iter().map(|one| (&one.found, reason(one.reason))))));
    }
    if let Some(why) = &found.words_only {
        parts.push(format!("only words were compared: {why}"));
    }
    parts.join("\n")
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(". ").next().unwrap_or(text).trim_end()
}

fn explained<'a>(skills: impl Iterator<Item = (&'a SkillMatch, &'static str)>) -> String {
    let number = |value: f32| format!("{value:.2}");
    let mut rows = vec![["SKILL", "SCORE", "MEANING", "WORDS", "AVOIDED", "QUALITY", "MATCHES"].map(str::to_owned).to_vec()];
    for (one, reason) in skills {
        let matches = match &one.exact {
            Some(phrase) => format!("\"{phrase}\""),
            None => one.terms.join(" "),
        };
        let meaning = one.similarity.map_or_else(|| "-".to_owned(), number);
        let matches = if reason.is_empty() { matches } else { format!("{matches} ({reason})").trim().to_owned() };
        rows.push(vec![
            one.slug.to_string(),
            number(one.score),
            meaning,
            number(one.coverage),
            number(one.avoided),
            number(one.quality),
            matches,
        ]);
    }
    table(&rows)
}

const fn reason(reason: LeftOutReason) -> &'static str {
    match reason {
        LeftOutReason::Disabled => "disabled",
        LeftOutReason::Deprecated => "deprecated",
        LeftOutReason::Archived => "archived",
        LeftOutReason::Unproven => "written by a model and not proven yet",
        LeftOutReason::Conflict => "conflicts with a better one",
        LeftOutReason::Avoided => "not for this",
        LeftOutReason::Weak => "doesn't fit",
        LeftOutReason::Rank => "others fit better",
    }
}
