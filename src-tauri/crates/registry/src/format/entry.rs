//! One version of a skill, as its publisher describes it.

use std::collections::BTreeSet;

use inklings_core::limits as skill_limits;
use inklings_core::{Digest, Slug, Time};
use schemars::JsonSchema;
use semver::Version;
use serde::{Deserialize, Serialize};

use super::{Document, FileReference, FormatError, Permission, check_text};
use crate::limits;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackageEntry {
    pub format: u32,
    pub slug: Slug,
    /// Without build metadata, which doesn't order versions.
    #[schemars(with = "String")]
    pub version: Version,
    pub title: String,
    pub description: String,
    pub category: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Of the archive.
    pub sha256: Digest,
    /// Bytes of the archive.
    pub length: u64,
    /// Number of files in the skill.
    pub files: u32,
    pub permissions: BTreeSet<Permission>,
    /// Tokens of the instructions.
    pub token_cost: u64,
    pub requires: Requirements,
    pub published_at: Time,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requirements {
    /// Older clients can't install it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub client: Option<Version>,
    /// Other skills that it depends on.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub skills: BTreeSet<Slug>,
}

impl PackageEntry {
    #[must_use]
    pub const fn file(&self) -> FileReference {
        FileReference { sha256: self.sha256, length: self.length }
    }
}

impl Document for PackageEntry {
    const MAX_BYTES: u64 = limits::LINE_BYTES as u64;

    fn validate(&self) -> Result<(), FormatError> {
        if !self.version.build.is_empty() {
            return Err(FormatError::invalid("version", "it has build metadata"));
        }
        if self.length > limits::PACKAGE_BYTES {
            return Err(FormatError::TooLong { length: self.length, max: limits::PACKAGE_BYTES });
        }
        let files = usize::try_from(self.files).unwrap_or(usize::MAX);
        FormatError::at_most("files", files, skill_limits::FILES)?;
        FormatError::at_most("tags", self.tags.len(), limits::TAGS)?;
        FormatError::at_most("permissions", self.permissions.len(), limits::PERMISSIONS)?;
        FormatError::at_most("required skills", self.requires.skills.len(), limits::REQUIRED_SKILLS)?;
        check_text("title", &self.title, skill_limits::NAME_CHARS)?;
        check_text("description", &self.description, skill_limits::DESCRIPTION_CHARS)?;
        check_text("category", &self.category, limits::LABEL_CHARS)?;
        self.tags.iter().try_for_each(|tag| check_text("tag", tag, limits::LABEL_CHARS))?;
        self.author.iter().try_for_each(|author| check_text("author", author, limits::LABEL_CHARS))
    }
}
