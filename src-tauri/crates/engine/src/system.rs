//! The system clock and random ids.

use inklings_core::{Clock, IdSource, Time};

#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        Time::from_millis(jiff::Timestamp::now().as_millisecond())
    }
}

/// Random UUIDs, ordered by time so that databases insert at the end.
#[derive(Debug, Clone, Copy)]
pub struct SystemIds;

impl IdSource for SystemIds {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::now_v7()
    }
}
