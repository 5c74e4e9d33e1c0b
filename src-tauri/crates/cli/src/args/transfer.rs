//! Arguments of `inklings import`, `export`, `validate` and `target`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::ScopeArg;

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

#[derive(Debug, Subcommand)]
pub(crate) enum TargetCommand {
    /// List the skills in their folders, and what importing each would do. Changes nothing.
    List,
}
