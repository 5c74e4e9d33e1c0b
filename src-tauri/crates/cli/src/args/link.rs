//! Arguments of `inklings link`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::help::examples;
use super::{ScopeArg, SkillArg};

#[derive(Debug, Subcommand)]
pub(crate) enum LinkCommand {
    /// List linked skills, their folders and what differs
    List {
        /// Name or ID of a skill, to show the state of its git repository too
        #[arg(long, value_name = "SKILL")]
        skill: Option<String>,
    },
    /// Link a folder: edits of the skill change its files, and vice versa
    Add(AddLinkArgs),
    /// Unlink a skill from its folder; neither is deleted
    #[command(visible_alias = "rm")]
    Remove(SkillArg),
    /// Synchronize linked skills with their folders and link new skills of agents
    Sync {
        /// Name or ID of the only skill to synchronize
        #[arg(long, value_name = "SKILL")]
        skill: Option<String>,
    },
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings link add ~/src/skills/release-notes"]))]
pub(crate) struct AddLinkArgs {
    /// Folder of the skill
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Scope of the skill [default: the workspace if the folder is in it, otherwise the account]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}
