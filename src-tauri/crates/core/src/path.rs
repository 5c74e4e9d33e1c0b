//! Paths of files in a skill. A path has no meaning beyond its identity and changes only by a move.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::limits;
use crate::name::fold;

/// A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(with = "String", inline)]
pub struct SkillPath(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// An empty path, or an empty name between slashes.
    #[error("the path {0:?} has an empty segment")]
    Empty(String),
    /// Absolute, or with a drive letter.
    #[error("the path {0:?} is absolute: use a path relative to the skill folder")]
    Absolute(String),
    /// `.` or `..` as a part.
    #[error("the path {0:?} contains '.' or '..': it must stay inside the skill folder")]
    Dots(String),
    /// More than 240 bytes.
    #[error("the path is too long: {0} bytes (maximum 240)")]
    TooLong(usize),
    /// A character that isn't valid on all file systems.
    #[error("the path {path:?} contains {character:?}, which some file systems don't allow")]
    Character { path: String, character: char },
    /// A name that Windows reserves, or one with a trailing dot or blank.
    #[error("the path {path:?} contains {name:?}, which isn't a valid name on Windows")]
    Reserved { path: String, name: String },
}

impl SkillPath {
    /// Normalizes to NFC and checks.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let path: String = if is_nfc(text) { text.to_owned() } else { text.nfc().collect() };
        if path.len() > limits::PATH_BYTES {
            return Err(PathError::TooLong(path.len()));
        }
        if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
            return Err(PathError::Absolute(path));
        }
        if let Some(character) = path.chars().find(|ch| ch.is_control() || matches!(ch, '\\' | '<' | '>' | ':' | '"' | '|' | '?' | '*')) {
            return Err(PathError::Character { path, character });
        }
        for name in path.split('/') {
            match name {
                "" => return Err(PathError::Empty(path)),
                "." | ".." => return Err(PathError::Dots(path)),
                _ if is_reserved(name) => {
                    return Err(PathError::Reserved { name: name.to_owned(), path });
                }
                _ => {}
            }
        }
        Ok(Self(path))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The extension in lower case, without its dot; empty if there is none.
    #[must_use]
    pub fn extension(&self) -> String {
        self.file_name().rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default()
    }

    /// Case-folded. Paths are unique within a skill in this form.
    #[must_use]
    pub fn folded(&self) -> String {
        #[cfg(test)]
        FOLDED.with(|count| count.set(count.get() + 1));
        fold(&self.0)
    }

    /// Whether this is the instructions file, in either accepted spelling.
    #[must_use]
    pub fn is_skill_md(&self) -> bool {
        self.0 == SKILL_MD || self.0 == SKILL_MD_LOWER
    }
}

#[cfg(test)]
thread_local! {
    /// How many paths were folded.
    pub(crate) static FOLDED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The instructions file.
/// Folder of this application in a workspace: the index of its pages, and the folders of skills that are deployed by link.
pub const WORKSPACE_DATA_FOLDER: &str = ".inklings";
pub const SKILL_MD: &str = "SKILL.md";
/// An alternative spelling that is accepted and preserved.
pub const SKILL_MD_LOWER: &str = "skill.md";
/// Declares artifacts, and contains values that the frontmatter can't.
pub const SKILL_JSON: &str = "skill.json";

fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let numbered = |prefix: &str| stem.strip_prefix(prefix).is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']));
    name.ends_with('.')
        || name.ends_with(' ')
        || matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || numbered("COM")
        || numbered("LPT")
}

impl fmt::Display for SkillPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SkillPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl<'de> Deserialize<'de> for SkillPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unsafe_paths_are_refused() {
        for bad in
            ["", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", "C:/x", "a\\b", "nul.txt", "x/COM1", "a.", "a ", "a\u{0}b", "a:b"]
        {
            assert!(SkillPath::parse(bad).is_err(), "{bad:?}");
        }
        assert_eq!(SkillPath::parse(&"x".repeat(241)), Err(PathError::TooLong(241)));
    }

    #[test]
    fn good_paths_are_normalized_and_fold() {
        let path = SkillPath::parse("refs/Cafe\u{301}.MD").unwrap();
        assert_eq!(path.as_str(), "refs/Café.MD");
        assert_eq!(path.extension(), "md");
        assert_eq!(path.folded(), SkillPath::parse("REFS/CAFÉ.md").unwrap().folded());
        assert!(SkillPath::parse("scripts/.env.example").is_ok());
        assert!(SkillPath::parse("..a/b..").is_err_and(|error| matches!(error, PathError::Reserved { .. })));
    }

    proptest! {
        #[test]
        fn parsing_is_idempotent(text in "\\PC{0,60}") {
            if let Ok(path) = SkillPath::parse(&text) {
                prop_assert_eq!(SkillPath::parse(path.as_str()), Ok(path));
            }
        }
    }
}
