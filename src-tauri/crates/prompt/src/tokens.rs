//! Token counts. One encoding for all models: an estimate for those of other makers, always labelled as one.

use std::sync::LazyLock;

use tiktoken_rs::CoreBPE;

/// The encoding that counts are made with.
pub const ENCODING: &str = "o200k_base";

/// Bytes that are encoded at once. Longer texts are cut between lines or words, which can make the count differ by one a
/// cut, and is needed: on a run of one kind as long as a megabyte the encoder's expressions give up and it panics.
const PIECE: usize = 16 * 1024;

static ENCODER: LazyLock<Option<CoreBPE>> = LazyLock::new(|| tiktoken_rs::o200k_base().ok());

/// Builds the encoder now, so that the first count is as fast as the others.
pub fn warm_up() {
    LazyLock::force(&ENCODER);
}

/// The number of tokens of a text. Marks such as `<|endoftext|>` count as ordinary text.
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

/// Where the next piece ends: before the last blank, line or not, that starts a run within a piece's length.
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
