//! Arguments of `inklings eval`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use inklings_core::{EvalRunId, MessageId, ModelRef, ProposalId, RunId, SessionId};

use super::help::examples;
use super::{ScopeArg, SkillArg, UsageLimitArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Run the cases of a skill, with and without the skill
    Run(EvalRunArgs),
    /// Show what a skill has for improving it with evals, and what is missing
    #[command(after_help = examples(&["inklings eval status skill-reviewer"]))]
    Status(SkillArg),
    /// List the cases of a skill
    #[command(after_help = examples(&["inklings eval cases skill-reviewer"]))]
    Cases(SkillArg),
    /// Add cases from a table or from JSON Lines
    #[command(
        long_about = "Add cases from a table with a header, separated by commas or tabs, or from JSON Lines\n\nColumns: name, tags, prompt or \
                      query, should_trigger, artifact, expected_output, criteria, __expected. Other columns are values of the input.",
        after_help = examples(&["inklings eval import skill-reviewer cases.csv", "inklings eval import skill-reviewer - < cases.jsonl"])
    )]
    Import {
        #[command(flatten)]
        skill: SkillArg,
        /// File to read; - is standard input
        file: PathBuf,
        /// File of the skill to add the cases to [default: evals/evals.json]
        #[arg(long, value_name = "PATH")]
        into: Option<String>,
    },
    /// Save a run or an answer as a case
    #[command(after_help = examples(&[
        "inklings eval save skill-reviewer --run 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a --name 'A long review'",
        "inklings eval save skill-reviewer --chat 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a --answer 0198c5b0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
    ]))]
    Save {
        #[command(flatten)]
        skill: SkillArg,
        /// ID of the run
        #[arg(long, required_unless_present = "answer")]
        run: Option<RunId>,
        /// ID of an answer in a chat
        #[arg(long, requires = "chat", conflicts_with = "run")]
        answer: Option<MessageId>,
        /// ID of the chat
        #[arg(long, requires = "answer")]
        chat: Option<SessionId>,
        /// Name of the case
        #[arg(long)]
        name: Option<String>,
    },
    /// Remove cases
    #[command(after_help = examples(&["inklings eval remove skill-reviewer 'evals/evals.json#3'"]))]
    Remove {
        #[command(flatten)]
        skill: SkillArg,
        /// Keys of the cases, as listed by `inklings eval cases`
        #[arg(required = true, value_name = "KEY")]
        keys: Vec<String>,
    },
    /// Test which skill each trigger case selects
    #[command(
        long_about = "Test which skill each trigger case selects, by the ranking of skills or by a model\n\nExits with 1 if a \
                      case fails.",
        after_help = examples(&["inklings eval triggers skill-reviewer", "inklings eval triggers skill-reviewer --ask"])
    )]
    Triggers {
        #[command(flatten)]
        skill: SkillArg,
        /// Ask a model to choose, with all enabled skills
        #[arg(long)]
        ask: bool,
        /// Model to ask [default: the default model]
        #[arg(long, value_name = "PROVIDER/MODEL", requires = "ask")]
        model: Option<ModelRef>,
    },
    /// Improve a skill's instructions with small edits by a model
    #[command(
        long_about = "Improve a skill's instructions with small edits by a model\n\nAn edit is kept if more training cases pass. \
                      The result is a proposal; accept it with `inklings proposal accept`.",
        after_help = examples(&["inklings eval rewrite skill-reviewer --iterations 5 --max-cost 1"])
    )]
    Rewrite {
        #[command(flatten)]
        skill: SkillArg,
        /// Model that proposes edits and runs the cases [default: the default model]
        #[arg(long, value_name = "PROVIDER/MODEL")]
        model: Option<ModelRef>,
        /// Model that judges outputs [default: the default model]
        #[arg(long, value_name = "PROVIDER/MODEL")]
        judge: Option<ModelRef>,
        /// Maximum number of attempts [default: as in the manifest, or 3]
        #[arg(long, value_name = "N")]
        iterations: Option<u32>,
        #[command(flatten)]
        limits: EvalLimitArgs,
    },
    /// List past eval runs
    #[command(after_help = examples(&["inklings eval list", "inklings eval list skill-reviewer --limit 5"]))]
    List {
        /// ID, name or title of the skill [default: all skills]
        skill: Option<String>,
        /// Maximum number of runs, up to 100
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Show the result of an eval run
    #[command(after_help = examples(&["inklings eval show 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a"]))]
    Show {
        /// ID of the eval run
        run: EvalRunId,
    },
    /// Delete eval runs with their results
    #[command(after_help = examples(&["inklings eval delete 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a"]))]
    Delete {
        /// IDs of the eval runs
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<EvalRunId>,
    },
    /// Compare two eval runs of the same cases
    #[command(
        long_about = "Compare two eval runs of the same cases\n\nExits with 1 if the second one is significantly worse.",
        after_help = examples(&["inklings eval compare 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a 0198c5b0-1a2b-7c3d-8e4f-5a6b7c8d9e0f"])
    )]
    Compare {
        /// ID of the first eval run
        baseline: EvalRunId,
        /// ID of the second eval run
        candidate: EvalRunId,
    },
    /// Write the report of an eval run
    #[command(after_help = examples(&["inklings eval export 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a --format html --out report.html"]))]
    Export {
        /// ID of the eval run
        run: EvalRunId,
        /// Format of the report
        #[arg(long, value_enum, default_value = "json")]
        format: ReportFormatArg,
        /// File to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Replace an existing file
        #[arg(long, requires = "out")]
        replace: bool,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ReportFormatArg {
    Json,
    Csv,
    Junit,
    Html,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SplitArg {
    Train,
    Validation,
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Run the cases of a skill, with and without the skill\n\nExits with 1 if the run doesn't \
                  complete, if nothing was graded, or if the pass rate is below --fail-under.",
    after_help = examples(&[
        "inklings eval run skill-reviewer --repeat 3 --max-cost 1",
        "inklings eval run skill-reviewer --revision 3 --revision 4",
        "inklings eval run skill-reviewer --fail-under 0.8 --junit results.xml",
        "inklings eval run --resume 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a",
    ])
)]
pub(crate) struct EvalRunArgs {
    /// ID, name or title of the skill
    #[arg(required_unless_present = "resume")]
    pub(crate) skill: Option<String>,
    /// Scope to search [default: workspace, then account]
    #[arg(long)]
    pub(crate) scope: Option<ScopeArg>,
    /// Key of a case to run, as listed by `inklings eval cases` (repeatable) [default: all cases]
    #[arg(long = "case", value_name = "KEY")]
    pub(crate) cases: Vec<String>,
    /// Run cases with this tag (repeatable)
    #[arg(long = "tag")]
    pub(crate) tags: Vec<String>,
    /// Run the cases of one split
    #[arg(long)]
    pub(crate) split: Option<SplitArg>,
    /// Model to run (repeatable) [default: the default model]
    #[arg(long = "model", value_name = "PROVIDER/MODEL")]
    pub(crate) models: Vec<ModelRef>,
    /// Revision to run; two or more are compared with each other (repeatable) [default: the latest]
    #[arg(long = "revision", value_name = "REVISION")]
    pub(crate) revisions: Vec<i64>,
    /// Open proposal to compare with the latest revision, as listed by `inklings proposal list`
    #[arg(long, value_name = "PROPOSAL", conflicts_with = "revisions")]
    pub(crate) proposal: Option<ProposalId>,
    /// Don't run the cases without the skill for comparison
    #[arg(long)]
    pub(crate) without_baseline: bool,
    /// Number of runs of each case [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) repeat: Option<u32>,
    /// Maximum number of concurrent runs [default: 4]
    #[arg(long, value_name = "N")]
    pub(crate) concurrency: Option<usize>,
    /// Model that judges outputs [default: the default model]
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) judge: Option<ModelRef>,
    /// Ignore cached responses
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) limits: EvalLimitArgs,
    /// Show what would be sent and its cost, without sending it
    #[arg(long, conflicts_with = "resume")]
    pub(crate) estimate: bool,
    /// Continue this eval run
    #[arg(long, value_name = "RUN", conflicts_with = "skill")]
    pub(crate) resume: Option<EvalRunId>,
    /// Exit with 1 if the pass rate with the skill is below this fraction, from 0 to 1
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    pub(crate) fail_under: Option<f64>,
    #[arg(long, value_name = "FILE", help = "Also write the report to this file, as JUnit XML; an older report is replaced")]
    pub(crate) junit: Option<PathBuf>,
}

/// Of all requests together.
#[derive(Debug, ClapArgs)]
pub(crate) struct EvalLimitArgs {
    #[command(flatten)]
    pub(crate) usage: UsageLimitArgs,
    /// Time limit in seconds [default: 14400]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    pub(crate) timeout: Option<u32>,
}

fn fraction(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value| (0.0..=1.0).contains(value)).ok_or_else(|| "use a number from 0 to 1".to_owned())
}
