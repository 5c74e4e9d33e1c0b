//! Failures as `application/problem+json` (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use inklings_rpc::{Code, Failure};
use serde_json::{Value, json};

/// An answer that isn't a result.
#[derive(Debug, Clone)]
pub struct Problem {
    status: StatusCode,
    failure: Failure,
}

impl Problem {
    fn new(status: StatusCode, code: Code, message: &str) -> Self {
        Self { status, failure: Failure::new(code, message) }
    }

    pub(super) fn not_found(message: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, Code::NotFound, message)
    }

    pub(super) fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, Code::Invalid, "this address doesn't support the method")
    }

    pub(super) fn forbidden(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, Code::Forbidden, message)
    }

    pub(super) fn unauthorized(message: &str) -> Self {
        Self { failure: Failure::new(Code::Forbidden, message).hint("create a token"), status: StatusCode::UNAUTHORIZED }
    }

    pub(super) fn too_many_requests(message: &str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, Code::Busy, message)
    }

    pub(super) fn precondition_required() -> Self {
        let failure = Failure::invalid("this changes something that exists, so the request must say what it has seen");
        Self { status: StatusCode::PRECONDITION_REQUIRED, failure: failure.hint("read it, and send its ETag as If-Match") }
    }

    /// A change by someone else, as an answer to a request that had a precondition.
    pub(super) fn into_precondition(self) -> Self {
        if self.failure.code == Code::RevisionConflict { Self::precondition_failed(self.failure) } else { self }
    }

    pub(super) fn precondition_failed(failure: Failure) -> Self {
        Self { status: StatusCode::PRECONDITION_FAILED, failure }
    }

    #[cfg(test)]
    pub(super) fn status(&self) -> StatusCode {
        self.status
    }

    pub(super) fn too_large(limit: usize) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, Code::Limit, &format!("the body is larger than {limit} bytes"))
    }

    pub(super) fn timeout() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, Code::Invalid, "the body didn't arrive in time")
    }

    pub(super) fn unsupported_media_type() -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, Code::Invalid, "the body isn't application/json")
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self { status: status(failure.code), failure }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { status, failure } = self;
        let mut body = serde_json::to_value(&failure).unwrap_or_default();
        if let Value::Object(fields) = &mut body {
            let standard =
                json!({ "type": "about:blank", "title": status.canonical_reason(), "status": status.as_u16(), "detail": failure.message });
            fields.extend(standard.as_object().cloned().unwrap_or_default());
        }
        let mut response = (status, body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if status == StatusCode::TOO_MANY_REQUESTS || failure.code == Code::Busy {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

const fn status(code: Code) -> StatusCode {
    match code {
        Code::Invalid => StatusCode::BAD_REQUEST,
        Code::Forbidden | Code::NotTrusted | Code::ApprovalRequired | Code::Locked => StatusCode::FORBIDDEN,
        Code::NotFound | Code::UnknownOperation => StatusCode::NOT_FOUND,
        Code::Exists | Code::HasDependents | Code::RevisionConflict | Code::UnsavedDraft | Code::Cancelled => StatusCode::CONFLICT,
        Code::Limit | Code::Assertion | Code::Script | Code::Program | Code::NoModel => StatusCode::UNPROCESSABLE_ENTITY,
        Code::Model => StatusCode::BAD_GATEWAY,
        Code::ReadOnly | Code::NewerDatabase | Code::Corrupt | Code::Busy | Code::NotInstalled => StatusCode::SERVICE_UNAVAILABLE,
        Code::Io | Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
