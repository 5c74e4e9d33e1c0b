//! Arguments for those who publish a registry.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use inklings_core::Slug;

use super::super::ScopeArg;
use super::super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum PublishCommand {
    /// Create a registry: a folder of signed files for a web server
    Init(InitRegistryArgs),
    /// Show what publishing skills would change, and which versions follow
    Plan(ReleaseArgs),
    /// Publish skills: all of them or none
    Publish(PublishArgs),
    /// Show what a registry contains and when it expires
    #[command(after_help = examples(&["inklings registry status ~/registry"]))]
    Status {
        /// Folder of the registry
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Verify all signatures, times and packages of a registry as clients do
    #[command(after_help = examples(&["inklings registry verify ~/registry"]))]
    Verify {
        /// Folder of the registry
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Stop offering a version; those who have it are told why
    Yank(YankArgs),
    /// Withdraw a version for good, also where it is installed
    Revoke(RevokeArgs),
    /// Renew the signatures of a registry before it expires
    #[command(
        long_about = "Renew the signatures of a registry before it expires\n\nDoes nothing as long as less than half of the time has passed, so that it can run every day.",
        after_help = examples(&["inklings registry refresh ~/registry", "inklings registry refresh ./public --keys ./keys --days 90"])
    )]
    Refresh {
        /// Folder of the registry
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        #[command(flatten)]
        keys: KeyArgs,
    },
    /// Replace keys of a registry by new ones, as when somebody else may have them
    #[command(
        long_about = "Replace keys of a registry by new ones, as when somebody else may have them\n\nNeeds root.key in the folder of keys. Published skills are signed again and stay valid; clients follow with their next sync.",
        after_help = examples(&["inklings registry rotate ~/registry publisher", "inklings registry rotate ./public root snapshot publisher --keys ./keys"])
    )]
    Rotate {
        /// Folder of the registry
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Keys to replace
        #[arg(value_enum, required = true)]
        roles: Vec<KeyRoleArg>,
        #[command(flatten)]
        keys: KeyArgs,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum KeyRoleArg {
    /// Signs who may sign
    Root,
    /// Signs the state of the registry
    Snapshot,
    /// Signs skills
    Publisher,
}

/// How a change of a registry is signed.
#[derive(Debug, ClapArgs)]
pub(crate) struct KeyArgs {
    /// Folder with the registry's keys [default: registry-keys/ID in the account folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) keys: Option<PathBuf>,
    /// Days until the registry expires unless it is refreshed [default: 30]
    #[arg(long, value_name = "N")]
    pub(crate) days: Option<u32>,
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Create a registry: a folder of signed files for a web server\n\nIts secret keys are created, too, unless the folder of keys has them. Copy that folder to a safe place: without the keys, nothing can be published any more.",
    after_help = examples(&["inklings registry init ~/registry --id skills.example.org --title 'Example skills'"])
)]
pub(crate) struct InitRegistryArgs {
    /// New or empty folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// ID of the registry, such as a domain of yours
    #[arg(long)]
    pub(crate) id: String,
    /// Title of the registry
    #[arg(long)]
    pub(crate) title: String,
    /// Name that is shown as the publisher of its skills [default: the title]
    #[arg(long, value_name = "NAME")]
    pub(crate) publisher: Option<String>,
    #[command(flatten)]
    pub(crate) keys: KeyArgs,
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Show what publishing skills would change, and which versions follow\n\nRemoving or renaming artifacts or variables and changing permissions needs a new major version; adding something a new minor one; other changes a new patch version.",
    after_help = examples(&["inklings registry plan ~/registry release-notes", "inklings registry plan ./public --from ./skills"])
)]
pub(crate) struct ReleaseArgs {
    /// Folder of the registry
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// IDs, names or titles of stored skills
    #[arg(value_name = "SKILL", required_unless_present = "from")]
    pub(crate) skills: Vec<String>,
    /// Scope to search [default: workspace, then account]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
    /// Skill folder, folder of skill folders, or package (repeatable)
    #[arg(long, value_name = "PATH")]
    pub(crate) from: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Publish skills: all of them or none\n\nA stored skill that was changed gets the next version first, which follows from its changes. Locked skills and skills on disk aren't changed, so their version must be new. Skills that are published already are skipped.",
    after_help = examples(&["inklings registry publish ~/registry release-notes --changelog 'Shorter drafts.'", "inklings registry publish ./public --from ./skills --keys ./keys"])
)]
pub(crate) struct PublishArgs {
    #[command(flatten)]
    pub(crate) release: ReleaseArgs,
    /// Version of the published skill [default: follows from the changes]
    #[arg(long, value_name = "VERSION", conflicts_with = "from")]
    pub(crate) set_version: Option<String>,
    /// Text for the CHANGELOG.md of the published skills
    #[arg(long, value_name = "TEXT", conflicts_with = "from", allow_hyphen_values = true)]
    pub(crate) changelog: Option<String>,
    /// Oldest version of the app that can use the skills [default: any]
    #[arg(long, value_name = "VERSION")]
    pub(crate) minimum_client: Option<String>,
    /// Show what would be published without publishing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) keys: KeyArgs,
}

/// A published version.
#[derive(Debug, ClapArgs)]
pub(crate) struct VersionArgs {
    /// Folder of the registry
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Name of the skill
    pub(crate) skill: Slug,
    /// Version of the skill
    pub(crate) version: String,
    #[command(flatten)]
    pub(crate) keys: KeyArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings registry yank ~/registry release-notes 1.2.0 --reason 'Loses drafts'", "inklings registry yank ~/registry release-notes 1.2.0 --undo"]))]
pub(crate) struct YankArgs {
    #[command(flatten)]
    pub(crate) version: VersionArgs,
    /// Why; shown to those who have the version
    #[arg(long, value_name = "TEXT", required_unless_present = "undo", conflicts_with = "undo")]
    pub(crate) reason: Option<String>,
    /// Offer the version again
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Withdraw a version for good, also where it is installed\n\nIts package is deleted. This can't be undone.",
    after_help = examples(&["inklings registry revoke ~/registry release-notes 1.2.0 --reason 'Sends files to a server'"])
)]
pub(crate) struct RevokeArgs {
    #[command(flatten)]
    pub(crate) version: VersionArgs,
    /// Why; shown to those who have the version
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}
