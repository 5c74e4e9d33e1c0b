//! Stand-ins for tests: a model server that does what a script says.
//!
//! [`ScriptedModel`] is a real HTTP server on 127.0.0.1 that speaks the chat completions and responses of `OpenAI` and the messages
//! of Anthropic, streamed and whole. Tests start it in their own process, other languages start the binary `scripted-model`.
//! Deliberately absent: understanding. It looks at a request only to choose a step of its [`Script`] and to shape the answer.

mod asked;
pub mod script;
mod server;
mod wire;

pub use script::{Action, Begun, Call, Finish, Reply, Script, Status, Step, Tokens, When};
pub use server::{Recorded, ScriptedModel};
