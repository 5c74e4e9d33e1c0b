//! Command-line arguments, by command family. The help follows that of cargo and gh: imperative descriptions, noun phrases for options,
//! commands in groups ([`help`]) and examples at the end.

mod action;
mod chat;
mod db;
mod dev;
mod eval;
mod file;
mod help;
mod lifecycle;
mod link;
mod mcp;
mod model;
mod optimize;
mod proposal;
mod reference;
mod registry;
mod run;
mod runs;
mod search;
mod serve;
mod settings;
mod skill;
mod target;
mod token;
mod transfer;
mod value;
mod workspace;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use inklings_core::Scope;

pub(crate) use action::{ActionCommand, RunActionArgs, SaveActionArgs};
pub(crate) use chat::{AgentCommand, AnswererArgs, ChatCommand, MarkArg, NotesCommand, PermitArg, ProfileArgs, SendArgs};
pub(crate) use db::{DbCommand, DbFile};
pub(crate) use dev::DevCommand;
pub(crate) use eval::{EvalCommand, EvalRunArgs, ReportFormatArg, SplitArg};
pub(crate) use file::{ArtifactCommand, DraftCommand, FileCommand, InputCommand, OnConflict};
pub(crate) use help::command;
pub(crate) use lifecycle::{ArchiveArgs, DeprecateArgs, DepsArgs, MergeArgs};
pub(crate) use link::LinkCommand;
pub(crate) use mcp::{ClientArgs, McpCommand};
pub(crate) use model::ModelCommand;
pub(crate) use optimize::{DspyCommand, OptimizeArgs};
pub(crate) use proposal::ProposalCommand;
pub(crate) use reference::{AttachArgs, ReferenceCommand};
pub(crate) use registry::{
    AddRegistryArgs, ClientCommand, InitRegistryArgs, InstallSkillArgs, KeyArgs, KeyRoleArg, MarketplaceSearchArgs, OfferArgs, PublishArgs,
    PublishCommand, RegistryCommand, ReleaseArgs, SetRegistryArgs, UpdateInstalledArgs,
};
pub(crate) use run::{ApproveArgs, LimitArgs, RenderArgs, RunArgs, UsageLimitArgs, ValueArgs};
pub(crate) use runs::{
    DecideGateArgs, ReplayArgs, RunExportArgs, RunFilterArgs, RunListArgs, RunStatsArgs, RunsCommand, StatsArg, StepFormatArg, TraceCommand,
};
pub(crate) use search::SearchArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use settings::SettingsCommand;
pub(crate) use skill::{CheckArgs, DiffArgs, ExecArgs, GrepArgs, SkillCommand, SkillEditArgs, SkillListArgs, SkillSetArgs, SortArg};
pub(crate) use target::{DeployArgs, KitCommand, PullArgs, RemoveCopiesArgs, TargetCommand};
pub(crate) use token::TokenCommand;
pub(crate) use transfer::{ExportArgs, Format, ImportAction, ImportArgs, UpdateArgs, ValidateArgs};
pub(crate) use value::ParamValue;
pub(crate) use workspace::{PageCommand, WorkspaceCommand};

/// Write, run and share skills for AI agents
#[derive(Debug, Parser)]
#[command(name = "inklings", version, arg_required_else_help = true)]
pub(crate) struct Args {
    /// Print the result as one JSON document
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,
    /// Workspace folder; its skills are used in addition to the account's
    #[arg(long, global = true, help_heading = "Global options", value_name = "DIR", env = "INKLINGS_WORKSPACE")]
    pub(crate) workspace: Option<PathBuf>,
    /// Account folder [default: ~/.inklings]
    #[arg(long, global = true, help_heading = "Global options", value_name = "DIR", env = "INKLINGS_HOME")]
    pub(crate) home: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List, edit and organize skills
    #[command(subcommand)]
    Skill(SkillCommand),
    /// Find, add, copy, move and delete files of skills
    #[command(subcommand)]
    File(FileCommand),
    /// Declare which files of a skill are artifacts
    #[command(subcommand)]
    Artifact(ArtifactCommand),
    /// List, save and delete input values of artifacts
    #[command(subcommand)]
    Input(InputCommand),
    /// Attach pages, files and web addresses to skills
    #[command(subcommand)]
    Reference(ReferenceCommand),
    /// List, show and discard unsaved changes
    #[command(subcommand)]
    Draft(DraftCommand),
    /// Chat with a model that uses your skills
    #[command(subcommand)]
    Chat(ChatCommand),
    /// Manage agents: named profiles for chats
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Show and edit notes that are part of the instructions of every chat
    #[command(subcommand)]
    Notes(NotesCommand),
    /// Find the skills that fit a message
    Search(SearchArgs),
    /// Check skills on disk without importing them
    Validate(ValidateArgs),
    /// Import skills from folders, packages and git repositories
    Import(ImportArgs),
    /// Export skills to folders and packages
    Export(ExportArgs),
    /// Edit skills in folders on disk, such as those of AI agents
    #[command(subcommand)]
    Link(LinkCommand),
    /// Find skills of other AI agents, and deploy skills to them
    #[command(subcommand)]
    Target(TargetCommand),
    /// Manage kits: named sets of skills to deploy together
    #[command(subcommand)]
    Kit(KitCommand),
    /// Install skills from registries of signed files, and publish them
    #[command(subcommand)]
    Registry(RegistryCommand),
    /// Print a prompt as it would be sent to the model
    Render(RenderArgs),
    /// Run a skill or one of its artifacts
    Run(RunArgs),
    /// Save and run actions: skills with their values
    #[command(subcommand)]
    Action(ActionCommand),
    /// Inspect, replay and export past runs
    #[command(subcommand)]
    Runs(RunsCommand),
    /// Inspect, replay and export past runs (former name of `runs`)
    #[command(subcommand, hide = true)]
    Trace(TraceCommand),
    /// Set up model providers
    #[command(subcommand)]
    Model(ModelCommand),
    /// Evaluate skills with their cases
    #[command(subcommand)]
    Eval(EvalCommand),
    /// Optimize the instructions and demos of a DSPy module
    Optimize(OptimizeArgs),
    /// Review proposed changes to skills
    #[command(subcommand)]
    Proposal(ProposalCommand),
    /// Inspect the DSPy process
    #[command(subcommand, alias = "sidecar")]
    Dspy(DspyCommand),
    /// Search and inspect the workspace's pages
    #[command(subcommand)]
    Page(PageCommand),
    /// List and trust workspaces
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// List and change settings
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// Show the version, the account and the workspace
    Status,
    /// List the functions that scripts can call
    Functions,
    /// Check, back up and restore databases
    #[command(subcommand)]
    Db(DbCommand),
    /// Connect AI clients to inklings as an MCP server
    #[command(subcommand)]
    Mcp(McpCommand),
    /// Open the desktop app
    #[command(after_help = help::examples(&["inklings studio", "inklings studio ~/notes"]))]
    Studio {
        /// Folder to open [default: the workspace, then the last open folder]
        folder: Option<PathBuf>,
    },
    /// Serve skills to AI agents
    Serve(ServeArgs),
    /// Manage the tokens that let other programs in
    #[command(subcommand)]
    Token(TokenCommand),
    /// Print a diagnostics report, without secrets or content
    Diagnostics,
    /// Print the JSON Schema of skill packages
    Schema,
    /// Print shell completions
    #[command(after_help = help::examples(&["inklings completions bash > ~/.local/share/bash-completion/completions/inklings"]))]
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
    /// Generate files for the development of inklings
    #[command(subcommand, hide = true)]
    Dev(DevCommand),
}

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

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SkillArg {
    /// ID, name or title of the skill
    pub(crate) skill: String,
    /// Scope to search [default: workspace, then account]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SkillsArg {
    /// IDs, names or titles of the skills
    #[arg(required = true, value_name = "SKILL")]
    pub(crate) skills: Vec<String>,
    /// Scope to search [default: workspace, then account]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}
