//! Arguments of `inklings import`, `export`, `validate` and `target`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use inklings_core::SkillPath;

use super::ScopeArg;
use super::help::examples;

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings import ~/.claude/skills --dry-run",
    "inklings import https://github.com/owner/name",
    "inklings import team.skill --on-conflict merge",
    "inklings import ~/.claude/skills --choose release-notes=replace --only-chosen",
]))]
pub(crate) struct ImportArgs {
    /// Skill folders, folders with skills, SKILL.md files, packages (.skill, .zip, .json) or URLs of git repositories
    #[arg(required = true, value_name = "PATH|URL")]
    pub(crate) paths: Vec<PathBuf>,
    /// Branch or tag of the repositories [default: the one in the URL, or the default branch]
    #[arg(long)]
    pub(crate) branch: Option<String>,
    /// Scope to import to [default: the workspace if --workspace is set, otherwise the account]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
    /// Show what would be imported without importing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Rename a skill if another skill of the same import has its name
    #[arg(long)]
    pub(crate) rename: bool,
    /// Refuse skills that violate the Agent Skills specification
    #[arg(long)]
    pub(crate) strict: bool,
    /// What to do with a skill that conflicts with yours, or that is locked
    #[arg(long = "on-conflict", alias = "conflicts", value_enum, value_name = "ACTION", default_value = "skip")]
    pub(crate) conflicts: ImportAction,
    /// What to do with one skill, by name or path: skip, replace, merge, keep-both or override (repeatable)
    ///
    /// `override` imports it to the workspace, where it overrides the skill of the account.
    #[arg(long, value_name = "SKILL=ACTION", value_parser = choice)]
    pub(crate) choose: Vec<(String, ImportAction)>,
    /// Merge a skill and use the imported version of a conflicting file instead of yours (repeatable)
    #[arg(long, value_name = "SKILL=FILE", value_parser = file_choice)]
    pub(crate) theirs: Vec<(String, SkillPath)>,
    /// Import only the skills named by --choose and --theirs
    #[arg(long)]
    pub(crate) only_chosen: bool,
    /// Import new skills as third-party skills, which are locked and updated only by importing them again
    #[arg(long)]
    pub(crate) third_party: bool,
}

fn choice(text: &str) -> Result<(String, ImportAction), String> {
    let (skill, what) = text.rsplit_once('=').ok_or("expected SKILL=ACTION")?;
    Ok((skill.to_owned(), ImportAction::from_str(what, false)?))
}

fn file_choice(text: &str) -> Result<(String, SkillPath), String> {
    let (skill, file) = text.split_once('=').ok_or("expected SKILL=FILE")?;
    Ok((skill.to_owned(), SkillPath::parse(file).map_err(|error| error.to_string())?))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportAction {
    /// Don't import it
    Skip,
    /// Replace your skill; its revisions stay in the history
    Replace,
    /// Merge the changes of both; keep yours in conflicting files
    Merge,
    /// Keep both, the imported skill under another name
    #[value(name = "keep-both", alias = "both")]
    Both,
    /// Import it to the workspace, where it overrides the skill of the account
    #[value(hide = true)]
    Override,
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Update skills from where they were imported from\n\nMerges the newer version with your changes. Conflicting files stay as they are, unless --on-conflict says otherwise.",
    after_help = examples(&["inklings skill update pdf --dry-run", "inklings skill update --all"])
)]
pub(crate) struct UpdateArgs {
    /// IDs, names or titles of the skills
    #[arg(required_unless_present = "all", value_name = "SKILL")]
    pub(crate) skills: Vec<String>,
    /// Update all skills that were imported
    #[arg(long, conflicts_with = "skills")]
    pub(crate) all: bool,
    /// What to do with a skill that conflicts with yours
    #[arg(long = "on-conflict", value_enum, value_name = "ACTION", default_value = "skip")]
    pub(crate) conflicts: ImportAction,
    /// Show what would be updated without updating
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Check skills on disk without importing them\n\nPrints one JSON object per skill and line if standard output isn't a terminal, or with --json.",
    after_help = examples(&["inklings validate ./skills", "inklings validate release-notes.skill --spec-only"])
)]
pub(crate) struct ValidateArgs {
    /// Skill folders, folders that contain them, SKILL.md files or packages (.skill, .zip, .json)
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Check only against the Agent Skills specification
    #[arg(long, alias = "strict")]
    pub(crate) spec_only: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// Folder with SKILL.md and all files
    Folder,
    /// JSON package with all files
    Json,
    /// Zip archive with all files
    Skill,
    /// Markdown file with the title and instructions
    Markdown,
    /// Folder with SKILL.md only
    ClaudeSkill,
    /// Text file for a custom GPT, with the manifest's public summary instead of the instructions
    OpenaiGpt,
    /// Text file for Cowork, with the manifest's public summary instead of the instructions
    Cowork,
    /// JSON file with name, title, description, instructions and manifest
    Amble,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings export release-notes --out ~/.claude/skills",
    "inklings export --all --format skill --out ./packages",
]))]
pub(crate) struct ExportArgs {
    /// IDs, names or titles of the skills
    #[arg(required_unless_present = "all", value_name = "SKILL")]
    pub(crate) skills: Vec<String>,
    /// Export all skills, except those that the workspace overrides
    #[arg(long, conflicts_with = "skills")]
    pub(crate) all: bool,
    /// Format to export to
    #[arg(long, value_enum, default_value = "folder")]
    pub(crate) format: Format,
    /// Output folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Set the name in the frontmatter to the skill's folder name
    #[arg(long, alias = "normalise")]
    pub(crate) normalize: bool,
    /// Replace existing files and folders
    #[arg(long)]
    pub(crate) replace: bool,
    /// Show what would be exported without exporting
    #[arg(long)]
    pub(crate) dry_run: bool,
}
