//! The HTTP client for rig, on reqwest.
//!
//! It preserves status and headers, has typed failures ([`TransportError`]), bounds the size of answers and how
//! long a server may be silent, follows no redirect (it could send the key to another host), and keeps keys out of URLs.
//! Deliberately absent: retries, which depend on what was streamed already.

use std::sync::OnceLock;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _, stream};
use http::header::{AUTHORIZATION, HeaderValue};
use http::{HeaderName, Request, Response};
use inklings_core::provider::is_loopback;
use inklings_core::root_cause;
use rig::http_client::{BoxedStream, Error, HttpClientExt, LazyBody, MultipartForm, Result, StreamingResponse};
use rig::rig_reqwest::reqwest;
use rig::wasm_compat::WasmCompatSend;
use tokio::time::timeout;
use url::Url;

/// Far above the longest answer of any model.
const MAX_ANSWER_BYTES: usize = 64 << 20;
/// A line of a streamed answer is one event of some hundred bytes.
const MAX_LINE_BYTES: usize = 1 << 20;
/// Of one list in an event: rig handles some lists in quadratic time.
const MAX_LIST_ENTRIES: usize = 1_000;
/// Lines between two yields to other tasks.
const LINES_PER_YIELD: u32 = 16;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
const GOOGLE_KEY_HEADER: HeaderName = HeaderName::from_static("x-goog-api-key");
const KEY_HEADERS: [HeaderName; 3] = [AUTHORIZATION, HeaderName::from_static("x-api-key"), GOOGLE_KEY_HEADER];

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TransportError {
    /// No connection, or it ended before the answer began. Retryable.
    #[error("{0}")]
    Unreachable(String),
    /// The connection ended within the answer.
    #[error("{0}")]
    Cut(String),
    #[error("no answer within {} s", .0.as_secs())]
    Timeout(Duration),
    #[error("the answer is longer than {MAX_ANSWER_BYTES} bytes")]
    TooLong,
    #[error("a line of the answer is longer than {MAX_LINE_BYTES} bytes")]
    LineTooLong,
    #[error("an event of the answer has a list of more than {MAX_LIST_ENTRIES} entries")]
    ListTooLong,
    #[error("{0}")]
    InvalidRequest(String),
}

impl From<TransportError> for Error {
    fn from(error: TransportError) -> Self {
        Self::instance(error)
    }
}

/// Connection pools, created on first use.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    loopback: Pool,
    remote: Pool,
}

type Client = std::result::Result<reqwest::Client, String>;

#[derive(Debug, Default)]
struct Pool {
    client: OnceLock<Client>,
    /// For http on a machine without CA certificates, where a client with TLS can't be built.
    plain: OnceLock<Client>,
}

impl Pools {
    /// `silence_timeout` is how long the server may send nothing.
    pub(crate) fn transport(&self, address: &Url, silence_timeout: Duration) -> Transport {
        // Loopback addresses ignore the proxy variables.
        let direct = is_loopback(address);
        let pool = if direct { &self.loopback } else { &self.remote };
        let build = |plain: bool| {
            let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).connect_timeout(CONNECT_TIMEOUT);
            let builder = if direct { builder.no_proxy() } else { builder };
            let builder = if plain { builder.tls_certs_only([]) } else { builder };
            builder.build().map_err(|error| root_cause(&error))
        };
        let client = match pool.client.get_or_init(|| build(false)) {
            // Without CA certificates, only http works.
            Err(_) if address.scheme() == "http" => pool.plain.get_or_init(|| build(true)).clone(),
            Err(cause) => Err(format!("can't open a TLS connection: {cause}; install the system's CA certificates")),
            Ok(client) => Ok(client.clone()),
        };
        Transport { client, silence_timeout }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Transport {
    client: Client,
    silence_timeout: Duration,
}

impl Transport {
    /// Sends a request and waits for the response head.
    async fn open(&self, request: Request<Bytes>) -> std::result::Result<reqwest::Response, TransportError> {
        let client = self.client.as_ref().map_err(|error| TransportError::InvalidRequest(error.clone()))?;
        let request = prepare(request)?;
        match timeout(self.silence_timeout, client.execute(request)).await {
            Err(_) => Err(TransportError::Timeout(self.silence_timeout)),
            Ok(Err(error)) if error.is_builder() => Err(TransportError::InvalidRequest(root_cause(&error))),
            Ok(Err(error)) => Err(TransportError::Unreachable(root_cause(&error))),
            Ok(Ok(response)) => Ok(response),
        }
    }

    /// The chunks of a body, up to the first error.
    fn chunks(&self, response: reqwest::Response) -> impl Stream<Item = Result<Bytes>> + Send + use<> {
        let silence_timeout = self.silence_timeout;
        let begin = Some((response.bytes_stream().boxed(), 0_usize));
        stream::unfold(begin, move |state| async move {
            let (mut body, seen) = state?;
            let chunk = match timeout(silence_timeout, body.next()).await {
                Err(_) => Err(TransportError::Timeout(silence_timeout)),
                Ok(None) => return None,
                Ok(Some(Err(error))) => Err(TransportError::Cut(root_cause(&error))),
                Ok(Some(Ok(chunk))) if seen + chunk.len() > MAX_ANSWER_BYTES => Err(TransportError::TooLong),
                Ok(Some(Ok(chunk))) => Ok(chunk),
            };
            Some(match chunk {
                Ok(chunk) => {
                    let seen = seen + chunk.len();
                    (Ok(chunk), Some((body, seen)))
                }
                Err(error) => (Err(error.into()), None),
            })
        })
    }

    /// A whole body of at most `limit` bytes, from a server that isn't trusted.
    pub(crate) async fn get(&self, url: &Url, limit: usize) -> Result<Bytes> {
        let request = Request::get(url.as_str()).body(Bytes::new())?;
        let response = self.open(request).await?;
        if !response.status().is_success() {
            return Err(Error::non_success_with_details(response.status(), response.headers().clone(), String::new()));
        }
        let mut chunks = std::pin::pin!(self.chunks(response));
        let mut whole = BytesMut::new();
        while let Some(chunk) = chunks.next().await {
            whole.extend_from_slice(&chunk?);
            if whole.len() > limit {
                return Err(TransportError::TooLong.into());
            }
        }
        Ok(whole.freeze())
    }
}

impl HttpClientExt for Transport {
    fn send<T, U>(&self, req: Request<T>) -> impl Future<Output = Result<Response<LazyBody<U>>>> + WasmCompatSend + 'static
    where
        T: Into<Bytes> + WasmCompatSend,
        U: From<Bytes> + WasmCompatSend + 'static,
    {
        let (this, request) = (self.clone(), req.map(Into::into));
        async move {
            let response = this.open(request).await?;
            let head = head_of(&response);
            let chunks = this.chunks(response);
            let body: LazyBody<U> = Box::pin(async move {
                let mut chunks = std::pin::pin!(chunks);
                let mut whole = BytesMut::new();
                while let Some(chunk) = chunks.next().await {
                    whole.extend_from_slice(&chunk?);
                }
                Ok(U::from(whole.freeze()))
            });
            Ok(head.body(body)?)
        }
    }

    fn send_multipart<U>(&self, _: Request<MultipartForm>) -> impl Future<Output = Result<Response<LazyBody<U>>>> + WasmCompatSend + 'static
    where
        U: From<Bytes> + WasmCompatSend + 'static,
    {
        // No request uploads files.
        std::future::ready(Err(TransportError::InvalidRequest("file uploads aren't supported".to_owned()).into()))
    }

    async fn send_streaming<T>(&self, req: Request<T>) -> Result<StreamingResponse>
    where
        T: Into<Bytes> + WasmCompatSend,
    {
        let response = self.open(req.map(Into::into)).await?;
        // Regardless of the status: rig reads an error's body, bounded, and keeps its headers.
        let head = head_of(&response);
        let body: BoxedStream = Box::pin(lines(self.chunks(response)));
        Ok(head.body(body)?)
    }
}

/// The same bytes in whole lines. rig's event reader rescans incomplete lines with each chunk, which takes quadratic time
/// in the length of a line; and a server that is faster than that reader would starve timers and cancellation.
fn lines(chunks: impl Stream<Item = Result<Bytes>> + Send + 'static) -> impl Stream<Item = Result<Bytes>> + Send {
    let begin = Some((chunks.boxed(), BytesMut::new(), 0_usize, 0_u32));
    stream::unfold(begin, |state| async move {
        let (mut chunks, mut buffer, mut searched, mut count) = state?;
        loop {
            if let Some(at) = buffer[searched..].iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
                let line = buffer.split_to(searched + at + 1).freeze();
                if has_long_list(&line) {
                    return Some((Err(TransportError::ListTooLong.into()), None));
                }
                count += 1;
                if count % LINES_PER_YIELD == 0 {
                    tokio::task::yield_now().await;
                }
                return Some((Ok(line), Some((chunks, buffer, 0, count))));
            }
            searched = buffer.len();
            if searched > MAX_LINE_BYTES {
                return Some((Err(TransportError::LineTooLong.into()), None));
            }
            match chunks.next().await {
                Some(Ok(chunk)) => buffer.extend_from_slice(&chunk),
                Some(Err(error)) => return Some((Err(error), None)),
                None if buffer.is_empty() => return None,
                None if has_long_list(&buffer) => return Some((Err(TransportError::ListTooLong.into()), None)),
                None => return Some((Ok(buffer.freeze()), None)),
            }
        }
    })
}

/// Whether a line of JSON has a list with more than [`MAX_LIST_ENTRIES`] objects.
fn has_long_list(line: &[u8]) -> bool {
    // Number of objects in each open list or object.
    let mut open: Vec<usize> = Vec::new();
    let (mut in_text, mut escaped) = (false, false);
    for byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => {
                if let Some(count) = open.last_mut() {
                    *count += 1;
                    if *count > MAX_LIST_ENTRIES {
                        return true;
                    }
                }
                open.push(0);
            }
            b'}' | b']' => drop(open.pop()),
            _ => {}
        }
    }
    false
}

fn head_of(response: &reqwest::Response) -> http::response::Builder {
    let mut builder = Response::builder().status(response.status());
    if let Some(headers) = builder.headers_mut() {
        headers.clone_from(response.headers());
    }
    builder
}

/// Moves a key in the URL (as Google uses) to a header, where no log or proxy shows it, and marks headers
/// with keys as sensitive.
fn prepare(request: Request<Bytes>) -> std::result::Result<reqwest::Request, TransportError> {
    let (mut parts, body) = request.into_parts();
    let invalid = |what: &str| TransportError::InvalidRequest(what.to_owned());
    let mut url = Url::parse(&parts.uri.to_string()).map_err(|_| invalid("invalid address"))?;
    let key = url.query_pairs().find(|(name, _)| name == "key").map(|(_, key)| key.into_owned());
    if let Some(key) = key {
        let rest: Vec<_> = url.query_pairs().filter(|(name, _)| name != "key").map(|(a, b)| (a.into_owned(), b.into_owned())).collect();
        url.set_query(None);
        if !rest.is_empty() {
            url.query_pairs_mut().extend_pairs(rest);
        }
        let value = HeaderValue::from_str(&key).map_err(|_| invalid("the key has invalid characters"))?;
        parts.headers.insert(GOOGLE_KEY_HEADER, value);
    }
    for name in KEY_HEADERS {
        if let Some(value) = parts.headers.get_mut(name) {
            value.set_sensitive(true);
        }
    }
    let mut request = reqwest::Request::new(parts.method, url);
    *request.headers_mut() = parts.headers;
    if !body.is_empty() {
        *request.body_mut() = Some(body.into());
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(parts: Vec<&'static [u8]>) -> impl Stream<Item = Result<Bytes>> + Send + 'static {
        stream::iter(parts).map(|part| Ok(Bytes::from_static(part)))
    }

    #[tokio::test]
    async fn a_streamed_answer_comes_in_whole_lines() {
        let parts: Vec<&[u8]> = vec![b"data: o", b"ne\n", b"\ndata: two\r\n\r\ndata", b": th", b"ree"];
        let got: Vec<Bytes> = lines(chunks(parts)).map(std::result::Result::unwrap).collect().await;
        assert_eq!(got, ["data: one\n", "\n", "data: two\r", "\n", "\r", "\n", "data: three"]);
    }

    #[tokio::test]
    async fn a_line_without_an_end_is_refused() {
        let endless = stream::repeat_with(|| Ok(Bytes::from_static(&[b'x'; 4096])));
        let got: Vec<_> = lines(endless).collect().await;
        assert_eq!(got.len(), 1);
        assert!(got[0].as_ref().is_err_and(|error| error.to_string().contains("a line of the answer is longer than 1048576 bytes")));
    }

    #[tokio::test]
    async fn an_event_with_a_long_list_is_refused() {
        let event = |count: usize| Bytes::from(format!("data: {{\"choices\": [{}{{}}], \"t\": \"[{{\\\"\"}}\n", "{}, ".repeat(count - 1)));
        for (count, fine) in [(1, true), (MAX_LIST_ENTRIES, true), (MAX_LIST_ENTRIES + 1, false), (100_000, false)] {
            let got: Vec<_> = lines(stream::iter([Ok(event(count))])).collect().await;
            assert_eq!((got.len(), got[0].is_ok()), (1, fine), "{count}");
        }
        let numbers = Bytes::from(format!("data: {{\"context\": [{}1]}}\n", "1, ".repeat(5_000)));
        let got: Vec<_> = lines(stream::iter([Ok(numbers)])).collect().await;
        assert!(got[0].is_ok());
    }

    #[tokio::test]
    async fn a_server_that_never_pauses_leaves_others_their_turn() {
        let flood = stream::repeat_with(|| Ok(Bytes::from_static(b"data: x\n")));
        let other = tokio::spawn(std::future::ready(()));
        let mut flood = std::pin::pin!(lines(flood));
        for _ in 0..1000 {
            flood.next().await;
        }
        assert!(other.is_finished());
    }

    #[test]
    fn a_key_in_the_address_moves_into_a_header() {
        let request =
            Request::post("https://example.org/v1beta/models/m:streamGenerateContent?alt=sse&key=AIza-1").body(Bytes::new()).unwrap();
        let request = prepare(request).unwrap();
        assert_eq!(request.url().as_str(), "https://example.org/v1beta/models/m:streamGenerateContent?alt=sse");
        assert_eq!(request.headers()[GOOGLE_KEY_HEADER], "AIza-1");
        assert!(!format!("{request:?}").contains("AIza-1"));
    }
}
