//! `inklings proposal`.

use std::fmt::Write as _;

use inklings_app::features::proposal::{
    Accept, AcceptParams, AcceptedProposal, DecideParams, EditProposal, EditProposalParams, GetProposal, ListProposals, OptimizationBody,
    ProposalList, ProposalListParams, ProposalRef, ProposalReview, RebaseProposal, Reject, ReviewProposal, WrapPrompt, WrapPromptParams,
};
use inklings_core::Proposal;
use inklings_core::limits::ARTIFACT_BYTES;
use inklings_core::program::{PredictorState, Scores};
use inklings_core::proposal::{ProposalKind, ProposalStatus};

use crate::args::ProposalCommand;
use crate::commands::common::{NamedText, parse_path, unified};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: ProposalCommand, out: &Out) -> Result<(), CliError> {
    match command {
        ProposalCommand::List { all } => {
            let params = ProposalListParams { skill: None, status: (!all).then_some(ProposalStatus::Open) };
            out.result(&session.call::<ListProposals>(params).await?, list)
        }
        ProposalCommand::Show { id } => {
            let proposal = session.call::<GetProposal>(ProposalRef { id }).await?;
            match proposal.kind {
                ProposalKind::Composer => out.result(&session.call::<ReviewProposal>(ProposalRef { id }).await?, format_review),
                _ => out.result(&proposal, format_optimization),
            }
        }
        ProposalCommand::Edit { id, path, file } => {
            let params = EditProposalParams { id, path: parse_path(&path)?, content: read_text(&file, ARTIFACT_BYTES)? };
            out.result(&session.call::<EditProposal>(params).await?, format_review)
        }
        ProposalCommand::Rebase { id } => out.result(&session.call::<RebaseProposal>(ProposalRef { id }).await?, format_review),
        ProposalCommand::Wrap { skill, prompt } => {
            let params = WrapPromptParams { skill: skill.skill, scope: skill.scope.map(Into::into), prompt };
            out.result(&session.call::<WrapPrompt>(params).await?, |review| {
                format!("{}\n\nTo accept it, run: inklings proposal accept {}", format_review(review), review.proposal.id)
            })
        }
        ProposalCommand::Accept { id, paths, scope, reason } => {
            let paths = paths.iter().map(|path| parse_path(path)).collect::<Result<Vec<_>, _>>()?;
            let params = AcceptParams { id, reason, paths: Some(paths).filter(|paths| !paths.is_empty()), scope: scope.map(Into::into) };
            out.result(&session.call::<Accept>(params).await?, format_accepted)
        }
        ProposalCommand::Reject { id, reason } => {
            out.result(&session.call::<Reject>(DecideParams { id, reason }).await?, |one| format!("rejected {}", one.title))
        }
    }
}

fn heading(proposal: &Proposal) -> String {
    format!("{}  {}  {}", proposal.skill.slug, proposal.title, proposal.status.as_str())
}

fn format_review(review: &ProposalReview) -> String {
    let mut text = heading(&review.proposal);
    if review.stale {
        text.push_str("\nthe skill was changed after this proposal was made, so it can't be accepted until it is merged with it");
    }
    for file in review.files.iter().filter(|file| file.conflict) {
        let _ = write!(text, "\n{}: the skill and the proposal changed the same lines", file.change.path);
    }
    for one in &review.diagnostics {
        let at = one.file.as_deref().map(|file| one.line.map_or_else(|| format!("{file}: "), |line| format!("{file}:{line}: ")));
        let _ = write!(text, "\n{}{}", at.unwrap_or_default(), one.message);
    }
    for file in &review.files {
        let change = &file.change;
        let name =
            |side: char, text: &Option<String>| text.as_ref().map_or_else(|| "/dev/null".to_owned(), |_| format!("{side}/{}", change.path));
        let (before, after) = (name('a', &change.before), name('b', &change.after));
        let diff = unified(
            NamedText { name: &before, text: change.before.as_deref().unwrap_or_default() },
            NamedText { name: &after, text: change.after.as_deref().unwrap_or_default() },
        );
        let _ = write!(text, "\n\n{}", diff.trim_end());
    }
    text
}

fn list(list: &ProposalList) -> String {
    if list.proposals.is_empty() {
        return "no proposals".to_owned();
    }
    let row = |one: &Proposal| vec![one.id.to_string(), one.status.as_str().to_owned(), one.skill.slug.to_string(), one.title.clone()];
    table(&list.proposals.iter().map(row).collect::<Vec<_>>())
}

fn format_accepted(done: &AcceptedProposal) -> String {
    let how = if done.forked { " (duplicated to edit it)" } else { "" };
    format!("accepted: {} revision {}{how}", done.skill, done.revision)
}

/// Writing to a String can't fail.
pub(crate) fn format_optimization(proposal: &Proposal) -> String {
    let mut text = heading(proposal);
    let Ok(body) = serde_json::from_value::<OptimizationBody>(proposal.body.clone()) else { return text };
    let scores = |text: &mut String, name: &str, scores: Scores, count: usize| {
        let _ = write!(text, "\n{name} score: {:.3} -> {:.3} ({count} examples)", scores.before, scores.after);
    };
    scores(&mut text, "train", body.train, body.trainset.len());
    if let Some(validation) = body.validation {
        scores(&mut text, "validation", validation, body.valset.len());
    }
    if body.stopped.is_some() {
        text.push_str("\nstopped at the budget; best result so far");
    }
    if let Some(cost) = body.usage.cost {
        let _ = write!(text, "\nestimated cost: ${cost:.4}");
    }
    for after in &body.after {
        let before = body.before.iter().find(|one| one.name == after.name);
        write_changes(&mut text, before, after);
    }
    text
}

fn write_changes(text: &mut String, before: Option<&PredictorState>, after: &PredictorState) {
    let _ = write!(text, "\n\n{}", after.name);
    let old = before.map_or("", |one| one.instructions.as_str());
    if old == after.instructions {
        text.push_str("\n  instructions unchanged");
    } else {
        for (sign, lines) in [("-", old), ("+", after.instructions.as_str())] {
            for line in lines.lines() {
                let _ = write!(text, "\n{sign} {line}");
            }
        }
    }
    let _ = write!(text, "\n  {} demos, before {}", after.demos.len(), before.map_or(0, |one| one.demos.len()));
    for demo in &after.demos {
        let _ = write!(text, "\n+ {}", serde_json::Value::Object(demo.clone()));
    }
}
