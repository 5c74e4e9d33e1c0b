//! Maps rig's errors to [`ModelError`], without keys in their text, and decides whether to retry.

use std::time::Duration;

use http::header::{DATE, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use inklings_core::Secret;
use inklings_core::model::ModelError;
use rig::{ProviderError, ProviderResponseError, http_client};

use crate::echo;
use crate::transport::TransportError;

/// Of a provider's text in an error.
const MAX_DETAIL_BYTES: usize = 2048;

#[derive(Debug)]
pub(crate) struct RequestFailure {
    pub(crate) error: ModelError,
    pub(crate) retry: bool,
    /// The wait that the provider asks for.
    pub(crate) retry_after: Option<Duration>,
}

impl RequestFailure {
    fn terminal(error: ModelError) -> Self {
        Self { error, retry: false, retry_after: None }
    }

    fn retryable(error: ModelError) -> Self {
        Self { retry: true, ..Self::terminal(error) }
    }
}

/// The provider's name for messages, and the key that no message may contain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorContext<'a> {
    pub(crate) provider: &'a str,
    pub(crate) key: &'a Secret,
}

impl ErrorContext<'_> {
    /// The text without the key, then truncated: a truncated key would not be found.
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

    pub(crate) fn malformed(&self, detail: &str) -> RequestFailure {
        RequestFailure::terminal(ModelError::Malformed { provider: self.name(), detail: self.clean(detail) })
    }

    /// A request that can't be built.
    pub(crate) fn unsent(&self, detail: &str) -> RequestFailure {
        let detail = self.clean(&format!("the request wasn't sent: {detail}"));
        RequestFailure::terminal(ModelError::Refused { provider: self.name(), status: 400, detail })
    }

    /// `streamed`: part of the answer was already passed on, so a retry would repeat it.
    pub(crate) fn failure(&self, error: &ProviderError, streamed: bool) -> RequestFailure {
        let (provider, cut) = (self.name(), |detail| ModelError::Cut { provider: self.name(), detail });
        match error {
            ProviderError::Http(error) => self.transport(error),
            ProviderError::Url(_) | ProviderError::Request(_) | ProviderError::UnsupportedOption(_) => self.unsent(&error.to_string()),
            ProviderError::ProviderResponse(response)
            | ProviderError::InvalidAuthentication(response)
            | ProviderError::CacheExpired { response, .. } => match response.status {
                Some(status) if !status.is_success() => self.status(status, response),
                _ if streamed => RequestFailure::terminal(cut(self.clean(&message_of(&response.body)))),
                _ => self.in_answer(response),
            },
            ProviderError::Truncated => RequestFailure::terminal(cut("the answer is incomplete".to_owned())),
            ProviderError::Provider(message) if streamed => RequestFailure::terminal(cut(self.clean(message))),
            ProviderError::Provider(message) => {
                RequestFailure::terminal(ModelError::Failed { provider, status: None, detail: self.clean(message) })
            }
            other => self.malformed(&other.to_string()),
        }
    }

    fn transport(&self, error: &http_client::Error) -> RequestFailure {
        let provider = self.name();
        let unavailable = |detail: &str| ModelError::Unavailable { provider: self.name(), detail: self.clean(detail) };
        let inner = match error {
            http_client::Error::Instance(inner) => inner.downcast_ref::<TransportError>(),
            http_client::Error::InvalidContentType(kind) => {
                let kind = String::from_utf8_lossy(kind.as_bytes());
                return self.malformed(&format!("content type {kind:?} instead of an event stream"));
            }
            _ => None,
        };
        match inner {
            Some(TransportError::Unreachable(detail)) => RequestFailure::retryable(unavailable(detail)),
            Some(TransportError::Cut(detail)) => RequestFailure::terminal(ModelError::Cut { provider, detail: self.clean(detail) }),
            Some(TransportError::Timeout(after)) => RequestFailure::terminal(ModelError::Timeout { provider, after: *after }),
            Some(too_long @ (TransportError::TooLong | TransportError::LineTooLong | TransportError::ListTooLong)) => {
                self.malformed(&too_long.to_string())
            }
            Some(TransportError::InvalidRequest(detail)) => self.unsent(detail),
            None => RequestFailure::terminal(unavailable(&error.to_string())),
        }
    }

    fn status(&self, status: StatusCode, response: &ProviderResponseError) -> RequestFailure {
        let (provider, detail) = (self.name(), self.clean(&message_of(&response.body)));
        let headers = response.headers.as_ref();
        let retry_after = headers.and_then(retry_after);
        let number = status.as_u16();
        let (error, retryable) = match number {
            401 | 403 => (ModelError::Unauthorized { provider, detail }, false),
            // An exhausted quota has the same status as a rate limit, but doesn't pass.
            429 => {
                let retryable = response.machine_code().as_deref() != Some("insufficient_quota");
                (ModelError::RateLimited { provider, retry_after, detail }, retryable)
            }
            408 | 409 | 425 | 500..=599 => {
                let reason = status.canonical_reason().unwrap_or("unknown status");
                let detail = if detail.is_empty() { reason.to_owned() } else { detail };
                (ModelError::Failed { provider, status: Some(number), detail }, true)
            }
            300..=399 => {
                let detail = "it redirects to another address; set that one as the provider's address".to_owned();
                (ModelError::Refused { provider, status: number, detail }, false)
            }
            _ => (ModelError::Refused { provider, status: number, detail }, false),
        };
        // The provider's own advice wins.
        let should_retry = headers.and_then(|headers| headers.get("x-should-retry")).and_then(|value| value.to_str().ok());
        let retry = match should_retry {
            Some("true") => true,
            Some("false") => false,
            _ => retryable,
        };
        RequestFailure { error, retry, retry_after }
    }

    /// An error event in a response with status 200.
    fn in_answer(&self, response: &ProviderResponseError) -> RequestFailure {
        if let Some(status) = status_of(&response.body) {
            return self.status(status, response);
        }
        let (provider, detail) = (self.name(), self.clean(&message_of(&response.body)));
        let code = response.machine_code().unwrap_or_default();
        if code.contains("rate_limit") {
            return RequestFailure::retryable(ModelError::RateLimited { provider, retry_after: None, detail });
        }
        if response.is_retryable() || ["overloaded", "server_error", "api_error", "internal"].iter().any(|kind| code.contains(kind)) {
            return RequestFailure::retryable(ModelError::Failed { provider, status: None, detail });
        }
        RequestFailure::terminal(ModelError::Refused { provider, status: response.status.map_or(200, |status| status.as_u16()), detail })
    }
}

/// The status that an error event has as its code.
fn status_of(body: &str) -> Option<StatusCode> {
    let parsed = serde_json::from_str::<serde_json::Value>(body).ok()?;
    let code = [&parsed["error"]["code"], &parsed["code"]].into_iter().find_map(serde_json::Value::as_u64)?;
    let status = StatusCode::from_u16(u16::try_from(code).ok()?).ok()?;
    (status.is_client_error() || status.is_server_error()).then_some(status)
}

/// The message of an error's body in the usual JSON shapes; else the body.
fn message_of(body: &str) -> String {
    let parsed = serde_json::from_str::<serde_json::Value>(body).unwrap_or_default();
    let candidates = [&parsed["error"]["message"], &parsed["message"], &parsed["error"], &parsed["detail"]];
    candidates.into_iter().find_map(|value| value.as_str()).unwrap_or(body).to_owned()
}

/// The wait of `retry-after-ms`, or of `Retry-After` in seconds or as a date. A date is relative to the response's `Date`
/// where it has one, so that a wrong local clock doesn't matter.
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
    // A past date means no wait.
    Some(Duration::try_from(date(wanted)?.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_removed_even_where_the_text_is_cut() {
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
    fn messages_are_found_in_all_known_shapes() {
        for body in [r#"{"error":{"message":"no"}}"#, r#"{"message":"no"}"#, r#"{"error":"no"}"#, r#"{"detail":"no"}"#, "no"] {
            assert_eq!(message_of(body), "no");
        }
    }
}
