use inklings_core::StorageError;
use inklings_core::agent::AGENT_NOTES_BYTES;
use inklings_rpc::{Code, Failure};

use super::service::MAX_NAME_CHARS;

#[derive(Debug, thiserror::Error)]
pub(crate) enum AgentError {
    #[error("agent {0:?} not found")]
    NotFound(String),
    #[error("agent {0:?} already exists")]
    Exists(String),
    #[error("{0:?} can't be the name of an agent")]
    Name(String),
    #[error("{0:?} can't be the name of a skill")]
    Skill(String),
    #[error("there is no tool {name:?}")]
    Tool { name: String, known: Vec<String> },
    #[error("the notes have {0} bytes, more than the limit of {AGENT_NOTES_BYTES}")]
    LongNotes(usize),
    #[error("the skill {skill:?} isn't assigned to the agent {agent:?}")]
    NotAssigned { agent: String, skill: String },
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<AgentError> for Failure {
    fn from(error: AgentError) -> Self {
        let message = error.to_string();
        match error {
            AgentError::NotFound(_) => Self::new(Code::NotFound, message).hint("check the name of the agent"),
            AgentError::Exists(_) => Self::new(Code::Exists, message).hint("choose another name"),
            AgentError::Name(_) => Self::invalid(message).hint(format!("use 1 to {MAX_NAME_CHARS} characters in one line")),
            AgentError::Skill(_) => Self::invalid(message).hint("use the slug of a skill"),
            AgentError::Tool { known, .. } => Self::invalid(message).hint(format!("the tools are {}", known.join(", "))),
            AgentError::LongNotes(_) => Self::new(Code::Limit, message).hint("shorten them, or assign a skill instead"),
            AgentError::NotAssigned { .. } => Self::new(Code::NotFound, message).hint("check the skills of the agent"),
            AgentError::Storage(error) => error.into(),
        }
    }
}
