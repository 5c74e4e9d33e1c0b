//! Files from servers that aren't trusted: bounded in length and time.

use std::time::{Duration, Instant};

use bytes::Bytes;
use inklings_core::CancellationToken;
use tokio::time::timeout;

use super::{ClientOptions, SyncError};
use crate::format::{CONFIG, Config, Document as _};
use crate::limits;
use crate::transport::{Content, Request, Response, Transport, TransportError};
use crate::trust::TrustError;

/// How slow a server may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Longest time without data.
    pub silence: Duration,
    /// In each of these periods, a server sends [`Pace::bytes`] at least.
    pub period: Duration,
    pub bytes: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { silence: Duration::from_secs(30), period: Duration::from_secs(30), bytes: 32 * 1024 }
    }
}

/// A body that must be fast enough. It doesn't limit its length.
pub(super) struct PacedBody<'a> {
    content: Content,
    path: &'a str,
    pace: Pace,
    cancel: &'a CancellationToken,
    /// Begin of the period, and bytes in it.
    period: (Instant, u64),
}

pub(super) enum Opened<'a> {
    NotModified,
    NotFound,
    Body(PacedBody<'a>),
}

pub(super) fn failed(path: &str) -> impl FnOnce(TransportError) -> SyncError {
    let path = path.to_owned();
    move |error| SyncError::Transport { path, error }
}

async fn paced<T>(
    path: &str,
    pace: Pace,
    cancel: &CancellationToken,
    work: impl Future<Output = Result<T, TransportError>>,
) -> Result<T, SyncError> {
    tokio::select! {
        () = cancel.cancelled() => Err(SyncError::Cancelled),
        done = timeout(pace.silence, work) => match done {
            Err(_) => Err(SyncError::TooSlow { path: path.to_owned() }),
            Ok(done) => done.map_err(failed(path)),
        },
    }
}

pub(super) async fn open<'a>(
    transport: &dyn Transport,
    request: Request<'a>,
    pace: Pace,
    cancel: &'a CancellationToken,
) -> Result<Opened<'a>, SyncError> {
    let path = request.path;
    Ok(match paced(path, pace, cancel, transport.get(request)).await? {
        Response::NotModified => Opened::NotModified,
        Response::NotFound => Opened::NotFound,
        Response::Content(content) => Opened::Body(PacedBody { content, path, pace, cancel, period: (Instant::now(), 0) }),
    })
}

impl PacedBody<'_> {
    pub(super) const fn start(&self) -> u64 {
        self.content.start
    }

    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, SyncError> {
        let chunk = paced(self.path, self.pace, self.cancel, self.content.body.chunk()).await?;
        let Some(bytes) = chunk else { return Ok(None) };
        self.period.1 += bytes.len() as u64;
        if self.period.0.elapsed() >= self.pace.period {
            if self.period.1 < self.pace.bytes {
                return Err(SyncError::TooSlow { path: self.path.to_owned() });
            }
            self.period = (Instant::now(), 0);
        }
        Ok(Some(bytes))
    }
}

/// A whole file.
#[derive(Debug)]
pub(super) enum Fetched {
    NotModified,
    NotFound,
    File { bytes: Vec<u8>, etag: Option<String> },
}

impl Fetched {
    /// For a file that has to exist.
    pub(super) fn into_bytes(self, path: &str) -> Result<Vec<u8>, SyncError> {
        match self {
            Self::File { bytes, .. } => Ok(bytes),
            Self::NotModified | Self::NotFound => Err(SyncError::NotFound { path: path.to_owned() }),
        }
    }
}

/// Fetches a file of at most `max` bytes, again if the connection fails.
pub(super) async fn fetch(
    transport: &dyn Transport,
    request: Request<'_>,
    max: u64,
    options: &ClientOptions,
    cancel: &CancellationToken,
) -> Result<Fetched, SyncError> {
    let mut attempt = 0;
    loop {
        match fetch_once(transport, request, max, options.pace, cancel).await {
            Err(error) => wait_to_retry(error, &mut attempt, options, cancel).await?,
            fetched => return fetched,
        }
    }
}

/// Waits before the next try. Fails if the error isn't worth one, or there were enough.
pub(super) async fn wait_to_retry(
    error: SyncError,
    attempt: &mut u32,
    options: &ClientOptions,
    cancel: &CancellationToken,
) -> Result<(), SyncError> {
    *attempt += 1;
    if !error.is_retryable() || *attempt >= options.attempts {
        return Err(error);
    }
    let pause = options.pause.saturating_mul(2_u32.saturating_pow(*attempt - 1));
    tokio::select! {
        () = cancel.cancelled() => Err(SyncError::Cancelled),
        () = tokio::time::sleep(pause) => Ok(()),
    }
}

async fn fetch_once(
    transport: &dyn Transport,
    request: Request<'_>,
    max: u64,
    pace: Pace,
    cancel: &CancellationToken,
) -> Result<Fetched, SyncError> {
    let mut body = match open(transport, request, pace, cancel).await? {
        Opened::NotModified => return Ok(Fetched::NotModified),
        Opened::NotFound => return Ok(Fetched::NotFound),
        Opened::Body(body) => body,
    };
    let mut bytes = Vec::new();
    while let Some(chunk) = body.chunk().await? {
        if (bytes.len() + chunk.len()) as u64 > max {
            return Err(SyncError::TooLong { path: request.path.to_owned(), max });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Fetched::File { bytes, etag: body.content.etag })
}

/// What a registry says about itself, before it is trusted. Compare its fingerprint with one from another source.
pub async fn fetch_config(transport: &dyn Transport, options: &ClientOptions, cancel: &CancellationToken) -> Result<Config, SyncError> {
    let fetched = fetch(transport, Request::whole(CONFIG), limits::CONFIG_BYTES, options, cancel).await?;
    let bytes = fetched.into_bytes(CONFIG)?;
    Ok(Config::parse(&bytes).map_err(TrustError::format(CONFIG))?)
}
