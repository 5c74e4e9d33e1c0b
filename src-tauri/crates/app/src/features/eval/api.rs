//! Parameters and results of `eval/*`.

use std::path::PathBuf;

use inklings_core::eval::EvalRun;
use inklings_core::program::Scores;
use inklings_core::trace::Usage;
use inklings_core::{Diagnostic, EvalRunId, MessageId, ModelRef, ProposalId, RunId, Scope, SessionId};
use inklings_evals::cases::{Case, CaseKind, Split, Task};
use inklings_evals::report::VariantReport;
use inklings_evals::rewrite::InstructionEdit;
use inklings_evals::triggers::TriggerReport;
use inklings_runtime::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::features::proposal::AcceptedProposal;

/// The cases of a skill: of its manifest, then of its files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EvalCases {
    pub cases: Vec<Case>,
    /// Entries that aren't cases.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditCasesParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Made in this order, all or none.
    pub changes: Vec<CaseChange>,
    /// The revision that the changes are meant for. [default: the current revision]
    #[serde(default)]
    pub expected: Option<i64>,
}

/// A change of the cases in the files of `evals/`. Those of the manifest are edited there.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "snake_case", deny_unknown_fields)]
pub enum CaseChange {
    /// Adds a case at the end of a file.
    Add {
        /// [default: evals/evals.json]
        #[serde(default)]
        file: Option<String>,
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        tags: Vec<String>,
        case: NewCase,
    },
    /// Adds the rows of a table with a header, separated by commas or tabs, or the lines of JSON Lines.
    Paste {
        /// [default: evals/evals.json]
        #[serde(default)]
        file: Option<String>,
        text: String,
    },
    /// Adds a run: its values, and its output as the expected one.
    AddRun {
        /// [default: evals/evals.json]
        #[serde(default)]
        file: Option<String>,
        run: RunId,
        #[serde(default)]
        name: Option<String>,
    },
    /// Adds a message of a chat, and the answer as the expected output.
    AddAnswer {
        /// [default: evals/evals.json]
        #[serde(default)]
        file: Option<String>,
        session: SessionId,
        /// The answer.
        message: MessageId,
        #[serde(default)]
        name: Option<String>,
    },
    /// Adds a copy with another ID after a case.
    Duplicate {
        key: String,
    },
    Remove {
        key: String,
    },
    /// Sets a key of a case's entry in its file, such as `prompt` or `tags`.
    Set {
        key: String,
        field: String,
        /// Null removes the field.
        #[serde(default)]
        value: Option<Value>,
    },
}

/// A case to add.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NewCase {
    /// Whether a request makes the skill fire.
    Trigger { query: String, should_trigger: bool },
    /// Work whose output is graded.
    Task {
        /// Name or path of the artifact to run. [default: SKILL.md for a message, else the skill's plan]
        #[serde(default)]
        artifact: Option<String>,
        /// Values by name. A prompt is the value `message`.
        #[serde(default)]
        input: Map<String, Value>,
        #[serde(default)]
        expected_output: Option<String>,
        /// What a judge looks for, in plain words.
        #[serde(default)]
        criteria: Vec<String>,
        /// As in `metadata.assertions` of an artifact.
        #[serde(default)]
        assertions: Vec<Value>,
        /// Paths of files in the skill that belong to the input.
        #[serde(default)]
        files: Vec<String>,
    },
}

impl From<NewCase> for CaseKind {
    fn from(case: NewCase) -> Self {
        match case {
            NewCase::Trigger { query, should_trigger } => Self::Trigger { query, should_trigger },
            NewCase::Task { artifact, input, expected_output, criteria, assertions, files } => {
                Self::Task(Task { artifact, input, expected_output, criteria, assertions, files })
            }
        }
    }
}

/// The cases after a change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EditedCases {
    pub cases: Vec<Case>,
    pub diagnostics: Vec<Diagnostic>,
    /// Current revision.
    pub revision: i64,
    /// The revision that was changed; `revision` itself if nothing changed. Reverting from `revision` to it undoes the change.
    pub before: i64,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalParams {
    /// ID for the run. [default: a new ID]
    #[serde(default)]
    pub run: Option<EvalRunId>,
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Keys of the cases. [default: all]
    #[serde(default)]
    pub cases: Vec<String>,
    /// Only cases with one of these tags. [default: all]
    #[serde(default)]
    pub tags: Vec<String>,
    /// Only cases of this split. [default: both]
    #[serde(default)]
    pub split: Option<Split>,
    /// [default: the default model]
    #[serde(default)]
    pub models: Vec<ModelRef>,
    /// Revisions to compare. [default: the current revision]
    #[serde(default)]
    pub revisions: Vec<i64>,
    /// An open proposal to compare with the current revision.
    #[serde(default)]
    pub proposal: Option<ProposalId>,
    /// Run only with the skill. [default: false]
    #[serde(default)]
    pub without_baseline: bool,
    /// Runs of each case, 1 to 100. [default: 1]
    #[serde(default)]
    pub repeat: Option<u32>,
    /// Runs at the same time, 1 to 32. [default: 4]
    #[serde(default)]
    pub concurrency: Option<usize>,
    /// Model that judges outputs. [default: the default model]
    #[serde(default)]
    pub judge: Option<ModelRef>,
    /// Ask models anew instead of using cached responses. [default: false]
    #[serde(default)]
    pub fresh: bool,
    /// Of all runs together.
    #[serde(default)]
    pub limits: Limits,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelTriggersParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// [default: the default model]
    #[serde(default)]
    pub model: Option<ModelRef>,
}

/// What a model chose for the trigger cases of a skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ModelTriggerReport {
    pub model: ModelRef,
    /// Of all responses, including cached ones.
    #[serde(flatten)]
    pub usage: Usage,
    #[serde(flatten)]
    pub report: TriggerReport,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RewriteParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Model that proposes edits and runs the cases. [default: the default model]
    #[serde(default)]
    pub model: Option<ModelRef>,
    /// Model that judges outputs. [default: the default model]
    #[serde(default)]
    pub judge: Option<ModelRef>,
    /// Maximum number of attempts, 1 to 20. [default: `maxIterations` of the manifest, or 3]
    #[serde(default)]
    pub iterations: Option<u32>,
    /// Of all requests together.
    #[serde(default)]
    pub limits: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// More training cases pass.
    Kept,
    /// Not more training cases pass.
    Rejected,
    /// The same edits were rejected before; nothing was run.
    Repeated,
    /// The edits can't be made.
    Invalid,
}

/// One proposal of the model.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RewriteAttempt {
    pub outcome: AttemptOutcome,
    /// Why, for other outcomes than `kept`; else what the edits are meant to achieve.
    pub reason: String,
    pub edits: Vec<InstructionEdit>,
    /// Pass rate of the training cases. Null if nothing was run, or not all of them could be graded.
    pub train: Option<f64>,
    /// Its eval run.
    pub run: Option<EvalRunId>,
}

/// What became of the instructions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Rewrite {
    pub attempts: Vec<RewriteAttempt>,
    /// Pass rates of the training cases.
    pub train: Scores,
    /// Pass rates of the validation cases. Null without such cases, without a candidate, or if not all of them could be graded.
    pub validation: Option<Scores>,
    /// The eval run with the validation cases.
    pub validation_run: Option<EvalRunId>,
    /// The proposal with the candidate. Null if no attempt helped.
    pub proposal: Option<ProposalId>,
    /// Set if the proposal was accepted without a person, since the manifest allows it.
    pub promoted: Option<AcceptedProposal>,
    /// Whether a limit ended it early.
    pub over_budget: bool,
    /// What was paid.
    #[serde(flatten)]
    pub usage: Usage,
}

/// What a run would do.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvalEstimate {
    /// Number of results.
    pub cells: usize,
    /// Results whose first response is cached.
    pub cached: usize,
    /// Results whose first request isn't known before they run.
    pub unknown: usize,
    /// Estimated minimum of the other results' input tokens.
    pub input_tokens: u64,
    /// Cost of these tokens in USD. Null if a price is unknown.
    pub input_cost: Option<f64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalRunRef {
    pub run: EvalRunId,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResumeEvalParams {
    pub run: EvalRunId,
    /// Of all runs together, including those before. [default: the limits that it began with]
    #[serde(default)]
    pub limits: Option<Limits>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalListParams {
    /// ID, slug or title. [default: all skills]
    #[serde(default)]
    pub skill: Option<String>,
    /// Maximum number of runs, at most 100. [default: 20]
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EvalRuns {
    /// Newest first.
    pub runs: Vec<EvalSummary>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EvalSummary {
    pub run: EvalRun,
    pub variants: Vec<VariantReport>,
    /// Number of results, and of those that exist.
    pub cells: usize,
    pub done: usize,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteEvalsParams {
    pub runs: Vec<EvalRunId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedEvals {
    /// Number of deleted runs.
    pub deleted: usize,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareEvalsParams {
    pub baseline: EvalRunId,
    pub candidate: EvalRunId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportFormat {
    Json,
    Csv,
    Junit,
    /// A page without scripts and without anything from elsewhere.
    Html,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportEvalParams {
    pub run: EvalRunId,
    pub format: ReportFormat,
    /// Absolute path of the file to write. [default: return the text]
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file.
    #[serde(default)]
    pub replace: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportedReport {
    pub out: Option<PathBuf>,
    /// The text, if no file was requested.
    pub text: Option<String>,
}
