//! What a script can reach beyond itself: pages, models, skills, and what it kept for later.
//!
//! [`Host`] answers its calls; every right is checked there, since a script can reach the raw import. [`compile`] says what Python
//! has against a text before it runs. Deliberately absent: how scripts are executed, which is the sandbox's.

mod ask;
mod capabilities;
mod host;
mod syntax;

pub use capabilities::Capabilities;
pub(crate) use host::Host;
pub use inklings_core::sandbox_api::{CAPABILITIES, Capability};
pub use syntax::compile;
