//! Writing a registry to a folder that a web server serves.
//!
//! Every change writes new files first and replaces `snapshot.json` last, so that a reader or a killed publisher sees the state before or
//! after it. The same skills at the same time give the same bytes.

mod change;
mod contents;
mod error;
mod files;
mod folder;
mod options;
mod rotate;
mod verify;

pub use change::{PublishReport, PublishRequest, Revoke};
pub use contents::{Contents, Versions};
pub use error::PublishError;
pub use folder::{InitOptions, RegistryFolder};
pub use options::{PublishOptions, SigningKeys};
pub use verify::VerifyReport;
