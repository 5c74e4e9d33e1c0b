//! Arguments of `inklings import`, `export`, `validate` and `target`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use inklings_core::SkillPath;

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
    /// What to do with one skill, by its slug or path: skip, replace, merge, both, or override (store it in the workspace, where it
    /// hides the account's). May be repeated.
    #[arg(long, value_name = "SKILL=WHAT", value_parser = choice)]
    pub(crate) choose: Vec<(String, TakeArg)>,
    /// Merge a skill and take one of the files that both sides changed as it arrives; yours is kept otherwise. May be repeated.
    #[arg(long, value_name = "SKILL=FILE", value_parser = file_choice)]
    pub(crate) theirs: Vec<(String, SkillPath)>,
    /// Store only the skills that are named by --choose or --theirs.
    #[arg(long)]
    pub(crate) only_chosen: bool,
    /// Keep new skills as third-party ones: locked, changed only by importing them again.
    #[arg(long)]
    pub(crate) third_party: bool,
}

fn choice(text: &str) -> Result<(String, TakeArg), String> {
    let (skill, what) = text.rsplit_once('=').ok_or("expected SKILL=WHAT")?;
    Ok((skill.to_owned(), TakeArg::from_str(what, false)?))
}

fn file_choice(text: &str) -> Result<(String, SkillPath), String> {
    let (skill, file) = text.split_once('=').ok_or("expected SKILL=FILE")?;
    Ok((skill.to_owned(), SkillPath::parse(file).map_err(|error| error.to_string())?))
}

/// What to do with a skill that meets one of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TakeArg {
    /// Leave it out.
    Skip,
    /// Store it as it arrives; what is here goes into the history.
    Replace,
    /// Store what both sides changed, and ours where both changed a file.
    Merge,
    /// Store it beside the other, under another name.
    Both,
    /// Store it in the workspace, where it hides the account's.
    #[value(hide = true)]
    Override,
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
    #[arg(required_unless_present = "all")]
    pub(crate) skills: Vec<String>,
    /// Export every skill but those of the account that the workspace overrides
    #[arg(long, conflicts_with = "skills")]
    pub(crate) all: bool,
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
