//! Arguments of `inklings trace`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use inklings_core::{ArtifactKind, ModelRef, RunId, Time, TraceId, TraceStatus};

use super::LimitArgs;

/// Which traces.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct TraceFilterArgs {
    /// Of this skill: its slug.
    #[arg(long)]
    pub(crate) skill: Option<String>,
    /// Of this kind of artifact.
    #[arg(long)]
    pub(crate) kind: Option<ArtifactKind>,
    /// With this status: running, ok, error, cancelled, interrupted, fallback. More than one may be given.
    #[arg(long)]
    pub(crate) status: Vec<TraceStatus>,
    /// Answered by this model.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Of this run.
    #[arg(long)]
    pub(crate) run: Option<RunId>,
    /// Begun at this time or later, e.g. 2026-03-01T00:00:00Z.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Time>,
    /// With this text in input, output or error.
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// With an assertion that fails.
    #[arg(long)]
    pub(crate) failed_assertions: bool,
    /// The account's traces, even with a workspace.
    #[arg(long)]
    pub(crate) account: bool,
}

/// Forms of exported traces.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TraceFormatArg {
    /// A trace a line, with every column.
    Jsonl,
    /// An example a line, as DSPy's trainers take it.
    Dspy,
}

/// What numbers are told apart by.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StatsArg {
    Day,
    Artifact,
    Model,
    Skill,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// List executions, newest first.
    List {
        #[command(flatten)]
        filter: TraceFilterArgs,
        /// At most this many, up to 1,000.
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
    /// List runs, newest first.
    Runs {
        #[command(flatten)]
        filter: TraceFilterArgs,
        /// Maximum number of runs, up to 1,000.
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
    /// Show a run with its traces and the runs that it called.
    Run {
        /// ID of the run.
        run: RunId,
    },
    /// Show one execution with all that is kept of it.
    Show {
        /// The trace.
        trace: TraceId,
    },
    /// Show tokens, cost and failures in numbers.
    Stats {
        /// What they are told apart by.
        #[arg(long, value_enum, default_value = "day")]
        by: StatsArg,
        #[command(flatten)]
        filter: TraceFilterArgs,
    },
    /// Write traces out, oldest first.
    Export {
        /// The form.
        #[arg(long, value_enum, default_value = "jsonl")]
        format: TraceFormatArg,
        /// The file; standard output without it.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Write over a file that is there already.
        #[arg(long, requires = "out")]
        replace: bool,
        #[command(flatten)]
        filter: TraceFilterArgs,
    },
    /// Run again with the same values, against the skill as it is now.
    Replay {
        /// A trace of the run.
        trace: TraceId,
        /// Another model.
        #[arg(long)]
        model: Option<ModelRef>,
        /// Print the answer as it arrives.
        #[arg(long)]
        stream: bool,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Remove runs with their traces.
    Delete {
        /// The runs.
        #[arg(required = true)]
        runs: Vec<RunId>,
    },
}
