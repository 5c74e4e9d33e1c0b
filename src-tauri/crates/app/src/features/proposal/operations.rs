//! `proposal/*`: what waits for a person's decision. Accepting is the only way in which a candidate becomes part of a skill.

use std::sync::Arc;

use inklings_core::Proposal;
use inklings_core::proposal::{ProposalFilter, ProposalStatus};
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{
    AcceptParams, AcceptedProposal, DecideParams, EditProposalParams, ProposalList, ProposalListParams, ProposalRef, ProposalReview,
    WrapPromptParams,
};
use super::composer::Composer;
use super::composition::{CheckedFiles, Composition};
use crate::app::App;
use crate::composing::{self, Composed, compose};

fn list(app: &App, cx: &CallContext, params: ProposalListParams) -> Result<ProposalList, Failure> {
    let find = |name: String| Ok::<_, Failure>(app.catalog(cx)?.require(&name, None)?.head.id);
    let skill = params.skill.map(find).transpose()?;
    let filter = ProposalFilter {
        workspace: Some(cx.workspace_key()),
        skill: None,
        status: Some(ProposalStatus::Open),
        without_account: cx.role.is_limited_to_workspace(),
    };
    let open = app.proposals.count_proposals(&filter)?;
    let proposals = app.proposals.proposals(&ProposalFilter { skill, status: params.status, ..filter })?;
    Ok(ProposalList { proposals, open })
}

fn get(app: &App, cx: &CallContext, params: ProposalRef) -> Result<Proposal, Failure> {
    Ok(app.proposal_service(cx, &cx.workspace_key()).get(params.id)?)
}

async fn review(app: Arc<App>, cx: CallContext, params: ProposalRef) -> Result<ProposalReview, Failure> {
    let context = cx.clone();
    let load = move |app: &App| {
        let proposal = app.proposal_service(&context, &context.workspace_key()).get(params.id)?;
        let composition = Composition::load(proposal, &app.catalog(&context)?)?;
        let checked = composition.check(&app.folder)?;
        Ok((composition, checked))
    };
    let (composition, mut checked) = app.blocking(load).await?;
    checked.compile(app.sandbox.as_ref(), &app.prompts).await;
    reviewed(&app, cx, composition, checked).await
}

async fn reviewed(app: &Arc<App>, cx: CallContext, composition: Composition, checked: CheckedFiles) -> Result<ProposalReview, Failure> {
    let review = move |app: &App| {
        let session = composition.session_in(app.chats.as_ref())?;
        Ok(composition.review(&app.catalog(&cx)?, checked, session)?)
    };
    app.blocking(review).await
}

async fn edit(app: Arc<App>, cx: CallContext, params: EditProposalParams) -> Result<ProposalReview, Failure> {
    let EditProposalParams { id, path, content } = params;
    let edit = move |_: &App, composer: &Composer<'_>| composer.edit(id, path.clone(), content.clone());
    let Composed { composition, checked, .. } = compose(&app, &cx, edit).await?;
    reviewed(&app, cx, composition, checked).await
}

async fn rebase(app: Arc<App>, cx: CallContext, params: ProposalRef) -> Result<ProposalReview, Failure> {
    let Composed { composition, checked, .. } = compose(&app, &cx, move |_, composer| composer.rebase(params.id)).await?;
    reviewed(&app, cx, composition, checked).await
}

async fn wrap(app: Arc<App>, cx: CallContext, params: WrapPromptParams) -> Result<ProposalReview, Failure> {
    let wrap = move |app: &App, composer: &Composer<'_>| {
        let skill = composer.editor.catalog.require(&params.skill, params.scope)?;
        composer.wrap(&skill, params.prompt.as_deref(), &app.prompts)
    };
    let Composed { composition, checked, .. } = compose(&app, &cx, wrap).await?;
    reviewed(&app, cx, composition, checked).await
}

async fn accept(app: Arc<App>, cx: CallContext, params: AcceptParams) -> Result<AcceptedProposal, Failure> {
    composing::accept(&app, &cx, params).await
}

fn reject(app: &App, cx: &CallContext, params: DecideParams) -> Result<Proposal, Failure> {
    Ok(app.proposal_service(cx, &cx.workspace_key()).reject(params.id, params.reason.as_deref())?)
}

operations! { App;
    ListProposals = "proposal/list", Read, blocking list(ProposalListParams) -> ProposalList;
    GetProposal = "proposal/get", Read, blocking get(ProposalRef) -> Proposal;
    /// The proposed files, compared with the present ones and validated.
    ReviewProposal = "proposal/review", Read, async review(ProposalRef) -> ProposalReview;
    /// Replaces the text of a proposed file, or proposes another one.
    EditProposal = "proposal/edit", Write["proposal"], async edit(EditProposalParams) -> ProposalReview;
    /// Merges a proposal with its skill, if that was changed meanwhile. Lines that both changed are conflicts, which an edit resolves.
    RebaseProposal = "proposal/rebase", Write["proposal"], async rebase(ProposalRef) -> ProposalReview;
    /// Proposes a DSPy module with a prompt's inputs and instructions, and the prompt as its fallback.
    WrapPrompt = "proposal/wrap", Write["proposal"], async wrap(WrapPromptParams) -> ProposalReview;
    /// Makes a revision of it and records the approval. A locked skill is forked first.
    Accept = "proposal/accept", Write["proposal", "skill"], async accept(AcceptParams) -> AcceptedProposal;
    Reject = "proposal/reject", Write["proposal"], blocking reject(DecideParams) -> Proposal;
}
