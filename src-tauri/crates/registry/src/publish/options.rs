//! Keys and times of a change.

use std::time::Duration;

use inklings_core::Time;

use crate::keys::SecretKey;

#[derive(Debug, Clone, Copy)]
pub struct SigningKeys<'a> {
    pub snapshot: &'a [&'a SecretKey],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishOptions {
    pub now: Time,
    /// Time until the snapshot expires. Publish again, even without changes, before half of it has passed.
    pub validity: Duration,
}
