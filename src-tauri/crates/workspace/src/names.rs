//! The slug of a page, and the names by which links find it.
//!
//! The slug is the path without its extension: lowercase, with folders; other characters than letters and digits become one `-`. If
//! several paths have the same slug, the first in byte order gets it and the others get `~2`, `~3` and so on (no other slug contains `~`).
//! Links ignore case, and `_`, `-` and whitespace are equivalent. If several pages have the name, the exact path wins,
//! then slug, title, alias, end of the path, and then the first path. Deliberately absent: any knowledge of other pages.

use inklings_core::name::lookup_key;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// File extensions of pages.
const EXTENSIONS: [&str; 2] = ["md", "markdown"];
/// For a part of the path without letters and digits.
const FALLBACK_SLUG_PART: &str = "page";
/// Number of parent folders that can be part of a name, e.g. `[[folder/page]]`.
const MAX_NAME_FOLDERS: usize = 8;

/// Priority of a name; the lowest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The whole path.
    Path = 0,
    Slug = 1,
    Title = 2,
    /// An alias of the frontmatter.
    Alias = 3,
    /// The file name, with or without its parent folders.
    End = 4,
}

/// Whether this is the file name of a page.
#[must_use]
pub fn is_page(name: &str) -> bool {
    // Files with a leading dot are hidden; `.md` alone has no name.
    !name.starts_with('.') && without_extension(name).len() < name.len()
}

/// A path or name without `.md` or `.markdown`.
#[must_use]
pub fn without_extension(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, extension)) if !extension.contains('/') && EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)) => stem,
        _ => path,
    }
}

/// The last part of a path.
#[must_use]
pub fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The slug of a path, without a number.
#[must_use]
pub fn slug(path: &str) -> String {
    let parts = without_extension(path).split('/').map(|part| {
        let mut slug = String::with_capacity(part.len());
        for ch in part.nfkc().flat_map(char::to_lowercase) {
            if ch.is_alphanumeric() || (is_mark(ch) && !slug.is_empty() && !slug.ends_with('-')) {
                slug.push(ch);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        slug.truncate(slug.trim_end_matches('-').len());
        if slug.is_empty() { FALLBACK_SLUG_PART.to_owned() } else { slug }
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The slug of the `n`th path, from 0, with the slug `base`.
#[must_use]
pub fn numbered(base: &str, n: usize) -> String {
    if n == 0 { base.to_owned() } else { format!("{base}~{}", n + 1) }
}

/// The normalized form for comparisons.
#[must_use]
pub fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for ch in lookup_key(name).chars() {
        // One `-` per run of whitespace, none at the ends of a part.
        if ch != '-' || !(key.is_empty() || key.ends_with(['-', '/'])) {
            if ch == '/' && key.ends_with('-') {
                key.pop();
            }
            key.push(ch);
        }
    }
    key.truncate(key.trim_end_matches('-').len());
    key
}

/// The key of a link to a path from the workspace's root, which is never a title.
#[must_use]
pub fn path_key(path: &str) -> String {
    format!("/{}", key(without_extension(path)))
}

/// The names of a page besides its slug, with their ranks.
#[must_use]
pub fn names(path: &str, title: &str, aliases: &[String]) -> Vec<(String, Rank)> {
    let whole = without_extension(path);
    let mut names = vec![(path_key(path), Rank::Path), (key(whole), Rank::Path), (key(title), Rank::Title)];
    names.extend(aliases.iter().map(|alias| (key(alias), Rank::Alias)));
    let (slug, folders) = (slug(path), whole.matches('/').count());
    for text in [whole, slug.as_str()] {
        let ends = text.match_indices('/').map(|(at, _)| &text[at + 1..]).skip(folders.saturating_sub(MAX_NAME_FOLDERS));
        names.extend(ends.map(|end| (key(end), Rank::End)));
    }
    names.retain(|(key, _)| !key.is_empty());
    names.sort();
    names.dedup();
    names
}

/// Whether this is a combining mark.
pub(crate) fn is_mark(ch: char) -> bool {
    !ch.is_ascii() && ch.general_category_group() == GeneralCategoryGroup::Mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_the_path_in_lower_case_letters_and_digits() {
        for (path, expected) in [
            ("Characters/Mara Venn.md", "characters/mara-venn"),
            ("notes/2024_01 (draft).markdown", "notes/2024-01-draft"),
            ("README.MD", "readme"),
            ("---.md", "page"),
            ("ÉCLAIR.md", "éclair"),
            ("ملاحظات/يوم.md", "ملاحظات/يوم"),
            ("हिन्दी.md", "हिन्दी"),
            ("日本/東京.md", "日本/東京"),
            ("v1.2/a.b.md", "v1-2/a-b"),
            ("e\u{301}.md", "é"),
        ] {
            assert_eq!(slug(path), expected, "{path}");
        }
    }

    #[test]
    fn names_compare_without_case_and_blanks_but_with_signs() {
        assert_eq!(key(" Mara  Venn "), "mara-venn");
        assert_eq!(key("mara_venn"), "mara-venn");
        assert_eq!(key("Notes / Mara - Venn"), "notes/mara-venn");
        assert_ne!(key("C++"), key("C"));
        assert_eq!(path_key("notes/a b.md"), "/notes/a-b");
    }

    #[test]
    fn pages_are_recognized_by_extension() {
        assert!(is_page("a.md") && is_page("a.Markdown") && is_page("a.b.MD"));
        assert!(!is_page(".md") && !is_page(".a.md") && !is_page("a.mdx") && !is_page("md"));
        assert_eq!(without_extension("a.md/b"), "a.md/b");
    }

    #[test]
    fn the_ends_of_a_path_are_names() {
        let names = names("a/B c/d.md", "Title", &["Other".to_owned()]);
        let of = |rank| names.iter().filter(|(_, found)| *found == rank).map(|(key, _)| key.as_str()).collect::<Vec<_>>();
        assert_eq!(of(Rank::Path), ["/a/b-c/d", "a/b-c/d"]);
        assert_eq!(of(Rank::End), ["b-c/d", "d"]);
        assert_eq!((of(Rank::Title), of(Rank::Alias)), (vec!["title"], vec!["other"]));
    }
}
