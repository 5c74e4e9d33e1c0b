//! Counts tokens with one encoding for all models. For other vendors' models the count is an estimate, and labelled as one.

use std::sync::LazyLock;

use tiktoken_rs::CoreBPE;

/// The encoding of all counts.
pub const ENCODING: &str = "o200k_base";

/// Maximum bytes that are encoded at once. Longer texts are split between lines or words, which can change the count by one per
/// split. Without the limit the encoder panics on runs of one character class of about a megabyte.
const PIECE: usize = 16 * 1024;

static ENCODER: LazyLock<Option<CoreBPE>> = LazyLock::new(|| tiktoken_rs::o200k_base().ok());

/// Builds the encoder, so that the first count isn't slower than the others.
pub fn warm_up() {
    LazyLock::force(&ENCODER);
}

/// The number of tokens in a text. Special tokens such as `<|endoftext|>` count as ordinary text.
#[must_use]
pub fn count(text: &str) -> usize {
    if text.is_empty() {
        return 0;
    }
    let Some(encoder) = ENCODER.as_ref() else {
        return text.len().div_ceil(4);
    };
    let mut rest = text;
    let mut total = 0;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(cut(rest));
        total += encoder.count_ordinary(piece);
        rest = after;
    }
    total
}

/// The length of the next piece, which ends before the last run of whitespace within the maximum length.
fn cut(text: &str) -> usize {
    if text.len() <= PIECE {
        return text.len();
    }
    let window = &text[..text.floor_char_boundary(PIECE)];
    let blank_after_word = |(at, ch): &(usize, char)| ch.is_whitespace() && !window[..*at].ends_with(char::is_whitespace);
    window.char_indices().rev().find(blank_after_word).map(|(at, _)| at).filter(|at| *at > 0).unwrap_or(window.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_like_the_encoding() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert_eq!(count("<|endoftext|>"), 7);
    }

    #[test]
    fn cutting_hardly_changes_a_count() {
        let text = "Find every claim about a page, and cite where it stands.\nThen compare.\n".repeat(2_000);
        let whole = ENCODER.as_ref().unwrap().count_ordinary(&text);
        let pieces = text.len() / PIECE + 1;
        assert!(count(&text).abs_diff(whole) <= pieces, "{} {whole}", count(&text));
    }

    #[test]
    fn long_runs_are_counted() {
        for text in [" ", "a", "é", "7", "=", "\n", "字", "👩‍👩‍👧", " \n", "aB"] {
            let text = text.repeat(1_000_000 / text.len());
            assert!(count(&text) > text.len() / 200, "{:?}", text.chars().next());
        }
    }
}
