//! Arguments of `inklings reference`.

use clap::{Args as ClapArgs, Subcommand};

use super::SkillArg;
use super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum ReferenceCommand {
    /// List the references of a skill
    List {
        #[command(flatten)]
        skill: SkillArg,
    },
    /// Find pages and files of the workspace to attach
    Search {
        /// Words of a page, or parts of a file path
        query: Vec<String>,
        /// Maximum number of pages and of files
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Attach a page, a file or a web address to a skill
    ///
    /// References are for people. Runs don't read them, and exports don't include them.
    Attach(AttachArgs),
    /// Print the file that a reference points to
    Show {
        #[command(flatten)]
        skill: SkillArg,
        /// Target or ID of the reference, as listed
        reference: String,
    },
    /// Remove a reference; the page or file isn't deleted
    Remove {
        #[command(flatten)]
        skill: SkillArg,
        /// Target or ID of the reference, as listed
        reference: String,
    },
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings reference attach release-notes docs/style.md",
    "inklings reference attach release-notes https://keepachangelog.com",
    "inklings reference attach release-notes --page tone-of-voice",
]))]
pub(crate) struct AttachArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// File in the workspace, or a web address (http or https)
    #[arg(required_unless_present = "page", conflicts_with = "page")]
    pub(crate) target: Option<String>,
    /// Page to attach, by name, title or alias
    #[arg(long)]
    pub(crate) page: Option<String>,
    /// Position in the list [default: the end]
    #[arg(long)]
    pub(crate) position: Option<i64>,
    /// Attach the target even if it doesn't exist
    #[arg(long)]
    pub(crate) allow_missing: bool,
}
