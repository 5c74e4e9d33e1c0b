//! Arguments of `inklings skill`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::{ScopeArg, SkillArg, SkillsArg};

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
        /// The file as it was at this revision.
        #[arg(long, value_name = "REVISION", requires = "path")]
        revision: Option<i64>,
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
    /// List deleted skills that can be restored, or the files of one of them
    Deleted {
        /// ID of a deleted skill
        id: Option<String>,
        /// Print this file of it
        #[arg(long, value_name = "FILE", requires = "id")]
        path: Option<String>,
        /// Scope the skill was in
        #[arg(long, value_enum, default_value = "account")]
        scope: ScopeArg,
    },
    /// Bring a deleted skill back by its id.
    Restore {
        /// The id that `delete` and `deleted` print.
        id: String,
        /// The scope it was in.
        #[arg(long, value_enum, default_value = "account")]
        scope: ScopeArg,
    },
    /// Move a skill to the other scope.
    Move {
        #[command(flatten)]
        skill: SkillArg,
        /// Scope to move it to.
        #[arg(long, value_enum)]
        to: ScopeArg,
        /// Keep the original.
        #[arg(long)]
        keep: bool,
    },
    /// Create another skill from a skill, under a name of its own.
    Duplicate {
        #[command(flatten)]
        skill: SkillArg,
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
    /// Undo one revision, or several; what was changed in other files since stays.
    Revert {
        #[command(flatten)]
        skill: SkillArg,
        /// Last revision to undo.
        revision: i64,
        /// Revision to return to [default: the one before].
        #[arg(long, value_name = "REVISION")]
        to: Option<i64>,
    },
    /// Count the tokens of a skill: in every turn, when it is loaded, on demand.
    Tokens {
        #[command(flatten)]
        skill: SkillArg,
    },
    /// List the problems of stored skills.
    Check(CheckArgs),
    /// Show what differs between two revisions, or between the skill and another one or its copy in an agent's folder.
    Diff(DiffArgs),
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
    /// Whether a person can call it by its name
    #[arg(long, value_name = "BOOL")]
    pub(crate) user_invocable: Option<bool>,
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

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// IDs, slugs or titles [default: all skills].
    #[arg(value_name = "SKILL")]
    pub(crate) skills: Vec<String>,
    /// Scope to look in [default: the workspace wins].
    #[arg(long, value_enum, requires = "skills")]
    pub(crate) scope: Option<ScopeArg>,
    /// Include infos and hints.
    #[arg(long)]
    pub(crate) all: bool,
    /// Apply the first quick fix of every problem; those that rename a file are left to you.
    #[arg(long, requires = "skills")]
    pub(crate) fix: bool,
}
