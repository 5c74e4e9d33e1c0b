//! The words of texts, as they are compared.

use std::collections::HashSet;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation as _;

/// Words that say nothing about the topic of a message, in order.
const FUNCTION_WORDS: &str = include_str!("../data/function-words.txt");

static STOPPED: LazyLock<HashSet<&str>> = LazyLock::new(|| FUNCTION_WORDS.split_whitespace().collect());
static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// The words of a text in order, in lower case; identifiers such as `readPage` and `read_page` as their parts.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.unicode_words().flat_map(parts).map(str::to_lowercase).collect()
}

/// Words that may tell what a text is about, without their endings. Each once, in order.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    terms_as_said(text).into_iter().map(|(term, _)| term).collect()
}

/// Like [`terms`], each with the word that it is from.
pub(crate) fn terms_as_said(text: &str) -> Vec<(String, String)> {
    let mut seen = HashSet::new();
    topical(text).map(|word| (stem(&word), word)).filter(|(term, _)| seen.insert(term.clone())).collect()
}

/// Like [`terms`], each as often as it occurs.
pub(crate) fn all_terms(text: &str) -> impl Iterator<Item = String> {
    topical(text).map(|word| stem(&word))
}

fn topical(text: &str) -> impl Iterator<Item = String> {
    words(text).into_iter().filter(|word| word.chars().count() > 1 && !STOPPED.contains(word.as_str()))
}

fn stem(word: &str) -> String {
    STEMMER.stem(word).into_owned()
}

/// The text with identifiers split into words, as the embedding model reads it best.
pub(crate) fn spelled_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for word in text.split_word_bounds() {
        let mut first = true;
        for part in parts(word) {
            if !first {
                out.push(' ');
            }
            out.push_str(part);
            first = false;
        }
    }
    out
}

/// Splits at `_` and where a small letter is followed by a capital one.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split('_').flat_map(|part| {
        let mut cuts = vec![0];
        let mut before = None;
        for (index, character) in part.char_indices() {
            if character.is_uppercase() && before.is_some_and(char::is_lowercase) {
                cuts.push(index);
            }
            before = Some(character);
        }
        cuts.push(part.len());
        cuts.windows(2).filter_map(|cut| part.get(cut[0]..cut[1])).filter(|part| !part.is_empty()).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_words_and_endings_go() {
        assert_eq!(
            words("Use readPage or read_page-file, ÜBER alles!"),
            ["use", "read", "page", "or", "read", "page", "file", "über", "alles"]
        );
        assert_eq!(terms("Checking the links; a check of LINKS"), ["check", "link"]);
        assert_eq!(spelled_out("Calls readPage, then `save_file`."), "Calls read Page, then `save file`.");
        assert!(terms("can you do this for me").is_empty());
    }

    #[test]
    fn function_words_are_sorted() {
        let list: Vec<&str> = FUNCTION_WORDS.split_whitespace().collect();
        assert!(list.is_sorted(), "keep them in order");
    }
}
