//! What can be typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use inklings_core::model::Price;
use inklings_core::program::Metric;
use inklings_core::provider::ProviderKind;
use inklings_core::{ArtifactKind, ModelRef, ProposalId, RunId, Scope, Time, TraceId, TraceStatus};

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

#[derive(Debug, Subcommand)]
pub(crate) enum SkillCommand {
    /// List skills: all, or those that fit.
    List(SkillListArgs),
    /// Show a skill, or one of its files.
    Show {
        #[command(flatten)]
        skill: SkillArg,
        /// Print this file's content.
        #[arg(long)]
        path: Option<String>,
    },
    /// Make a new skill.
    Create {
        /// Title; the slug is made from it.
        name: String,
        /// What it does and when to use it.
        #[arg(long)]
        description: Option<String>,
        /// Where to put it.
        #[arg(long, value_enum)]
        scope: Option<ScopeArg>,
    },
    /// Write a file of a skill: from a file, from standard input, or in $EDITOR.
    Edit {
        #[command(flatten)]
        skill: SkillArg,
        /// The file in the skill.
        #[arg(long, default_value = "SKILL.md")]
        path: String,
        /// Take the content from this file; `-` is standard input.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Remove the file instead.
        #[arg(long, conflicts_with_all = ["from", "expected", "message"])]
        remove: bool,
        /// The revision that the edit was made to; the present one without it.
        #[arg(long, value_name = "REVISION")]
        expected: Option<i64>,
        /// Why, for the history.
        #[arg(long, short)]
        message: Option<String>,
    },
    /// Find a text in the files of all skills, and replace it.
    Grep(GrepArgs),
    /// Show where a skill names a variable, or an artifact.
    Uses {
        #[command(flatten)]
        skill: SkillArg,
        /// The variable.
        name: String,
        /// The name is an artifact's.
        #[arg(long)]
        artifact: bool,
    },
    /// Give a variable, or an artifact, another name: in templates, in skill.json, and in saved inputs.
    Rename {
        #[command(flatten)]
        skill: SkillArg,
        /// The variable.
        from: String,
        /// Its new name.
        to: String,
        /// The name is an artifact's.
        #[arg(long)]
        artifact: bool,
        /// Only say what would change.
        #[arg(long)]
        dry_run: bool,
    },
    /// Delete skills; their history stays and `restore` brings them back.
    Delete {
        #[command(flatten)]
        skills: SkillsArg,
    },
    /// List deleted skills that can be brought back.
    Deleted,
    /// Bring a deleted skill back by its id.
    Restore {
        /// The id that `delete` and `deleted` print.
        id: String,
        /// The scope it was in.
        #[arg(long, value_enum, default_value = "account")]
        scope: ScopeArg,
    },
    /// Duplicate a skill to edit it.
    Fork {
        #[command(flatten)]
        skill: SkillArg,
    },
    /// Switch skills on.
    Enable {
        #[command(flatten)]
        skills: SkillsArg,
    },
    /// Switch skills off.
    Disable {
        #[command(flatten)]
        skills: SkillsArg,
    },
    /// Add a tag to skills, or take it away.
    Tag {
        /// The tag.
        tag: String,
        #[command(flatten)]
        skills: SkillsArg,
        /// Take it away.
        #[arg(long)]
        remove: bool,
    },
    /// Put skills into a category.
    Category {
        /// The category.
        category: String,
        #[command(flatten)]
        skills: SkillsArg,
    },
    /// Change what a skill says of itself; the text around the values stays as it is.
    Set(SkillSetArgs),
    /// Show the skills in numbers.
    Stats,
    /// Show a skill's revisions, newest first.
    History {
        #[command(flatten)]
        skill: SkillArg,
        /// Only revisions that changed this file.
        #[arg(long, value_name = "FILE")]
        path: Option<String>,
        /// Most revisions; all without it.
        #[arg(long)]
        limit: Option<usize>,
    },
    /// Go back to a revision; that is itself a new revision.
    Rollback {
        #[command(flatten)]
        skill: SkillArg,
        /// The revision to go back to.
        #[arg(long)]
        to: i64,
        /// Only these files; the others stay as they are.
        #[arg(long, value_name = "FILE")]
        path: Vec<String>,
    },
    /// Show what differs between two revisions, or between the skill and another one or its copy in an agent's folder.
    Diff(DiffArgs),
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

#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
pub(crate) struct SkillListArgs {
    /// Both scopes, also what the workspace hides.
    #[arg(long)]
    pub(crate) all: bool,
    /// Words; each stands in the title, name, description or a tag.
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,
    /// Only what comes with the app, from a registry or from someone else.
    #[arg(long, conflicts_with = "team")]
    pub(crate) platform: bool,
    /// Only your own.
    #[arg(long)]
    pub(crate) team: bool,
    /// Only what a person wrote.
    #[arg(long, conflicts_with = "learned")]
    pub(crate) human: bool,
    /// Only what a model wrote.
    #[arg(long)]
    pub(crate) learned: bool,
    /// Only those that are on.
    #[arg(long, conflicts_with = "disabled")]
    pub(crate) enabled: bool,
    /// Only those that are off.
    #[arg(long)]
    pub(crate) disabled: bool,
    /// Only those that stand there: candidate, verified, released, degraded, deprecated or archived.
    #[arg(long, value_name = "LIFECYCLE")]
    pub(crate) lifecycle: Vec<inklings_core::Lifecycle>,
    /// Only this category.
    #[arg(long)]
    pub(crate) category: Vec<String>,
    /// Only those with this tag; with several tags, with all of them.
    #[arg(long)]
    pub(crate) tag: Vec<String>,
    /// The order; by name without it.
    #[arg(long, value_enum)]
    pub(crate) sort: Option<SortArg>,
    /// The other way round.
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Most skills.
    #[arg(long)]
    pub(crate) limit: Option<usize>,
}

/// The order of a list of skills.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SortArg {
    /// The title.
    Title,
    /// Last changed first.
    Changed,
    /// Last used first.
    Used,
    /// What cost most in 30 days first.
    Cost,
    /// The largest first.
    Size,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SkillSetArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// The title; the name in the frontmatter stays.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// What it does and when to use it.
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// The category.
    #[arg(long)]
    pub(crate) category: Option<String>,
    /// The tags, with commas between them; nothing takes all away.
    #[arg(long, value_name = "TAGS")]
    pub(crate) tags: Option<String>,
    /// A trigger phrase; all of them are given together.
    #[arg(long = "trigger", value_name = "PHRASE")]
    pub(crate) triggers: Option<Vec<String>>,
    /// When another skill is the better choice; nothing takes it away.
    #[arg(long, value_name = "TEXT")]
    pub(crate) when_not_to_use: Option<String>,
    /// The author's version.
    #[arg(long = "set-version", value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// The author; nothing takes it away.
    #[arg(long)]
    pub(crate) author: Option<String>,
    /// The revision that the values were read from: one that changed since is not overwritten.
    #[arg(long, value_name = "REVISION")]
    pub(crate) expected: Option<i64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Older revision.
    #[arg(long, required_unless_present_any = ["copy", "with"])]
    pub(crate) from: Option<i64>,
    /// Newer revision; the present one without it.
    #[arg(long)]
    pub(crate) to: Option<i64>,
    /// Only these files.
    #[arg(long, value_name = "FILE")]
    pub(crate) path: Vec<String>,
    /// The skill's copy in this folder, which `skill show` names, instead of an older revision.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["from", "with"])]
    pub(crate) copy: Option<PathBuf>,
    /// Another skill instead of an older revision, e.g. the one that this was duplicated from.
    #[arg(long, value_name = "SKILL", conflicts_with = "from")]
    pub(crate) with: Option<String>,
    /// Where that skill is.
    #[arg(long, value_enum, requires = "with")]
    pub(crate) with_scope: Option<ScopeArg>,
    /// Only the files' names, with how many lines were added and removed.
    #[arg(long)]
    pub(crate) stat: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ImportArgs {
    /// Skill folders, folders of skill folders, SKILL.md files, or packages (.skill, .zip, .json).
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Where to put them: the workspace when one is given, else the account.
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
    /// Only say what would happen.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Give a skill whose name is taken in the batch another name.
    #[arg(long)]
    pub(crate) rename: bool,
    /// Refuse what the Agent Skills standard refuses.
    #[arg(long)]
    pub(crate) strict: bool,
    /// What to do with a skill that was changed here and there, or that is locked here.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "skip")]
    pub(crate) conflicts: TakeArg,
}

/// What to do with a skill that meets one of the same name.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TakeArg {
    /// Leave it out.
    Skip,
    /// Store it as it arrives; what is here goes into the history.
    Replace,
    /// Store what both sides changed, and ours where both changed a file.
    Merge,
    /// Store it beside the other, under another name.
    Both,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ValidateArgs {
    /// Skill folders, folders of skill folders, SKILL.md files, or packages (.skill, .zip, .json).
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// By the letter of the Agent Skills standard, and nothing else.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Forms of an export.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// A folder with SKILL.md.
    Folder,
    /// One JSON package with everything.
    Json,
    /// One zip archive with everything.
    Skill,
    /// One Markdown file: the instructions, with the title.
    Markdown,
    /// A folder with SKILL.md alone.
    ClaudeSkill,
    /// Text that is safe outside: the manifest's summary rather than the instructions.
    OpenaiGpt,
    /// The same, for Cowork.
    Cowork,
    /// Key, title, description, instructions and manifest as JSON.
    Amble,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    /// Ids, slugs or titles.
    #[arg(required = true)]
    pub(crate) skills: Vec<String>,
    /// The form.
    #[arg(long, value_enum, default_value = "folder")]
    pub(crate) format: Format,
    /// Folder to write into.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Make the frontmatter name the slug.
    #[arg(long)]
    pub(crate) normalise: bool,
    /// Replace what is there already.
    #[arg(long)]
    pub(crate) replace: bool,
    /// Only say what would be written and what would be left out.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Values for a skill's variables.
#[derive(Debug, ClapArgs)]
pub(crate) struct ValueArgs {
    /// A value: `name=text`, or `name:=json`.
    #[arg(long = "param", short = 'p', value_name = "NAME=VALUE", value_parser = crate::commands::values::parse)]
    pub(crate) params: Vec<(String, serde_json::Value)>,
    /// Values from a JSON file; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) params_file: Option<PathBuf>,
}

/// What a run may use.
#[derive(Debug, ClapArgs)]
pub(crate) struct LimitArgs {
    /// Stop after this many tokens, read and written together.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Stop after this estimated cost.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Stop after this time; ten minutes without it.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OptimizeArgs {
    /// Id, slug or title of the skill.
    #[arg(required_unless_present = "outdated")]
    pub(crate) skill: Option<String>,
    /// The DSPy program: its name or path.
    #[arg(required_unless_present = "outdated")]
    pub(crate) artifact: Option<String>,
    /// Scope to look in; the merged winner without it.
    #[arg(long)]
    pub(crate) scope: Option<ScopeArg>,
    /// A file with an example on each line, as JSON; what earlier runs gave without it.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// The optimiser; `sidecar manifest` lists them.
    #[arg(long, value_name = "NAME", default_value = "bootstrap_few_shot")]
    pub(crate) optimizer: String,
    /// A setting of the optimiser: name=text, or name:=json as in k:=4.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = crate::commands::values::parse)]
    pub(crate) options: Vec<(String, serde_json::Value)>,
    /// How outputs are judged: `assertions`, `exact:OUTPUT`, or `contains:OUTPUT`; by the assertions if there are any without it.
    #[arg(long, value_parser = metric)]
    pub(crate) metric: Option<Metric>,
    /// Share of the examples that is only judged by.
    #[arg(long, value_name = "SHARE")]
    pub(crate) held_out: Option<f64>,
    /// Seed of everything random.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Most questions to the model.
    #[arg(long, value_name = "N")]
    pub(crate) max_calls: Option<u64>,
    /// Stop after this estimated cost, with the best so far.
    #[arg(long, value_name = "USD", conflicts_with = "max_cost")]
    pub(crate) budget: Option<f64>,
    /// The model, as provider/model; the default without it.
    #[arg(long)]
    pub(crate) model: Option<ModelRef>,
    /// As the last accepted proposal was made, with its examples.
    #[arg(long, conflicts_with_all = ["data", "outdated"])]
    pub(crate) again: bool,
    /// List what another version of DSPy optimised.
    #[arg(long)]
    pub(crate) outdated: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TargetCommand {
    /// List the skills in their folders, and what importing each would do. Changes nothing.
    List,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GrepArgs {
    /// The text to look for.
    pub(crate) text: String,
    /// It is a regular expression.
    #[arg(long, short = 'e')]
    pub(crate) regex: bool,
    /// Upper and lower case differ.
    #[arg(long)]
    pub(crate) case: bool,
    /// Only whole words.
    #[arg(long, short)]
    pub(crate) word: bool,
    /// Only in this skill: id, slug or title.
    #[arg(long)]
    pub(crate) skill: Option<String>,
    /// Only in this scope.
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
    /// Only in files whose path contains this, e.g. `.py`.
    #[arg(long, value_name = "TEXT")]
    pub(crate) path: Option<String>,
    /// Most matches.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Show what this text would make of it; in an expression `$1` is its first group.
    #[arg(long, value_name = "TEXT")]
    pub(crate) replace: Option<String>,
    /// Write it: a revision for each skill.
    #[arg(long, requires = "replace")]
    pub(crate) apply: bool,
}

fn metric(text: &str) -> Result<Metric, String> {
    let of = |field: &str| (!field.is_empty()).then(|| field.to_owned());
    let read = match text.split_once(':') {
        None if text == "assertions" => Some(Metric::Assertions),
        Some(("exact", field)) => of(field).map(|field| Metric::Exact { field }),
        Some(("contains", field)) => of(field).map(|field| Metric::Contains { field }),
        _ => None,
    };
    read.ok_or_else(|| "give assertions, exact:OUTPUT or contains:OUTPUT".to_owned())
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProposalCommand {
    /// List what waits for a decision.
    List {
        /// Those that were decided too.
        #[arg(long)]
        all: bool,
    },
    /// Show what it would change, with its scores.
    Show {
        /// Its id.
        id: ProposalId,
    },
    /// Make a revision of it. A locked skill is copied first.
    Accept {
        /// Its id.
        id: ProposalId,
        /// Why.
        #[arg(long)]
        reason: Option<String>,
    },
    /// Turn it down.
    Reject {
        /// Its id.
        id: ProposalId,
        /// Why.
        #[arg(long)]
        reason: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum SidecarCommand {
    /// Start it and say how it is.
    Status,
    /// List templates and optimisers.
    Manifest,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Run this artifact alone: its name or path.
    pub(crate) artifact: Option<String>,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// The model, as provider/model; the default without it.
    #[arg(long)]
    pub(crate) model: Option<ModelRef>,
    /// Print the answer as it arrives.
    #[arg(long)]
    pub(crate) stream: bool,
    /// Only say what would run, in which order, and what is missing.
    #[arg(long, conflicts_with = "stream")]
    pub(crate) plan: bool,
    /// Trust the workspace from now on: its skills may run and call models.
    #[arg(long)]
    pub(crate) trust: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Which traces.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct TraceFilterArgs {
    /// Of this skill: its slug.
    #[arg(long)]
    pub(crate) skill: Option<String>,
    /// Of this kind of artifact.
    #[arg(long)]
    pub(crate) kind: Option<ArtifactKind>,
    /// With this status: running, ok, error, cancelled, interrupted, fallback. More than one may be given.
    #[arg(long)]
    pub(crate) status: Vec<TraceStatus>,
    /// Answered by this model.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Of this run.
    #[arg(long)]
    pub(crate) run: Option<RunId>,
    /// Begun at this time or later, e.g. 2026-03-01T00:00:00Z.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Time>,
    /// With this text in input, output or error.
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// With an assertion that fails.
    #[arg(long)]
    pub(crate) failed_assertions: bool,
    /// The account's traces, even with a workspace.
    #[arg(long)]
    pub(crate) account: bool,
}

/// Forms of exported traces.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TraceFormatArg {
    /// A trace a line, with every column.
    Jsonl,
    /// An example a line, as DSPy's trainers take it.
    Dspy,
}

/// What numbers are told apart by.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StatsArg {
    Day,
    Artifact,
    Model,
    Skill,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// List executions, newest first.
    List {
        #[command(flatten)]
        filter: TraceFilterArgs,
        /// At most this many, up to 1,000.
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
    /// Show one execution with all that is kept of it.
    Show {
        /// The trace.
        trace: TraceId,
    },
    /// Show tokens, cost and failures in numbers.
    Stats {
        /// What they are told apart by.
        #[arg(long, value_enum, default_value = "day")]
        by: StatsArg,
        #[command(flatten)]
        filter: TraceFilterArgs,
    },
    /// Write traces out, oldest first.
    Export {
        /// The form.
        #[arg(long, value_enum, default_value = "jsonl")]
        format: TraceFormatArg,
        /// The file; standard output without it.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Write over a file that is there already.
        #[arg(long, requires = "out")]
        replace: bool,
        #[command(flatten)]
        filter: TraceFilterArgs,
    },
    /// Run again with the same values, against the skill as it is now.
    Replay {
        /// A trace of the run.
        trace: TraceId,
        /// Another model.
        #[arg(long)]
        model: Option<ModelRef>,
        /// Print the answer as it arrives.
        #[arg(long)]
        stream: bool,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Remove runs with their traces.
    Delete {
        /// The runs.
        #[arg(required = true)]
        runs: Vec<RunId>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Let the skills of the workspace run and call models.
    Trust,
    /// No longer let them.
    Distrust,
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
    /// Find broken links, and pages that nothing links to.
    Check,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Set a provider up, or change it. The first model of the first provider becomes the default.
    Add {
        /// A name for it: small letters, digits and hyphens.
        name: String,
        /// What it is: anthropic, openai, gemini, mistral, openrouter, ollama, llamacpp, lmstudio, openai-compatible.
        #[arg(long)]
        kind: ProviderKind,
        /// Where it is; the usual place of its kind without it.
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
        /// A model to offer. More than one may be given.
        #[arg(long = "model", value_name = "ID")]
        models: Vec<String>,
        /// A model's price in USD for a million tokens: MODEL=READ,WRITTEN. More than one may be given.
        #[arg(long = "price", value_name = "MODEL=IN,OUT", value_parser = price)]
        prices: Vec<(String, Price)>,
        /// Environment variable that holds the key.
        #[arg(long, value_name = "VAR", conflicts_with_all = ["key", "no_key"])]
        key_env: Option<String>,
        /// Read the key from standard input and store it.
        #[arg(long, conflicts_with = "no_key")]
        key: bool,
        /// It needs no key.
        #[arg(long)]
        no_key: bool,
        /// Seconds until its first byte, and between two pieces of an answer.
        #[arg(long, value_name = "SECONDS")]
        timeout: Option<u32>,
    },
    /// Choose the model to use when none is asked for: provider/model, or a provider with its first model.
    Default {
        /// Which.
        model: String,
    },
    /// List the providers that are set up.
    List {
        /// Ask each for its models.
        #[arg(long)]
        offered: bool,
    },
    /// Look for model servers on the usual ports of this machine.
    Discover,
    /// Send a tiny request: to provider/model, a provider, or the default.
    Test {
        /// Which.
        target: Option<String>,
    },
    /// Forget a provider with its stored key.
    Remove {
        /// Its name.
        name: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// The template: an artifact's name or path.
    pub(crate) artifact: String,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// Model whose variant is chosen.
    #[arg(long)]
    pub(crate) model: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DbCommand {
    /// Check every page and index.
    Check(DbFile),
    /// Copy a database, also while the Studio has it open.
    Backup {
        #[command(flatten)]
        file: DbFile,
        /// The copy; it must not exist yet.
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Put a copy in the place of a database; what was there is kept beside it.
    Restore {
        #[command(flatten)]
        file: DbFile,
        /// The copy.
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
    },
}

/// Which database.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct DbFile {
    /// The scope's database; the workspace's when one is given, else the account's.
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DevCommand {
    /// Write the operation table's JSON Schema.
    Schema {
        /// The file.
        file: PathBuf,
        /// Only compare; fail if it differs.
        #[arg(long)]
        check: bool,
    },
    /// Write the JSON Schema of what travels to the DSPy process and back.
    SidecarSchema {
        /// The file.
        file: PathBuf,
        /// Only compare; fail if it differs.
        #[arg(long)]
        check: bool,
    },
}

/// `model=3,15`.
fn price(given: &str) -> Result<(String, Price), String> {
    let unclear = || "write MODEL=IN,OUT, e.g. large=3,15".to_owned();
    let (model, prices) = given.split_once('=').ok_or_else(unclear)?;
    let (input, output) = prices.split_once(',').ok_or_else(unclear)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unclear());
    Ok((model.to_owned(), Price { input: number(input)?, output: number(output)?, cached: None }))
}
