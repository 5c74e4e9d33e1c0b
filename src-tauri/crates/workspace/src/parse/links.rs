//! Resolves links as far as their own page allows: wikilinks to a name, Markdown links to a path.
//!
//! Deliberately absent: URLs, headings of the same page, attachments, and paths outside the workspace, which aren't
//! links between pages.

use unicode_normalization::UnicodeNormalization;

use crate::names;

/// Longer targets aren't links.
const MAX_TARGET_BYTES: usize = 1_000;
/// Extensions of common attachments.
const ATTACHMENTS: &[&str] = &[
    "avif",
    "base",
    "bmp",
    "canvas",
    "css",
    "csv",
    "docx",
    "excalidraw",
    "flac",
    "gif",
    "html",
    "ico",
    "jpeg",
    "jpg",
    "js",
    "json",
    "m4a",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "odt",
    "ogg",
    "pdf",
    "png",
    "pptx",
    "py",
    "rs",
    "svg",
    "tar",
    "toml",
    "ts",
    "txt",
    "wav",
    "webm",
    "webp",
    "xlsx",
    "xml",
    "yaml",
    "yml",
    "zip",
];

/// A link to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The name of the target, comparable with [`names::names`].
    pub key: String,
    /// The exact path, if the link has one with an extension.
    pub path: Option<String>,
    /// As written.
    pub target: String,
    pub text: String,
    /// The line in the file, from 1.
    pub line: u32,
    /// Whether it is broken if no page has the name. Without an extension it may be a link to a folder.
    pub strict: bool,
}

/// The text between `[[` and `]]`.
pub(super) fn wiki(inner: &str, page: &str, line: u32) -> Option<Link> {
    // In a table, the bar is escaped.
    let (target, text) =
        inner.split_once('|').map_or((inner, None), |(left, right)| (left.strip_suffix('\\').unwrap_or(left), Some(right)));
    let target = target.trim();
    let name = target.split('#').next().unwrap_or_default().trim();
    if name.is_empty() || name.len() > MAX_TARGET_BYTES || is_attachment(name) {
        return None;
    }
    let text = text.map(str::trim).filter(|text| !text.is_empty()).unwrap_or(target);
    let key = if name.starts_with("./") || name.starts_with("../") {
        names::path_key(&from(page, name)?)
    } else {
        names::key(names::without_extension(name.trim_start_matches('/')))
    };
    // Nothing but punctuation, e.g. `[[-]]`.
    (!key.trim_matches('/').is_empty()).then(|| Link {
        key,
        path: None,
        target: target.to_owned(),
        text: text.to_owned(),
        line,
        strict: true,
    })
}

pub(super) fn markdown(destination: &str, text: &str, page: &str, line: u32) -> Option<Link> {
    let target = destination.trim();
    let bare = target.split(['#', '?']).next().unwrap_or_default();
    if bare.is_empty() || bare.len() > MAX_TARGET_BYTES || bare.ends_with('/') || bare.starts_with("//") || has_scheme(bare) {
        return None;
    }
    let path = from(page, &decoded(bare)?)?;
    let strict = names::is_page(names::last(&path));
    if !strict && names::last(&path).contains('.') {
        return None;
    }
    let (key, text) = (names::path_key(&path), text.split_whitespace().collect::<Vec<_>>().join(" "));
    (key.len() > 1).then(|| Link { key, path: strict.then_some(path), target: target.to_owned(), text, line, strict })
}

/// `target` as seen from the folder of `page`, or from the workspace's if it begins with `/`; `None` if it leads out.
fn from(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = if target.starts_with('/') {
        Vec::new()
    } else {
        page.rsplit_once('/').map(|(folder, _)| folder.split('/').collect()).unwrap_or_default()
    };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/").nfc().collect())
}

fn has_scheme(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && scheme.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '+' | '-' | '.'))
    })
}

fn is_attachment(name: &str) -> bool {
    names::last(name).rsplit_once('.').is_some_and(|(_, extension)| ATTACHMENTS.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Percent-decoded; `None` if the result isn't UTF-8.
fn decoded(target: &str) -> Option<String> {
    if !target.contains('%') {
        return Some(target.to_owned());
    }
    let (bytes, mut decoded, mut at) = (target.as_bytes(), Vec::with_capacity(target.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let digit =
            |offset: usize| bytes.get(at + offset).and_then(|byte| char::from(*byte).to_digit(16)).and_then(|it| u8::try_from(it).ok());
        if let (b'%', Some(high), Some(low)) = (byte, digit(1), digit(2)) {
            decoded.push(high * 16 + low);
            at += 3;
        } else {
            decoded.push(*byte);
            at += 1;
        }
    }
    String::from_utf8(decoded).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(link: Option<Link>) -> Option<(String, bool)> {
        link.map(|link| (link.key, link.strict))
    }

    #[test]
    fn wikilinks_name_pages() {
        let key = |inner| keys(wiki(inner, "a/b.md", 1)).map(|(key, _)| key);
        assert_eq!(key("Mara Venn").unwrap(), "mara-venn");
        assert_eq!(key("People/Mara Venn#Youth|her").unwrap(), "people/mara-venn");
        assert_eq!(key("Mara Venn\\|her").unwrap(), "mara-venn");
        assert_eq!(key("v1.2").unwrap(), "v1.2");
        assert_eq!(key("../c d.md").unwrap(), "/c-d");
        for none in ["", " ", "#Heading", "|x", "map.PNG", "../../out", "-"] {
            assert_eq!(key(none), None, "{none}");
        }
        let link = wiki("A#B|c", "x.md", 7).unwrap();
        assert_eq!((link.target.as_str(), link.text.as_str(), link.line), ("A#B", "c", 7));
    }

    #[test]
    fn markdown_links_give_paths() {
        let key = |to| keys(markdown(to, "t", "places/isle.md", 1));
        assert_eq!(key("../notes/ferry%20routes.md#x"), Some(("/notes/ferry-routes".to_owned(), true)));
        assert_eq!(key("/index.md?v=1"), Some(("/index".to_owned(), true)));
        assert_eq!(key("north"), Some(("/places/north".to_owned(), false)));
        for none in ["https://x.example/a.md", "mailto:a@b", "//host/a.md", "#top", "", "pic.png", "sub/", "../../out.md", "%ff.md", ".."] {
            assert_eq!(key(none), None, "{none}");
        }
    }
}
