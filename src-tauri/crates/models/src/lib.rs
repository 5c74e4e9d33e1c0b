//! Model providers: the [`ProviderRegistry`](inklings_core::ProviderRegistry) on rig, with prices, keys and retries.
//!
//! [`Registry`] is all that others see; rig changes often, so nothing of it leaves this crate. Settings are in the account's
//! database and read at each use, so that what another process changes counts at once. Deliberately absent: what is asked of a
//! model, budgets, traces.

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
