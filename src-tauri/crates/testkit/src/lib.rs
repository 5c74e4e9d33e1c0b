//! A scripted model server for tests.
//!
//! [`ScriptedModel`] is a real HTTP server on 127.0.0.1 that speaks the chat completions and responses of `OpenAI` and the messages
//! of Anthropic, with and without streaming. Rust tests start it in their own process, others start the binary `scripted-model`.
//! Deliberately absent: understanding requests. They are only read to select a step of the [`Script`] and the format of the answer.

mod request;
pub mod script;
mod server;
mod threads;
mod wire;

pub use script::{Action, Call, Finish, PartialReply, Reply, Script, Status, Step, Tokens, When};
pub use server::{RecordedRequest, ScriptedModel};
pub use threads::spawn_until_asleep;
