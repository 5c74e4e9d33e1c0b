//! Points in time in the stored and serialized form: RFC 3339 in UTC with milliseconds, which sorts chronologically.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String", inline)]
pub struct Time(jiff::Timestamp);

impl Time {
    /// From milliseconds since the Unix epoch; values outside the years -9999..=9999 are clamped to the epoch.
    #[must_use]
    pub fn from_millis(millis: i64) -> Self {
        Self(jiff::Timestamp::from_millisecond(millis).unwrap_or(jiff::Timestamp::UNIX_EPOCH))
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0.as_millisecond()
    }

    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self::from_millis(self.millis().saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Zero if `earlier` is later, as when the clock was set.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.millis().saturating_sub(earlier.millis()).try_into().unwrap_or_default())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

impl FromStr for Time {
    type Err = jiff::Error;

    /// Reads RFC 3339, and SQLite's `datetime('now')` form (`2026-03-01 09:30:00`, UTC).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.parse::<jiff::Timestamp>().or_else(|_| format!("{text}Z").parse::<jiff::Timestamp>())?;
        Ok(Self::from_millis(parsed.as_millisecond()))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_rfc3339_with_milliseconds_and_reads_back() {
        let time = Time::from_millis(1_767_225_600_042);
        assert_eq!(time.to_string(), "2026-01-01T00:00:00.042Z");
        assert_eq!("2026-01-01T00:00:00.042Z".parse::<Time>().unwrap(), time);
        assert_eq!("2026-01-01 00:00:00".parse::<Time>().unwrap().millis(), 1_767_225_600_000);
    }
}
