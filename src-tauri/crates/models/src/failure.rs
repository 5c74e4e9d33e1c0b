//! rig's errors as ours: what failed, in words that have no key in them, and whether to try again.

use std::time::Duration;

use http::header::{DATE, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use inklings_core::Secret;
use inklings_core::model::ModelError;
use rig::{ProviderError, ProviderResponseError, http_client};

use crate::echo;
use crate::transport::TransportError;

/// Most bytes of a provider's text in an error.
const MAX_DETAIL_BYTES: usize = 2048;

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What to tell.
    pub(crate) error: ModelError,
    /// Whether the same request may be sent again.
    pub(crate) retry: bool,
    /// When the provider said to.
    pub(crate) retry_after: Option<Duration>,
}

impl Failure {
    fn terminal(error: ModelError) -> Self {
        Self { error, retry: false, retry_after: None }
    }

    fn retryable(error: ModelError) -> Self {
        Self { retry: true, ..Self::terminal(error) }
    }
}

/// Who failed: the provider's name, and the key that no message may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorContext<'a> {
    /// The configured name.
    pub(crate) provider: &'a str,
    /// Its key.
    pub(crate) key: &'a Secret,
}

impl ErrorContext<'_> {
    /// A text without the key, cut to size. In this order: a cut key would not be found.
    pub(crate) fn clean(&self, text: &str) -> String {
        let mut text = text.trim().to_owned();
        if !self.key.is_empty() {
            text = text.replace(self.key.expose(), echo::REDACTED);
        }
        if text.len() > MAX_DETAIL_BYTES {
            let mut end = MAX_DETAIL_BYTES - '…'.len_utf8();
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push('…');
        }
        text
    }

    fn name(&self) -> String {
        self.provider.to_owned()
    }

    /// Something that can't be read.
    pub(crate) fn malformed(&self, detail: &str) -> Failure {
        Failure::terminal(ModelError::Malformed { provider: self.name(), detail: self.clean(detail) })
    }

    /// A request that can't be made, so wasn't sent.
    pub(crate) fn unsent(&self, detail: &str) -> Failure {
        let detail = self.clean(&format!("it was not sent: {detail}"));
        Failure::terminal(ModelError::Refused { provider: self.name(), status: 400, detail })
    }

    /// What rig says. `heard`: a part of the answer was passed on already.
    pub(crate) fn failure(&self, error: &ProviderError, heard: bool) -> Failure {
        let (provider, cut) = (self.name(), |detail| ModelError::Cut { provider: self.name(), detail });
        match error {
            ProviderError::Http(error) => self.transport(error),
            ProviderError::Url(_) | ProviderError::Request(_) | ProviderError::UnsupportedOption(_) => self.unsent(&error.to_string()),
            ProviderError::ProviderResponse(response)
            | ProviderError::InvalidAuthentication(response)
            | ProviderError::CacheExpired { response, .. } => match response.status {
                Some(status) if !status.is_success() => self.status(status, response),
                _ if heard => Failure::terminal(cut(self.clean(&message_of(&response.body)))),
                _ => self.in_answer(response),
            },
            ProviderError::Truncated => Failure::terminal(cut("the answer has no end".to_owned())),
            ProviderError::Provider(message) if heard => Failure::terminal(cut(self.clean(message))),
            ProviderError::Provider(message) => Failure::terminal(ModelError::Unavailable { provider, detail: self.clean(message) }),
            other => self.malformed(&other.to_string()),
        }
    }

    fn transport(&self, error: &http_client::Error) -> Failure {
        let provider = self.name();
        let unavailable = |detail: &str| ModelError::Unavailable { provider: self.name(), detail: self.clean(detail) };
        let inner = match error {
            http_client::Error::Instance(inner) => inner.downcast_ref::<TransportError>(),
            http_client::Error::InvalidContentType(kind) => {
                let kind = String::from_utf8_lossy(kind.as_bytes());
                return self.malformed(&format!("{kind:?} in place of an event stream"));
            }
            _ => None,
        };
        match inner {
            Some(TransportError::Unreachable(detail)) => Failure::retryable(unavailable(detail)),
            Some(TransportError::Cut(detail)) => Failure::terminal(ModelError::Cut { provider, detail: self.clean(detail) }),
            Some(TransportError::Silent(after)) => Failure::terminal(ModelError::Timeout { provider, after: *after }),
            Some(too_long @ (TransportError::TooLong | TransportError::LineTooLong | TransportError::ListTooLong)) => {
                self.malformed(&too_long.to_string())
            }
            Some(TransportError::Unsendable(detail)) => self.unsent(detail),
            None => Failure::terminal(unavailable(&error.to_string())),
        }
    }

    fn status(&self, status: StatusCode, response: &ProviderResponseError) -> Failure {
        let (provider, detail) = (self.name(), self.clean(&message_of(&response.body)));
        let headers = response.headers.as_ref();
        let retry_after = headers.and_then(retry_after);
        let number = status.as_u16();
        let (error, retryable) = match number {
            401 | 403 => (ModelError::Unauthorized { provider, detail }, false),
            // No money left is reported like too many requests, and doesn't pass.
            429 => {
                let retryable = response.machine_code().as_deref() != Some("insufficient_quota");
                (ModelError::RateLimited { provider, retry_after, detail }, retryable)
            }
            408 | 409 | 425 | 500..=599 => (ModelError::Unavailable { provider, detail: joined(number, &detail) }, true),
            300..=399 => {
                let detail = "it points to another address, which is not followed: set the provider's address to that one".to_owned();
                (ModelError::Refused { provider, status: number, detail }, false)
            }
            _ => (ModelError::Refused { provider, status: number, detail }, false),
        };
        // Where the provider itself says whether to try again, that counts.
        let said = headers.and_then(|headers| headers.get("x-should-retry")).and_then(|value| value.to_str().ok());
        let retry = match said {
            Some("true") => true,
            Some("false") => false,
            _ => retryable,
        };
        Failure { error, retry, retry_after }
    }

    /// An error inside an answer that began well.
    fn in_answer(&self, response: &ProviderResponseError) -> Failure {
        let (provider, detail) = (self.name(), self.clean(&message_of(&response.body)));
        let code = response.machine_code().unwrap_or_default();
        if code.contains("rate_limit") {
            return Failure::retryable(ModelError::RateLimited { provider, retry_after: None, detail });
        }
        if response.is_retryable() || ["overloaded", "server_error", "api_error", "internal"].iter().any(|kind| code.contains(kind)) {
            return Failure::retryable(ModelError::Unavailable { provider, detail });
        }
        Failure::terminal(ModelError::Refused { provider, status: response.status.map_or(200, |status| status.as_u16()), detail })
    }
}

fn joined(status: u16, detail: &str) -> String {
    if detail.is_empty() { format!("status {status}") } else { format!("status {status}: {detail}") }
}

/// The message in an error's body, as most providers shape it; else the body.
fn message_of(body: &str) -> String {
    let parsed = serde_json::from_str::<serde_json::Value>(body).unwrap_or_default();
    let places = [&parsed["error"]["message"], &parsed["message"], &parsed["error"], &parsed["detail"]];
    places.into_iter().find_map(|place| place.as_str()).unwrap_or(body).to_owned()
}

/// How long a server asks us to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date. A date counts from the server's
/// own clock where it tells it, so that a wrong clock here doesn't matter.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &http::HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let finite = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    if let Some(milliseconds) = text(&http::HeaderName::from_static("retry-after-ms")).and_then(|text| text.parse::<f64>().ok()) {
        return finite(milliseconds / 1000.0);
    }
    let wanted = text(&RETRY_AFTER)?;
    if let Ok(seconds) = wanted.parse::<f64>() {
        return finite(seconds);
    }
    let date = |text: &str| jiff::fmt::rfc2822::parse(text).ok().map(|date| date.timestamp());
    let now = text(&DATE).and_then(date).unwrap_or_else(jiff::Timestamp::now);
    // A date that has passed means now.
    Some(Duration::try_from(date(wanted)?.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_gone_even_where_the_text_is_cut() {
        let key = Secret::new("sk-verysecret");
        let error_context = ErrorContext { provider: "p", key: &key };
        assert_eq!(error_context.clean("bad key sk-verysecret!"), "bad key ***!");
        for lead in MAX_DETAIL_BYTES - 20..MAX_DETAIL_BYTES + 2 {
            let text = error_context.clean(&format!("{}sk-verysecret{}", "é".repeat(lead / 2), "x".repeat(100)));
            assert!(!text.contains("sk-") && text.len() <= MAX_DETAIL_BYTES, "{lead}");
        }
        assert_eq!(ErrorContext { provider: "p", key: &Secret::default() }.clean("as it is"), "as it is");
    }

    #[test]
    fn waits_are_read_in_all_forms() {
        let wait = |pairs: &[(&'static str, &str)]| {
            let headers = pairs.iter().map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap())).collect();
            retry_after(&headers).map(|wait| wait.as_secs_f64())
        };
        assert_eq!(wait(&[]), None);
        assert_eq!(wait(&[("retry-after", "7")]), Some(7.0));
        assert_eq!(wait(&[("retry-after", "soon")]), None);
        assert_eq!(wait(&[("retry-after", "-1")]), None);
        assert_eq!(wait(&[("retry-after-ms", "250"), ("retry-after", "7")]), Some(0.25));
        let (now, later) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:07 GMT");
        assert_eq!(wait(&[("retry-after", later), ("date", now)]), Some(30.0));
        assert_eq!(wait(&[("retry-after", now), ("date", later)]), Some(0.0));
        assert_eq!(wait(&[("retry-after", now)]), Some(0.0));
    }

    #[test]
    fn messages_are_found_in_the_usual_shapes() {
        for body in [r#"{"error":{"message":"no"}}"#, r#"{"message":"no"}"#, r#"{"error":"no"}"#, r#"{"detail":"no"}"#, "no"] {
            assert_eq!(message_of(body), "no");
        }
    }
}
