//! Command-line arguments, by command family.

mod db;
mod dev;
mod file;
mod model;
mod optimize;
mod reference;
mod run;
mod settings;
mod skill;
mod trace;
mod transfer;
mod workspace;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use inklings_core::Scope;

pub(crate) use db::{DbCommand, DbFile};
pub(crate) use dev::DevCommand;
pub(crate) use file::{ArtifactCommand, DraftCommand, FileCommand, InputCommand, OnConflict};
pub(crate) use model::ModelCommand;
pub(crate) use optimize::{OptimizeArgs, ProposalCommand, SidecarCommand};
pub(crate) use reference::{AttachArgs, ReferenceCommand};
pub(crate) use run::{LimitArgs, RenderArgs, RunArgs, ValueArgs};
pub(crate) use settings::SettingsCommand;
pub(crate) use skill::{CheckArgs, DiffArgs, GrepArgs, SkillCommand, SkillListArgs, SkillSetArgs, SortArg};
pub(crate) use trace::{StatsArg, TraceCommand, TraceFilterArgs, TraceFormatArg};
pub(crate) use transfer::{ExportArgs, Format, ImportArgs, TakeArg, TargetCommand, ValidateArgs};
pub(crate) use workspace::{PageCommand, WorkspaceCommand};

/// Skills for AI agents: list, edit, render, import and export them from a terminal.
#[derive(Debug, Parser)]
#[command(name = "inklings", version, arg_required_else_help = true)]
pub(crate) struct Args {
    /// Print JSON, one document, for programs.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Workspace folder whose skills join the account's.
    #[arg(long, global = true, value_name = "DIR", env = "INKLINGS_WORKSPACE")]
    pub(crate) workspace: Option<PathBuf>,
    /// The account's folder instead of ~/.inklings.
    #[arg(long, global = true, value_name = "DIR", env = "INKLINGS_HOME")]
    pub(crate) home: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Look at and change skills.
    #[command(subcommand)]
    Skill(SkillCommand),
    /// Find, add, copy, move and delete files of skills.
    #[command(subcommand)]
    File(FileCommand),
    /// Make files artifacts, or artifacts plain files.
    #[command(subcommand)]
    Artifact(ArtifactCommand),
    /// Save and list inputs of artifacts.
    #[command(subcommand)]
    Input(InputCommand),
    /// Attach pages, files and web addresses of a workspace to skills as reference material.
    #[command(subcommand)]
    Reference(ReferenceCommand),
    /// Show and discard unsaved changes.
    #[command(subcommand)]
    Draft(DraftCommand),
    /// Check skills on the disk; nothing is stored. In a pipe or with --json one JSON object a line for each skill.
    Validate(ValidateArgs),
    /// Read skills from folders and SKILL.md files.
    Import(ImportArgs),
    /// Write skills out.
    Export(ExportArgs),
    /// Look at the skills of your other agents.
    #[command(subcommand)]
    Target(TargetCommand),
    /// Print a prompt as it would be sent, without a model.
    Render(RenderArgs),
    /// Run a skill, or one of its artifacts.
    Run(RunArgs),
    /// Look at what ran, and run it again.
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Set up models.
    #[command(subcommand)]
    Model(ModelCommand),
    /// Look for better instructions and demonstrations of a DSPy program, with evidence. Changes nothing: see `proposal`.
    Optimize(OptimizeArgs),
    /// Decide what was proposed for skills.
    #[command(subcommand)]
    Proposal(ProposalCommand),
    /// Look at the process that runs DSPy programs.
    #[command(subcommand)]
    Sidecar(SidecarCommand),
    /// Look at the pages of the workspace.
    #[command(subcommand)]
    Page(PageCommand),
    /// Decide what a workspace may do.
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// List and change settings.
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// Show the account, the workspace and their skills.
    Status,
    /// List the functions that scripts of skills can call.
    Functions,
    /// Look after the databases.
    #[command(subcommand)]
    Db(DbCommand),
    /// Open the desktop app; where it runs already, it shows the folder.
    Studio {
        /// The folder to open; the workspace when one is given, else what was open last.
        folder: Option<PathBuf>,
    },
    /// Print what to send along with a question about the app: no secrets, no texts of yours.
    Diagnostics,
    /// Print the JSON Schema of a skill package (.json).
    Schema,
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// For working on the product itself.
    #[command(subcommand, hide = true)]
    Dev(DevCommand),
}

/// Which of two scopes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ScopeArg {
    Account,
    Workspace,
}

impl From<ScopeArg> for Scope {
    fn from(scope: ScopeArg) -> Self {
        match scope {
            ScopeArg::Account => Self::Account,
            ScopeArg::Workspace => Self::Workspace,
        }
    }
}

/// Names a skill.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SkillArg {
    /// Id, slug or title.
    pub(crate) skill: String,
    /// Look in this scope only; the workspace wins without it.
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}

/// Names skills.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SkillsArg {
    /// Ids, slugs or titles.
    #[arg(required = true, value_name = "SKILL")]
    pub(crate) skills: Vec<String>,
    /// Look in this scope only; the workspace wins without it.
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}
