//! `inklings search`

use inklings_app::features::search::{LeftOutReason, SearchSkills, SearchSkillsParams, SkillMatch, SkillSearchResult};

use crate::args::SearchArgs;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::{Out, table};
use crate::progress::CallProgress;

/// A longer message is cut by the model anyway.
const MAX_MESSAGE_BYTES: usize = 64 * 1024;

pub(crate) async fn run(session: &Session, args: SearchArgs, out: &Out) -> Result<(), CliError> {
    let message = if args.message == ["-"] { read_text("-".as_ref(), MAX_MESSAGE_BYTES)? } else { args.message.join(" ") };
    let params = SearchSkillsParams { message, limit: Some(args.limit.into()) };
    let progress = CallProgress::begin("indexing", out);
    let found = session.call_with_progress::<SearchSkills>(params, &progress).await?;
    progress.end();
    out.result(&found, |found| text(found, args.explain))
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
