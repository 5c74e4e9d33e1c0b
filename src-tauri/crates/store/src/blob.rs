//! Bodies that history keeps, by content hash.

use inklings_core::change::TreeManifest;
use inklings_core::{Digest, StorageError};
use inklings_sqlite::Fault;
use rusqlite::{Connection, OptionalExtension as _, params};

/// Compression level: history is written on every save and read rarely.
const COMPRESSION_LEVEL: i32 = 3;

/// Content-addressed: storing a known body is free.
pub(crate) fn put(connection: &Connection, bytes: &[u8]) -> Result<(), Fault> {
    let digest = Digest::of(bytes);
    let mut known = connection.prepare_cached("SELECT 1 FROM blobs WHERE sha256 = ?1")?;
    if known.exists([digest.bytes()])? {
        return Ok(());
    }
    let mut insert = connection.prepare_cached("INSERT INTO blobs (sha256, size, body) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![digest.bytes(), i64::try_from(bytes.len()).unwrap_or(i64::MAX), compress(bytes)?])?;
    Ok(())
}

pub(crate) fn get(connection: &Connection, digest: &Digest) -> Result<Option<Vec<u8>>, Fault> {
    let mut statement = connection.prepare_cached("SELECT body FROM blobs WHERE sha256 = ?1")?;
    let body: Option<Vec<u8>> = statement.query_row([digest.bytes()], |row| row.get(0)).optional()?;
    body.map(|body| decompress(&body)).transpose()
}

pub(crate) fn encode(manifest: &TreeManifest) -> Result<Vec<u8>, Fault> {
    compress(&serde_json::to_vec(manifest).map_err(|error| broken(&error))?)
}

pub(crate) fn decode(bytes: &[u8]) -> Result<TreeManifest, Fault> {
    serde_json::from_slice(&decompress(bytes)?).map_err(|error| broken(&error))
}

fn compress(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    zstd::bulk::compress(bytes, COMPRESSION_LEVEL).map_err(|error| broken(&error))
}

fn decompress(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    // Bounded, since a workspace's file is untrusted: a body can't be larger than a skill.
    let limit = inklings_core::limits::SKILL_BYTES + 1024 * 1024;
    let mut decoder = zstd::bulk::Decompressor::new().map_err(|error| broken(&error))?;
    decoder.decompress(bytes, zstd::bulk::Decompressor::upper_bound(bytes).unwrap_or(limit).min(limit)).map_err(|error| broken(&error))
}

/// An invalid stored value: the file is damaged or was written by another program.
pub(crate) fn broken(error: &dyn std::fmt::Display) -> Fault {
    Fault::Sql(rusqlite::Error::SqliteFailure(
        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT),
        Some(format!("a stored value is invalid: {error}")),
    ))
}

pub(crate) fn missing(what: &'static str, name: impl ToString) -> Fault {
    Fault::Storage(StorageError::NotFound { what, name: name.to_string() })
}
