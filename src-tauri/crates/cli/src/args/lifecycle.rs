//! Arguments of the commands of `inklings skill` that change what a skill counts as, and that merge and relate skills.

use clap::Args as ClapArgs;

use super::help::examples;
use super::{ScopeArg, SkillArg};

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings skill deprecate old-notes --reason 'use release-notes instead'"]))]
pub(crate) struct DeprecateArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Why the skill isn't recommended any more, and what to use instead
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ArchiveArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Why the skill is retired [default: the reason of its deprecation]
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings skill merge release-notes changelog --dry-run", "inklings skill merge release-notes changelog"]))]
pub(crate) struct MergeArgs {
    /// ID, name or title of the skill to keep
    pub(crate) target: String,
    /// ID, name or title of the skill to merge into it
    pub(crate) source: String,
    /// Scope of the skill to keep [default: workspace, then account]
    #[arg(long, value_enum, value_name = "SCOPE")]
    pub(crate) scope: Option<ScopeArg>,
    /// Scope of the skill to merge into it [default: workspace, then account]
    #[arg(long, value_enum, value_name = "SCOPE")]
    pub(crate) source_scope: Option<ScopeArg>,
    /// Show what would change without merging
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings skill deps release-notes", "inklings skill deps release-notes --dependents"]))]
pub(crate) struct DepsArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// List the skills that need this one
    #[arg(long)]
    pub(crate) dependents: bool,
}
