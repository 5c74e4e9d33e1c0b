//! Arguments of `inklings skill`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::help::examples;
use super::lifecycle::{ArchiveArgs, DeprecateArgs, DepsArgs, MergeArgs};
use super::transfer::UpdateArgs;
use super::{ApproveArgs, ScopeArg, SkillArg, SkillsArg};

#[derive(Debug, Subcommand)]
pub(crate) enum SkillCommand {
    /// List skills
    List(SkillListArgs),
    /// Show a skill or one of its files
    #[command(after_help = examples(&["inklings skill show skill-reviewer", "inklings skill show skill-reviewer --path SKILL.md --revision 2"]))]
    Show {
        #[command(flatten)]
        skill: SkillArg,
        /// File to print
        #[arg(long, value_name = "FILE")]
        path: Option<String>,
        /// Revision of the file [default: the latest]
        #[arg(long, value_name = "REVISION", requires = "path")]
        revision: Option<i64>,
    },
    /// Create a skill
    #[command(after_help = examples(&["inklings skill create 'Release Notes' --description 'Writes release notes from a changelog. Use when …'"]))]
    Create {
        /// Title; the name is derived from it
        #[arg(value_name = "TITLE")]
        name: String,
        /// What the skill does and when to use it
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
        /// Scope to create it in [default: the workspace if --workspace is set, otherwise the account]
        #[arg(long, value_enum)]
        scope: Option<ScopeArg>,
    },
    /// Print the list of skills that is part of an agent's system prompt
    Index {
        /// Include titles, and what manifests say about triggers, needs and review
        #[arg(long)]
        detailed: bool,
        /// Maximum size in tokens
        #[arg(long, value_name = "TOKENS", default_value_t = 2000)]
        budget: usize,
        /// Agent whose assigned skills come first
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
    },
    /// Check that what a skill's manifest requires is available
    #[command(
        long_about = "Check that what a skill's manifest requires is available: tools, tool groups, integrations, actions\n\nExits with 1 if \
                      something is missing. Doesn't run the skill.",
        after_help = examples(&["inklings skill readiness quarterly-reports"])
    )]
    Readiness(SkillArg),
    /// Update skills from where they were imported from
    Update(UpdateArgs),
    /// Run a Python file of a skill in the sandbox
    ///
    /// The file runs as it is, with Python's standard library and the modules of the skill. Exits with the exit code of the script.
    #[command(after_help = examples(&["inklings skill exec pdf-forms scripts/fields.py -- --format json", "inklings skill exec csv-tools scripts/sum.py --stdin numbers.csv"]))]
    Exec(ExecArgs),
    /// Edit a file of a skill in $EDITOR, or replace it from a file or standard input
    Edit(SkillEditArgs),
    /// Search and replace in the files of skills
    Grep(GrepArgs),
    /// List where a skill uses a variable or an artifact
    Uses {
        #[command(flatten)]
        skill: SkillArg,
        /// Name of the variable or artifact
        name: String,
        /// Find an artifact instead of a variable
        #[arg(long)]
        artifact: bool,
    },
    /// Rename a variable or an artifact of a skill wherever it is used
    ///
    /// Updates templates, skill.json, saved inputs and actions. To change the skill's own title, use `inklings skill set --title`.
    #[command(after_help = examples(&["inklings skill rename release-notes version release --dry-run"]))]
    Rename {
        #[command(flatten)]
        skill: SkillArg,
        /// Current name
        from: String,
        /// New name
        to: String,
        /// Rename an artifact instead of a variable
        #[arg(long)]
        artifact: bool,
        /// Show what would change without renaming
        #[arg(long)]
        dry_run: bool,
    },
    /// Delete skills; `inklings skill restore` undoes it
    Delete {
        #[command(flatten)]
        skills: SkillsArg,
    },
    /// List deleted skills, or the files of one of them
    Deleted {
        /// ID of a deleted skill
        id: Option<String>,
        /// File to print
        #[arg(long, value_name = "FILE", requires = "id")]
        path: Option<String>,
        /// Scope of the deleted skill [default: workspace, then account]
        #[arg(long, value_enum)]
        scope: Option<ScopeArg>,
    },
    /// Restore a deleted skill
    Restore {
        /// ID of the deleted skill, as listed by `inklings skill deleted`
        id: String,
        /// Scope of the deleted skill [default: workspace, then account]
        #[arg(long, value_enum)]
        scope: Option<ScopeArg>,
    },
    /// Move a skill between the account and the workspace
    Move {
        #[command(flatten)]
        skill: SkillArg,
        /// Scope to move it to
        #[arg(long, value_enum, value_name = "SCOPE")]
        to: ScopeArg,
        /// Keep the original
        #[arg(long)]
        keep: bool,
    },
    /// Duplicate a skill; the copy gets a new name
    Duplicate {
        #[command(flatten)]
        skill: SkillArg,
    },
    /// Duplicate a locked skill to edit it; in a workspace, the copy overrides the account's skill
    Fork {
        #[command(flatten)]
        skill: SkillArg,
    },
    /// Enable skills
    Enable {
        #[command(flatten)]
        skills: SkillsArg,
    },
    /// Disable skills
    Disable {
        #[command(flatten)]
        skills: SkillsArg,
    },
    /// Add a tag to skills, or remove it
    Tag {
        /// Tag to add, or to remove with --remove
        tag: String,
        #[command(flatten)]
        skills: SkillsArg,
        /// Remove the tag
        #[arg(long)]
        remove: bool,
    },
    /// Set the category of skills
    Category {
        /// Category to set
        category: String,
        #[command(flatten)]
        skills: SkillsArg,
    },
    /// Raise a reviewed skill: from candidate or degraded to verified, from verified to released
    Promote(SkillArg),
    /// Advise against a skill; agents don't find it any more
    Deprecate(DeprecateArgs),
    /// Retire a skill; agents can't use it any more
    Archive(ArchiveArgs),
    /// Return a degraded, deprecated or archived skill to use
    Reinstate(SkillArg),
    /// Merge a skill into another one and archive it
    Merge(MergeArgs),
    /// List the skills that a skill needs, or that need it
    Deps(DepsArgs),
    /// Edit the metadata of a skill
    Set(SkillSetArgs),
    /// Show the number of skills, and the runs and cost of the last 30 days
    Stats,
    /// List the revisions of a skill, newest first
    History {
        #[command(flatten)]
        skill: SkillArg,
        /// Only revisions that changed this file
        #[arg(long, value_name = "FILE")]
        path: Option<String>,
        /// Maximum number of results [default: all]
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// Restore an earlier revision as a new revision
    #[command(after_help = examples(&["inklings skill rollback release-notes --to 3", "inklings skill rollback release-notes --to 3 --path SKILL.md"]))]
    Rollback {
        #[command(flatten)]
        skill: SkillArg,
        /// Revision to restore
        #[arg(long, value_name = "REVISION")]
        to: i64,
        /// Only restore this file (repeatable)
        #[arg(long, value_name = "FILE")]
        path: Vec<String>,
    },
    /// Undo one or more revisions and keep later changes
    #[command(after_help = examples(&["inklings skill revert release-notes 4", "inklings skill revert release-notes 6 --to 3"]))]
    Revert {
        #[command(flatten)]
        skill: SkillArg,
        /// Revision to undo; with --to, the last of several
        revision: i64,
        /// Undo all revisions after this one [default: only one revision]
        #[arg(long, value_name = "REVISION")]
        to: Option<i64>,
    },
    /// Estimate the tokens of a skill
    Tokens {
        #[command(flatten)]
        skill: SkillArg,
    },
    /// List and fix problems in skills
    Check(CheckArgs),
    /// Compare two revisions, two skills, or a skill and its copy in an agent's folder
    Diff(DiffArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExecArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Path of the file in the skill
    #[arg(value_name = "FILE")]
    pub(crate) path: String,
    /// Arguments of the script
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) args: Vec<String>,
    /// File with the script's standard input, `-` for standard input [default: empty]
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) approve: ApproveArgs,
    /// Time limit in seconds [default: 600]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u32>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings skill list --tag writing --sort changed", "inklings skill list --search report --json"]))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
pub(crate) struct SkillListArgs {
    /// Include skills of the account that the workspace overrides
    #[arg(long)]
    pub(crate) all: bool,
    /// Sort order [default: name]
    #[arg(long, value_enum)]
    pub(crate) sort: Option<SortArg>,
    /// Reverse the order
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Maximum number of results [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Words in the title, name, description or tags
    #[arg(long, value_name = "WORDS", help_heading = "Filters")]
    pub(crate) search: Option<String>,
    /// Only built-in and third-party skills
    #[arg(long, alias = "platform", conflicts_with = "yours", help_heading = "Filters")]
    pub(crate) built_in: bool,
    /// Only your own skills
    #[arg(long, alias = "team", help_heading = "Filters")]
    pub(crate) yours: bool,
    /// Only human-written skills
    #[arg(long, alias = "human", conflicts_with = "ai_generated", help_heading = "Filters")]
    pub(crate) human_written: bool,
    /// Only AI-generated skills
    #[arg(long, alias = "learned", help_heading = "Filters")]
    pub(crate) ai_generated: bool,
    /// Only enabled skills
    #[arg(long, conflicts_with = "disabled", help_heading = "Filters")]
    pub(crate) enabled: bool,
    /// Only disabled skills
    #[arg(long, help_heading = "Filters")]
    pub(crate) disabled: bool,
    /// Lifecycle: candidate, verified, released, degraded, deprecated or archived (repeatable)
    #[arg(long, help_heading = "Filters")]
    pub(crate) lifecycle: Vec<inklings_core::Lifecycle>,
    /// Category; if repeated, skills have one of them
    #[arg(long, help_heading = "Filters")]
    pub(crate) category: Vec<String>,
    /// Tag; if repeated, skills have all of them
    #[arg(long, help_heading = "Filters")]
    pub(crate) tag: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SortArg {
    /// By name
    Name,
    /// By title
    Title,
    /// Last changed first
    Changed,
    /// Last used first
    Used,
    /// Highest cost of the last 30 days first
    Cost,
    /// Largest first
    Size,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings skill edit release-notes",
    "inklings skill edit release-notes --path references/style.md --from style.md -m 'Add the style guide'",
]))]
pub(crate) struct SkillEditArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Path of the file in the skill
    #[arg(long, value_name = "FILE", default_value = "SKILL.md")]
    pub(crate) path: String,
    /// File to read the content from, `-` for standard input [default: open $EDITOR]
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Delete the file
    #[arg(long, conflicts_with_all = ["from", "expected", "message"])]
    pub(crate) remove: bool,
    /// Revision that the edit is based on [default: the latest]
    #[arg(long, value_name = "REVISION")]
    pub(crate) expected: Option<i64>,
    /// Message for the history
    #[arg(long, short)]
    pub(crate) message: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings skill set release-notes --title 'Release Notes' --tags writing,changelog"]))]
pub(crate) struct SkillSetArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Title; the name doesn't change
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// What the skill does and when to use it
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Category
    #[arg(long)]
    pub(crate) category: Option<String>,
    /// Tags, separated by commas; an empty value removes all
    #[arg(long, value_name = "TAGS")]
    pub(crate) tags: Option<String>,
    /// Trigger phrase (repeatable); replaces all trigger phrases
    #[arg(long = "trigger", value_name = "PHRASE")]
    pub(crate) triggers: Option<Vec<String>>,
    /// When to use another skill instead; an empty value removes it
    #[arg(long, value_name = "TEXT")]
    pub(crate) when_not_to_use: Option<String>,
    /// Version
    #[arg(long = "set-version", value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// Author; an empty value removes it
    #[arg(long)]
    pub(crate) author: Option<String>,
    /// Whether users can invoke the skill by name, not only agents
    #[arg(long, value_name = "BOOL")]
    pub(crate) user_invocable: Option<bool>,
    /// Revision that the values are based on; fails if they changed since [default: the latest]
    #[arg(long, value_name = "REVISION")]
    pub(crate) expected: Option<i64>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings skill diff release-notes --from 3",
    "inklings skill diff release-notes --copy ~/.claude/skills/release-notes --stat",
]))]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) skill: SkillArg,
    /// Older revision
    #[arg(long, value_name = "REVISION", required_unless_present_any = ["copy", "with"])]
    pub(crate) from: Option<i64>,
    /// Newer revision [default: the latest]
    #[arg(long, value_name = "REVISION")]
    pub(crate) to: Option<i64>,
    /// Only this file (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) path: Vec<String>,
    /// Copy of the skill to compare with, as listed by `inklings skill show`
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["from", "with"])]
    pub(crate) copy: Option<PathBuf>,
    /// Other skill to compare with
    #[arg(long, value_name = "SKILL", conflicts_with = "from")]
    pub(crate) with: Option<String>,
    /// Scope of the other skill
    #[arg(long, value_enum, value_name = "SCOPE", requires = "with")]
    pub(crate) with_scope: Option<ScopeArg>,
    /// Only list the files with the number of added and removed lines
    #[arg(long)]
    pub(crate) stat: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings skill grep TODO --path .md",
    "inklings skill grep --regex 'colou?r' --replace color",
    "inklings skill grep --regex 'colou?r' --replace color --apply",
]))]
pub(crate) struct GrepArgs {
    /// Text to search for
    pub(crate) text: String,
    /// Use a regular expression
    #[arg(long, short = 'e')]
    pub(crate) regex: bool,
    /// Match case
    #[arg(long = "case-sensitive", alias = "case")]
    pub(crate) case: bool,
    /// Match whole words
    #[arg(long, short)]
    pub(crate) word: bool,
    /// Only search this skill, by ID, name or title
    #[arg(long)]
    pub(crate) skill: Option<String>,
    /// Only search this scope
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
    /// Only search files whose path contains this text, e.g. `.py`
    #[arg(long, value_name = "TEXT")]
    pub(crate) path: Option<String>,
    /// Maximum number of results [default: 2000]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Replacement to preview; with --regex, `$1` is the first group
    #[arg(long, value_name = "TEXT")]
    pub(crate) replace: Option<String>,
    /// Replace the matches, as one revision per skill
    #[arg(long, requires = "replace")]
    pub(crate) apply: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&["inklings skill check", "inklings skill check release-notes --fix"]))]
pub(crate) struct CheckArgs {
    /// IDs, names or titles of the skills [default: all skills]
    #[arg(value_name = "SKILL")]
    pub(crate) skills: Vec<String>,
    /// Scope to search [default: workspace, then account]
    #[arg(long, value_enum, requires = "skills")]
    pub(crate) scope: Option<ScopeArg>,
    /// Include infos and hints, not only errors and warnings
    #[arg(long)]
    pub(crate) all: bool,
    /// Apply the first quick fix of each problem, except those that rename files
    #[arg(long, requires = "skills")]
    pub(crate) fix: bool,
}
