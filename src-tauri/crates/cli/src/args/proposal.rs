//! Arguments of `inklings proposal`.

use std::path::PathBuf;

use clap::Subcommand;
use inklings_core::ProposalId;

use super::{ScopeArg, SkillArg};

#[derive(Debug, Subcommand)]
pub(crate) enum ProposalCommand {
    /// List open proposals
    List {
        /// Include accepted and rejected proposals
        #[arg(long)]
        all: bool,
    },
    /// Show the changes of a proposal, with scores or problems
    Show {
        /// ID of the proposal
        #[arg(value_name = "PROPOSAL")]
        id: ProposalId,
    },
    /// Replace a proposed file, or propose another one
    Edit {
        /// ID of the proposal
        #[arg(value_name = "PROPOSAL")]
        id: ProposalId,
        /// Path of the file in the skill
        path: String,
        /// File with the new text; - reads standard input
        #[arg(long, value_name = "FILE", default_value = "-")]
        file: PathBuf,
    },
    /// Merge later changes of the skill into a proposal
    Rebase {
        /// ID of the proposal
        #[arg(value_name = "PROPOSAL")]
        id: ProposalId,
    },
    /// Propose a DSPy module with the inputs and instructions of a prompt
    Wrap {
        #[command(flatten)]
        skill: SkillArg,
        /// Path or name of the prompt [default: the first one]
        prompt: Option<String>,
    },
    /// Apply a proposal as a new revision; a locked skill is duplicated first
    Accept {
        /// ID of the proposal
        #[arg(value_name = "PROPOSAL")]
        id: ProposalId,
        /// Accept the changes of this file only (repeatable)
        #[arg(long = "path", value_name = "PATH")]
        paths: Vec<String>,
        /// Scope of a new skill [default: as proposed]
        #[arg(long, value_enum)]
        scope: Option<ScopeArg>,
        /// Reason for the decision
        #[arg(long)]
        reason: Option<String>,
    },
    /// Reject a proposal
    Reject {
        /// ID of the proposal
        #[arg(value_name = "PROPOSAL")]
        id: ProposalId,
        /// Reason for the decision
        #[arg(long)]
        reason: Option<String>,
    },
}
