//! Arguments of `inklings target`.

use clap::{Args as ClapArgs, Subcommand};
use inklings_core::{SkillPath, Slug};

use super::ScopeArg;
use super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum TargetCommand {
    /// List the skills of other AI agents and whether they are already imported
    List,
    /// List deployed copies and whether they were edited
    Status,
    /// Copy skills to the folders of agents, or link them
    Deploy(DeployArgs),
    /// Update a skill from its edited copy
    Pull(PullArgs),
    /// Remove deployed copies that weren't edited
    #[command(visible_alias = "rm")]
    Remove(RemoveCopiesArgs),
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Copy skills to the folders of agents\n\nSkills of the account go to the folders in your home folder, skills of the workspace to those in the workspace. Edited copies, and folders that weren't deployed by this command, are never replaced.",
    after_help = examples(&["inklings target deploy release-notes --to claude-code --dry-run", "inklings target deploy --tag writing --to codex --create", "inklings target deploy --kit desk --watch"])
)]
pub(crate) struct DeployArgs {
    /// IDs, names or titles of the skills
    #[arg(required_unless_present_any = ["tag", "kit", "watched"], value_name = "SKILL")]
    pub(crate) skills: Vec<String>,
    /// Deploy all skills with this tag
    #[arg(long)]
    pub(crate) tag: Option<String>,
    /// Deploy all skills of this kit
    #[arg(long)]
    pub(crate) kit: Option<String>,
    /// Update all copies that were deployed to follow their skill
    #[arg(long)]
    pub(crate) watched: bool,
    /// ID of an agent or path of its folder (repeatable) [default: all folders that exist]
    #[arg(long, value_name = "TARGET")]
    pub(crate) to: Vec<String>,
    /// Create the folders of agents that don't exist
    #[arg(long)]
    pub(crate) create: bool,
    /// Put a link to the skill's folder instead of a copy; a skill without a folder gets one
    #[arg(long, conflicts_with = "watch")]
    pub(crate) link: bool,
    /// Keep the copies up to date: the desktop app updates them whenever the skill changes
    #[arg(long, overrides_with = "no_watch")]
    pub(crate) watch: bool,
    /// Stop keeping the copies up to date
    #[arg(long)]
    pub(crate) no_watch: bool,
    /// Replace edited copies; their edits are lost
    #[arg(long)]
    pub(crate) replace_edited: bool,
    /// Show what would be deployed without deploying
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings target pull release-notes --from claude-code", "inklings target pull release-notes --theirs SKILL.md"]))]
pub(crate) struct PullArgs {
    /// ID, name or title of the skill
    pub(crate) skill: String,
    /// Scope to search [default: workspace, then account]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
    /// ID of an agent or path of its folder [default: the only one with an edited copy]
    #[arg(long, value_name = "TARGET")]
    pub(crate) from: Option<String>,
    /// Conflicting file to take from the copy (repeatable)
    #[arg(long, value_name = "PATH")]
    pub(crate) theirs: Vec<SkillPath>,
    /// Conflicting file to keep as it is in the skill (repeatable)
    #[arg(long, alias = "mine", value_name = "PATH")]
    pub(crate) ours: Vec<SkillPath>,
    /// Show what would change without storing it
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RemoveCopiesArgs {
    /// Names or IDs of the skills, which may have been deleted
    #[arg(required = true, value_name = "SKILL")]
    pub(crate) skills: Vec<String>,
    /// ID of an agent or path of its folder (repeatable) [default: all]
    #[arg(long, value_name = "TARGET")]
    pub(crate) from: Vec<String>,
    /// Show what would be removed without removing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KitCommand {
    /// List kits and their skills
    List,
    /// Add skills to a kit, creating it if needed
    #[command(after_help = examples(&["inklings kit add desk release-notes press-review", "inklings target deploy --kit desk"]))]
    Add {
        /// Name of the kit
        kit: String,
        /// IDs, names or titles of the skills
        #[arg(value_name = "SKILL")]
        skills: Vec<String>,
    },
    /// Remove skills from a kit
    Remove {
        /// Name of the kit
        kit: String,
        /// Names of the skills
        #[arg(required = true, value_name = "SKILL")]
        skills: Vec<Slug>,
    },
    /// Rename a kit
    Rename {
        /// Name of the kit
        kit: String,
        /// New name
        to: String,
    },
    /// Delete a kit; its skills stay
    #[command(visible_alias = "rm")]
    Delete {
        /// Name of the kit
        kit: String,
    },
}
