//! Arguments of `inklings file`, `artifact`, `input` and `draft`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use inklings_core::ArtifactKind;

use super::{ScopeArg, SkillArg, ValueArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum FileCommand {
    /// Find skills and files by name.
    Find {
        /// Characters of a name or path, in order.
        query: String,
        /// Maximum number of results.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
    },
    /// Add files and folders from the disk.
    Add {
        #[command(flatten)]
        skill: SkillArg,
        /// Files and folders.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Folder of the skill to add them to.
        #[arg(long, value_name = "FOLDER")]
        folder: Option<String>,
        #[arg(long, value_enum, value_name = "ACTION", default_value = "refuse")]
        on_conflict: OnConflict,
    },
    /// Copy a file within a skill, or to another skill.
    Copy {
        #[command(flatten)]
        skill: SkillArg,
        /// Path of the file.
        from: String,
        /// Path of the copy.
        to: String,
        /// Skill to copy to [default: the same skill].
        #[arg(long, value_name = "SKILL")]
        to_skill: Option<String>,
        /// Scope of that skill.
        #[arg(long, value_enum, requires = "to_skill")]
        to_scope: Option<ScopeArg>,
        #[arg(long, value_enum, value_name = "ACTION", default_value = "refuse")]
        on_conflict: OnConflict,
    },
    /// Rename a file, or move it to another skill. What names the file follows.
    Move {
        #[command(flatten)]
        skill: SkillArg,
        /// Path of the file.
        from: String,
        /// New path.
        to: String,
        /// Skill to move it to [default: the same skill].
        #[arg(long, value_name = "SKILL")]
        to_skill: Option<String>,
        /// Scope of that skill.
        #[arg(long, value_enum, requires = "to_skill")]
        to_scope: Option<ScopeArg>,
        /// What to do with a file of that name in the other skill.
        #[arg(long, value_enum, value_name = "ACTION", default_value = "refuse", requires = "to_skill")]
        on_conflict: OnConflict,
    },
    /// Delete files.
    Delete {
        #[command(flatten)]
        skill: SkillArg,
        /// Paths of the files.
        #[arg(required = true)]
        paths: Vec<String>,
    },
}

/// What to do with a file of the same name.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum OnConflict {
    /// Change nothing.
    Refuse,
    /// Replace it.
    Replace,
    /// Keep both, the new one under another name.
    KeepBoth,
    /// Skip the new one.
    Skip,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ArtifactCommand {
    /// Make a file an artifact, or create a new one.
    Declare {
        #[command(flatten)]
        skill: SkillArg,
        /// Kind: `description`, `prompt_template`, `code_template`, `dspy_module`, `approach` or `example`.
        #[arg(long)]
        kind: ArtifactKind,
        /// Name, unique in the skill.
        #[arg(long)]
        name: String,
        /// Model family that it is for [default: all].
        #[arg(long, value_name = "FAMILY")]
        variant: Option<String>,
        /// Path of the file; it is created if it doesn't exist [default: the usual path of the kind].
        #[arg(long, value_name = "FILE")]
        path: Option<String>,
        /// Content of a new file; `-` is standard input [default: an example of the kind].
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
    },
    /// Make an artifact a plain file. Its content stays.
    Undeclare {
        #[command(flatten)]
        skill: SkillArg,
        /// Name or path of the artifact.
        artifact: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum InputCommand {
    /// List the saved inputs of a skill, or of one of its artifacts.
    List {
        #[command(flatten)]
        skill: SkillArg,
        /// Name or path of the artifact.
        artifact: Option<String>,
    },
    /// Save values under a name, to use with `run --input` and in the Studio.
    Save {
        #[command(flatten)]
        skill: SkillArg,
        /// Name or path of the artifact.
        artifact: String,
        /// Name of the input.
        name: String,
        #[command(flatten)]
        values: ValueArgs,
    },
    /// Delete a saved input.
    Delete {
        #[command(flatten)]
        skill: SkillArg,
        /// Name or path of the artifact.
        artifact: String,
        /// Name of the input.
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DraftCommand {
    /// List files with unsaved changes.
    List,
    /// Print the unsaved text of a file.
    Show {
        #[command(flatten)]
        skill: SkillArg,
        /// Path of the file.
        path: String,
    },
    /// Discard the unsaved text of a file.
    Discard {
        #[command(flatten)]
        skill: SkillArg,
        /// Path of the file.
        path: String,
    },
}
