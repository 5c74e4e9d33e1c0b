//! Decides when a failed process is restarted. No I/O and no clock.

use std::collections::VecDeque;
use std::time::Duration;

use inklings_core::Time;

const FAILURE_WINDOW: Duration = Duration::from_mins(5);
/// Within the window; after one more failure it isn't restarted any more.
const MAX_RESTARTS: usize = 3;
const BACKOFF_FACTOR: u32 = 4;

/// Recent failures, and whether the process was given up until a person retries.
#[derive(Debug)]
pub(crate) struct Restarts {
    first_pause: Duration,
    failures: VecDeque<Time>,
    last: Option<String>,
    given_up: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RestartDecision {
    Now,
    After(Duration),
    /// With the reason.
    Never(String),
}

impl Restarts {
    pub(crate) fn new(first_pause: Duration) -> Self {
        Self { first_pause, failures: VecDeque::new(), last: None, given_up: false }
    }

    /// `again`: a restart may help.
    pub(crate) fn failed(&mut self, now: Time, reason: &str, again: bool) {
        self.evict_old(now);
        self.failures.push_back(now);
        self.last = Some(reason.to_owned());
        self.given_up |= !again || self.failures.len() > MAX_RESTARTS;
    }

    /// Resets everything.
    pub(crate) fn retry(&mut self) {
        *self = Self::new(self.first_pause);
    }

    pub(crate) fn next(&self, now: Time) -> RestartDecision {
        if self.given_up {
            return RestartDecision::Never(self.last.clone().unwrap_or_default());
        }
        let count = u32::try_from(self.recent(now)).unwrap_or(u32::MAX);
        let Some(last) = self.failures.back().filter(|_| count > 0) else { return RestartDecision::Now };
        let pause = self.first_pause.saturating_mul(BACKOFF_FACTOR.saturating_pow(count - 1));
        // If the clock was set back, the pause must not get longer.
        let passed = now.since(*last);
        match pause.saturating_sub(passed) {
            Duration::ZERO => RestartDecision::Now,
            left => RestartDecision::After(left),
        }
    }

    /// Number of failures within the window.
    pub(crate) fn recent(&self, now: Time) -> usize {
        self.failures.iter().filter(|when| counts(**when, now)).count()
    }

    /// The last failure, while it is within the window or the process is given up.
    pub(crate) fn reason(&self, now: Time) -> Option<&str> {
        self.last.as_deref().filter(|_| self.given_up || self.recent(now) > 0)
    }

    fn evict_old(&mut self, now: Time) {
        self.failures.retain(|when| counts(*when, now));
    }
}

fn counts(when: Time, now: Time) -> bool {
    // A failure in the future was before the clock was set back and still counts.
    now.since(when) < FAILURE_WINDOW
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use inklings_core::Clock;

    use super::*;

    /// A clock that is set by hand.
    #[derive(Default)]
    struct ManualClock(AtomicI64);

    impl ManualClock {
        fn move_by(&self, millis: i64) {
            self.0.fetch_add(millis, Ordering::Relaxed);
        }
    }

    impl Clock for ManualClock {
        fn now(&self) -> Time {
            Time::from_millis(self.0.load(Ordering::Relaxed))
        }
    }

    const SECOND: i64 = 1_000;

    fn fresh() -> (ManualClock, Restarts) {
        (ManualClock::default(), Restarts::new(Duration::from_secs(1)))
    }

    #[test]
    fn pauses_grow_and_pass() {
        let (clock, mut restarts) = fresh();
        assert_eq!(restarts.next(clock.now()), RestartDecision::Now);
        restarts.failed(clock.now(), "a", true);
        assert_eq!(restarts.next(clock.now()), RestartDecision::After(Duration::from_secs(1)));
        clock.move_by(400);
        assert_eq!(restarts.next(clock.now()), RestartDecision::After(Duration::from_millis(600)));
        clock.move_by(600);
        assert_eq!(restarts.next(clock.now()), RestartDecision::Now);
        restarts.failed(clock.now(), "b", true);
        assert_eq!(restarts.next(clock.now()), RestartDecision::After(Duration::from_secs(4)));
        assert_eq!((restarts.recent(clock.now()), restarts.reason(clock.now())), (2, Some("b")));
    }

    #[test]
    fn a_process_is_restarted_three_times_in_five_minutes() {
        let (clock, mut restarts) = fresh();
        for reason in ["a", "b", "c"] {
            restarts.failed(clock.now(), reason, true);
            clock.move_by(99 * SECOND);
            assert_eq!(restarts.next(clock.now()), RestartDecision::Now, "{reason}");
        }
        restarts.failed(clock.now(), "d", true);
        assert_eq!(restarts.next(clock.now()), RestartDecision::Never("d".to_owned()));
        // The pause doesn't end by itself.
        clock.move_by(24 * 60 * 60 * SECOND);
        assert_eq!(restarts.next(clock.now()), RestartDecision::Never("d".to_owned()));
        assert_eq!(restarts.reason(clock.now()), Some("d"));
        restarts.retry();
        assert_eq!(
            (restarts.next(clock.now()), restarts.recent(clock.now()), restarts.reason(clock.now())),
            (RestartDecision::Now, 0, None)
        );
    }

    #[test]
    fn old_failures_dont_count() {
        let (clock, mut restarts) = fresh();
        for _ in 0..10 {
            restarts.failed(clock.now(), "a", true);
            clock.move_by(101 * SECOND);
        }
        assert_eq!((restarts.next(clock.now()), restarts.recent(clock.now())), (RestartDecision::Now, 2));
        clock.move_by(200 * SECOND);
        assert_eq!((restarts.recent(clock.now()), restarts.reason(clock.now())), (0, None));
    }

    #[test]
    fn what_another_try_cant_help_ends_it_at_once() {
        let (clock, mut restarts) = fresh();
        restarts.failed(clock.now(), "another version", false);
        assert_eq!(restarts.next(clock.now()), RestartDecision::Never("another version".to_owned()));
    }

    #[test]
    fn a_clock_that_is_set_back_makes_no_pause_longer() {
        let (clock, mut restarts) = fresh();
        restarts.failed(clock.now(), "a", true);
        clock.move_by(-3_600 * SECOND);
        assert_eq!(restarts.next(clock.now()), RestartDecision::After(Duration::from_secs(1)));
    }
}
