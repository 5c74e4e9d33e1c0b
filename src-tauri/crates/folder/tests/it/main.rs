//! The public mapping between skills and folders.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod arbitrary;
mod changes;
mod disk;
mod fixtures;
mod hostile;
mod packing;
mod reading;
mod round_trip;
mod support;
