use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Maximum time to the first message.
    pub start: Duration,
    /// Maximum time without a message; there is one every [`PING_SECONDS`](crate::protocol::PING_SECONDS).
    pub silence: Duration,
    /// Time without a job after which the process is ended.
    pub idle: Duration,
    /// The same while a cancelled job hasn't ended, since it may be stuck.
    pub stuck: Duration,
    /// Time from closing its input until it is killed.
    pub grace: Duration,
    /// Pause after the first failure within five minutes; four times as long after each further one.
    pub first_pause: Duration,
}

impl Default for Timeouts {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_process_is_ended_after_ten_minutes_by_default() {
        assert_eq!(
            Timeouts::default(),
            Timeouts {
                start: Duration::from_mins(1),
                silence: Duration::from_secs(20),
                idle: Duration::from_mins(10),
                stuck: Duration::from_secs(15),
                grace: Duration::from_secs(2),
                first_pause: Duration::from_secs(1),
            }
        );
    }
}
