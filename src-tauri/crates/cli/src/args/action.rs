//! Arguments of `inklings action`.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args as ClapArgs, Subcommand};
use inklings_core::ModelRef;
use inklings_core::manifest::ActionMode;

use super::help::examples;
use super::{ApproveArgs, ScopeArg, UsageLimitArgs, ValueArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum ActionCommand {
    /// List actions
    List,
    /// Save an action, or change one; omitted options are kept
    Save(SaveActionArgs),
    /// Delete an action
    #[command(after_help = examples(&["inklings action delete weekly-report"]))]
    Delete {
        /// Name of the action
        name: String,
    },
    /// Run an action
    Run(RunActionArgs),
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Save an action, or change one; omitted options are kept\n\nAn action that exists keeps its skill and artifact if no \
                  SKILL is given, and its values if none are given.",
    after_help = examples(&[
        "inklings action save weekly-report release-notes Draft -p version=next",
        "inklings action save weekly-report --enabled false",
        "inklings action save optimize-skill -p skill=skill-reviewer -p iterations:=5",
    ])
)]
pub(crate) struct SaveActionArgs {
    /// Name of the action: lowercase letters, digits and hyphens
    pub(crate) name: String,
    /// ID, name or title of the skill
    pub(crate) skill: Option<String>,
    /// Name or path of an artifact to run alone [default: the whole skill]
    pub(crate) artifact: Option<String>,
    /// Scope of the skill [default: workspace, then account]
    #[arg(long, value_enum, requires = "skill")]
    pub(crate) scope: Option<ScopeArg>,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// Model to use [default: the default model]
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<ModelRef>,
    /// How other systems are meant to start it; nothing is scheduled here [default: manual]
    #[arg(long, value_parser = PossibleValuesParser::new(["manual", "trigger", "queue", "goal_loop"]).try_map(|mode| mode.parse::<ActionMode>()))]
    pub(crate) mode: Option<ActionMode>,
    /// Whether it can be run [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) enabled: Option<bool>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings action run weekly-report -p version=1.4 --stream",
    "inklings action run optimize-skill -p skill=skill-reviewer --max-cost 1",
]))]
pub(crate) struct RunActionArgs {
    /// Name of the action
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// Print the answer as it arrives
    #[arg(long)]
    pub(crate) stream: bool,
    #[command(flatten)]
    pub(crate) approve: ApproveArgs,
    #[command(flatten)]
    pub(crate) limits: UsageLimitArgs,
    /// Time limit in seconds [default: 600; 14400 for optimize-skill]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    pub(crate) timeout: Option<u32>,
}
