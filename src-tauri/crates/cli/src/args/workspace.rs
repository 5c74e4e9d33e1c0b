//! Arguments of `inklings workspace` and `page`.

use clap::Subcommand;

use super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// List workspaces that were opened in the app, most recent first
    List,
    /// Create the sample workspace if needed, and print its folder
    Sample,
    /// Exclude the app's files from the workspace's git repository
    GitExclude {
        /// Don't exclude them and don't ask again in the app
        #[arg(long)]
        decline: bool,
    },
    /// Trust the workspace: its skills can run scripts and call models
    #[command(after_help = examples(&["inklings workspace trust --workspace ~/notes"]))]
    Trust,
    /// Revoke trust in the workspace
    Distrust,
    /// Remove a workspace from the list and revoke its trust; the folder isn't deleted
    #[command(alias = "forget")]
    Remove {
        /// Folder of the workspace, as listed
        path: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PageCommand {
    /// List the skills that a page names, and whether they can run
    #[command(after_help = examples(&["inklings page skills goals/q3-report"]))]
    Skills {
        /// Slug of the page
        page: String,
    },
    /// Search pages
    Search {
        /// Search terms; the last one matches by prefix
        #[arg(required = true)]
        query: Vec<String>,
        /// Maximum number of results
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// List pages by name
    List {
        /// Filter by type
        #[arg(long = "type", value_name = "TYPE")]
        kind: Option<String>,
        /// Filter by tag
        #[arg(long)]
        tag: Option<String>,
        /// Filter by folder
        #[arg(long)]
        folder: Option<String>,
        /// Maximum number of results
        #[arg(long, value_name = "N", default_value_t = 1_000)]
        limit: usize,
    },
    /// Print a page
    Show {
        /// Name, title or alias of the page
        page: String,
    },
    /// List the links and backlinks of a page
    Links {
        /// Name, title or alias of the page
        page: String,
    },
    /// List the changes of a page, newest first
    History {
        /// Name, title or alias of the page
        page: String,
        /// Maximum number of results
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// List the types and tags of pages
    Facets,
    /// Show the status of the page index
    Status,
    /// Update the page index
    Refresh,
    /// Find broken links, and orphans (pages without backlinks)
    Check,
}
