//! A registry on a web server.
//!
//! No redirect is followed: an address names its server. Nothing is compressed, so that lengths and ranges are those of the files.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use inklings_core::provider::is_loopback;
use inklings_core::root_cause;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_RANGE, ETAG, HeaderMap, HeaderName, IF_NONE_MATCH, RANGE};
use url::Url;

use super::{Body, Content, Request, Response, Transport, TransportError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
const MAX_ETAG_BYTES: usize = 1_024;

#[derive(Debug, Clone)]
pub struct HttpTransport {
    client: reqwest::Client,
    /// Ends with a slash.
    address: Url,
}

impl HttpTransport {
    pub fn new(address: &Url) -> Result<Self, TransportError> {
        let has_credentials = !address.username().is_empty() || address.password().is_some();
        let is_plain = address.query().is_none() && address.fragment().is_none() && address.has_host();
        if has_credentials || !is_plain {
            let mut shown = address.clone();
            // They have no password, or it is removed.
            let _ = shown.set_username("").and_then(|()| shown.set_password(None));
            return Err(TransportError::Address(shown.to_string()));
        }
        let mut address = address.clone();
        if !address.path().ends_with('/') {
            let path = format!("{}/", address.path());
            address.set_path(&path);
        }
        let build = |plain: bool| {
            let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).connect_timeout(CONNECT_TIMEOUT);
            // Loopback addresses ignore the proxy variables.
            let builder = if is_loopback(&address) { builder.no_proxy() } else { builder };
            let builder = if plain { builder.tls_certs_only([]) } else { builder };
            builder.build()
        };
        let client = match build(false) {
            // Without CA certificates, only http works.
            Err(_) if address.scheme() == "http" => build(true),
            client => client,
        };
        let client = client.map_err(|error| TransportError::Unreachable(root_cause(&error)))?;
        Ok(Self { client, address })
    }
}

struct HttpBody(reqwest::Response);

#[async_trait]
impl Body for HttpBody {
    async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        self.0.chunk().await.map_err(|error| TransportError::Cut(root_cause(&error)))
    }
}

#[async_trait]
impl Transport for HttpTransport {
    async fn get(&self, request: Request<'_>) -> Result<Response, TransportError> {
        let url = self.address.join(request.path).map_err(|_| TransportError::Address(request.path.to_owned()))?;
        let mut get = self.client.get(url);
        if let Some(etag) = request.etag {
            get = get.header(IF_NONE_MATCH, etag);
        }
        if request.start > 0 {
            get = get.header(RANGE, format!("bytes={}-", request.start));
        }
        let response = get.send().await.map_err(|error| TransportError::Unreachable(root_cause(&error)))?;
        let start = match response.status() {
            StatusCode::OK => 0,
            StatusCode::NOT_MODIFIED if request.etag.is_some() => return Ok(Response::NotModified),
            StatusCode::NOT_FOUND | StatusCode::GONE => return Ok(Response::NotFound),
            StatusCode::PARTIAL_CONTENT if request.start > 0 => range_start(response.headers())
                .filter(|start| *start == request.start)
                .ok_or_else(|| TransportError::Invalid("it has another part of the file".to_owned()))?,
            status => return Err(TransportError::Status(status.as_u16())),
        };
        let etag = text_of(response.headers(), &ETAG).filter(|etag| etag.len() <= MAX_ETAG_BYTES).map(str::to_owned);
        Ok(Response::Content(Content { etag, start, body: Box::new(HttpBody(response)) }))
    }
}

fn text_of<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Of `bytes 100-199/200`
fn range_start(headers: &HeaderMap) -> Option<u64> {
    text_of(headers, &CONTENT_RANGE)?.strip_prefix("bytes ")?.split_once('-')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_no_credentials_or_queries() {
        let new = |text: &str| HttpTransport::new(&Url::parse(text).unwrap());
        assert_eq!(new("http://127.0.0.1/skills").unwrap().address.as_str(), "http://127.0.0.1/skills/");
        for bad in ["http://user:secret@127.0.0.1/", "http://127.0.0.1/?a=b", "http://127.0.0.1/#a"] {
            let error = new(bad).unwrap_err();
            assert!(matches!(&error, TransportError::Address(shown) if !shown.contains("secret")), "{error}");
        }
    }
}
