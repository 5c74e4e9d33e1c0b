//! Arguments for those who install skills from registries.

use clap::{Args as ClapArgs, Subcommand};
use inklings_core::Digest;

use super::super::ScopeArg;
use super::super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum ClientCommand {
    /// Add a registry to install skills from
    Add(AddRegistryArgs),
    /// List the registries
    List,
    /// Change a registry that was added
    Set(SetRegistryArgs),
    /// Remove a registry; its installed skills stay
    Remove {
        /// ID of the registry
        registry: String,
    },
    /// Fetch what is new, and install updates that need no consent
    #[command(after_help = examples(&["inklings registry sync", "inklings registry sync skills.example.org"]))]
    Sync {
        /// ID of a registry [default: all that are enabled]
        registry: Option<String>,
    },
    /// Search the skills of the registries; needs no network
    Search(MarketplaceSearchArgs),
    /// Show a skill of a registry, its versions and permissions
    Show(OfferArgs),
    /// Show the files that differ between two versions
    #[command(after_help = examples(&["inklings registry diff link-auditor --to 2.0.0"]))]
    Diff {
        /// REGISTRY/NAME, or NAME
        skill: String,
        /// The older version [default: the installed one]
        #[arg(long, value_name = "VERSION")]
        from: Option<String>,
        /// The newer version
        #[arg(long, value_name = "VERSION")]
        to: String,
    },
    /// Print a file of a skill that isn't installed, or list its files
    Files {
        #[command(flatten)]
        offer: OfferArgs,
        /// File to print [default: list all]
        #[arg(long, value_name = "PATH")]
        path: Option<String>,
    },
    /// Install a skill from a registry
    Install(InstallSkillArgs),
    /// List the installed skills and their updates
    Installed,
    /// Update installed skills
    Update(UpdateInstalledArgs),
    /// List the copies of skills whose original was updated since
    Forks,
    /// Merge the update of the original into a copy
    #[command(
        long_about = "Merge the update of the original into a copy\n\nChanges of other lines go together. Where both changed the same lines, a proposal has both.",
        after_help = examples(&["inklings registry merge link-auditor-copy"])
    )]
    Merge {
        /// Name, title or ID of the copy
        skill: String,
        /// Scope of the copy [default: workspace, then account]
        #[arg(long)]
        scope: Option<ScopeArg>,
    },
    /// Keep the version of an installed skill
    Pin {
        /// Name, title or ID of the skill
        skill: String,
    },
    /// Update an installed skill again
    Unpin {
        /// Name, title or ID of the skill
        skill: String,
    },
    /// Go back to the version before the present one, and keep it; needs no network
    Rollback {
        /// Name, title or ID of the skill
        skill: String,
    },
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Add a registry to install skills from\n\nCompare the fingerprint with one that its owner published elsewhere: whoever controls the server could show another one.",
    after_help = examples(&["inklings registry add https://skills.example.org", "inklings registry add /mnt/usb/registry"])
)]
pub(crate) struct AddRegistryArgs {
    /// URL, or the absolute path of a folder
    pub(crate) address: String,
    /// Fingerprint that the owner of the registry published [default: asks about the one of the server]
    #[arg(long)]
    pub(crate) fingerprint: Option<Digest>,
    /// URL to ask if the address doesn't answer; can be repeated
    #[arg(long, value_name = "URL")]
    pub(crate) mirror: Vec<String>,
    /// Of two registries with a skill of the same name, the one with the higher number is used
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    pub(crate) priority: i32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SetRegistryArgs {
    /// ID of the registry
    pub(crate) registry: String,
    /// New URL, or the absolute path of a folder
    #[arg(long)]
    pub(crate) address: Option<String>,
    /// Replaces the mirrors; can be repeated
    #[arg(long, value_name = "URL")]
    pub(crate) mirror: Vec<String>,
    /// Of two registries with a skill of the same name, the one with the higher number is used
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) priority: Option<i32>,
    /// Whether it is synced and shown
    #[arg(long, value_name = "true|false")]
    pub(crate) enabled: Option<bool>,
    /// Whether it may update the skills that were shipped with the app
    #[arg(long, value_name = "true|false")]
    pub(crate) updates_built_in: Option<bool>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MarketplaceSearchArgs {
    /// Words [default: all skills]
    pub(crate) words: Vec<String>,
    /// Only of this category
    #[arg(long)]
    pub(crate) category: Option<String>,
    /// Only of this registry
    #[arg(long, value_name = "ID")]
    pub(crate) registry: Option<String>,
    /// Number of results, at most 200
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) limit: u16,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OfferArgs {
    /// REGISTRY/NAME, or NAME
    pub(crate) skill: String,
    /// Version of the skill [default: the newest one that can be installed]
    #[arg(long)]
    pub(crate) version: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Install a skill from a registry\n\nIts permissions are shown first. A version that isn't the newest one is pinned.",
    after_help = examples(&["inklings registry install link-auditor", "inklings registry install skills.example.org/link-auditor --version 1.2.0 --yes"])
)]
pub(crate) struct InstallSkillArgs {
    #[command(flatten)]
    pub(crate) offer: OfferArgs,
    /// Agree to its permissions without being asked
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings registry update", "inklings registry update link-auditor --yes"]))]
pub(crate) struct UpdateInstalledArgs {
    /// Names, titles or IDs of skills [default: all with an update that needs no consent]
    pub(crate) skills: Vec<String>,
    /// Agree to new permissions of the skills that are named
    #[arg(long, requires = "skills")]
    pub(crate) yes: bool,
}
