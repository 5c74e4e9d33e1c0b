//! Arguments of `inklings workspace` and `page`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// List workspaces that were opened in the Studio, last opened first.
    List,
    /// Print the folder of the sample workspace; it is created if it doesn't exist.
    Sample,
    /// Keep the Studio's files out of the workspace's git repository.
    GitExclude {
        /// Leave the repository as it is, and don't offer it again.
        #[arg(long)]
        decline: bool,
    },
    /// Let the skills of the workspace run and call models.
    Trust,
    /// No longer let them.
    Distrust,
    /// Remove a folder from the list of workspaces, with its trust
    Forget {
        /// Folder, as `list` prints it
        path: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PageCommand {
    /// Find pages by words; the last one may be unfinished.
    Search {
        /// Words.
        #[arg(required = true)]
        query: Vec<String>,
        /// Hits at most.
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// List pages by slug.
    List {
        /// Only of this type.
        #[arg(long = "type", value_name = "TYPE")]
        kind: Option<String>,
        /// Only with this tag.
        #[arg(long)]
        tag: Option<String>,
        /// Only below this folder.
        #[arg(long)]
        folder: Option<String>,
        /// Pages at most.
        #[arg(long, default_value_t = 1_000)]
        limit: usize,
    },
    /// Print a page.
    Show {
        /// Slug, title or alias.
        page: String,
    },
    /// Show the links from and to a page.
    Links {
        /// Slug, title or alias.
        page: String,
    },
    /// Show the last changes of a page.
    History {
        /// Slug, title or alias.
        page: String,
        /// Changes at most.
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// List the types and tags of pages.
    Facets,
    /// Show the state of the page index.
    Status,
    /// Bring the page index up to date.
    Refresh,
    /// Find broken links, and pages that nothing links to.
    Check,
}
