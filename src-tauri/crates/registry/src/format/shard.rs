//! A part of the index: lines of JSON, sorted by slug and version.

use std::fmt;
use std::str::FromStr;

use inklings_core::{Digest, Slug};
use schemars::JsonSchema;
use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::document::{from_slice, is_strictly_sorted};
use super::{Document, FormatError, PackageEntry, RegistryId, check_text};
use crate::keys::{PublicKey, Purpose, SecretKey, Signature};
use crate::limits;
use crate::text::serde_as_text;

/// The first byte of the SHA-256 of a slug, as two hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String", inline)]
pub struct ShardId(u8);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a shard: expected two lowercase hex digits")]
pub struct ParseShardError;

impl ShardId {
    #[must_use]
    pub fn of(slug: &Slug) -> Self {
        Self(Digest::of(slug.as_str().as_bytes()).bytes()[0])
    }
}

impl fmt::Display for ShardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02x}", self.0)
    }
}

impl FromStr for ShardId {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = u8::from_str_radix(text, 16).map(Self).map_err(|_| ParseShardError)?;
        if parsed.to_string() == text { Ok(parsed) } else { Err(ParseShardError) }
    }
}

serde_as_text!(ShardId);

/// A version with its publisher's signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexLine {
    pub entry: PackageEntry,
    pub publisher: PublicKey,
    pub signature: Signature,
    /// Why the version isn't offered any more. The registry decides that, not the publisher, so the signature doesn't cover it.
    pub yanked: Option<String>,
    signed: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineText {
    package: Box<RawValue>,
    publisher: PublicKey,
    signature: Signature,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    yanked: Option<String>,
}

impl IndexLine {
    pub fn sign(entry: PackageEntry, registry: &RegistryId, key: &SecretKey) -> Result<Self, FormatError> {
        entry.validate()?;
        let signed = entry.to_text()?;
        Ok(Self { publisher: key.public(), signature: key.sign(Purpose::Package, registry, &signed), yanked: None, signed, entry })
    }

    #[must_use]
    pub fn is_valid(&self, registry: &RegistryId) -> bool {
        self.publisher.verify(Purpose::Package, registry, &self.signed, &self.signature)
    }

    fn parse(line: &[u8]) -> Result<Self, FormatError> {
        if line.len() > limits::LINE_BYTES {
            return Err(FormatError::TooLong { length: line.len() as u64, max: limits::LINE_BYTES as u64 });
        }
        let text: LineText = from_slice(line)?;
        let signed = text.package.get().as_bytes().to_owned();
        let entry = PackageEntry::parse(&signed)?;
        if let Some(reason) = &text.yanked {
            check_text("reason", reason, limits::REASON_CHARS)?;
        }
        let this = Self { entry, publisher: text.publisher, signature: text.signature, yanked: text.yanked, signed };
        if this.to_line()? == line { Ok(this) } else { Err(FormatError::NotCanonical) }
    }

    fn to_line(&self) -> Result<Vec<u8>, FormatError> {
        let json = |error: serde_json::Error| FormatError::Json(error.to_string());
        let text = std::str::from_utf8(&self.signed).map_err(|_| FormatError::NotCanonical)?;
        let package = RawValue::from_string(text.to_owned()).map_err(json)?;
        let text = LineText { package, publisher: self.publisher, signature: self.signature, yanked: self.yanked.clone() };
        serde_json::to_vec(&text).map_err(json)
    }
}

/// The versions of the skills of one shard.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shard {
    /// By slug and version.
    pub lines: Vec<IndexLine>,
    /// Number of lines of a newer format, which this client can't read.
    pub skipped: usize,
}

impl Shard {
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let length = bytes.len() as u64;
        if length > limits::SHARD_BYTES {
            return Err(FormatError::TooLong { length, max: limits::SHARD_BYTES });
        }
        let mut shard = Self::default();
        let Some(text) = bytes.strip_suffix(b"\n") else {
            return if bytes.is_empty() { Ok(shard) } else { Err(FormatError::NotCanonical) };
        };
        for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
            FormatError::at_most("entries", index + 1, limits::SHARD_ENTRIES)?;
            match IndexLine::parse(line) {
                Ok(line) => shard.lines.push(line),
                Err(FormatError::Newer(_)) => shard.skipped += 1,
                Err(error) => return Err(FormatError::Line { line: index + 1, error: Box::new(error) }),
            }
        }
        shard.validate()?;
        Ok(shard)
    }

    fn validate(&self) -> Result<(), FormatError> {
        if !is_strictly_sorted(&self.lines, |line| (line.entry.slug.clone(), line.entry.version.clone())) {
            return Err(FormatError::NotCanonical);
        }
        for versions in self.lines.chunk_by(|a, b| a.entry.slug == b.entry.slug) {
            FormatError::at_most("versions", versions.len(), limits::VERSIONS)?;
        }
        Ok(())
    }

    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        self.validate()?;
        let mut bytes = Vec::new();
        for line in &self.lines {
            bytes.extend(line.to_line()?);
            bytes.push(b'\n');
        }
        Ok(bytes)
    }

    fn position(&self, slug: &Slug, version: &Version) -> Result<usize, usize> {
        self.lines.binary_search_by(|line| (&line.entry.slug, &line.entry.version).cmp(&(slug, version)))
    }

    #[must_use]
    pub fn find(&self, slug: &Slug, version: &Version) -> Option<&IndexLine> {
        self.position(slug, version).ok().and_then(|at| self.lines.get(at))
    }

    pub fn find_mut(&mut self, slug: &Slug, version: &Version) -> Option<&mut IndexLine> {
        self.position(slug, version).ok().and_then(|at| self.lines.get_mut(at))
    }

    /// Replaces the line of the same version.
    pub fn put(&mut self, line: IndexLine) {
        match self.position(&line.entry.slug, &line.entry.version) {
            Ok(at) => self.lines[at] = line,
            Err(at) => self.lines.insert(at, line),
        }
    }
}
