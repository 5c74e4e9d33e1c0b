//! Improves the instructions of a skill by small edits of a model, with the skill's cases as the measure.
//!
//! A candidate is kept only if more training cases pass, of those that were graded before. The validation cases are run once, for the last
//! candidate, and decide nothing but whether it may be accepted without a person: if the manifest declares a threshold, all of them were
//! graded, and the pass rate on its scale of 1 to 5 reaches it.
//! Whatever happens, a candidate is a proposal first. Edits that didn't help are remembered for the skill.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use inklings_core::eval::{EvalOutcome, EvalResult, EvalStatus, EvalVariant};
use inklings_core::manifest;
use inklings_core::model::{Message, Request, Role};
use inklings_core::program::Scores;
use inklings_core::trace::Outcome;
use inklings_core::{Digest, EvalRunId, LanguageModel, ModelError, ModelRef, ProposalId, Skill};
use inklings_evals::cases::{Case, Split};
use inklings_evals::optimization::{is_promotion_allowed, rated};
use inklings_evals::report::{CaseReport, Report};
use inklings_evals::rewrite::{self, FailedCase, RejectedIdea, RewriteIdea};
use inklings_evals::statistics::PassRate;
use inklings_rpc::{CallContext, Code, Failure};
use inklings_runtime::{Budget, Limits, metered};

use crate::app::App;
use crate::composing::{accept, compose};
use crate::evaluating::evaluate;
use crate::features::eval::execution::with_time_limit;
use crate::features::eval::plan::EvalPlan;
use crate::features::eval::{AttemptOutcome, EvalError, Rewrite, RewriteAttempt, RewriteParams, service};
use crate::features::proposal::composer::{Draft, DraftFile};
use crate::features::proposal::{AcceptParams, AcceptedProposal};
use crate::features::run::service::runnable_skill;

const DEFAULT_ITERATIONS: u32 = 3;
const MAX_ITERATIONS: u32 = 20;
const CONCURRENCY: usize = 4;
/// Edits that are remembered.
const MAX_REJECTED: usize = 200;
/// The last variant of each eval run.
const CANDIDATE: usize = 1;

pub(crate) async fn rewrite(app: &Arc<App>, cx: &CallContext, params: RewriteParams) -> Result<Rewrite, Failure> {
    let model = app.models.model(params.model.as_ref()).await.map_err(EvalError::Model)?;
    let judging = match &params.judge {
        Some(judge) => app.models.model(Some(judge)).await.map_err(EvalError::Model)?,
        None => app.models.model(None).await.unwrap_or_else(|_| model.clone()),
    };
    let judge = params.judge.unwrap_or_else(|| judging.id().clone());
    service::check_limits(params.limits, &[model.clone(), judging])?;
    let (context, name, scope) = (cx.clone(), params.skill, params.scope);
    let load = move |app: &App| {
        let skill = runnable_skill(&app.catalog(&context)?, app.user.as_ref(), &context.workspace_key(), &name, scope)?;
        let mut cases = service::cases(&skill.package).cases;
        cases.retain(|case| case.task().is_some());
        let rejected = app.evals.rejected_edits(skill.head.id, MAX_REJECTED)?;
        Ok((skill, cases, rejected))
    };
    let (skill, cases, rejected) = app.blocking(load).await?;
    let contract = manifest::safe(&skill.package.metadata).0.evals;
    let declared = contract.optimization.as_ref().and_then(|policy| policy.max_iterations);
    let iterations = params.iterations.or(declared).unwrap_or(DEFAULT_ITERATIONS);
    if !(1..=MAX_ITERATIONS).contains(&iterations) {
        return Err(EvalError::OutOfRange { name: "iterations", max: MAX_ITERATIONS as usize }.into());
    }
    let instructions = skill.package.main().map(|main| main.content.to_string()).unwrap_or_default();
    let budget = Arc::new(Budget::new(with_time_limit(params.limits)));
    let mut search = Search {
        app,
        cx,
        model: metered(model, budget.clone()),
        judge,
        limits: params.limits,
        budget,
        best: Candidate { instructions: instructions.clone(), train: Grades::default(), failures: Vec::new() },
        known: rejected.iter().map(|(key, _)| *key).collect(),
        rejected: rejected.into_iter().filter_map(|(_, edit)| serde_json::from_value(edit).ok()).collect(),
        attempts: Vec::new(),
        over_budget: false,
        validation_run: None,
        cases,
        skill,
    };
    search.measure_baseline().await?;
    let before = search.best.train.rate();
    for number in 1..=iterations {
        if search.best.failures.is_empty() || search.is_over() || cx.cancel.is_cancelled() {
            break;
        }
        search.attempt(number).await?;
    }
    let (mut validation, mut proposal, mut promoted) = (None, None, None);
    if search.best.instructions != instructions {
        validation = search.validate().await?;
        let id = search.propose(before, validation).await?;
        proposal = Some(id);
        let reaches = |scores: Scores| scores.after >= scores.before && is_promotion_allowed(&contract, rated(scores.after));
        if validation.is_some_and(reaches) && !search.over_budget && !cx.cancel.is_cancelled() {
            promoted = promote(app, cx, id, rated(validation.map_or(0.0, |scores| scores.after))).await?;
        }
    }
    Ok(Rewrite {
        train: Scores { before, after: search.best.train.rate() },
        attempts: search.attempts,
        validation,
        validation_run: search.validation_run,
        proposal,
        promoted,
        over_budget: search.over_budget,
        usage: search.budget.usage(),
    })
}

struct Candidate {
    instructions: String,
    /// Of the training cases that the skill as it is was graded by.
    train: Grades,
    /// Training cases that it fails.
    failures: Vec<FailedCase>,
}

/// Whether cases passed, by key. Those that couldn't be graded are missing.
#[derive(Default)]
struct Grades(BTreeMap<String, bool>);

impl Grades {
    fn of(report: &Report, variant: usize) -> Self {
        let grade = |case: &CaseReport| {
            let result = case.results.get(variant)?.first().filter(|result| result.outcome.is_graded())?;
            Some((case.key.clone(), result.outcome == EvalOutcome::Passed))
        };
        Self(report.cases.iter().filter_map(grade).collect())
    }

    /// Another variant's grades of the same cases; None if it lacks one.
    fn of_same_cases(&self, other: &Self) -> Option<Self> {
        self.0.keys().map(|key| Some((key.clone(), *other.0.get(key)?))).collect::<Option<_>>().map(Self)
    }

    fn passed(&self) -> usize {
        self.0.values().filter(|passed| **passed).count()
    }

    fn rate(&self) -> f64 {
        let shares: Vec<f64> = self.0.values().copied().map(f64::from).collect();
        PassRate::of(&shares).map_or(0.0, |rate| rate.rate)
    }
}

struct Search<'a> {
    app: &'a Arc<App>,
    cx: &'a CallContext,
    skill: Skill,
    cases: Vec<Case>,
    model: Arc<dyn LanguageModel>,
    judge: ModelRef,
    limits: Limits,
    /// Of the model's edits and all eval runs together.
    budget: Arc<Budget>,
    best: Candidate,
    /// Hashes of edits that didn't help.
    known: HashSet<Digest>,
    rejected: Vec<RejectedIdea>,
    attempts: Vec<RewriteAttempt>,
    validation_run: Option<EvalRunId>,
    over_budget: bool,
}

impl Search<'_> {
    /// Whether a limit ends the search before what is left to do.
    fn is_over(&mut self) -> bool {
        self.over_budget |= self.budget.check().is_err();
        self.over_budget
    }

    fn is_ended(&self) -> bool {
        self.over_budget || self.cx.cancel.is_cancelled()
    }

    async fn measure_baseline(&mut self) -> Result<(), Failure> {
        if !self.cases.iter().any(|case| case.split == Split::Train) {
            return Err(EvalError::NothingFails(self.skill.package.name.clone()).into());
        }
        let report = self.run(Split::Train, None).await?;
        (self.best.train, self.best.failures) = (Grades::of(&report, 0), failures(&report, 0));
        if !self.best.failures.is_empty() || self.is_ended() {
            return Ok(());
        }
        let skill = self.skill.package.name.clone();
        if self.best.train.0.is_empty() {
            return Err(EvalError::NotGraded { skill, reason: ungraded(&report, 0) }.into());
        }
        Err(EvalError::NothingFails(skill).into())
    }

    /// Runs the cases of a split with the skill as it is, and with a candidate's instructions beside it.
    async fn run(&mut self, split: Split, candidate: Option<&str>) -> Result<Report, Failure> {
        let revision = Some(self.skill.head.revision);
        let variant = |label: &str, baseline| EvalVariant { label: label.to_owned(), revision, model: self.model.id().clone(), baseline };
        let mut variants = vec![variant(&format!("revision {}", self.skill.head.revision), None)];
        let mut rewritten = BTreeMap::new();
        if let Some(instructions) = candidate {
            variants.push(variant("candidate", Some(0)));
            rewritten.insert(CANDIDATE, instructions.to_owned());
        }
        let plan = EvalPlan {
            cases: self.cases.iter().filter(|case| case.split == split).cloned().collect(),
            variants,
            repeat: 1,
            concurrency: CONCURRENCY,
            judge: self.judge.clone(),
            fresh: false,
            limits: self.limits,
            rewritten,
            proposed: None,
        };
        let id = EvalRunId::new(self.app.ids.uuid());
        let report = evaluate(self.app, self.cx, id, plan, self.skill.clone(), Some(self.budget.clone())).await?;
        self.over_budget |= report.run.status == EvalStatus::OverBudget;
        Ok(report)
    }

    async fn attempt(&mut self, number: u32) -> Result<(), Failure> {
        let (system, text) = rewrite::request(&self.best.instructions, &self.best.failures, &self.rejected);
        let request = Request {
            system,
            messages: vec![Message::text(Role::User, text)],
            schema: Some(rewrite::schema()),
            // The next attempt must not get the same answer from a cache of the provider.
            temperature: Some(if number == 1 { 0.2 } else { 0.8 }),
            ..Request::default()
        };
        let completion = match self.model.complete(&request, &|_| {}, &self.cx.cancel).await {
            Err(ModelError::OverBudget { .. }) => {
                self.over_budget = true;
                return Ok(());
            }
            answer => answer.map_err(EvalError::Model)?,
        };
        let idea = match RewriteIdea::parse(&completion.text) {
            Ok(idea) => idea,
            Err(error) => return self.reject(RewriteIdea::default(), AttemptOutcome::Invalid, error.to_string(), None).await,
        };
        let instructions = match idea.apply(&self.best.instructions) {
            Ok(instructions) => instructions,
            Err(error) => return self.reject(idea, AttemptOutcome::Invalid, error.to_string(), None).await,
        };
        if self.known.contains(&idea.digest()) {
            return self.reject(idea, AttemptOutcome::Repeated, "the same edits were rejected before".to_owned(), None).await;
        }
        let report = self.run(Split::Train, Some(&instructions)).await?;
        let run = report.run.id;
        // A case that can't begin fails each run; it counts for neither side.
        let Some(train) = self.best.train.of_same_cases(&Grades::of(&report, CANDIDATE)) else {
            if !self.is_ended() {
                // It isn't remembered: the next time, the same edits may help.
                let (outcome, reason) = (AttemptOutcome::Rejected, ungraded(&report, CANDIDATE));
                self.attempts.push(RewriteAttempt { outcome, reason, edits: idea.edits, train: None, run: Some(run) });
            }
            return Ok(());
        };
        let rate = train.rate();
        if train.passed() > self.best.train.passed() {
            let RewriteIdea { edits, reason } = idea;
            self.attempts.push(RewriteAttempt { outcome: AttemptOutcome::Kept, reason, edits, train: Some(rate), run: Some(run) });
            self.best = Candidate { instructions, train, failures: failures(&report, CANDIDATE) };
        } else {
            let why = format!("{:.0}% of the training cases pass instead of {:.0}%", rate * 100.0, self.best.train.rate() * 100.0);
            self.reject(idea, AttemptOutcome::Rejected, why, Some((rate, run))).await?;
        }
        Ok(())
    }

    async fn reject(
        &mut self,
        idea: RewriteIdea,
        outcome: AttemptOutcome,
        why: String,
        measured: Option<(f64, EvalRunId)>,
    ) -> Result<(), Failure> {
        let rejected = RejectedIdea { idea: idea.clone(), why: why.clone() };
        let key = idea.digest();
        if outcome == AttemptOutcome::Rejected && self.known.insert(key) {
            let (skill, edit) = (self.skill.head.id, serde_json::to_value(&rejected).map_err(EvalError::Unserializable)?);
            self.app.blocking(move |app| Ok(app.evals.put_rejected_edit(skill, key, &edit)?)).await?;
        }
        self.rejected.push(rejected);
        let (train, run) = measured.unzip();
        self.attempts.push(RewriteAttempt { outcome, reason: why, edits: idea.edits, train, run });
        Ok(())
    }

    /// The pass rates of the validation cases, which were never looked at before. None unless all of them were graded.
    async fn validate(&mut self) -> Result<Option<Scores>, Failure> {
        if !self.cases.iter().any(|case| case.split == Split::Validation) || self.is_over() {
            return Ok(None);
        }
        let instructions = self.best.instructions.clone();
        let report = self.run(Split::Validation, Some(&instructions)).await?;
        self.validation_run = Some(report.run.id);
        let [before, after] = [0, CANDIDATE].map(|variant| Grades::of(&report, variant));
        let is_graded = [&before, &after].iter().all(|grades| grades.0.len() == report.cases.len());
        Ok(is_graded.then(|| Scores { before: before.rate(), after: after.rate() }))
    }

    async fn propose(&self, before: f64, validation: Option<Scores>) -> Result<ProposalId, Failure> {
        let percent = |scores: Scores| format!("{:.0}% -> {:.0}%", scores.before * 100.0, scores.after * 100.0);
        let train = percent(Scores { before, after: self.best.train.rate() });
        let validated = validation.map(|scores| format!(", validation {}", percent(scores))).unwrap_or_default();
        let main = self.skill.package.main_path.clone();
        let present = self.skill.package.main().map(|main| main.content.to_string()).unwrap_or_default();
        let file = self.skill.package.tree().get(&main).and_then(|file| file.text().map(str::to_owned)).unwrap_or_default();
        let frontmatter = file.strip_suffix(&present).unwrap_or_default();
        let draft = Draft {
            name: self.skill.package.slug.to_string(),
            summary: format!("Rewrite the instructions: training {train}{validated}"),
            files: vec![DraftFile {
                path: main.to_string(),
                content: Some(format!("{frontmatter}{}", self.best.instructions)),
                fallback: None,
            }],
            revises: None,
            scope: Some(self.skill.head.scope),
        };
        let skill = self.skill.clone();
        let composed = compose(self.app, self.cx, move |_, composer| composer.compose_on(&skill, draft.clone())).await?;
        Ok(composed.composition.proposal.id)
    }
}

/// How many training cases of a variant couldn't be graded, and why the first one couldn't.
fn ungraded(report: &Report, variant: usize) -> String {
    let results = report.cases.iter().filter_map(|case| case.results.get(variant)?.first());
    let ungraded: Vec<_> = results.filter(|result| !result.outcome.is_graded()).collect();
    let reason = |result: &&EvalResult| {
        let unchecked = result.verdicts.iter().find(|verdict| verdict.outcome == Outcome::NotRun);
        result.error.clone().or_else(|| unchecked.map(|verdict| verdict.explanation.clone()))
    };
    let reason = ungraded.iter().find_map(reason).unwrap_or_else(|| "nothing of the output is checked".to_owned());
    format!("{} of {} training cases couldn't be graded: {reason}", ungraded.len(), report.cases.len())
}

/// The cases that a variant fails.
fn failures(report: &Report, variant: usize) -> Vec<FailedCase> {
    let failed = report.cases.iter().filter_map(|case| {
        let result = case.results.get(variant)?.iter().find(|result| result.outcome == EvalOutcome::Failed)?;
        let explanations = result.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Failed);
        Some(FailedCase {
            title: case.title.clone(),
            output: result.output.clone().or_else(|| result.error.clone()).unwrap_or_default(),
            explanations: explanations.map(|verdict| format!("{}: {}", verdict.description, verdict.explanation)).collect(),
        })
    });
    failed.collect()
}

/// Accepts a proposal by the policy of the manifest. `None` if it or the skill was changed or deleted meanwhile, so that a person decides.
async fn promote(app: &Arc<App>, cx: &CallContext, id: ProposalId, score: f64) -> Result<Option<AcceptedProposal>, Failure> {
    let reason = format!("the validation cases reach {score:.1} of 5, which the manifest asks for");
    match accept(app, cx, AcceptParams { id, reason: Some(reason), paths: None, scope: None }).await {
        Ok(accepted) => Ok(Some(accepted)),
        Err(failure) if matches!(failure.code, Code::RevisionConflict | Code::NotFound) => Ok(None),
        Err(failure) => Err(failure),
    }
}
