//! Arguments of `inklings reference`.

use clap::{Args as ClapArgs, Subcommand};

use super::SkillArg;

#[derive(Debug, Subcommand)]
pub(crate) enum ReferenceCommand {
    /// List the references of a skill
    List {
        #[command(flatten)]
        skill: SkillArg,
    },
    /// Find pages and files of the workspace that can be attached
    Search {
        /// Words of a page, or parts of a file's path
        query: Vec<String>,
        /// Maximum number of pages, and of files
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Attach a page, a file or a web address to a skill; exports leave references out, and runs don't read them
    Attach(AttachArgs),
    /// Print the file that a reference leads to
    Show {
        #[command(flatten)]
        skill: SkillArg,
        /// Target or ID, as listed
        reference: String,
    },
    /// Remove a reference from a skill; the page or file stays
    Remove {
        #[command(flatten)]
        skill: SkillArg,
        /// Target or ID, as listed
        reference: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AttachArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// File, relative to the workspace, or web address (http or https)
    #[arg(required_unless_present = "page", conflicts_with = "page")]
    pub(crate) target: Option<String>,
    /// Slug, title or alias of a page to attach
    #[arg(long)]
    pub(crate) page: Option<String>,
    /// Position to insert it at, as listed; at the end by default
    #[arg(long)]
    pub(crate) position: Option<i64>,
    /// Attach it even if the page or file doesn't exist
    #[arg(long)]
    pub(crate) allow_missing: bool,
}
