//! `proposal/*`: what waits for a person's decision. Accepting is the only way in which a candidate becomes part of a skill.

use inklings_core::Proposal;
use inklings_core::proposal::{ProposalFilter, ProposalStatus};
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{AcceptedProposal, DecideParams, ProposalList, ProposalListParams, ProposalRef};
use super::service::ProposalService;
use crate::app::App;

impl App {
    fn proposal_service<'a>(&'a self, cx: &'a CallContext) -> ProposalService<'a> {
        ProposalService { proposals: self.proposals.as_ref(), actor: &cx.actor }
    }
}

fn list(app: &App, cx: &CallContext, params: ProposalListParams) -> Result<ProposalList, Failure> {
    let find = |name: String| Ok::<_, Failure>(app.catalog(cx)?.require(&name, None)?.head.id);
    let skill = params.skill.map(find).transpose()?;
    let filter = ProposalFilter { workspace: Some(cx.workspace_key()), skill: None, status: Some(ProposalStatus::Open) };
    let open = app.proposals.count_proposals(&filter)?;
    let proposals = app.proposals.proposals(&ProposalFilter { skill, status: params.status, ..filter })?;
    Ok(ProposalList { proposals, open })
}

fn get(app: &App, cx: &CallContext, params: ProposalRef) -> Result<Proposal, Failure> {
    Ok(app.proposal_service(cx).get(params.id)?)
}

fn accept(app: &App, cx: &CallContext, params: DecideParams) -> Result<AcceptedProposal, Failure> {
    Ok(app.proposal_service(cx).accept(&app.editor(cx)?, params.id, params.reason.as_deref())?)
}

fn reject(app: &App, cx: &CallContext, params: DecideParams) -> Result<Proposal, Failure> {
    Ok(app.proposal_service(cx).reject(params.id, params.reason.as_deref())?)
}

operations! { App;
    ListProposals = "proposal/list", Read, blocking list(ProposalListParams) -> ProposalList;
    GetProposal = "proposal/get", Read, blocking get(ProposalRef) -> Proposal;
    /// Makes a revision of it and records the approval. A locked skill is forked first.
    Accept = "proposal/accept", Write["proposal", "skill"], blocking accept(DecideParams) -> AcceptedProposal;
    Reject = "proposal/reject", Write["proposal"], blocking reject(DecideParams) -> Proposal;
}
