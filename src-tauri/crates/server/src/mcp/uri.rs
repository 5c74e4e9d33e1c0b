//! `skill://SLUG/PATH`

use std::fmt;

use inklings_core::{SkillPath, Slug};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const SCHEME: &str = "skill://";
/// All that isn't unreserved by RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A skill, or a path in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SkillUri {
    pub(super) slug: Slug,
    /// Decoded segments joined by `/`, without one at the end; empty for the skill's root. Not checked.
    pub(super) path: String,
}

impl SkillUri {
    pub(super) fn of(slug: &Slug, path: &str) -> Self {
        Self { slug: slug.clone(), path: path.to_owned() }
    }

    /// None for anything but a URI that [`Display`](fmt::Display) could have written, up to its escapes.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix(SCHEME)?;
        if rest.contains(['?', '#']) {
            return None;
        }
        let (slug, path) = rest.split_once('/').unwrap_or((rest, ""));
        let slug = Slug::parse(&decoded(slug)?).ok()?;
        let path = path.strip_suffix('/').unwrap_or(path);
        // An escaped slash would make another path of the same text.
        let segments: Vec<String> = path.split('/').map(decoded).collect::<Option<_>>()?;
        if segments.iter().any(|segment| segment.contains('/')) {
            return None;
        }
        Some(Self { slug, path: segments.join("/") })
    }

    pub(super) fn file(&self) -> Option<SkillPath> {
        self.path.parse().ok()
    }
}

impl fmt::Display for SkillUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", utf8_percent_encode(self.slug.as_str(), ENCODED))?;
        self.path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .try_for_each(|segment| write!(f, "/{}", utf8_percent_encode(segment, ENCODED)))
    }
}

fn decoded(segment: &str) -> Option<String> {
    percent_decode_str(segment).decode_utf8().ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_and_parsing_are_inverse() {
        let slug: Slug = "ünïcode-skill".parse().unwrap();
        for path in ["SKILL.md", "prompts/a b.j2", "references/100%.md", "données/été#1?.csv", ""] {
            let uri = SkillUri::of(&slug, path);
            assert_eq!(SkillUri::parse(&uri.to_string()), Some(uri.clone()), "{uri}");
        }
        assert_eq!(SkillUri::of(&"a".parse().unwrap(), "x/y z.md").to_string(), "skill://a/x/y%20z.md");
    }

    #[test]
    fn other_uris_are_refused() {
        let refused = [
            "",
            "skill:",
            "skill://",
            "skill:///SKILL.md",
            "file:///etc/passwd",
            "SKILL://a/SKILL.md",
            "skill://../a/SKILL.md",
            "skill://a/x%2Fy",
            "skill://a/%FF",
            "skill://a/SKILL.md?x",
            "skill://a/SKILL.md#x",
            "skill://a%2Fb/SKILL.md",
        ];
        for uri in refused {
            assert_eq!(SkillUri::parse(uri), None, "{uri}");
        }
        // Dots are for the path's own rules.
        assert_eq!(SkillUri::parse("skill://a/../b").and_then(|uri| uri.file()), None);
        assert_eq!(SkillUri::parse("skill://a/%2e%2e/b").and_then(|uri| uri.file()), None);
        assert_eq!(SkillUri::parse("skill://a/x//y").and_then(|uri| uri.file()), None);
    }
}
