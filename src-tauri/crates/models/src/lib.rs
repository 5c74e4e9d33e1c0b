//! Model providers: [`ProviderRegistry`](inklings_core::ProviderRegistry) on rig, with prices, keys and retries.
//!
//! No type of rig is public, since rig changes often. Settings are in the account's
//! database and read on each use, so that a change by another process takes effect at once. A key is read when a run first uses its
//! model, sent over https or to this machine only, and never stored with the settings. Deliberately absent: prompts,
//! budgets, traces.

mod connect;
mod convert;
mod echo;
mod failure;
mod keys;
mod local;
mod model;
mod prices;
mod registry;
mod settings;
mod sleeper;
mod transport;

pub use registry::{Options, Registry, Variables};
pub use sleeper::Sleeper;
