//! Arguments of `inklings run` and `render`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use inklings_app::Limits;
use inklings_core::ModelRef;

use super::SkillArg;
use super::help::examples;
use super::value::{ParamValue, parse};

#[derive(Debug, ClapArgs)]
pub(crate) struct ValueArgs {
    /// Value of a variable: NAME=TEXT or NAME:=JSON (repeatable)
    ///
    /// TEXT is parsed as JSON if the skill declares a type other than string.
    #[arg(long = "param", short = 'p', value_name = "NAME=VALUE", value_parser = parse)]
    pub(crate) params: Vec<(String, ParamValue)>,
    /// JSON file with values, `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) params_file: Option<PathBuf>,
    /// Saved input to use, as listed by `inklings input list`
    #[arg(long, value_name = "NAME")]
    pub(crate) input: Option<String>,
}

impl ValueArgs {
    pub(crate) const fn are_given(&self) -> bool {
        !self.params.is_empty() || self.params_file.is_some() || self.input.is_some()
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ApproveArgs {
    /// Key of a gate to approve, a confirmation that the skill's manifest requires (repeatable) [default: ask]
    #[arg(long = "approve", value_name = "KEY")]
    pub(crate) gates: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UsageLimitArgs {
    /// Maximum number of tokens, input and output together
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_tokens: Option<u64>,
    /// Estimated cost at which to stop
    #[arg(long, value_name = "USD", help_heading = "Limits")]
    max_cost: Option<f64>,
}

impl UsageLimitArgs {
    pub(crate) fn limits(&self, seconds: Option<u32>) -> Limits {
        Limits { tokens: self.max_tokens, cost: self.max_cost, seconds }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub(crate) usage: UsageLimitArgs,
    /// Time limit in seconds [default: 600]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    pub(crate) timeout: Option<u32>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings run release-notes -p version=1.4 -p changes:='[\"Faster search\"]'",
    "inklings run release-notes Draft --model claude/claude-sonnet-4-5 --stream",
    "inklings run release-notes --plan",
    "inklings run pdf-forms --message 'Fill in this form' --stream",
]))]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Name or path of an artifact to run alone
    pub(crate) artifact: Option<String>,
    /// Revision to run, as `inklings skill history` lists it [default: the current revision]
    #[arg(long, value_name = "REVISION")]
    pub(crate) revision: Option<i64>,
    /// Message to answer with SKILL.md as instructions, for SKILL.md or a skill without other artifacts
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) message: Option<String>,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// Model to use [default: the default model]
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<ModelRef>,
    /// Print the answer as it arrives
    #[arg(long)]
    pub(crate) stream: bool,
    /// Show steps, missing values and input tokens without running
    #[arg(long, conflicts_with = "stream")]
    pub(crate) plan: bool,
    /// Trust the workspace first, so that its skills can run and call models
    #[arg(long)]
    pub(crate) trust: bool,
    #[command(flatten)]
    pub(crate) approve: ApproveArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings render release-notes Draft -p version=1.4"]))]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Name or path of the template
    pub(crate) artifact: String,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// Model that selects the variant [default: the default model]
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<String>,
}
