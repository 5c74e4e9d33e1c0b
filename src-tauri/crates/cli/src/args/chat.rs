//! Arguments of `inklings chat`, `inklings agent` and `inklings notes`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use inklings_core::{MessageId, ModelRef, SessionId};

use super::ScopeArg;
use super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum ChatCommand {
    /// Send a message and print the answer as it arrives
    Send(SendArgs),
    /// List chats
    List {
        /// Only chats whose title or messages contain it
        text: Option<String>,
    },
    /// Print a chat
    Show {
        /// ID of the chat
        #[arg(value_name = "CHAT")]
        session: SessionId,
    },
    /// Allow or deny a pending tool call
    Permit {
        /// ID of the chat
        #[arg(value_name = "CHAT")]
        session: SessionId,
        /// ID of the call, as printed by `chat show`
        call: String,
        /// Decision about the call
        #[arg(value_enum)]
        permit: PermitArg,
    },
    /// Regenerate an answer
    Retry {
        /// ID of the chat
        #[arg(value_name = "CHAT")]
        session: SessionId,
        /// ID of the answer [default: the last one]
        #[arg(long, value_name = "MESSAGE")]
        message: Option<MessageId>,
        #[command(flatten)]
        by: AnswererArgs,
    },
    /// Continue an answer that failed or was interrupted
    Resume {
        /// ID of the chat
        #[arg(value_name = "CHAT")]
        session: SessionId,
        #[command(flatten)]
        by: AnswererArgs,
    },
    /// Switch to another branch of a chat
    Select {
        /// ID of the chat
        #[arg(value_name = "CHAT")]
        session: SessionId,
        /// ID of a message of the branch
        message: MessageId,
    },
    /// Rename a chat
    Rename {
        /// ID of the chat
        #[arg(value_name = "CHAT")]
        session: SessionId,
        /// New title
        title: String,
    },
    /// Mark an answer as good or bad
    Mark {
        /// ID of the chat
        #[arg(value_name = "CHAT")]
        session: SessionId,
        /// ID of the answer
        message: MessageId,
        /// The mark
        #[arg(value_enum)]
        mark: MarkArg,
    },
    /// Ask again before tool calls that were always allowed
    #[command(alias = "withdraw")]
    ResetPermissions,
    /// Delete a chat
    Delete {
        /// ID of the chat
        #[arg(value_name = "CHAT")]
        session: SessionId,
    },
}

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings chat send summarize the notes of this week",
    "inklings chat send --skill meeting-minutes --attach notes.md write the minutes",
    "inklings chat send --allow run_skill which links lead nowhere",
]))]
pub(crate) struct SendArgs {
    /// The message; `-` reads it from standard input
    #[arg(required = true)]
    pub(crate) message: Vec<String>,
    /// ID of a chat to continue [default: a new chat]
    #[arg(long = "chat", alias = "session", value_name = "CHAT")]
    pub(crate) session: Option<SessionId>,
    /// ID of a message of the chat to edit and send again, as another branch
    #[arg(long, value_name = "MESSAGE", requires = "session")]
    pub(crate) edit: Option<MessageId>,
    /// Use this skill for the message
    #[arg(long)]
    pub(crate) skill: Option<String>,
    /// Attach a text file
    #[arg(long, value_name = "FILE")]
    pub(crate) attach: Vec<PathBuf>,
    /// Permit a tool for this message (repeatable)
    #[arg(long, value_name = "TOOL")]
    pub(crate) allow: Vec<String>,
    #[command(flatten)]
    pub(crate) by: AnswererArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AnswererArgs {
    /// Model of the chat
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<ModelRef>,
    /// Agent of the chat
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Answer without an agent
    #[arg(long, conflicts_with = "agent")]
    pub(crate) no_agent: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PermitArg {
    Once,
    /// For this chat
    Session,
    /// For this skill in all chats
    Always,
    Deny,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MarkArg {
    Up,
    Down,
    None,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// List agents
    List,
    /// Create an agent
    #[command(after_help = examples(&["inklings agent create editor --notes 'Answer in British English.'"]))]
    Create {
        /// Name of the agent
        name: String,
        #[command(flatten)]
        profile: ProfileArgs,
    },
    /// Change an agent; omitted values are kept
    Update {
        /// Name of the agent
        name: String,
        /// New name
        #[arg(long, value_name = "NAME")]
        rename: Option<String>,
        #[command(flatten)]
        profile: ProfileArgs,
    },
    /// Delete an agent
    Delete {
        /// Name of the agent
        name: String,
    },
    /// List the skills of an agent
    Skills {
        /// Name of the agent
        name: String,
    },
    /// Assign a skill to an agent, or change its priority
    #[command(after_help = examples(&["inklings agent assign editor release-notes --priority 10"]))]
    Assign {
        /// Name of the agent
        name: String,
        /// Name of the skill
        skill: String,
        /// Priority; the highest is listed first
        #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
        priority: i64,
    },
    /// Remove a skill from an agent
    Unassign {
        /// Name of the agent
        name: String,
        /// Name of the skill
        skill: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ProfileArgs {
    /// Instructions for the agent
    #[arg(long, value_name = "TEXT")]
    pub(crate) notes: Option<String>,
    /// Model of the agent
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<ModelRef>,
    /// Tool that the agent may call, instead of all or the present ones (repeatable)
    #[arg(long = "tool", value_name = "TOOL")]
    pub(crate) tools: Vec<String>,
    /// Only offer the agent its assigned skills
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) only: Option<bool>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum NotesCommand {
    /// Print the notes
    Show,
    /// Replace the notes
    #[command(after_help = examples(&["inklings notes set 'I write ISO dates.'"]))]
    Set {
        /// The notes; `-` reads them from standard input
        text: String,
        /// Scope of the notes
        #[arg(long, value_enum, default_value_t = ScopeArg::Account)]
        scope: ScopeArg,
    },
}
