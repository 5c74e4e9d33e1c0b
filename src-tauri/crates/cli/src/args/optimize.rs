//! Arguments of `inklings optimize` and `dspy`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use inklings_core::ModelRef;
use inklings_core::program::Metric;

use super::ScopeArg;
use super::help::examples;
use super::value::parse_option;

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Optimize the instructions and demos of a DSPy module\n\nThe result is a proposal; the skill doesn't change until you accept it.",
    after_help = examples(&[
        "inklings optimize triage Classify --data examples.jsonl",
        "inklings optimize triage Classify --optimizer gepa --metric exact:label --max-cost 2",
        "inklings proposal list",
    ])
)]
pub(crate) struct OptimizeArgs {
    /// ID, name or title of the skill
    #[arg(required_unless_present = "outdated")]
    pub(crate) skill: Option<String>,
    /// Name or path of the DSPy module
    #[arg(required_unless_present = "outdated")]
    pub(crate) artifact: Option<String>,
    /// Scope to search [default: workspace, then account]
    #[arg(long)]
    pub(crate) scope: Option<ScopeArg>,
    /// File with examples, one JSON object per line [default: examples from past runs]
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Optimizer, as listed by `inklings dspy list`
    #[arg(long, value_name = "NAME", default_value = "bootstrap_few_shot")]
    pub(crate) optimizer: String,
    /// Option of the optimizer: NAME=TEXT, or NAME:=JSON, e.g. k:=4 (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    pub(crate) options: Vec<(String, serde_json::Value)>,
    /// Metric: assertions, exact:OUTPUT or contains:OUTPUT [default: assertions, if there are any]
    #[arg(long, value_parser = metric)]
    pub(crate) metric: Option<Metric>,
    /// Fraction of the examples to use as the validation set [default: 0.3]
    #[arg(long, alias = "held-out", value_name = "FRACTION")]
    pub(crate) valset_fraction: Option<f64>,
    /// Seed of the random number generator [default: 1]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Model to use [default: the default model]
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<ModelRef>,
    /// Use the settings and examples of the last accepted proposal
    #[arg(long, conflicts_with_all = ["data", "outdated"])]
    pub(crate) again: bool,
    /// Show the examples instead of optimizing
    #[arg(long, conflicts_with_all = ["again", "outdated"])]
    pub(crate) examples: bool,
    /// List modules that were compiled with another DSPy version, instead of optimizing
    #[arg(long)]
    pub(crate) outdated: bool,
    /// Maximum number of model calls
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_calls: Option<u64>,
    /// Maximum number of tokens, input and output together
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_tokens: Option<u64>,
    /// Estimated cost at which to stop
    #[arg(long, alias = "budget", value_name = "USD", help_heading = "Limits")]
    pub(crate) max_cost: Option<f64>,
    /// Time limit in seconds [default: 7200]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    pub(crate) timeout: Option<u32>,
}

fn metric(text: &str) -> Result<Metric, String> {
    let non_empty = |field: &str| (!field.is_empty()).then(|| field.to_owned());
    let parsed = match text.split_once(':') {
        None if text == "assertions" => Some(Metric::Assertions),
        Some(("exact", field)) => non_empty(field).map(|field| Metric::Exact { field }),
        Some(("contains", field)) => non_empty(field).map(|field| Metric::Contains { field }),
        _ => None,
    };
    parsed.ok_or_else(|| "expected assertions, exact:OUTPUT or contains:OUTPUT".to_owned())
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum DspyCommand {
    /// Start the DSPy process and print its status
    Status,
    /// List module types and optimizers
    #[command(alias = "manifest")]
    List,
}
