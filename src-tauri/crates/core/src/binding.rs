//! Bindings of a skill in a workspace: the pages, files and web addresses that a person attached as reference material.
//!
//! They belong to the workspace and not to the skill's folder, so no export has them. Runs don't read them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::id::{BindingId, SkillId};
use crate::ports::StorageError;
use crate::skill::text_enum;
use crate::time::Time;
use crate::trace::TracedSkill;

/// References of one skill in one workspace.
pub const MAX_REFERENCES: u32 = 200;
/// Bytes of a target's text.
pub const MAX_TARGET_BYTES: usize = 2_048;

text_enum! {
    /// What kind of thing a reference names.
    TargetKind {
        /// A page of the workspace, by slug.
        Entity = "entity",
        /// A file of the workspace, by path, or a web page, by address.
        Document = "document",
    }
}

/// Where a reference leads, checked: nothing else is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceTarget {
    /// A page's slug.
    Page(String),
    /// A path below the workspace, with `/`.
    File(String),
    /// A web page.
    Address(Url),
}

/// Why a text names nothing that can be a reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// There is no text.
    #[error("the reference is empty")]
    Empty,
    /// The text is longer than [`MAX_TARGET_BYTES`].
    #[error("the reference is longer than {MAX_TARGET_BYTES} bytes")]
    TooLong,
    /// The path leaves the workspace, or has characters that no path has.
    #[error("{0:?} isn't a path in the workspace")]
    Path(String),
    /// The address can't be parsed, or isn't one of the web.
    #[error("{0:?} isn't a web address")]
    Address(String),
    /// The address has a user name or password in it, which would be stored with the workspace.
    #[error("the address of {0} has a user name or password")]
    Credentials(String),
}

impl ReferenceTarget {
    /// Reads a target. A document with a scheme (`https://`) is an address, else a path.
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

    /// Its kind as stored.
    #[must_use]
    pub const fn kind(&self) -> TargetKind {
        match self {
            Self::Page(_) => TargetKind::Entity,
            Self::File(_) | Self::Address(_) => TargetKind::Document,
        }
    }

    /// Its text as stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Page(text) | Self::File(text) => text,
            Self::Address(address) => address.as_str(),
        }
    }
}

/// Whether a text begins with a scheme and `//`.
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

/// A reference as it is stored. Whether its target can be read is another matter: the workspace's file is untrusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Binding {
    /// Id.
    pub id: BindingId,
    /// What kind of thing it names.
    pub target_kind: TargetKind,
    /// What it names.
    pub target_ref: String,
    /// Place among the skill's references; lower comes first.
    pub position: i64,
    /// Who attached it.
    pub created_by: String,
    /// When it was attached.
    pub created_at: Time,
}

/// A reference to be attached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReference<'a> {
    pub id: BindingId,
    /// What it names.
    pub target: &'a ReferenceTarget,
    /// Before the reference that has this position; at the end without one.
    pub position: Option<i64>,
    /// Who attaches it.
    pub actor: &'a str,
}

/// The references that a workspace keeps. Calls block.
pub trait Bindings: Send + Sync {
    /// A skill's references, in their order.
    fn references(&self, skill: SkillId) -> Result<Vec<Binding>, StorageError>;
    /// Attaches a reference. None when the skill has it already; `Limit` beyond [`MAX_REFERENCES`].
    fn add_reference(&self, skill: &TracedSkill, reference: &NewReference<'_>) -> Result<Option<Binding>, StorageError>;
    /// Removes a reference of a skill and returns it; none if there is none.
    fn remove_reference(&self, skill: SkillId, id: BindingId) -> Result<Option<Binding>, StorageError>;
    /// Hands a skill's references over to another skill; what that has already stays as it is.
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
