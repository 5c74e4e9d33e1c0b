//! Arguments of `inklings file`, `artifact`, `input` and `draft`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use inklings_core::ArtifactKind;

use super::help::examples;
use super::{ScopeArg, SkillArg, ValueArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum FileCommand {
    /// Find skills and files by name
    #[command(after_help = examples(&["inklings file find chklst"]))]
    Find {
        /// Fuzzy search text, e.g. chklst for checklist.md
        query: String,
        /// Maximum number of results
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
    },
    /// Add files and folders from disk to a skill
    #[command(after_help = examples(&["inklings file add release-notes ./examples --folder references"]))]
    Add {
        #[command(flatten)]
        skill: SkillArg,
        /// Files and folders to add
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Folder in the skill to add them to [default: the skill's root]
        #[arg(long, value_name = "FOLDER")]
        folder: Option<String>,
        /// What to do if the target file exists
        #[arg(long, value_enum, value_name = "ACTION", default_value = "refuse")]
        on_conflict: OnConflict,
    },
    /// Copy a file within a skill or to another skill
    Copy {
        #[command(flatten)]
        skill: SkillArg,
        /// Path of the file in the skill
        from: String,
        /// Path of the copy
        to: String,
        /// Target skill [default: the same skill]
        #[arg(long, value_name = "SKILL")]
        to_skill: Option<String>,
        /// Scope of the target skill
        #[arg(long, value_enum, value_name = "SCOPE", requires = "to_skill")]
        to_scope: Option<ScopeArg>,
        /// What to do if the target file exists
        #[arg(long, value_enum, value_name = "ACTION", default_value = "refuse")]
        on_conflict: OnConflict,
    },
    /// Rename a file and update links to it in Markdown, or move it to another skill
    Move {
        #[command(flatten)]
        skill: SkillArg,
        /// Path of the file in the skill
        from: String,
        /// New path
        to: String,
        /// Target skill [default: the same skill]
        #[arg(long, value_name = "SKILL")]
        to_skill: Option<String>,
        /// Scope of the target skill
        #[arg(long, value_enum, value_name = "SCOPE", requires = "to_skill")]
        to_scope: Option<ScopeArg>,
        /// What to do if the target file exists
        #[arg(long, value_enum, value_name = "ACTION", default_value = "refuse", requires = "to_skill")]
        on_conflict: OnConflict,
    },
    /// Delete files of a skill
    Delete {
        #[command(flatten)]
        skill: SkillArg,
        /// Paths of the files in the skill
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<String>,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum OnConflict {
    /// Stop without changing anything
    Refuse,
    /// Replace the existing file
    Replace,
    /// Keep both, the new file under another name
    KeepBoth,
    /// Keep the existing file
    Skip,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ArtifactCommand {
    /// Declare a file as an artifact, or create a new artifact
    #[command(after_help = examples(&["inklings artifact declare release-notes --kind prompt_template --name Draft"]))]
    Declare {
        #[command(flatten)]
        skill: SkillArg,
        #[arg(long, help = "Kind: description, prompt_template, code_template, dspy_module, approach or example")]
        kind: ArtifactKind,
        /// Name, unique within the skill
        #[arg(long)]
        name: String,
        /// Model family that the artifact is for [default: all]
        #[arg(long, value_name = "FAMILY")]
        variant: Option<String>,
        /// Path of the file in the skill, created if needed [default: depends on the kind]
        #[arg(long, value_name = "FILE")]
        path: Option<String>,
        /// File to read the content of a new artifact from, `-` for standard input [default: a template]
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
    },
    /// Turn an artifact into a plain file; its content doesn't change
    Undeclare {
        #[command(flatten)]
        skill: SkillArg,
        /// Name or path of the artifact
        artifact: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum InputCommand {
    /// List the saved inputs of a skill or one of its artifacts
    List {
        #[command(flatten)]
        skill: SkillArg,
        /// Name or path of the artifact
        artifact: Option<String>,
    },
    /// Save values under a name, for `run --input` and the app
    #[command(after_help = examples(&["inklings input save release-notes Draft first -p version=1.4", "inklings run release-notes Draft --input first"]))]
    Save {
        #[command(flatten)]
        skill: SkillArg,
        /// Name or path of the artifact
        artifact: String,
        /// Name of the input
        name: String,
        #[command(flatten)]
        values: ValueArgs,
    },
    /// Delete a saved input
    Delete {
        #[command(flatten)]
        skill: SkillArg,
        /// Name or path of the artifact
        artifact: String,
        /// Name of the input
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DraftCommand {
    /// List files with unsaved changes
    List,
    /// Print the unsaved text of a file
    Show {
        #[command(flatten)]
        skill: SkillArg,
        /// Path of the file in the skill
        path: String,
    },
    /// Discard the unsaved changes of a file
    Discard {
        #[command(flatten)]
        skill: SkillArg,
        /// Path of the file in the skill
        path: String,
    },
}
