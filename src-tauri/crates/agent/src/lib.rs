//! Answers messages of a chat with a model and tools.
//!
//! A turn is a state machine over its recorded steps: whatever ended it, a permission that is missing or a killed process, it goes on
//! from them. Deliberately absent: storage, and what the tools do.

mod choice;
mod decision;
pub mod history;
pub mod skill_index;
pub mod system_prompt;
mod tool_box;
mod turn;

pub use choice::{Choice, choose_skill, used_skill};
pub use decision::ASK_USER;
pub use tool_box::{Outcome, Review, ToolBox};
pub use turn::{Conversation, Journal, MAX_RESPONSES, Turn, TurnEnd, TurnReport};
