//! Arguments of `inklings optimize`, `proposal` and `sidecar`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use inklings_core::program::Metric;
use inklings_core::{ModelRef, ProposalId};

use super::{LimitArgs, ScopeArg};

#[derive(Debug, ClapArgs)]
pub(crate) struct OptimizeArgs {
    /// Id, slug or title of the skill.
    #[arg(required_unless_present = "outdated")]
    pub(crate) skill: Option<String>,
    /// The DSPy program: its name or path.
    #[arg(required_unless_present = "outdated")]
    pub(crate) artifact: Option<String>,
    /// Scope to look in; the merged winner without it.
    #[arg(long)]
    pub(crate) scope: Option<ScopeArg>,
    /// A file with an example on each line, as JSON; what earlier runs gave without it.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// The optimiser; `sidecar manifest` lists them.
    #[arg(long, value_name = "NAME", default_value = "bootstrap_few_shot")]
    pub(crate) optimizer: String,
    /// A setting of the optimiser: name=text, or name:=json as in k:=4.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = crate::commands::values::parse_option)]
    pub(crate) options: Vec<(String, serde_json::Value)>,
    /// How outputs are judged: `assertions`, `exact:OUTPUT`, or `contains:OUTPUT`; by the assertions if there are any without it.
    #[arg(long, value_parser = metric)]
    pub(crate) metric: Option<Metric>,
    /// Share of the examples that is only judged by.
    #[arg(long, value_name = "SHARE")]
    pub(crate) held_out: Option<f64>,
    /// Seed of everything random.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Most questions to the model.
    #[arg(long, value_name = "N")]
    pub(crate) max_calls: Option<u64>,
    /// Stop after this estimated cost, with the best so far.
    #[arg(long, value_name = "USD", conflicts_with = "max_cost")]
    pub(crate) budget: Option<f64>,
    /// The model, as provider/model; the default without it.
    #[arg(long)]
    pub(crate) model: Option<ModelRef>,
    /// As the last accepted proposal was made, with its examples.
    #[arg(long, conflicts_with_all = ["data", "outdated"])]
    pub(crate) again: bool,
    /// Only show the examples that would be used.
    #[arg(long, conflicts_with_all = ["again", "outdated"])]
    pub(crate) examples: bool,
    /// List what another version of DSPy optimised.
    #[arg(long)]
    pub(crate) outdated: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

fn metric(text: &str) -> Result<Metric, String> {
    let of = |field: &str| (!field.is_empty()).then(|| field.to_owned());
    let read = match text.split_once(':') {
        None if text == "assertions" => Some(Metric::Assertions),
        Some(("exact", field)) => of(field).map(|field| Metric::Exact { field }),
        Some(("contains", field)) => of(field).map(|field| Metric::Contains { field }),
        _ => None,
    };
    read.ok_or_else(|| "give assertions, exact:OUTPUT or contains:OUTPUT".to_owned())
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProposalCommand {
    /// List what waits for a decision.
    List {
        /// Those that were decided too.
        #[arg(long)]
        all: bool,
    },
    /// Show what it would change, with its scores.
    Show {
        /// Its id.
        id: ProposalId,
    },
    /// Make a revision of it. A locked skill is copied first.
    Accept {
        /// Its id.
        id: ProposalId,
        /// Why.
        #[arg(long)]
        reason: Option<String>,
    },
    /// Turn it down.
    Reject {
        /// Its id.
        id: ProposalId,
        /// Why.
        #[arg(long)]
        reason: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum SidecarCommand {
    /// Start it and say how it is.
    Status,
    /// List templates and optimisers.
    Manifest,
}
