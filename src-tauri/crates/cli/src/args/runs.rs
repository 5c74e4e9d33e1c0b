//! Arguments of `inklings runs`, and of its former name, `inklings trace`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use inklings_core::{ArtifactKind, ModelRef, RunId, Time, TraceId, TraceStatus};

use super::help::examples;
use super::{ApproveArgs, LimitArgs};

#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Filters")]
pub(crate) struct RunFilterArgs {
    /// Name of the skill
    #[arg(long)]
    pub(crate) skill: Option<String>,
    /// Kind of artifact
    #[arg(long)]
    pub(crate) kind: Option<ArtifactKind>,
    /// Status: running, ok, error, cancelled, interrupted or fallback (repeatable)
    #[arg(long)]
    pub(crate) status: Vec<TraceStatus>,
    /// Model that answered
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// ID of the run
    #[arg(long)]
    pub(crate) run: Option<RunId>,
    /// Earliest start time, e.g. 2026-03-01T00:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Time>,
    /// Text in the input, output or error
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// Only runs with a failed assertion
    #[arg(long)]
    pub(crate) failed_assertions: bool,
    /// Only runs of the account, even if --workspace is set
    #[arg(long)]
    pub(crate) account: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StepFormatArg {
    /// One step per line, with all its fields
    Jsonl,
    /// One example per line, for DSPy's optimizers
    Dspy,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StatsArg {
    Day,
    Artifact,
    Model,
    Skill,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunListArgs {
    /// Maximum number of results, up to 1000
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) filter: RunFilterArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunStatsArgs {
    /// Unit to group by
    #[arg(long, value_enum, default_value = "day")]
    pub(crate) by: StatsArg,
    #[command(flatten)]
    pub(crate) filter: RunFilterArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings runs export --skill skill-reviewer --format dspy --out examples.jsonl"]))]
pub(crate) struct RunExportArgs {
    /// Format to export to
    #[arg(long, value_enum, default_value = "jsonl")]
    pub(crate) format: StepFormatArg,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "out")]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) filter: RunFilterArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReplayArgs {
    /// ID of a step of the run
    #[arg(value_name = "STEP")]
    pub(crate) trace: TraceId,
    /// Model to use [default: the model of the run]
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<ModelRef>,
    /// Print the answer as it arrives
    #[arg(long)]
    pub(crate) stream: bool,
    #[command(flatten)]
    pub(crate) approve: ApproveArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DecideGateArgs {
    /// ID of the run
    pub(crate) run: RunId,
    /// Key of the gate [default: all at which the run waits]
    #[arg(long, value_name = "KEY")]
    pub(crate) gate: Option<String>,
    /// Reason to record
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Subcommand)]
#[command(after_help = examples(&["inklings runs list --skill skill-reviewer --status error", "inklings runs stats --by model"]))]
pub(crate) enum RunsCommand {
    /// List runs, newest first
    List(RunListArgs),
    /// Show a run with its steps and nested runs
    Show {
        /// ID of the run
        run: RunId,
    },
    /// List steps, newest first
    Steps(RunListArgs),
    /// Show a step with its input, output and assertions
    Step {
        /// ID of the step
        #[arg(value_name = "STEP")]
        trace: TraceId,
    },
    /// Show tokens, cost and failures by day, artifact, model or skill
    Stats(RunStatsArgs),
    /// Export steps, oldest first
    Export(RunExportArgs),
    /// Run again with the same values and the current revision of the skill
    Replay(ReplayArgs),
    /// Approve the output of a run that waits at a gate
    #[command(after_help = examples(&["inklings runs approve 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a --reason 'The figures are right'"]))]
    Approve(DecideGateArgs),
    /// Reject the output of a run that waits at a gate
    #[command(after_help = examples(&["inklings runs reject 0198c5a2-7d3e-7c41-9b6a-2f1e8d4c5b6a --gate tone --reason 'Too formal'"]))]
    Reject(DecideGateArgs),
    /// Delete runs
    Delete {
        /// IDs of the runs
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<RunId>,
    },
}

/// `inklings trace`, the former name of `runs`, so that scripts keep working.
#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// List steps, newest first
    List(RunListArgs),
    /// List runs, newest first
    Runs(RunListArgs),
    /// Show a run with its steps and nested runs
    Run {
        /// ID of the run
        run: RunId,
    },
    /// Show a step with its input, output and assertions
    Show {
        /// ID of the step
        #[arg(value_name = "STEP")]
        trace: TraceId,
    },
    /// Show tokens, cost and failures by day, artifact, model or skill
    Stats(RunStatsArgs),
    /// Export steps, oldest first
    Export(RunExportArgs),
    /// Run again with the same values and the current revision of the skill
    Replay(ReplayArgs),
    /// Delete runs
    Delete {
        /// IDs of the runs
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<RunId>,
    },
}

impl From<TraceCommand> for RunsCommand {
    fn from(command: TraceCommand) -> Self {
        match command {
            TraceCommand::List(args) => Self::Steps(args),
            TraceCommand::Runs(args) => Self::List(args),
            TraceCommand::Run { run } => Self::Show { run },
            TraceCommand::Show { trace } => Self::Step { trace },
            TraceCommand::Stats(args) => Self::Stats(args),
            TraceCommand::Export(args) => Self::Export(args),
            TraceCommand::Replay(args) => Self::Replay(args),
            TraceCommand::Delete { runs } => Self::Delete { runs },
        }
    }
}
