//! The mapping between skills and folders, seen from outside.

mod arbitrary;
mod changes;
mod disk;
mod fixtures;
mod reading;
mod round_trip;
mod support;
