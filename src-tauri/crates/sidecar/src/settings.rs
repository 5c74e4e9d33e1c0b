//! How long things may take.

use std::time::Duration;

/// Times of the process's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// From the start to its first message.
    pub start: Duration,
    /// Without any sign of life, of which there is one every [`PING_SECONDS`](crate::protocol::PING_SECONDS).
    pub silence: Duration,
    /// Without a job, after which it is ended.
    pub idle: Duration,
    /// The same while a stopped job hasn't ended: it may never do.
    pub stuck: Duration,
    /// From the end of its input to its own end; then it is killed.
    pub grace: Duration,
    /// After the first failure within five minutes; four times as long after each further one.
    pub first_pause: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            start: Duration::from_mins(1),
            silence: Duration::from_secs(20),
            idle: Duration::from_mins(10),
            stuck: Duration::from_secs(15),
            grace: Duration::from_secs(2),
            first_pause: Duration::from_secs(1),
        }
    }
}
