//! Arguments of `inklings run` and `render`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use inklings_core::ModelRef;

use super::SkillArg;
use crate::commands::values::Typed;

/// Values for a skill's variables.
#[derive(Debug, ClapArgs)]
pub(crate) struct ValueArgs {
    /// Value of a variable: NAME=TEXT, or NAME:=JSON. TEXT is read as JSON where the skill declares anything but text.
    #[arg(long = "param", short = 'p', value_name = "NAME=VALUE", value_parser = crate::commands::values::parse)]
    pub(crate) params: Vec<(String, Typed)>,
    /// Values from a JSON file; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) params_file: Option<PathBuf>,
    /// Values of a saved input; see `inklings input`.
    #[arg(long, value_name = "NAME")]
    pub(crate) input: Option<String>,
}

/// What a run may use.
#[derive(Debug, ClapArgs)]
pub(crate) struct LimitArgs {
    /// Stop after this many tokens, read and written together.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Stop after this estimated cost.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Stop after this time; ten minutes without it.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Run this artifact alone: its name or path.
    pub(crate) artifact: Option<String>,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// The model, as provider/model; the default without it.
    #[arg(long)]
    pub(crate) model: Option<ModelRef>,
    /// Print the answer as it arrives.
    #[arg(long)]
    pub(crate) stream: bool,
    /// Only say what would run, in which order, and what is missing.
    #[arg(long, conflicts_with = "stream")]
    pub(crate) plan: bool,
    /// Trust the workspace from now on: its skills may run and call models.
    #[arg(long)]
    pub(crate) trust: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// The template: an artifact's name or path.
    pub(crate) artifact: String,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// Model whose variant is chosen.
    #[arg(long)]
    pub(crate) model: Option<String>,
}
