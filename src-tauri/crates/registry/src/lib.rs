//! Marketplace registries: signed static files that any web server, object store or folder serves.
//!
//! [`format`](mod@format) has the documents, [`publish`] writes them, [`client`] reads them. The design is that of The Update Framework:
//! root documents name the keys of each role, a snapshot names everything by hash and expires, and publishers sign their packages.
//! So neither the server nor the connection is trusted.
//!
//! Deliberately absent: where installed skills are stored, and consent to permissions.

pub mod client;
mod disk;
pub mod format;
pub mod keys;
pub mod limits;
mod lock;
pub mod package;
pub mod publish;
mod text;
pub mod transport;
pub mod trust;
