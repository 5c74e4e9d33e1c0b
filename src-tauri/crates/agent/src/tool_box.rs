//! The port of the tools that a model may call.

use async_trait::async_trait;
use inklings_core::chat::{ToolChange, ToolPreview};
use inklings_core::model::{Tool, ToolCall};
use inklings_core::{ProposalId, RunId};

/// Whether a call needs the user's permission.
#[derive(Debug, Clone, PartialEq)]
pub enum Review {
    /// It only reads.
    Free,
    /// It changes or runs something, and was permitted before.
    Granted(ToolPreview),
    Ask(ToolPreview),
}

/// What a call did. A failure is a text for the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub result: Result<String, String>,
    pub change: Option<ToolChange>,
    pub run: Option<RunId>,
    pub proposal: Option<ProposalId>,
}

impl Outcome {
    #[must_use]
    pub fn failed(why: impl Into<String>) -> Self {
        Self { result: Err(why.into()), change: None, run: None, proposal: None }
    }
}

#[async_trait]
pub trait ToolBox: Send + Sync {
    /// Those that the model is told of.
    fn tools(&self) -> Vec<Tool>;
    /// Whether the model may make a call, also of a tool that it isn't told of.
    fn accepts(&self, call: &ToolCall) -> bool {
        self.tools().iter().any(|tool| tool.name == call.name)
    }
    /// Fails if the call can't succeed; the text is for the model. Nothing is changed.
    async fn review(&self, call: &ToolCall) -> Result<Review, String>;
    async fn call(&self, call: &ToolCall) -> Outcome;
}
