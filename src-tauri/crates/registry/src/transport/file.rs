//! A registry in a local folder.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use async_trait::async_trait;
use bytes::Bytes;

use super::{Body, Content, Request, Response, Transport, TransportError};

const CHUNK_BYTES: usize = 256 * 1024;

#[derive(Debug, Clone)]
pub struct FileTransport {
    folder: PathBuf,
}

impl FileTransport {
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }
}

struct FileBody(File);

#[async_trait]
impl Body for FileBody {
    async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        let mut chunk = vec![0; CHUNK_BYTES];
        let read = self.0.read(&mut chunk).map_err(|error| TransportError::Disk(error.to_string()))?;
        chunk.truncate(read);
        Ok((read > 0).then(|| chunk.into()))
    }
}

#[async_trait]
impl Transport for FileTransport {
    async fn get(&self, request: Request<'_>) -> Result<Response, TransportError> {
        let failed = |error: io::Error| TransportError::Disk(error.to_string());
        if !self.folder.is_dir() {
            // A drive that isn't connected, say.
            return Err(TransportError::Unreachable(format!("{} isn't a folder", self.folder.display())));
        }
        let mut file = match File::open(self.folder.join(request.path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Response::NotFound),
            file => file.map_err(failed)?,
        };
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(TransportError::Disk("not a file".to_owned()));
        }
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let etag = modified.map(|time| format!("{}-{}", time.as_nanos(), metadata.len()));
        if etag.is_some() && request.etag == etag.as_deref() {
            return Ok(Response::NotModified);
        }
        file.seek(SeekFrom::Start(request.start)).map_err(failed)?;
        Ok(Response::Content(Content { etag, start: request.start, body: Box::new(FileBody(file)) }))
    }
}
