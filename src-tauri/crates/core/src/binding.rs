//! References of a skill in a workspace: pages, files and web addresses that a user attached as reading material.
//!
//! They are rows of the workspace's database, by skill id, so that a skill of the account can have some as well. They aren't part of the
//! skill's folder: exports don't contain them, an import that updates the skill keeps them, and they survive a deletion as long as it can
//! be undone. Runs don't read them. Since a workspace file is untrusted, each target is checked when it is listed or opened: a path is
//! opened below the workspace and never through a symbolic link, an address must be http or https.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::id::{BindingId, SkillId};
use crate::skill::text_enum;
use crate::storage_error::StorageError;
use crate::time::Time;
use crate::trace::TracedSkill;

/// Per skill and workspace.
pub const MAX_REFERENCES: u32 = 200;
pub const MAX_TARGET_BYTES: usize = 2_048;

text_enum! {
    TargetKind {
        /// A page of the workspace, by slug.
        Entity = "entity",
        /// A file of the workspace, by path, or a web page, by address.
        Document = "document",
    }
}

/// A validated target. Nothing else is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceTarget {
    /// Slug of a page.
    Page(String),
    /// Path relative to the workspace, with `/`.
    File(String),
    /// A web page.
    Address(Url),
}

/// Why a text isn't a valid target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    #[error("the reference is empty")]
    Empty,
    /// The text is longer than [`MAX_TARGET_BYTES`].
    #[error("the reference is longer than {MAX_TARGET_BYTES} bytes")]
    TooLong,
    /// The path leaves the workspace, or has invalid characters.
    #[error("{0:?} isn't a path in the workspace")]
    Path(String),
    /// The address can't be parsed, or isn't http or https.
    #[error("{0:?} isn't a web address")]
    Address(String),
    /// The address contains a user name or password, which would be stored in the workspace.
    #[error("the address of {0} has a user name or password")]
    Credentials(String),
}

impl ReferenceTarget {
    /// Parses a target. A document with a scheme (`https://`) is an address, otherwise a path.
    pub fn parse(kind: TargetKind, text: &str) -> Result<Self, TargetError> {
        if text.trim().is_empty() {
            return Err(TargetError::Empty);
        }
        if text.len() > MAX_TARGET_BYTES {
            return Err(TargetError::TooLong);
        }
        match kind {
            TargetKind::Entity => path(text).map(Self::Page),
            TargetKind::Document if is_address(text) => address(text.trim()).map(Self::Address),
            TargetKind::Document => path(text).map(Self::File),
        }
    }

    #[must_use]
    pub const fn kind(&self) -> TargetKind {
        match self {
            Self::Page(_) => TargetKind::Entity,
            Self::File(_) | Self::Address(_) => TargetKind::Document,
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Page(text) | Self::File(text) => text,
            Self::Address(address) => address.as_str(),
        }
    }
}

fn is_address(text: &str) -> bool {
    let scheme = text.trim().split_once("://").map_or("", |(scheme, _)| scheme);
    !scheme.is_empty() && scheme.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '+' | '-' | '.'))
}

fn path(text: &str) -> Result<String, TargetError> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    if text.split('/').all(is_plain) && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err(TargetError::Path(text.to_owned()))
    }
}

fn address(text: &str) -> Result<Url, TargetError> {
    let parsed = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = parsed.ok_or_else(|| TargetError::Address(text.to_owned()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(TargetError::Credentials(url.host_str().unwrap_or_default().to_owned()));
    }
    Ok(url)
}

/// A stored reference. Its target may be invalid, since the workspace's file is untrusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Binding {
    pub id: BindingId,
    pub target_kind: TargetKind,
    pub target_ref: String,
    /// Position among the references of the skill, in ascending order.
    pub position: i64,
    pub created_by: String,
    /// When it was attached.
    pub created_at: Time,
}

/// A reference to attach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReference<'a> {
    pub id: BindingId,
    pub target: &'a ReferenceTarget,
    /// Inserts before the reference at this position; `None` appends.
    pub position: Option<i64>,
    pub actor: &'a str,
}

/// The references stored in a workspace. Calls block.
pub trait Bindings: Send + Sync {
    /// By position.
    fn references(&self, skill: SkillId) -> Result<Vec<Binding>, StorageError>;
    /// Returns `None` if the skill already has the reference. Fails with `Limit` beyond [`MAX_REFERENCES`].
    fn add_reference(&self, skill: &TracedSkill, reference: &NewReference<'_>) -> Result<Option<Binding>, StorageError>;
    /// Returns the removed reference, if it existed.
    fn remove_reference(&self, skill: SkillId, id: BindingId) -> Result<Option<Binding>, StorageError>;
    /// Moves the references of a skill to another one. Those that it already has are kept.
    fn move_references(&self, from: SkillId, to: &TracedSkill) -> Result<(), StorageError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_files_and_web_addresses_can_be_references() {
        let parse = |kind, text| ReferenceTarget::parse(kind, text).unwrap();
        let page = parse(TargetKind::Entity, "characters/mara-venn");
        assert_eq!((page.kind(), page.as_str()), (TargetKind::Entity, "characters/mara-venn"));
        let file = parse(TargetKind::Document, "data/2024: costs.csv");
        assert_eq!(file, ReferenceTarget::File("data/2024: costs.csv".to_owned()));
        let address = parse(TargetKind::Document, " HTTPS://Example.org/a b?c#d ");
        assert_eq!((address.kind(), address.as_str()), (TargetKind::Document, "https://example.org/a%20b?c#d"));
    }

    #[test]
    fn what_leaves_the_workspace_or_the_web_is_refused() {
        let parse = |text: &str| ReferenceTarget::parse(TargetKind::Document, text).unwrap_err();
        for path in ["/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/", "a\nb", "a\u{0}b"] {
            assert_eq!(parse(path), TargetError::Path(path.to_owned()));
            assert!(ReferenceTarget::parse(TargetKind::Entity, path).is_err());
        }
        for address in ["file:///etc/passwd", "ftp://a.org/x", "javascript://a.org/%0aalert(1)", "http://", "https://[x"] {
            assert_eq!(parse(address), TargetError::Address(address.to_owned()));
        }
        assert_eq!(parse("https://ann:secret@a.org/"), TargetError::Credentials("a.org".to_owned()));
        assert_eq!(parse("  "), TargetError::Empty);
        assert_eq!(parse(&"a".repeat(MAX_TARGET_BYTES + 1)), TargetError::TooLong);
    }
}
