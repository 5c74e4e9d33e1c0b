//! Canonical JSON: no blanks, fields in the order of their type, lists and maps sorted. Each value has exactly one text, so signatures and
//! hashes are about values.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::limits;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    #[error("it has {length} bytes (maximum {max})")]
    TooLong { length: u64, max: u64 },
    /// Of the document, or of one line.
    #[error("invalid JSON: {0}")]
    Json(String),
    #[error("its format {0} is newer than this app")]
    Newer(u32),
    #[error("it isn't written canonically")]
    NotCanonical,
    #[error("too many {what}: {count} (maximum {max})")]
    TooMany { what: &'static str, count: usize, max: usize },
    #[error("invalid {what}: {why}")]
    Invalid { what: &'static str, why: String },
    #[error("line {line}: {error}")]
    Line { line: usize, error: Box<FormatError> },
}

impl FormatError {
    pub(crate) fn invalid(what: &'static str, why: impl ToString) -> Self {
        Self::Invalid { what, why: why.to_string() }
    }

    pub(crate) const fn at_most(what: &'static str, count: usize, max: usize) -> Result<(), Self> {
        if count > max { Err(Self::TooMany { what, count, max }) } else { Ok(()) }
    }
}

/// A document with one canonical text. The text ends without a line break.
pub trait Document: Serialize + DeserializeOwned {
    const MAX_BYTES: u64;

    /// The rules that its type can't express.
    fn validate(&self) -> Result<(), FormatError>;

    /// Reads the canonical text only.
    fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let length = bytes.len() as u64;
        if length > Self::MAX_BYTES {
            return Err(FormatError::TooLong { length, max: Self::MAX_BYTES });
        }
        let format: AnyFormat = from_slice(bytes)?;
        if format.format > limits::FORMAT {
            return Err(FormatError::Newer(format.format));
        }
        if format.format < limits::FORMAT {
            return Err(FormatError::invalid("format", format.format));
        }
        let document: Self = from_slice(bytes)?;
        document.validate()?;
        if document.to_text()? != bytes {
            return Err(FormatError::NotCanonical);
        }
        Ok(document)
    }

    fn to_text(&self) -> Result<Vec<u8>, FormatError> {
        serde_json::to_vec(self).map_err(|error| FormatError::Json(error.to_string()))
    }
}

/// Read first: a document of a later format may have other fields.
#[derive(Deserialize)]
struct AnyFormat {
    format: u32,
}

pub(crate) fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    serde_json::from_slice(bytes).map_err(|error| FormatError::Json(error.to_string()))
}

/// Whether a list is sorted and has no duplicates.
pub(crate) fn is_strictly_sorted<T, K: Ord>(list: &[T], key: impl Fn(&T) -> K) -> bool {
    list.windows(2).all(|pair| matches!(pair, [a, b] if key(a) < key(b)))
}
