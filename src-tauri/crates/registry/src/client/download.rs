//! Packages.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};

use inklings_core::{CancellationToken, ProgressReporter, Time};

use super::cache::{failed, lock};
use super::fetch::{Opened, open, wait_to_retry};
use super::{Catalog, RegistryClient, SyncError};
use crate::format::{IndexLine, package_path};
use crate::lock::FileLock;
use crate::transport::{Request, TransportError};
use crate::trust::check_content;

/// Of downloads that aren't complete.
const PART_SUFFIX: &str = ".part";

impl RegistryClient {
    /// The archive of a version, from the cache or the server. An interrupted download is continued by the next one.
    ///
    /// Yanked versions can be downloaded, revoked ones can't. Progress is in bytes.
    pub async fn download(
        &self,
        catalog: &Catalog,
        line: &IndexLine,
        now: Time,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<Vec<u8>, SyncError> {
        catalog.check_time(now)?;
        let entry = &line.entry;
        catalog.ensure_not_revoked(&entry.slug, &entry.sha256)?;
        let (path, reference) = (package_path(&entry.sha256), entry.file());
        if let Some(bytes) = self.cache.find(&path, &reference)? {
            return Ok(bytes);
        }
        let part_path = self.cache.path(&format!("{path}{PART_SUFFIX}"));
        if let Some(folder) = part_path.parent() {
            fs::create_dir_all(folder).map_err(failed(folder))?;
        }
        let mut part = Part { lock: lock(&part_path)?, path: &path, length: entry.length };
        let disk = || failed(&part_path);
        let mut attempt = 0;
        loop {
            let resumed = part.position().map_err(disk())?;
            match self.continue_download(&mut part, resumed, cancel, progress).await {
                Err(error @ (SyncError::TooLong { .. } | SyncError::NotFound { .. })) => {
                    let _ = fs::remove_file(&part_path);
                    return Err(error);
                }
                Err(error) => {
                    wait_to_retry(error, &mut attempt, &self.options, cancel).await?;
                    continue;
                }
                Ok(()) => {}
            }
            let bytes = part.read().map_err(disk())?;
            match check_content(&path, &reference, &bytes) {
                Ok(()) => {
                    part.lock.file().sync_all().map_err(disk())?;
                    fs::rename(&part_path, self.cache.path(&path)).map_err(disk())?;
                    return Ok(bytes);
                }
                // The begin may be of another file.
                Err(_) if resumed > 0 => part.lock.file().set_len(0).map_err(disk())?,
                Err(error) => {
                    let _ = fs::remove_file(&part_path);
                    return Err(error.into());
                }
            }
        }
    }

    /// Fetches the bytes from `start` on.
    async fn continue_download(
        &self,
        part: &mut Part<'_>,
        start: u64,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<(), SyncError> {
        let (path, length) = (part.path, part.length);
        let part_path = self.cache.path(path);
        let disk = || failed(&part_path);
        if start == length && length > 0 {
            return Ok(());
        }
        let mut body = match open(&*self.transport, Request { path, etag: None, start }, self.options.pace, cancel).await? {
            Opened::Body(body) => body,
            Opened::NotFound | Opened::NotModified => return Err(SyncError::NotFound { path: path.to_owned() }),
        };
        let mut done = body.start();
        part.lock.file().set_len(done).and_then(|()| part.lock.file().seek(SeekFrom::Start(done))).map_err(disk())?;
        while let Some(chunk) = body.chunk().await? {
            done += chunk.len() as u64;
            if done > length {
                return Err(SyncError::TooLong { path: path.to_owned(), max: length });
            }
            part.lock.file().write_all(&chunk).map_err(disk())?;
            progress.report_bytes(done, Some(length));
        }
        if done < length {
            // Without a stated length, a cut connection looks like the end.
            let error = TransportError::Cut(format!("{done} of {length} bytes were received"));
            return Err(SyncError::Transport { path: path.to_owned(), error });
        }
        Ok(())
    }
}

/// A download that isn't complete. Its file is locked.
struct Part<'a> {
    lock: FileLock,
    path: &'a str,
    length: u64,
}

impl Part<'_> {
    /// Number of bytes that are there. One that is too long is begun again.
    fn position(&mut self) -> std::io::Result<u64> {
        let length = self.lock.file().metadata()?.len();
        if length > self.length {
            self.lock.file().set_len(0)?;
            return Ok(0);
        }
        Ok(length)
    }

    fn read(&mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.lock.file().seek(SeekFrom::Start(0))?;
        self.lock.file().read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
