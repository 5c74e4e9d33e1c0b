//! `chat/*`: conversations with a model that uses skills.

mod active;
mod api;
mod attaching;
mod branch;
mod error;
mod event;
pub(crate) mod operations;
pub(crate) mod service;

pub(crate) use active::ActiveChat;
pub use active::ActiveChats;
pub use api::*;
pub use event::{ChatEvent, ChatEventKind, ChatEvents};
pub use operations::{
    AttachFiles, CreateChat, DeleteChat, GetChat, ListChats, MarkAnswer, PermitTool, ResumeAnswer, RetryAnswer, SelectBranch, SendMessage,
    StopAnswer, UpdateChat, WithdrawPermissions,
};
pub(crate) use service::{PINNED_SKILLS, index, pinned};
