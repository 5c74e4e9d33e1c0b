//! `proposal/*`: what waits for a person's decision. Accepting is the only way in which a candidate becomes part of a skill.

use inklings_core::program::{Metric, PredictorState, ProgramExample, Scores, StoppedBy};
use inklings_core::proposal::{Decision, ProposalFilter, ProposalStatus};
use inklings_core::trace::Spent;
use inklings_core::{Digest, Proposal, ProposalId, RunId, Skill, SkillPath, State};
use inklings_folder::default_state_path;
use inklings_runtime::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::{Code, Failure};
use crate::operation::{Blocking, Effect, Entry};
use crate::ops::skill::Fork;
use crate::ops::{artifact, unlocked};
use crate::wire::SkillRef;

/// What an optimisation proposes: the `body` of its proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OptimisationBody {
    /// The run that found it; its trace has every question and answer.
    pub run: RunId,
    /// The artifact's name.
    pub artifact: String,
    /// Hash of the artifact's text: another text is another program.
    pub content_sha256: String,
    /// Hash of the state that it started from; none without one.
    pub state_sha256: Option<String>,
    /// The optimiser.
    pub optimizer: String,
    /// Its settings.
    pub options: Map<String, Value>,
    /// How predictions were judged.
    pub metric: Metric,
    /// Seed of everything random.
    pub seed: u64,
    /// Version of DSPy.
    pub dspy: Option<String>,
    /// The model that was asked.
    pub model: Option<String>,
    /// Average scores over the training examples.
    pub train: Scores,
    /// Average scores over the held-out examples.
    pub held_out: Option<Scores>,
    /// Set when it ended early.
    pub stopped: Option<StoppedBy>,
    /// Instructions and demonstrations before.
    pub before: Vec<PredictorState>,
    /// Instructions and demonstrations that it proposes.
    pub after: Vec<PredictorState>,
    /// The state that it proposes.
    pub state_blob: Value,
    /// The examples that it learned from, to do it again.
    pub training_data: Vec<ProgramExample>,
    /// The examples that it was judged by.
    pub held_out_data: Vec<ProgramExample>,
    /// Most questions to models that it was given.
    #[serde(default)]
    pub calls: Option<u64>,
    /// What else it was given.
    #[serde(default)]
    pub limits: Limits,
    /// Tokens and cost.
    #[serde(flatten)]
    pub spent: Spent,
}

/// Which proposals to list.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalListParams {
    /// Only of this skill: id, slug or title.
    #[serde(default)]
    pub skill: Option<String>,
    /// Only those that stand so.
    #[serde(default)]
    pub status: Option<ProposalStatus>,
}

/// Proposals, newest first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProposalList {
    /// Those of the open workspace and of the account.
    pub proposals: Vec<Proposal>,
    /// How many wait for a decision, whatever was asked for.
    pub open: usize,
}

/// `proposal/list`
pub struct ListProposals;

impl Blocking for ListProposals {
    const NAME: &'static str = "proposal/list";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = ProposalListParams;
    type Output = ProposalList;

    fn run(app: &App, cx: &CallContext, params: ProposalListParams) -> Result<ProposalList, Failure> {
        let named = |name: String| Ok::<_, Failure>(app.catalog(cx)?.require(&name, None)?.head.id);
        let skill = params.skill.map(named).transpose()?;
        let here = ProposalFilter { workspace: Some(cx.workspace_key()), skill: None, status: Some(ProposalStatus::Open) };
        let open = app.proposals.proposals(&here)?.len();
        let proposals = app.proposals.proposals(&ProposalFilter { skill, status: params.status, ..here })?;
        Ok(ProposalList { proposals, open })
    }
}

/// Names a proposal.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalRef {
    /// Its id.
    pub id: ProposalId,
}

/// `proposal/get`
pub struct GetProposal;

impl Blocking for GetProposal {
    const NAME: &'static str = "proposal/get";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = ProposalRef;
    type Output = Proposal;

    fn run(app: &App, _: &CallContext, params: ProposalRef) -> Result<Proposal, Failure> {
        find(app, params.id)
    }
}

/// A decision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideParams {
    /// The proposal.
    pub id: ProposalId,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
}

/// What accepting a proposal made.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Accepted {
    /// The skill that has it now: a fork where the original is locked.
    pub skill: String,
    /// Its revision.
    pub revision: i64,
    /// Whether a fork was made for it.
    pub forked: bool,
}

/// `proposal/accept`: makes a revision of it and records the approval. A locked skill is forked first.
pub struct Accept;

impl Blocking for Accept {
    const NAME: &'static str = "proposal/accept";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["proposal", "skill"]);
    type Params = DecideParams;
    type Output = Accepted;

    fn run(app: &App, cx: &CallContext, params: DecideParams) -> Result<Accepted, Failure> {
        let proposal = open(app, params.id)?;
        let body: OptimisationBody = serde_json::from_value(proposal.body.clone())
            .map_err(|error| Failure::new(Code::Invalid, format!("the proposal can't be read: {error}")).hint("optimise again"))?;
        let skill = app.catalog(cx)?.require(&proposal.skill.id.to_string(), Some(proposal.skill.scope))?;
        let bytes = serde_json::to_vec_pretty(&body.state_blob).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        if has_it(&skill, &proposal, &body, &bytes) {
            // Its revision was made, and something came between that and writing down the decision.
            decide(app, cx, &params, ProposalStatus::Accepted, Some(skill.head.revision))?;
            return Ok(Accepted { skill: skill.package.slug.to_string(), revision: skill.head.revision, forked: false });
        }
        let path = fits(&skill, &proposal, &body)?;
        let forked = unlocked(&skill).is_err();
        let target = if forked {
            let fork = Fork::run(app, cx, SkillRef { skill: skill.head.id.to_string(), scope: Some(skill.head.scope) })?;
            (fork.summary.id.to_string(), fork.summary.scope)
        } else {
            (skill.head.id.to_string(), skill.head.scope)
        };
        let saved = artifact::change(app, cx, &target.0, Some(target.1), &why(&body), |package| {
            let taken: Vec<_> = package.tree().into_keys().collect();
            let usual = default_state_path(&body.artifact, &taken.iter().collect::<Vec<_>>());
            let Some(artifact) = package.artifacts.iter_mut().find(|one| one.path == path) else { return Err(gone(&path)) };
            let at = artifact.state.take().map_or(usual, |state| state.path);
            artifact.state = Some(State { path: at, bytes: bytes.into() });
            Ok(())
        })?;
        decide(app, cx, &params, ProposalStatus::Accepted, Some(saved.revision))?;
        Ok(Accepted { skill: saved.skill.summary.slug.to_string(), revision: saved.revision, forked })
    }
}

/// `proposal/reject`
pub struct Reject;

impl Blocking for Reject {
    const NAME: &'static str = "proposal/reject";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["proposal"]);
    type Params = DecideParams;
    type Output = Proposal;

    fn run(app: &App, cx: &CallContext, params: DecideParams) -> Result<Proposal, Failure> {
        open(app, params.id)?;
        decide(app, cx, &params, ProposalStatus::Rejected, None)?;
        find(app, params.id)
    }
}

fn find(app: &App, id: ProposalId) -> Result<Proposal, Failure> {
    let missing = || Failure::new(Code::NotFound, format!("there is no proposal {id}")).hint("`proposal list` shows them");
    app.proposals.proposal(id)?.ok_or_else(missing)
}

fn open(app: &App, id: ProposalId) -> Result<Proposal, Failure> {
    let found = find(app, id)?;
    if found.status == ProposalStatus::Open { Ok(found) } else { Err(decided(found.status)) }
}

fn decided(status: ProposalStatus) -> Failure {
    Failure::new(Code::RevisionConflict, format!("the proposal was {} already", status.as_str())).hint("reload the list")
}

fn decide(app: &App, cx: &CallContext, params: &DecideParams, status: ProposalStatus, revision: Option<i64>) -> Result<(), Failure> {
    let decision = Decision { status, revision, actor: &cx.actor, reason: params.reason.as_deref() };
    if app.proposals.decide(params.id, &decision)? { Ok(()) } else { Err(decided(find(app, params.id)?.status)) }
}

fn gone(path: &SkillPath) -> Failure {
    Failure::new(Code::NotFound, format!("the skill has no artifact {path} any more")).hint("reject the proposal")
}

/// Whether the artifact has the proposed state already.
fn has_it(skill: &Skill, proposal: &Proposal, body: &OptimisationBody, bytes: &[u8]) -> bool {
    let artifact = skill.package.artifacts.iter().find(|one| Some(&one.path) == proposal.artifact_path.as_ref());
    artifact.is_some_and(|one| {
        Digest::of(one.content.as_bytes()).to_string() == body.content_sha256
            && one.state.as_ref().is_some_and(|state| state.bytes.as_ref() == bytes)
    })
}

/// The path of the artifact, if it still is what was optimised.
fn fits(skill: &Skill, proposal: &Proposal, body: &OptimisationBody) -> Result<SkillPath, Failure> {
    let path = proposal.artifact_path.clone().ok_or_else(|| Failure::invalid("the proposal names no artifact"))?;
    let artifact = skill.package.artifacts.iter().find(|one| one.path == path).ok_or_else(|| gone(&path))?;
    let changed = |what: &str| {
        Failure::new(Code::RevisionConflict, format!("{what} was changed since this was proposed")).hint("reject it and optimise again")
    };
    if Digest::of(artifact.content.as_bytes()).to_string() != body.content_sha256 {
        return Err(changed(path.as_str()));
    }
    let state = artifact.state.as_ref().map(|state| Digest::of(&state.bytes).to_string());
    if state != body.state_sha256 {
        return Err(changed(&artifact.state.as_ref().map_or_else(|| "its state".to_owned(), |state| state.path.to_string())));
    }
    Ok(path)
}

/// What the history says of it.
fn why(body: &OptimisationBody) -> String {
    let (over, scores) = body.held_out.map_or(("training", body.train), |scores| ("held-out", scores));
    format!("optimised {} by {}: {over} score {:.2} -> {:.2}", body.artifact, body.optimizer, scores.before, scores.after)
}

pub(crate) const TABLE: &[Entry] =
    &[Entry::of::<ListProposals>(), Entry::of::<GetProposal>(), Entry::of::<Accept>(), Entry::of::<Reject>()];
