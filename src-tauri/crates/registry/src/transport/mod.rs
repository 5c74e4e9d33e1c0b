//! How files of a registry are read. Transports aren't trusted: limits and hashes are the client's.
//!
//! To add one: implement [`Transport`] and add its scheme to [`connect`].

mod file;
mod http;
mod mirrors;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use url::Url;

pub use file::FileTransport;
pub use http::HttpTransport;
pub use mirrors::Mirrors;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// No connection, or it ended before the answer began.
    #[error("no connection: {0}")]
    Unreachable(String),
    /// The connection ended within the answer.
    #[error("the connection was lost: {0}")]
    Cut(String),
    #[error("the server answered with status {0}")]
    Status(u16),
    #[error("the server sent an invalid answer: {0}")]
    Invalid(String),
    #[error("can't read the file: {0}")]
    Disk(String),
    #[error("{0:?} isn't the address of a registry: use https, http or file")]
    Address(String),
}

impl TransportError {
    /// Whether the same request may succeed later.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Cut(_) => true,
            Self::Status(status) => matches!(status, 408 | 429 | 500..=599),
            Self::Invalid(_) | Self::Disk(_) | Self::Address(_) => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// Relative to the registry's address.
    pub path: &'a str,
    /// Of the file that is known.
    pub etag: Option<&'a str>,
    /// First byte that is wanted.
    pub start: u64,
}

impl<'a> Request<'a> {
    #[must_use]
    pub const fn whole(path: &'a str) -> Self {
        Self { path, etag: None, start: 0 }
    }
}

#[derive(Debug)]
pub enum Response {
    /// The file still has the known etag.
    NotModified,
    NotFound,
    Content(Content),
}

pub struct Content {
    pub etag: Option<String>,
    /// Position of the body in the file: the one that was asked for, or 0 if the server can't continue there.
    pub start: u64,
    pub body: Box<dyn Body>,
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content").field("etag", &self.etag).field("start", &self.start).finish_non_exhaustive()
    }
}

#[async_trait]
pub trait Body: Send {
    /// `None` at the end.
    async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError>;
}

#[async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    async fn get(&self, request: Request<'_>) -> Result<Response, TransportError>;
}

/// The transport for an address and its mirrors, which are asked in this order.
pub fn connect(address: &Url, mirrors: &[Url]) -> Result<Arc<dyn Transport>, TransportError> {
    let one = |address: &Url| -> Result<Arc<dyn Transport>, TransportError> {
        match address.scheme() {
            "https" | "http" => Ok(Arc::new(HttpTransport::new(address)?)),
            "file" => {
                let folder = address.to_file_path().map_err(|()| TransportError::Address(address.to_string()))?;
                Ok(Arc::new(FileTransport::new(folder)))
            }
            _ => Err(TransportError::Address(address.to_string())),
        }
    };
    if mirrors.is_empty() {
        return one(address);
    }
    let all = std::iter::once(address).chain(mirrors).map(one).collect::<Result<_, _>>()?;
    Ok(Arc::new(Mirrors::new(all)))
}
